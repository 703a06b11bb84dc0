#![allow(clippy::indexing_slicing, reason = "a test that reads past its data should fail")]

use super::select::expand;
use super::*;
use crate::diagnostic::Code;
use crate::rules::Check;
use crate::units::Duration;

const fn rule(code: &'static str, name: &'static str) -> Rule {
    Rule { code: Code(code), name, level: Level::Error, suppressible: true, doc: "", check: Check::Reading }
}

static FIRST: Rule = rule("AK016", "incomplete-contract");
static SECOND: Rule = rule("AK201", "dedupe-shorter-than-retries");
static THIRD: Rule = rule("AK206", "missing-dedupe");

fn registry() -> Vec<&'static Rule> {
    vec![&FIRST, &SECOND, &THIRD]
}

fn good(text: &str) -> Config {
    read(text, &registry()).expect("a configuration")
}

/// The only problem of `text`: what it points at, its message and its help.
fn bad(text: &str) -> (String, String, String) {
    let problems = read(text, &registry()).expect_err("a problem");
    assert_eq!(problems.len(), 1, "{problems:?}");
    let problem = &problems[0];
    (
        text[problem.place.clone()].to_owned(),
        problem.message.clone(),
        problem.help.clone().unwrap_or_default(),
    )
}

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn nothing_said_is_the_default() {
    let config = good("");
    assert_eq!(config.policy, Policy::default());
    assert_eq!(
        (config.select, config.fail_on, config.pedantic, config.output_format),
        (None, None, None, None)
    );
}

#[test]
fn words_for_rules() {
    let found = |word: &str| expand(word, &registry());
    assert_eq!(found("AK201"), Ok(set(&["AK201"])));
    assert_eq!(found("ak201"), Ok(set(&["AK201"])));
    assert_eq!(found("missing-dedupe"), Ok(set(&["AK206"])));
    assert_eq!(found("AK2"), Ok(set(&["AK201", "AK206"])));
    assert_eq!(found("AK"), Ok(set(&["AK016", "AK201", "AK206"])));
    assert_eq!(found("ALL"), Ok(set(&["AK016", "AK201", "AK206"])));
    assert_eq!(found("AK016:evidence"), Ok(set(&["AK016:evidence"])));
    assert_eq!(found("incomplete-contract:on_call"), Ok(set(&["AK016:on_call"])));
    for nothing in ["", "A", "AK9", "AK2:evidence", "AK016:", "AK016:a b", "missing"] {
        assert!(found(nothing).is_err(), "{nothing}");
    }
    let unknown = found("missing-dedup").expect_err("no rule");
    assert_eq!(unknown.message, "`missing-dedup` is no rule, prefix or item");
    assert_eq!(unknown.help, "write `missing-dedupe`");
}

#[test]
fn every_setting_arrives() {
    let config = good(
        r#"
        select = ["AK2", "AK016"]
        ignore = ["missing-dedupe"]
        fail-on = "warning"
        pedantic = true
        output-format = "jsonl"
        [levels]
        AK2 = "note"
        dedupe-shorter-than-retries = "error"
        AK016 = "off"
        [[override]]
        paths = ["legacy/**"]
        ignore = ["AK016:evidence"]
        [policy]
        margin = "90s"
        alert-ratio = 5
        embedded-size = "1KiB"
        busy = "50%"
        [lock]
        unsuppressible = ["AK201"]
        [generate]
        out = "build/out"
        targets = ["runbook", "alerts"]
        "#,
    );
    assert_eq!(config.select, Some(set(&["AK016", "AK201", "AK206"])));
    assert_eq!(config.ignore, set(&["AK016", "AK206"]));
    assert_eq!(config.fail_on, Some(Level::Warning));
    assert_eq!(config.pedantic, Some(true));
    assert_eq!(config.output_format, Some(report::Format::JsonLines));
    // The word that names fewer rules wins.
    let levels = [("AK201".to_owned(), Level::Error), ("AK206".to_owned(), Level::Note)];
    assert_eq!(config.levels, BTreeMap::from(levels));
    assert_eq!(config.overrides[0].paths, ["legacy/**"]);
    assert_eq!(config.overrides[0].ignored, set(&["AK016:evidence"]));
    assert_eq!(config.locked, set(&["AK201"]));
    let targets = ["runbook", "alerts"].map(str::to_owned).to_vec();
    assert_eq!(config.generate, Generate { out: Some("build/out".to_owned()), targets });
    let policy = Policy {
        margin: Duration::from_secs(90),
        alert_ratio: 5.0,
        embedded_size: 1024,
        busy: 0.5,
        ..Policy::default()
    };
    assert_eq!(config.policy, policy);
}

#[test]
fn problems_stand_at_their_place() {
    let (place, message, help) = bad("pedantic = true\nselct = [\"AK2\"]\n");
    assert_eq!((place.as_str(), message.as_str()), ("selct", "`selct` is not a setting here"));
    assert_eq!(help, "write `select`");
    let (place, message, help) = bad("[policy]\nmargn = \"1m\"\n");
    assert_eq!((place.as_str(), message.as_str()), ("margn", "`margn` is not a setting here"));
    assert_eq!(help, "write `margin`");
    let (place, message, _) = bad("fail-on = \"fatal\"\n");
    assert_eq!((place.as_str(), message.as_str()), ("\"fatal\"", "`fatal` is not a value of this setting"));
    let (place, message, help) = bad("[policy]\nmargin = 60\n");
    assert_eq!((place.as_str(), message.as_str()), ("60", "`60` has no unit"));
    assert!(help.starts_with("write 60s"), "{help}");
    let (place, message, _) = bad("[policy]\nmargin = \"soon\"\n");
    assert_eq!((place.as_str(), message.as_str()), ("\"soon\"", "`soon` is not a duration"));
    let (place, _, help) = bad("ignore = [\"AK206\", \"AK207\"]\n");
    assert_eq!(place, "\"AK207\"");
    assert!(help.contains("AK20"), "{help}");
    let (place, message, _) = bad("[policy]\nalert-ratio = -2.0\n");
    assert_eq!((place.as_str(), message.as_str()), ("-2.0", "`alert-ratio` is -2; a factor is at least 1"));
    let (place, ..) = bad("[policy]\nslow-alert-ratio = nan\n");
    assert_eq!(place, "nan");
    let (place, ..) = bad("[[override]]\npaths = [\"a{\"]\nignore = []\n");
    assert_eq!(place, "\"a{\"");
    let (place, ..) = bad("[levels]\nAK999x = \"off\"\n");
    assert_eq!(place, "AK999x");
    let (_, message, _) = bad("pedantic = \"yes\"\n");
    assert_eq!(message, "found string \"yes\" where a boolean is wanted");
}

#[test]
fn the_output_folder_is_below_the_file() {
    for outside in
        ["", ".", "..", "../out", "out/../..", "/out", "a//b", "out/", "c:/out", "a\\\\b", "a\\u0000"]
    {
        let (place, message, _) = bad(&format!("[generate]\nout = \"{outside}\"\n"));
        assert_eq!(place, format!("\"{outside}\""));
        assert!(message.ends_with("is no folder below that of this file"), "{message}");
    }
}

#[test]
fn all_unknown_rules_are_told_at_once() {
    let problems = read("select = [\"AKx\"]\nignore = [\"AKy\"]\n", &registry()).expect_err("problems");
    assert_eq!(problems.len(), 2);
}

#[test]
fn a_drawing_shows_the_line_and_steers_nothing() {
    let text = "pedantic = true\nselct = [\"\u{9b}31m\u{202e}\"]\n";
    let problems = read(text, &registry()).expect_err("a problem");
    let drawn = draw("a\u{1b}[31m/ackord.toml", text, &problems, false);
    assert!(drawn.starts_with("error: `selct` is not a setting here\n"), "{drawn}");
    assert!(drawn.contains("ackord.toml:2:1"), "{drawn}");
    assert!(drawn.contains("help: write `select`"), "{drawn}");
    assert!(drawn.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{drawn:?}");
    let long = format!("x = \"{}\"\n", "y".repeat(100_000));
    let problems = read(&long, &registry()).expect_err("a problem");
    let drawn = draw("ackord.toml", &long, &problems, false);
    assert!(drawn.len() < 4096 && drawn.contains("line 1 of ackord.toml"), "{drawn}");
}

#[test]
fn the_published_schema_is_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/ackord-config.v1.json");
    let expected = format!("{:#}\n", schema());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/schema")).expect("a folder");
        std::fs::write(path, &expected).expect("the schema");
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == expected, "schema/ackord-config.v1.json is stale; run `UPDATE=1 cargo test`");
}

#[test]
fn the_published_schema_judges_like_the_reader() {
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    let value = |text: &str| {
        let table: toml::Table = toml::from_str(text).expect("TOML");
        serde_json::to_value(table).expect("JSON")
    };
    for accepted in
        ["", "pedantic = true", "[policy]\nmargin = \"1m\"\nbusy = \"80%\"", "[levels]\nAK201 = \"off\""]
    {
        assert!(validator.is_valid(&value(accepted)) && read(accepted, &registry()).is_ok(), "{accepted}");
    }
    for refused in [
        "selct = []",
        "fail-on = \"fatal\"",
        "[policy]\nmargin = 60",
        "[policy]\nalert-ratio = 0.5",
        "[[override]]\npaths = []",
        "[lock]\nother = 1",
    ] {
        assert!(!validator.is_valid(&value(refused)) && read(refused, &registry()).is_err(), "{refused}");
    }
}
