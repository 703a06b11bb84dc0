//! The tables of a queue, in a real PostgreSQL.

use super::super::hostile::{cases, filled, hostile};
use super::{base, changed, file, paths, topology};
use crate::servers;

#[track_caller]
fn files(text: &str) -> Vec<ackord::emit::GeneratedFile> {
    topology("x.queue.yaml", text).unwrap_or_else(|said| panic!("{said}"))
}

/// What the catalogue says about every table of ours.
const CATALOGUE: &str = "
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' order by table_name, ordinal_position;
    select tablename, indexname from pg_indexes where schemaname = 'public' order by tablename, indexname;";

#[test]
fn up_down_and_up_again() {
    let Some(server) = servers::postgres() else { return };
    let files = files(&base("task-postgres"));
    let ends = ["queue.sql", "queue.down.sql", "queue.expire.sql"];
    assert_eq!(paths(&files), ends.map(|end| format!("daily-reports/topology/{end}")));
    let database = server.database();
    let [up, down, expire] = ends.map(|end| file(&files, end));
    let run = |text: &str| database.sql(text).unwrap_or_else(|said| panic!("{said}\n{text}"));
    run(up);
    let there = run(CATALOGUE);
    for name in
        ["daily_reports_queue|visible_at", "daily_reports_dlq|dead_at", "|daily_reports_queue_visible_at"]
    {
        assert!(there.contains(name), "{name} is nowhere in\n{there}");
    }
    // Twice is as good as once.
    run(up);
    assert_eq!(run(CATALOGUE), there);
    run(expire);
    run(down);
    assert_eq!(run(CATALOGUE).trim(), "");
    run(down);
    run(up);
    assert_eq!(run(CATALOGUE), there);
}

#[test]
fn only_what_is_old_enough_goes() {
    let Some(server) = servers::postgres() else { return };
    let files = files(&changed(&base("task-postgres"), &[("redelivery:", "retention: 20d\nredelivery:")]));
    let database = server.database();
    let run = |text: &str| database.sql(text).unwrap_or_else(|said| panic!("{said}\n{text}"));
    run(file(&files, "queue.sql"));
    run("insert into daily_reports_queue (message_id, body, published_at) values
            ('old', '', now() - interval '20 days 1 minute'), ('young', '', now() - interval '19 days 23 hours');
         insert into daily_reports_dlq (message_id, body, published_at, dead_at) values
            ('dead', '', now(), now() - interval '14 days 1 minute'),
            ('dying', '', now() - interval '30 days', now() - interval '13 days 23 hours');");
    run(file(&files, "queue.expire.sql"));
    assert_eq!(run("select message_id from daily_reports_queue"), "young\n");
    assert_eq!(run("select message_id from daily_reports_dlq"), "dying\n");
}

/// The statement that consumers fetch with, on many rows: the index serves it.
#[test]
fn the_next_messages_are_found_by_the_index() {
    let Some(server) = servers::postgres() else { return };
    let files = files(&base("task-postgres"));
    let database = server.database();
    let run = |text: &str| database.sql(text).unwrap_or_else(|said| panic!("{said}\n{text}"));
    run(file(&files, "queue.sql"));
    run("insert into daily_reports_queue (message_id, body, visible_at)
         select n, '', now() + n * interval '1 second' from generate_series(-100, 20000) n; analyze;");
    let plan = run("explain select id from daily_reports_queue where visible_at <= now()
                    order by visible_at, id limit 10 for update skip locked");
    assert!(plan.contains("Index Scan using daily_reports_queue_visible_at"), "{plan}");
}

#[test]
fn a_queue_of_pgmq_is_made_with_its_own_words() {
    let text = changed(&base("task-postgres"), &[("table: own", "table: pgmq")]);
    let files = files(&text);
    assert!(file(&files, "queue.sql").contains("select pgmq.create('daily_reports');"));
    let refused = changed(&text, &[("table: pgmq", "table: pgmq\n  queue: Daily-Reports")]);
    assert!(topology("x.queue.yaml", &refused).is_err_and(|said| said.contains("pgmq cannot keep the name")));
    let Some(server) = servers::postgres() else { return };
    let database = server.database();
    let run = |text: &str| database.sql(text).unwrap_or_else(|said| panic!("{said}\n{text}"));
    let there = run("select count(*) from pg_available_extensions where name = 'pgmq'");
    if there.trim() != "1" {
        // It is in no distribution's packages, so its absence is no failure, but it must be heard.
        eprintln!("NOT TESTED: the extension pgmq is missing, so its queue was not made");
        return;
    }
    for end in ["queue.sql", "queue.expire.sql", "queue.down.sql", "queue.sql"] {
        run(file(&files, end));
    }
}

#[test]
fn shared_dead_letters_stay() {
    let text = changed(
        &base("task-postgres"),
        &[("  queue: daily-reports-dlq", "  queue: daily-reports-dlq\n  shared: true")],
    );
    let files = files(&text);
    assert!(!file(&files, "queue.down.sql").contains("drop table if exists \"daily_reports_dlq\""));
}

#[test]
fn hostile_texts_stay_names_and_comments() {
    let case = cases().remove(0).1;
    let kind = "broker: {kind: rabbitmq, version: \"@@\", queue_type: quorum, queue: \"@@\"}";
    let case = changed(&case, &[(kind, "broker: {kind: postgres, version: \"@@\", queue: \"@@\"}")]);
    let database = servers::postgres().map(servers::Postgres::database);
    let mut written = 0;
    for text in hostile() {
        let Ok(files) = topology(&format!("{text}.queue.yaml"), &filled(&case, &text)) else {
            assert!(text.contains(char::is_control) || text.len() > 63, "{text:?}");
            continue;
        };
        written += 1;
        for file in &files {
            assert!(file.text.starts_with("-- Code generated by ackord from "), "{text:?}");
            assert!(!file.text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        }
        let Some(database) = &database else { continue };
        let names = "select string_agg(tablename, '|' order by tablename) from pg_tables where schemaname = 'public';";
        let [up, down, expire] =
            ["queue.sql", "queue.down.sql", "queue.expire.sql"].map(|end| file(&files, end));
        // In one session, so that nothing left open by one file could reach the next unnoticed.
        let script = format!("{up}{expire}{names}{down}{names}{up}{names}{down}");
        let said = database.sql(&script).unwrap_or_else(|said| panic!("{said}\n{script}"));
        let mut expected = ["payment_capture_dlq", text.as_str()];
        expected.sort_unstable();
        let there = expected.join("|");
        assert_eq!(said, format!("{there}\n\n{there}\n"), "{text:?}");
    }
    assert!(written > 100, "{written}");
}
