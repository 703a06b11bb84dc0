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
    if contract.on_call.given() || !contract.slo.alert.given() {
        return;
    }
    // Where dead letters have a rotation of their own, only the latency alert lacks one. Where there
    // is no latency alert, AK403 looks after them.
    let dead_letters = &contract.dead_letter;
    let both = dead_letters.alert.given() && !dead_letters.on_call.given();
    let what = if both {
        "the alerts on latency and dead letters page nobody"
    } else {
        "the alert on latency pages nobody"
    };
    let mut finding = Diagnostic::new(
        RULE.code,
        contract.slo.alert.key(),
        format!("{what}: the contract names no rotation"),
    )
    .at("fires, and no phone rings")
    .help("write `on_call:` with the rotation that is paged");
    if both {
        finding = finding.label(dead_letters.alert.key(), "so does this one");
    }
    out.push(finding);
}
