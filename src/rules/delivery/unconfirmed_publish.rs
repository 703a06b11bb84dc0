//! See `unconfirmed_publish.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK106",
    "unconfirmed-publish",
    Level::Warning,
    include_str!("unconfirmed_publish.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let producer = &contract.producer;
    let confirms = &producer.confirms;
    let unsaid = !confirms.given();
    let unconfirmed = unsaid || confirms.get() == Some(&false);
    if !contract.at_least_once() || producer.get().is_none() || !unconfirmed {
        return;
    }
    let level = if contract.must_not_lose() { Level::Error } else { Level::Warning };
    let at = "a broker that dies before the disk takes the message with it";
    let finding = if unsaid {
        Diagnostic::new(
            RULE.code,
            producer.key(),
            "`producer` does not say that it waits for the broker's confirms",
        )
        .at(at)
        .help("add `confirms: true`, and send again what was not confirmed")
    } else {
        Diagnostic::new(
            RULE.code,
            confirms.span(),
            "`confirms: false` takes a message for sent that no broker has",
        )
        .at(at)
        .help("write `confirms: true`, and send again what was not confirmed")
        .replace(Applicability::Unsafe, confirms.span(), "true", "confirms: false -> true")
    };
    out.push(finding.level(level).label(contract.delivery.guarantee.span(), "begins with the producer"));
}
