//! See `no_way_back.md`.

use super::section;
use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK408", "no-way-back", Level::Warning, include_str!("no_way_back.md"), Check::Contract(check));

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some(section) = section(contract) else { return };
    let redrive = &section.redrive;
    let message = format!("the dead letters of `{}` cannot be put back", contract.name());
    if !redrive.given() {
        out.push(
            Diagnostic::new(RULE.code, contract.dead_letter.key(), message)
                .at("no `redrive`")
                .help("write `redrive: true`, and the switch is built before it is needed"),
        );
    } else if redrive.get() == Some(&false) {
        out.push(
            Diagnostic::new(RULE.code, redrive.span(), message)
                .at("switched off")
                .help("write `redrive: true`; the dedupe key stops what was already done")
                .replace(Applicability::Unsafe, redrive.span(), "true", "redrive: false -> true"),
        );
    }
}
