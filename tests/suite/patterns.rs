//! The schema of a message is a file from outside, and its patterns run over values from outside.

use std::time::{Duration, Instant};

use ackord::diagnostic::Diagnostic;

use crate::judge::{judge, none_of, settings};
use crate::patch::expand;

/// Each takes exponential or high polynomial time where an engine backtracks.
const EVIL: [&str; 30] = [
    "^(a+)+$",
    "^(a*)*$",
    "^(a|a)*$",
    "^(a|aa)+$",
    "^(a|a?)+$",
    "^([a-z]+)*$",
    "^([a-zA-Z]+)*$",
    "^(\\w+)*$",
    "^(\\w+\\s?)*$",
    "^(.*)*$",
    "^(.*a){12}$",
    "^(.*a){20}$",
    "^(.+)+$",
    "^(.+.+)+$",
    "^.*.*.*.*=$",
    "^a*a*a*a*a*a*$",
    "^(a+){10}$",
    "^(a+)*b$",
    "^((a+)+)+$",
    "^(((a+)+)+)+$",
    "^(aa|a)*$",
    "^(a?){25}a{25}$",
    "(a+)+$",
    "(a|aa)+$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "^([a-zA-Z0-9])(([-.]|[_]+)?([a-zA-Z0-9]+))*$",
    "^(a|b|ab)*$",
    "^(?:a+)+(?:a+)+$",
    "^(a+a+)+$",
    "^(\\S+)+$",
];

/// The findings about a message whose only field must match `pattern`, where the example says `subject`.
fn findings(pattern: &str, subject: &str) -> Vec<Diagnostic> {
    let schema = serde_json::json!({"type": "object", "properties": {"a": {"pattern": pattern}}});
    let block = format!(
        "# base: task-postgres\nmessage: {{fields: null, schema: {{file: s.json}}, examples: [{{a: \"{subject}\"}}]}}\n\
         ---\n# file: s.json\n{schema}\n"
    );
    let report = judge(&expand(&block).unwrap(), &settings()).unwrap();
    report.findings.into_iter().filter(|finding| matches!(finding.code.0, "AK014" | "AK015")).collect()
}

#[test]
fn no_pattern_takes_more_than_linear_time() {
    let subject = "a".repeat(100 * 1024) + " !";
    let mut failures = Vec::new();
    for pattern in EVIL {
        let before = Instant::now();
        findings(pattern, &subject);
        let taken = before.elapsed();
        // Half a second in a release; the tests are built without optimisation.
        if taken > Duration::from_secs(5) {
            failures.push(format!("{pattern}: {taken:?}"));
        }
    }
    none_of(&failures, "time");
}

#[test]
fn a_pattern_decides_about_an_example() {
    assert_eq!(findings("^(a+)+$", "aaa").len(), 0);
    let [fault] = findings("^(a+)+$", "aaa!").try_into().unwrap();
    assert_eq!(fault.code.0, "AK015");
}

#[test]
fn a_pattern_that_only_backtracking_can_match_is_refused() {
    for pattern in ["^(?=a)a$", "(a)\\1"] {
        let [fault] = findings(pattern, "a").try_into().unwrap();
        assert_eq!(fault.code.0, "AK014", "{}", fault.message);
        assert!(fault.message.contains("regex") && fault.message.len() < 400, "{}", fault.message);
    }
}
