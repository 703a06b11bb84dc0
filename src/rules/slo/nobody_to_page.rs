//! See `nobody_to_page.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK607",
    "nobody-to-page",
    Level::Error,
    include_str!("nobody_to_page.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    if contract.on_call.given() {
        return;
    }
    let latency = contract.slo.alert.given().then(|| contract.slo.alert.key());
    // The dead letters may have a rotation of their own; a flow that loses messages has none to watch.
    let watched = contract.dead_letter.alert.given() && !contract.dead_letter.on_call.given();
    let dead_letters = watched.then(|| contract.dead_letter.alert.key());
    let (place, what) = match (latency, dead_letters) {
        (Some(place), Some(_)) => (place, "the alerts on latency and dead letters page nobody"),
        (Some(place), None) => (place, "the alert on latency pages nobody"),
        (None, Some(place)) => (place, "the alert on dead letters pages nobody"),
        (None, None) => return,
    };
    let mut finding = Diagnostic::new(RULE.code, place, format!("{what}: the contract names no rotation"))
        .at("fires, and no phone rings")
        .help("write `on_call:` with the rotation that is paged");
    if let (Some(_), Some(also)) = (latency, dead_letters) {
        finding = finding.label(also, "so does this one");
    }
    out.push(finding);
}
