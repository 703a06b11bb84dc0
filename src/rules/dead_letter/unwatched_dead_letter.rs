//! See `unwatched_dead_letter.md`.

use super::section;
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK403",
    "unwatched-dead-letter",
    Level::Error,
    include_str!("unwatched_dead_letter.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some(section) = section(contract) else { return };
    let name = contract.name();
    if !section.alert.given() {
        out.push(
            Diagnostic::new(
                RULE.code,
                contract.dead_letter.key(),
                format!("the dead letters of `{name}` page nobody"),
            )
            .at("no `alert`")
            .label(section.triage_within.span(), "runs from a moment that nobody notices")
            .help("write `alert: {messages: 10, within: 15m}`, or `alert: any` where each one matters"),
        );
        return;
    }
    // The objective's alert without a rotation is a finding of its own, and mends this one too.
    let rotation = section.on_call.given() || contract.on_call.given() || contract.slo.alert.given();
    if !rotation {
        out.push(
            Diagnostic::new(
                RULE.code,
                section.alert.span(),
                format!("the alert on the dead letters of `{name}` reaches nobody"),
            )
            .at("there is no rotation to page")
            .help("name the rotation as `on_call`, of the contract or of `dead_letter`"),
        );
    }
}
