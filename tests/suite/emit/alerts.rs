//! The alerts of each contract, judged by promtool, and unmoved by what a contract says.

use std::path::Path;
use std::process::Command;

use ackord::emit::{GeneratedFile, generate};
use ackord::policy::Policy;
use serde_yaml::Value;

use super::hostile::{cases, filled, hostile};
use super::{examples, judged, root};

/// Whether promtool is there; without it, nothing is proved, which must be heard.
fn promtool() -> bool {
    let there = Command::new("promtool").arg("--version").output().is_ok();
    if !there {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "promtool is missing: install prometheus");
        eprintln!("NOT TESTED: promtool is missing, so no alert was judged; install prometheus");
    }
    there
}

/// The alerts of a text that has no error.
#[track_caller]
fn alerts(name: &str, text: &str) -> Vec<GeneratedFile> {
    let report = judged(name, text);
    let policy = Policy::default();
    let clean = report.clean(&policy).unwrap_or_else(|| panic!("{name}: {:#?}\n{text}", report.findings));
    generate(&clean, "alerts")
        .unwrap_or_else(|failure| panic!("{name}: {failure}: {:?}", std::error::Error::source(&failure)))
}

fn contracts() -> Vec<(String, String)> {
    let mut all: Vec<_> =
        examples().into_iter().map(|(path, text)| (path.to_string_lossy().into_owned(), text)).collect();
    for file in std::fs::read_dir(root().join("tests/bases")).expect("the bases") {
        let path = file.expect("an entry").path();
        all.push((path.to_string_lossy().into_owned(), std::fs::read_to_string(&path).expect("a text")));
    }
    all.sort();
    all
}

/// Runs promtool in a folder with both files; what it said where it found something.
fn judge(rules: &str, test: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("rules.yml"), rules).expect("a file");
    std::fs::write(folder.path().join("rules_test.yml"), test).expect("a file");
    run(folder.path(), &["check", "rules", "rules.yml"])?;
    run(folder.path(), &["test", "rules", "rules_test.yml"])
}

fn run(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let out = Command::new("promtool").args(arguments).current_dir(folder).output().expect("promtool");
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    if out.status.success() { Ok(()) } else { Err(said) }
}

#[test]
fn promtool_accepts_the_alerts_of_every_contract() {
    if !promtool() {
        return;
    }
    for (path, text) in contracts() {
        for files in alerts("x.queue.yaml", &text).chunks(2) {
            judge(&files[0].text, &files[1].text).unwrap_or_else(|said| panic!("{path}: {said}"));
        }
    }
}

/// The control: each rule whose threshold moves is noticed by the tests beside it.
#[test]
fn a_threshold_that_moved_fails_the_generated_tests() {
    if !promtool() {
        return;
    }
    let (_, text) = contracts().into_iter().find(|(path, _)| path.contains("payment-capture")).expect("it");
    let files = alerts("x.queue.yaml", &text);
    let (rules, test) = (&files[0].text, &files[1].text);
    for (from, to) in [
        ("))) > 300\"", "))) > 3000\""),
        ("))) > 300\"", "))) > 30\""),
        (") > 300 and", ") > 3000 and"),
        (") > 300 and", ") > 30 and"),
        (", 0.001) > 300\"", ", 0.001) > 360\""),
        (", 0.001) > 300\"", ", 0.001) > 240\""),
        ("[1h:30s]) >= 2", "[1h:30s]) >= 3"),
        ("[1h:30s]) >= 2", "[1h:30s]) >= 1"),
        ("[1h:30s]) >= 2", "[3h:30s]) >= 2"),
        ("[15m])) >= 10\"", "[15m])) >= 11\""),
        ("[15m])) >= 10\"", "[15m])) >= 9\""),
        ("[15m])) >= 10\"", "[5h])) >= 10\""),
        (">= 0.8 * 100000", ">= 0.8 * 100001"),
        (">= 0.8 * 100000", ">= 0.79 * 100000"),
        (") > 14400\"", ") > 14401\""),
        (") > 14400\"", ") > 14399\""),
        (") > 6\"", ") > 7\""),
        (") > 6\"", ") > 5\""),
        ("absent(", "-absent(1 + "),
        ("== 0\"", "== 1\""),
    ] {
        assert!(rules.contains(from), "{from} is nowhere in\n{rules}");
        assert!(judge(&rules.replace(from, to), test).is_err(), "{from} -> {to} was not noticed");
    }
}

/// What a file is made of, without its texts.
fn skeleton(value: &Value) -> String {
    match value {
        Value::Mapping(fields) => {
            let part = |(name, value): (&Value, &Value)| format!("{name:?}:{}", skeleton(value));
            format!("{{{}}}", fields.iter().map(part).collect::<Vec<_>>().join(","))
        }
        Value::Sequence(items) => format!("[{}]", items.iter().map(skeleton).collect::<Vec<_>>().join(",")),
        Value::String(_) => "text".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Tagged(_) => format!("{value:?}"),
    }
}

#[test]
fn no_text_of_a_contract_changes_what_the_alerts_are_made_of() {
    let parsed = |file: &GeneratedFile| -> Value {
        serde_yaml::from_str(&file.text).unwrap_or_else(|error| panic!("{error}\n{}", file.text))
    };
    for (name, case) in cases() {
        let benign: Vec<_> = alerts("b.queue.yaml", &filled(&case, "harmless words"))
            .iter()
            .map(|file| skeleton(&parsed(file)))
            .collect();
        for text in hostile() {
            let files = alerts(&format!("{text}.queue.yaml"), &filled(&case, &text));
            for (file, expected) in files.iter().zip(&benign) {
                assert_eq!(&skeleton(&parsed(file)), expected, "{name}: {text:?}\n{}", file.text);
                assert!(file.text.starts_with("# Code generated by ackord from "), "{text:?}");
                assert!(!file.text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
            }
        }
    }
}

/// Prometheus itself reads back what was written: its tests compare every annotation and every label.
#[test]
fn promtool_reads_hostile_texts_back() {
    if !promtool() {
        return;
    }
    let (_, case) = cases().remove(0);
    let every: Vec<_> = hostile().into_iter().step_by(12).collect();
    let all = ["{{ $labels.contract }} {{{{ x }}", "*/ \"); drop table x; -- ${{ }} {{ }}\n\\"];
    for text in every.iter().map(String::as_str).chain(all) {
        let files = alerts("x.queue.yaml", &filled(&case, text));
        judge(&files[0].text, &files[1].text).unwrap_or_else(|said| panic!("{text:?}: {said}"));
    }
}

#[test]
fn the_committed_alerts_are_fresh() {
    let folder = root().join("examples/payment-capture");
    let text = std::fs::read_to_string(folder.join("payment-capture.queue.yaml")).expect("a contract");
    for file in alerts("payment-capture.queue.yaml", &text) {
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
