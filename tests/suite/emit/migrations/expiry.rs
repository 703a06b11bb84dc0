//! The expiry jobs: exactly the rows whose time is over, the oldest first, found by an index.

use super::engines::{Engine, Kind, engines};
use super::{file, kept_in, migrations, statements, tour};

/// So many rows one run removes at most.
const BATCH: i64 = 10_000;

/// The present in milliseconds, as this test counts it.
fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a clock");
    i64::try_from(since.as_millis()).expect("a time")
}

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// The tour, also with its keys in partitions.
fn variants(engine: &Engine) -> [String; 2] {
    let text = kept_in(engine.word(), &tour());
    let divided = text.replace("table: processed_payments", "table: processed_payments, partitions: 4");
    assert_ne!(text, divided);
    [text, divided]
}

/// Rows of `processed_payments`: one per second of age, of which `over` have expired; the last never do.
fn fill_keys(engine: &Engine, expired: u32, fresh: u32) {
    let columns =
        ["contract", "dedupe_key", "state", "event_id", "owner", "lease_until", "created_at", "expires_at"];
    let (key, other) = (engine.numbered("old"), engine.numbered("new"));
    let now = now();
    let past = format!("{} - i", now - HOUR);
    let future = format!("{} + i", now + HOUR);
    let contract = "'payment-capture'";
    engine.fill(
        "processed_payments",
        expired,
        &columns,
        &[contract, &key, "'done'", "'e'", "'o'", "0", "0", &past],
    );
    engine.fill(
        "processed_payments",
        fresh,
        &columns,
        &[contract, &other, "'done'", "'e'", "'o'", "0", "0", &future],
    );
    engine.fill(
        "processed_payments",
        1,
        &columns,
        &[contract, "'for ever'", "'done'", "'e'", "'o'", "0", "0", "null"],
    );
}

#[test]
fn keys_go_when_their_time_is_over_and_not_before() {
    for engine in engines() {
        for text in variants(&engine) {
            let files = migrations("x.queue.yaml", &text);
            let job = file(&files, "expire_consumer.sql").expect("it");
            engine.sql(file(&files, "0001_consumer.up.sql").expect("it"));
            fill_keys(&engine, 12_000, 500);
            let old = "select count(*) from processed_payments where dedupe_key like 'old%'";
            // One batch, the oldest first: a greater number is longer ago.
            engine.sql(job);
            assert_eq!(engine.number(old), 12_000 - BATCH, "{}", engine.word());
            let kept = engine.sql("select dedupe_key from processed_payments where dedupe_key in ('old1', 'old2000', 'old2001', 'old12000') order by 1;\n");
            assert_eq!(kept, ["old1", "old2000"]);
            engine.sql(job);
            engine.sql(job);
            assert_eq!(engine.number(old), 0);
            assert_eq!(engine.number("select count(*) from processed_payments"), 501);
            engine.sql(file(&files, "0001_consumer.down.sql").expect("it"));
        }
    }
}

#[test]
fn an_event_goes_when_it_has_ended_long_ago() {
    for engine in engines() {
        let files = migrations("x.queue.yaml", &kept_in(engine.word(), &tour()));
        engine.sql(file(&files, "0001_consumer.up.sql").expect("it"));
        let columns = ["contract", "event_id", "state", "attempts", "owner", "received_at", "updated_at"];
        let row = |contract: &str, id: &str, state: &str, age: i64| {
            let [contract, id, state] = [contract, id, state].map(|text| engine.text(text));
            let at = (now() - age).to_string();
            engine.fill("ackord_status", 1, &columns, &[&contract, &id, &state, "1", "'o'", "0", &at]);
        };
        for state in ["succeeded", "dead", "dropped", "stale", "received", "waiting"] {
            row("payment-capture", &format!("{state} over"), state, 15 * DAY + HOUR);
            row("payment-capture", &format!("{state} within"), state, 15 * DAY - HOUR);
            row("another", &format!("{state} over"), state, 15 * DAY + HOUR);
        }
        engine.sql(file(&files, "expire_consumer.sql").expect("it"));
        let left =
            engine.sql("select event_id from ackord_status where contract = 'payment-capture' order by 1;\n");
        let mut expected: Vec<String> = ["succeeded", "dead", "dropped", "stale", "received", "waiting"]
            .iter()
            .map(|state| format!("{state} within"))
            .collect();
        expected.extend(["received over".to_owned(), "waiting over".to_owned()]);
        expected.sort();
        assert_eq!(left, expected, "{}", engine.word());
        assert_eq!(engine.number("select count(*) from ackord_status where contract = 'another'"), 6);
    }
}

#[test]
fn a_sent_message_goes_when_no_replay_reaches_it() {
    for engine in engines() {
        let files = migrations("x.queue.yaml", &kept_in(engine.word(), &tour()));
        engine.sql(file(&files, "0002_producer.up.sql").expect("it"));
        let columns = ["queue", "event_id", "headers", "body", "created_at", "sent_at"];
        for (queue, id, sent) in [
            ("payment-capture", "over", (now() - 48 * HOUR - HOUR).to_string()),
            ("payment-capture", "within", (now() - 48 * HOUR + HOUR).to_string()),
            ("payment-capture", "not sent", "null".to_owned()),
            ("another", "of another queue", "1".to_owned()),
        ] {
            let [queue, id, body] = [queue, id, "x"].map(|text| engine.text(text));
            let body = if engine.kind == Kind::Postgres { "'\\x00'".to_owned() } else { body };
            engine.fill("order_outbox", 1, &columns, &[&queue, &id, "'{}'", &body, "1", &sent]);
        }
        engine.sql(file(&files, "expire_producer.sql").expect("it"));
        let left = engine.sql("select event_id from order_outbox order by 1;\n");
        assert_eq!(left, ["not sent", "of another queue", "within"], "{}", engine.word());
    }
}

/// A table that was filled, its statistics fresh.
fn analyze(engine: &Engine, table: &str) {
    let word = if engine.kind == Kind::Mariadb { "analyze table" } else { "analyze" };
    engine.sql(&format!("{word} {};\n", engine.name(table)));
}

#[test]
fn a_job_finds_its_rows_by_their_index() {
    for engine in engines() {
        let [text, _] = variants(&engine);
        let files = migrations("x.queue.yaml", &text);
        engine.sql(file(&files, "0001_consumer.up.sql").expect("it"));
        fill_keys(&engine, 200, 40_000);
        analyze(&engine, "processed_payments");
        let columns = ["contract", "event_id", "state", "attempts", "owner", "received_at", "updated_at"];
        let at = format!("{} + i", now() - HOUR);
        let values = ["'payment-capture'", &engine.numbered("e"), "'succeeded'", "1", "'o'", "0", &at];
        engine.fill("ackord_status", 40_000, &columns, &values);
        analyze(&engine, "ackord_status");
        let jobs = statements(file(&files, "expire_consumer.sql").expect("it"));
        assert_eq!(jobs.len(), 2);
        for (job, index) in
            jobs.iter().zip(["processed_payments_expires_at", "ackord_status_contract_updated_at"])
        {
            let plan = engine.plan(job);
            assert!(plan.contains(index), "{}: {plan}", engine.word());
            // The control: without it, the plan reads the whole table.
            let table = if index.starts_with("ackord") { "ackord_status" } else { "processed_payments" };
            let on = if engine.kind == Kind::Mariadb { format!(" on {table}") } else { String::new() };
            engine.sql(&format!("drop index {index}{on};\n"));
            assert!(!engine.plan(job).contains(index));
        }
    }
}
