//! See `unanswered_failure_class.md`.

use super::classes;
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Action, Failures};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK301",
    "unanswered-failure-class",
    Level::Error,
    include_str!("unanswered_failure_class.md"),
    Check::Contract(check),
);

/// The classes that every consumer meets, with what belongs to each.
const EXPECTED: [(&str, &str); 4] = [
    ("transient", "what passes by itself, such as a timeout"),
    ("poison", "what never succeeds, such as a payload that cannot be read"),
    ("business", "what was refused for a reason, such as a blocked account"),
    ("unknown", "all that no other class names"),
];

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    // At most once there is only one answer, which nobody needs to write.
    if contract.at_most_once() {
        return;
    }
    if let Some(Failures::Mapping(declared)) = contract.failures.get() {
        let missing = EXPECTED.iter().filter(|(name, _)| declared.named(name).is_none());
        out.extend(missing.map(|(name, meaning)| {
            Diagnostic::new(RULE.code, contract.failures.key(), format!("`failures` has no class `{name}`"))
                .at(format!("nothing says what follows {meaning}"))
                .help(format!("add `{name}` with an action: retry, dead-letter or drop"))
        }));
    }
    for (entry, class) in classes(contract) {
        let name = &entry.name;
        if !class.action.given() {
            out.push(
                Diagnostic::new(
                    RULE.code,
                    entry.key,
                    format!("`{name}` does not say what happens to its messages"),
                )
                .at("no `action`")
                .help("write an action: retry, dead-letter or drop"),
            );
        } else if class.action.get() == Some(&Action::Retry) && !class.then.given() {
            out.push(
                Diagnostic::new(
                    RULE.code,
                    entry.key,
                    format!("`{name}` does not say what follows its last retry"),
                )
                .at("no `then`")
                .label(class.action.span(), "retries end some day")
                .help("write `then: dead-letter`, or `then: drop` with a reason"),
            );
        }
    }
}
