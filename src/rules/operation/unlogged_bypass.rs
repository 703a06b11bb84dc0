//! See `unlogged_bypass.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK908",
    "unlogged-bypass",
    Level::Error,
    include_str!("unlogged_bypass.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let bypass = &analysis.contract.emergency_bypass;
    let logged = &bypass.logged;
    if bypass.get().is_none() || logged.get() == Some(&true) || (logged.given() && logged.get().is_none()) {
        return;
    }
    let place = if logged.given() { logged.span() } else { bypass.key() };
    let switch = bypass.env.get().map_or_else(|| "the bypass".to_owned(), |env| format!("`{env}`"));
    let finding = Diagnostic::new(
        RULE.code,
        place,
        format!("{switch} turns checks off without a trace: its uses are not logged"),
    )
    .at(if logged.given() { "not logged" } else { "nothing says that it is logged" })
    .label(bypass.skips.span(), "skipped while it is on")
    .help("write `logged: true`");
    out.push(match logged.given() {
        true => finding.replace(Applicability::Safe, place, "true", "logged: false -> true"),
        false => finding,
    });
}
