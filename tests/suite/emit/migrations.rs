//! The migrations of each contract, run on the engines themselves.

mod engines;
mod expiry;
mod texts;

use ackord::emit::{GeneratedFile, generate};
use ackord::policy::Policy;
use ackord::report::inspect;

use super::figures::{Figure, Known};
use super::{judged, root};
use engines::{Engine, Kind, engines};

/// The contracts of examples and bases.
fn contracts() -> Vec<(String, String)> {
    let mut all: Vec<_> = super::examples()
        .into_iter()
        .map(|(path, text)| (path.to_string_lossy().into_owned(), text))
        .collect();
    for file in std::fs::read_dir(root().join("tests/bases")).expect("the bases") {
        let path = file.expect("an entry").path();
        all.push((path.to_string_lossy().into_owned(), std::fs::read_to_string(&path).expect("a text")));
    }
    all.sort();
    all
}

/// The example that has most of it.
fn tour() -> String {
    let path = root().join("examples/payment-capture/payment-capture.queue.yaml");
    std::fs::read_to_string(path).expect("the tour")
}

/// The contract with its keys in another engine.
fn kept_in(engine: &str, text: &str) -> String {
    text.replace("engine: postgres", &format!("engine: {engine}"))
}

/// The migrations of a text, where it has no error.
fn try_migrations(name: &str, text: &str) -> Option<Result<Vec<GeneratedFile>, String>> {
    let report = judged(name, text);
    let policy = Policy::default();
    let clean = report.clean(&policy)?;
    Some(
        generate(&clean, "migrations")
            .map_err(|failure| format!("{failure}: {:?}", std::error::Error::source(&failure))),
    )
}

#[track_caller]
fn migrations(name: &str, text: &str) -> Vec<GeneratedFile> {
    try_migrations(name, text)
        .unwrap_or_else(|| panic!("{name}:\n{text}"))
        .unwrap_or_else(|failure| panic!("{name}: {failure}"))
}

/// The file whose name ends so.
fn file<'a>(files: &'a [GeneratedFile], end: &str) -> Option<&'a str> {
    files.iter().find(|file| file.path.ends_with(end)).map(|file| file.text.as_str())
}

/// Its statements, without comments.
fn statements(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("--")).collect();
    let all = lines.join("\n");
    all.split(";\n")
        .map(|one| one.trim().trim_end_matches(';').to_owned())
        .filter(|one| !one.is_empty())
        .collect()
}

/// For each queue: what goes up, what goes down, what expires.
fn queues(files: &[GeneratedFile]) -> Vec<[Option<&str>; 3]> {
    let ups = files.iter().filter(|file| file.path.ends_with(".up.sql"));
    ups.map(|up| {
        let side = up.path.replace("0001_", "").replace("0002_", "").replace(".up.sql", "");
        let (folder, side) = side.rsplit_once('/').expect("a folder");
        let named = |path: String| files.iter().find(|file| file.path == path).map(|file| file.text.as_str());
        [
            Some(up.text.as_str()),
            named(up.path.replace(".up.", ".down.")),
            named(format!("{folder}/expire_{side}.sql")),
        ]
    })
    .collect()
}

/// Up, down, up, up again, and the expiry job between, all in one database as teams share one.
#[test]
fn every_contract_goes_up_down_and_up_again() {
    let engines = engines();
    let mut ran = 0;
    for (path, text) in contracts() {
        for engine in &engines {
            let stated = text.contains("engine: postgres");
            if !stated && engine.kind != Kind::Postgres {
                continue;
            }
            let Some(files) = try_migrations("x.queue.yaml", &kept_in(engine.word(), &text)) else {
                continue;
            };
            for [up, down, expire] in queues(&files.expect("files")) {
                ran += usize::from(down.is_some());
                up_down_up(engine, &path, [up.expect("it"), down.unwrap_or(""), expire.unwrap_or("")]);
            }
        }
    }
    assert!(engines.len() < 3 || ran >= 60, "only {ran} ran");
}

fn up_down_up(engine: &Engine, path: &str, [up, down, expire]: [&str; 3]) {
    let before = engine.tables();
    engine.sql(up);
    let schema = engine.schema();
    engine.sql(expire);
    engine.sql(up);
    assert_eq!(engine.schema(), schema, "{path}: a second time changes nothing");
    engine.sql(down);
    let left: Vec<_> = engine.tables().into_iter().filter(|table| !before.contains(table)).collect();
    assert!(left.iter().all(|table| table.starts_with("ackord_")), "{path}: {left:?} are left");
    engine.sql(up);
    assert_eq!(engine.schema(), schema, "{path}: {} up, down, up\n{up}", engine.word());
    engine.sql(expire);
    engine.sql(down);
}

#[test]
fn the_way_back_takes_the_rows_of_this_contract_only() {
    for engine in engines() {
        let files = migrations("x.queue.yaml", &kept_in(engine.word(), &tour()));
        engine.sql(file(&files, "0001_consumer.up.sql").expect("it"));
        for contract in ["payment-capture", "payment-capture-2"] {
            let contract = engine.text(contract);
            let columns = ["contract", "event_id", "state", "attempts", "owner", "received_at", "updated_at"];
            engine.fill(
                "ackord_status",
                3,
                &columns,
                &[&contract, &engine.numbered("e"), "'dead'", "1", "'o'", "1", "1"],
            );
        }
        engine.sql(file(&files, "0001_consumer.down.sql").expect("it"));
        assert_eq!(
            engine.sql("select contract, count(*) from ackord_status group by contract;\n"),
            ["payment-capture-2|3"]
        );
        assert_eq!(engine.tables(), ["ackord_status"]);
    }
}

/// The store that a contract names decides; where it is Redis, the files say what that means.
#[test]
fn redis_has_nothing_to_migrate_and_says_so() {
    let redis = "engine: redis, persistence: aof-always, eviction: noeviction";
    // No transaction spans Redis and a table, so the effect is outside as well.
    let text = tour()
        .replace("engine: postgres", redis)
        .replace("  - {name: ledger-entry, kind: database, table: ledger_entries}\n", "");
    let report = judged("x.queue.yaml", &text);
    let policy = Policy::default();
    let Some(clean) = report.clean(&policy) else { panic!("{:#?}", report.findings) };
    let files = generate(&clean, "migrations").expect("files");
    let up = file(&files, "0001_consumer.up.sql").expect("it");
    assert!(up.contains("There is nothing to migrate for the keys: they are in Redis"), "{up}");
    assert!(!up.contains("processed_payments"), "{up}");
}

#[test]
fn what_an_engine_would_cut_is_refused() {
    for (table, engine, fits) in [
        ("t".repeat(63), "postgres", true),
        ("t".repeat(64), "postgres", false),
        ("t".repeat(64), "mysql", true),
        ("t".repeat(65), "mysql", false),
        ("t".repeat(110), "sqlite", true),
    ] {
        let text = kept_in(engine, &tour()).replace("processed_payments", &table);
        let files = try_migrations("x.queue.yaml", &text).expect("clean");
        assert_eq!(files.is_ok(), fits, "{engine} {}", table.len());
        let Ok(files) = files else { continue };
        for server in engines().iter().filter(|server| server.word() == engine) {
            server.sql(file(&files, "0001_consumer.up.sql").expect("it"));
            let mut expected = ["ackord_status", table.as_str()];
            expected.sort_unstable();
            let mut tables = server.tables();
            tables.sort_unstable();
            assert_eq!(tables, expected);
        }
    }
    let many = tour().replace("table: processed_payments", "table: processed_payments, partitions: 100000");
    assert!(
        try_migrations("x.queue.yaml", &many)
            .expect("clean")
            .is_err_and(|error| error.contains("partitions"))
    );
}

/// The numbers of SQL; digits within names are none.
fn numbers(sql: &str) -> Vec<&str> {
    sql.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .collect()
}

#[test]
fn every_figure_comes_from_inspect_the_contract_or_the_target() {
    let target =
        std::fs::read_to_string(root().join("templates/migrations/target.yaml")).expect("the target");
    let mut seen = 0;
    for (path, text) in contracts() {
        for engine in ["postgres", "mysql", "sqlite"] {
            let text = kept_in(engine, &text);
            let report = judged("x.queue.yaml", &text);
            let policy = Policy::default();
            let Some(files) = try_migrations("x.queue.yaml", &text) else { continue };
            let mut known = Known::default();
            report.analyses(&policy).iter().for_each(|analysis| known.json("", &inspect::json(analysis)));
            known.text(&text);
            known.text(&target);
            for file in files.expect("files") {
                let (_, body) = file.text.split_once('\n').expect("a first line");
                for shown in numbers(body) {
                    seen += 1;
                    assert!(is_known(&known, shown), "{path}: {shown} in {}\n{body}", file.path);
                }
            }
        }
    }
    assert!(seen > 300, "only {seen} figures were found");
}

fn is_known(known: &Known, shown: &str) -> bool {
    use ackord::syntax::Scalar as _;
    if let Ok(time) = ackord::units::Duration::parse(shown) {
        return known.has(shown, Figure::Time(time.as_secs_f64() * 1e3));
    }
    let Ok(number) = shown.parse::<f64>() else { return false };
    // Times are kept in milliseconds. The one placeholder of a statement is its first.
    known.has(shown, Figure::Number(number)) || known.has(shown, Figure::Time(number)) || shown == "1"
}

#[test]
fn a_figure_that_nobody_knows_is_noticed() {
    let mut known = Known::default();
    known.text("ttl: 15d, batch 10000");
    let judge =
        |sql: &'static str| numbers(sql).into_iter().map(|shown| is_known(&known, shown)).collect::<Vec<_>>();
    assert_eq!(judge("- 1296000000 15d limit 10000"), [true, true, true]);
    assert_eq!(judge("- 1296000001 16d limit 10001 15x"), [false, false, false, false]);
}

#[test]
fn the_committed_migrations_are_fresh() {
    let folder = root().join("examples/payment-capture");
    for file in migrations("payment-capture.queue.yaml", &tour()) {
        let committed = folder.join("generated").join(file.path.trim_start_matches("payment-capture/"));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::create_dir_all(committed.parent().expect("a folder")).expect("a folder");
            std::fs::write(&committed, &file.text).expect("a file");
        }
        let there = std::fs::read_to_string(&committed).unwrap_or_default();
        assert!(
            there == file.text,
            "{} is stale; run `UPDATE=1 cargo test --test suite emit`",
            committed.display()
        );
    }
}
