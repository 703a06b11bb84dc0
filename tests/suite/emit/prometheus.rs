//! How Prometheus is asked, and what its expressions are made of.

use std::path::Path;
use std::process::Command;

use serde_yaml::Value;

use super::{examples, root};

/// Whether promtool is there; without it, nothing is proved, which must be heard.
pub fn promtool() -> bool {
    let there = Command::new("promtool").arg("--version").output().is_ok();
    if !there {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "promtool is missing: install prometheus");
        eprintln!("NOT TESTED: promtool is missing, so no expression was judged; install prometheus");
    }
    there
}

/// Every contract that is whole: the examples and the bases.
pub fn contracts() -> Vec<(String, String)> {
    let mut all: Vec<_> =
        examples().into_iter().map(|(path, text)| (path.to_string_lossy().into_owned(), text)).collect();
    for file in std::fs::read_dir(root().join("tests/bases")).expect("the bases") {
        let path = file.expect("an entry").path();
        all.push((path.to_string_lossy().into_owned(), std::fs::read_to_string(&path).expect("a text")));
    }
    all.sort();
    all
}

/// Rules with their tests.
pub struct Pair {
    pub rules: String,
    pub tests: String,
}

/// Checks and tests all of them in two calls, as most of promtool's time is its start; what it said about
/// each that it refused.
pub fn refused(pairs: &[Pair]) -> Vec<(usize, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut arguments = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        std::fs::create_dir(folder.path().join(at.to_string())).expect("a folder");
        std::fs::write(folder.path().join(format!("{at}/rules.yml")), &pair.rules).expect("a file");
        std::fs::write(folder.path().join(format!("{at}/rules_test.yml")), &pair.tests).expect("a file");
        arguments.push(at.to_string());
    }
    let paths = |name: &str| arguments.iter().map(|at| format!("{at}/{name}")).collect::<Vec<_>>();
    let mut refused = told(folder.path(), "check", &paths("rules.yml"), "Checking ");
    refused.extend(told(folder.path(), "test", &paths("rules_test.yml"), "Unit Testing:  "));
    refused
}

/// Runs promtool over files, each of which it announces with `head` and its path.
fn told(folder: &Path, verb: &str, paths: &[String], head: &str) -> Vec<(usize, String)> {
    let mut command = Command::new("promtool");
    let out = command.args([verb, "rules"]).args(paths).current_dir(folder).output().expect("promtool");
    let said = format!("{}\n{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    // Its first errors can come on the other stream, so a file counts as good only if it is said to be.
    let part = |path: &String| {
        let start = said.find(&format!("{head}{path}")).map_or(said.len(), |at| at + head.len() + path.len());
        let rest = said.get(start..).unwrap_or_default();
        rest.get(..rest.find(head).unwrap_or(rest.len())).unwrap_or_default().to_owned()
    };
    let bad: Vec<_> = paths
        .iter()
        .enumerate()
        .map(|(at, path)| (at, part(path)))
        .filter(|(_, part)| !part.contains("SUCCESS") || part.contains("FAILED"))
        .map(|(at, part)| (at, format!("{verb}: {part}\n{}", said.chars().take(2000).collect::<String>())))
        .collect();
    assert_eq!(bad.is_empty(), out.status.success(), "{said}");
    bad
}

/// What an expression is made of, with `text` for each string, and what the strings say.
pub fn tokens(expr: &str) -> (Vec<String>, Vec<String>) {
    let (mut parts, mut strings): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut characters = expr.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '"' {
            let mut string = String::new();
            loop {
                match characters.next().expect("the end of a string") {
                    '"' => break,
                    '\\' => match characters.next().expect("an escape") {
                        'U' => {
                            let code: String = characters.by_ref().take(8).collect();
                            let code = u32::from_str_radix(&code, 16).expect("a number");
                            string.push(char::from_u32(code).expect("a character"));
                        }
                        escaped @ ('"' | '\\') => string.push(escaped),
                        other => panic!("an escape of another kind: {other} in {expr}"),
                    },
                    other => string.push(other),
                }
            }
            parts.push("text".to_owned());
            strings.push(string);
        } else if character.is_alphanumeric() || "_:.$".contains(character) {
            let mut word = character.to_string();
            while let Some(next) = characters.next_if(|c| c.is_alphanumeric() || "_:.$".contains(*c)) {
                word.push(next);
            }
            parts.push(word);
        } else if !character.is_whitespace() {
            parts.push(character.to_string());
        }
    }
    (parts, strings)
}

/// The tests of a file for which `keep` says so, in the order of their length.
pub fn only(tests: &str, mut keep: impl FnMut(&[(String, bool)]) -> bool) -> String {
    let mut file: Value = serde_yaml::from_str(tests).expect("YAML");
    let cases = file["tests"].as_sequence_mut().expect("tests");
    cases
        .sort_by_key(|case| serde_yaml::to_string(&case["input_series"][0]["values"]).expect("a text").len());
    cases.sort_by_key(|case| {
        let ends = case["alert_rule_test"].as_sequence().into_iter().flatten();
        ends.map(|check| {
            let time = check["eval_time"].as_str().expect("a time");
            <ackord::units::Duration as ackord::syntax::Scalar>::parse(time).expect("a time")
        })
        .max()
    });
    cases.retain(|case| {
        let checks: Vec<_> = case["alert_rule_test"]
            .as_sequence()
            .into_iter()
            .flatten()
            .map(|check| {
                let fires = check["exp_alerts"].as_sequence().is_some_and(|alerts| !alerts.is_empty());
                (check["alertname"].as_str().expect("a name").to_owned(), fires)
            })
            .collect();
        keep(&checks)
    });
    serde_yaml::to_string(&file).expect("YAML")
}

#[test]
fn an_expression_is_taken_apart() {
    let (parts, strings) = tokens(r#"sum(rate(x{a="b\"\\\U0000000a"}[5m])) > 0.5"#);
    assert_eq!(
        parts,
        ["sum", "(", "rate", "(", "x", "{", "a", "=", "text", "}", "[", "5m", "]", ")", ")", ">", "0.5"]
    );
    assert_eq!(strings, ["b\"\\\n"]);
}
