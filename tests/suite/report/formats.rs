//! `concise`, `json`, `jsonl` and `github` on an ordinary finding, and the names of the formats.

use std::str::FromStr;

use ackord::diagnostic::{Applicability, Code, Diagnostic, Level};
use ackord::report::{Format, render};
use ackord::source::Span;
use serde_json::{Value, json};

use super::runner::commands;
use super::{COLOR, PLAIN, error, nth, report};

const TEXT: &str = "queue: a\nttl: 10m # é\nretention: 4d\n";

fn ordinary() -> ackord::lint::Report {
    let ttl = nth(TEXT, "10m", 0);
    let finding = error(ttl, "keys expire after 10m")
        .at("too early")
        .label(nth(TEXT, "4d", 0), "kept this long")
        .note("a note")
        .help("raise `ttl`")
        .replace(Applicability::Unsafe, ttl, "15d", "ttl: 10m -> 15d");
    let warning =
        Diagnostic::new(Code("AK301"), nth(TEXT, "a", 0), "the name is short").level(Level::Warning);
    let mut report = report("queues/a.queue.yaml", TEXT, vec![warning, finding]);
    report.suppressed = 1;
    report
}

#[test]
fn names_are_read_back() {
    for format in Format::ALL {
        assert_eq!(Format::from_str(format.name()), Ok(format));
    }
    assert_eq!(
        Format::from_str("xml\u{1b}"),
        Err("format `xml␛` is not one of full, concise, json, jsonl, github, sarif".to_owned())
    );
}

#[test]
fn concise_is_a_line_each() {
    let expected = "queues/a.queue.yaml:1:8: warning[AK301] the name is short\n\
                    queues/a.queue.yaml:2:6: error[AK201] keys expire after 10m\n";
    assert_eq!(render(Format::Concise, &ordinary(), &PLAIN), expected);
    let colored = render(Format::Concise, &ordinary(), &COLOR);
    assert!(colored.contains(": \x1b[0;1;31merror[AK201]\x1b[0m keys"), "{colored:?}");
}

fn expected_error() -> Value {
    let ttl = json!({
        "start": { "line": 2, "column": 6, "offset": 14 },
        "end": { "line": 2, "column": 9, "offset": 17 },
    });
    json!({
        "code": "AK201",
        "name": ackord::rules::find("AK201").map(|rule| rule.name),
        "level": "error",
        "message": "keys expire after 10m",
        "file": "queues/a.queue.yaml",
        "range": ttl,
        "label": "too early",
        "items": [],
        "related": [{
            "file": "queues/a.queue.yaml",
            "range": {
                "start": { "line": 3, "column": 12, "offset": 34 },
                "end": { "line": 3, "column": 14, "offset": 36 },
            },
            "label": "kept this long",
        }],
        "notes": ["a note"],
        "help": "raise `ttl`",
        "fix": {
            "title": "ttl: 10m -> 15d",
            "applicability": "unsafe",
            "edits": [{ "range": ttl, "text": "15d" }],
        },
    })
}

fn expected_summary() -> Value {
    json!({
        "contracts": 1,
        "errors": 1,
        "warnings": 1,
        "notes": 0,
        "fixable": { "safe": 0, "unsafe": 1 },
        "not_shown": 0,
        "suppressed": 1,
    })
}

#[test]
fn json_is_one_object() {
    let object: Value = serde_json::from_str(&render(Format::Json, &ordinary(), &PLAIN)).expect("JSON");
    assert_eq!(object["schema_version"], 1);
    assert_eq!(object["findings"].as_array().map(Vec::len), Some(2));
    assert_eq!(object["findings"][0]["code"], "AK301");
    assert_eq!(object["findings"][0]["help"], Value::Null);
    assert_eq!(object["findings"][1], expected_error());
    assert_eq!(object["summary"], expected_summary());
}

#[test]
fn jsonl_ends_with_the_summary() {
    let out = render(Format::JsonLines, &ordinary(), &PLAIN);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3);
    let mut error = expected_error();
    error["schema_version"] = 1.into();
    error["type"] = "finding".into();
    assert_eq!(lines[1], error);
    let mut summary = expected_summary();
    summary["schema_version"] = 1.into();
    summary["type"] = "summary".into();
    assert_eq!(lines[2], summary);
}

#[test]
fn github_annotates_the_place() {
    let out = render(Format::Github, &ordinary(), &PLAIN);
    let commands = commands(&out);
    assert_eq!(commands.len(), 2, "{out}");
    assert_eq!(commands[1].name, "error");
    let property = |key: &str| {
        commands[1].properties.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    };
    assert_eq!(property("file"), Some("queues/a.queue.yaml"));
    assert_eq!(property("line"), Some("2"));
    assert_eq!(property("endLine"), Some("2"));
    assert_eq!(property("col"), Some("6"));
    assert_eq!(property("endColumn"), Some("9"));
    assert!(property("title").is_some_and(|title| title.starts_with("AK201")));
}

#[test]
fn github_says_what_it_leaves_out() {
    let many = |level, count| {
        (0..count).map(move |_| Diagnostic::new(Code("AK201"), Span::default(), "m").level(level))
    };
    let lines = |findings: Vec<Diagnostic>| {
        let out = render(Format::Github, &report("a.yaml", TEXT, findings), &PLAIN);
        commands(&out)
    };
    assert_eq!(lines(many(Level::Error, 10).collect()).len(), 10);

    let eleven = lines(many(Level::Error, 11).chain(many(Level::Warning, 10)).collect());
    let last = eleven.last().expect("commands");
    assert_eq!((eleven.len(), last.name.as_str()), (22, "notice"));
    assert!(last.data.contains("1 finding ") && last.data.contains("sarif"), "{}", last.data);

    let notes = lines(many(Level::Error, 12).chain(many(Level::Note, 13)).collect());
    let last = notes.last().expect("commands");
    assert_eq!((notes.len(), last.name.as_str()), (26, "warning"), "a notice would be left out itself");
    assert!(last.data.contains("5 findings "), "{}", last.data);
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    for format in Format::ALL {
        assert_eq!(render(format, &ordinary(), &COLOR), render(format, &ordinary(), &COLOR));
    }
}
