//! See `missing_dead_letter.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Contract, Failures};
use crate::rules::failures::{classes, dead_lettered};
use crate::rules::{Check, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK401",
    "missing-dead-letter",
    Level::Error,
    include_str!("missing_dead_letter.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let section = &contract.dead_letter;
    // A section or a name that could not be read was reported there.
    let unreadable = section.given() && section.get().is_none();
    if contract.at_most_once() || unreadable || section.queue.given() {
        return;
    }
    let ends = ends(contract);
    let Some((name, first)) = ends.first() else { return };
    let finding = if section.given() {
        Diagnostic::new(RULE.code, section.key(), "`dead_letter` names no queue, though messages end there")
            .at("no `queue`")
            .label(*first, format!("{name} here"))
    } else {
        Diagnostic::new(
            RULE.code,
            *first,
            "messages end in a dead-letter queue that the contract does not declare",
        )
        .at(format!("{name} here, and nowhere"))
    };
    let more = ends
        .iter()
        .skip(1)
        .fold(finding, |finding, (name, span)| finding.label(*span, format!("{name} too")));
    out.push(more.help(format!(
        "declare `dead_letter` with `queue: {}-dlq`, an owner, an alert and a retention",
        contract.name()
    )));
}

/// Every place that sends messages to the dead letters, with what it sends.
fn ends(contract: &Contract) -> Vec<(String, Span)> {
    if let Some(Failures::Standard) = contract.failures.get() {
        return vec![("three of the standard classes end".to_owned(), contract.failures.span())];
    }
    let named = classes(contract)
        .filter_map(|(entry, class)| Some((format!("`{}` ends", entry.name), dead_lettered(class)?)));
    named.collect()
}
