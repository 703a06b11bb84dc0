//! See `business_outcome_as_failure.md`.

use super::classes;
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Action, Flow};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK303",
    "business-outcome-as-failure",
    Level::Warning,
    include_str!("business_outcome_as_failure.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    if analysis.contract.at_most_once() {
        return;
    }
    let business = classes(analysis.contract).filter(|(entry, _)| entry.name == "business");
    for (entry, class) in business {
        let (message, words) = match class.action.get() {
            Some(Action::Retry) => {
                ("`business` is retried, though a refusal is an answer", "asking again does not change it")
            }
            // What an audit flow drops is a gap in the record, so there somebody has to look.
            Some(Action::DeadLetter) if analysis.contract.is(Flow::Audit) => continue,
            Some(Action::DeadLetter) => (
                "`business` is dead-lettered, though a refusal is an answer",
                "a person is called to an ordinary outcome",
            ),
            Some(Action::Drop) | None => continue,
        };
        out.push(
            Diagnostic::new(RULE.code, class.action.span(), message)
                .at(words)
                .label(entry.key, "outcomes that the business expects")
                .help("write `action: drop` with `log: structured` and a reason; move what is no outcome to another class"),
        );
    }
}
