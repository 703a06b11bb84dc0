//! See `unstated_loss.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK104",
    "unstated-loss",
    Level::Error,
    include_str!("unstated_loss.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let delivery = &contract.delivery;
    // Where no loss is acceptable the guarantee itself is at fault, and AK103 says so.
    if !contract.at_most_once() || contract.must_not_lose() || delivery.acceptable_loss.given() {
        return;
    }
    let mut finding = Diagnostic::new(
        RULE.code,
        delivery.guarantee.span(),
        "`at-most-once` without `acceptable_loss` allows any loss",
    )
    .at("how much may be lost?")
    .help("add `acceptable_loss` to `delivery`, with the share that the readers can do without: 0.01%");
    let load = &contract.processing.load.steady;
    if let Some(rate) = load.get() {
        finding = finding.label(load.span(), "the load that it is a share of");
        let lost = rate.per_second() * 86_400.0 * 0.0001;
        if lost >= 1.0 {
            finding = finding.note(format!("0.01% of {rate} are about {lost:.0} messages a day"));
        }
    }
    out.push(finding);
}
