//! See `alert_without_meaning.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK608",
    "alert-without-meaning",
    Level::Warning,
    include_str!("alert_without_meaning.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let slo = &analysis.contract.slo;
    if slo.alert.get().is_none() {
        return;
    }
    let (what, help) = match (slo.first_page.given(), slo.repeat_page.given()) {
        (true, true) => return,
        (false, true) => {
            ("what the first page asks for", "write `slo.first_page`, such as `first_page: investigate`")
        }
        (true, false) => (
            "what a second page asks for",
            "write `slo.repeat_page`, such as `repeat_page: {within: 1h, do: roll back the last release}`",
        ),
        (false, false) => (
            "what a page asks for, neither the first nor a second",
            "write `slo.first_page` and `slo.repeat_page`, such as `first_page: investigate` and `repeat_page: {within: 1h, do: roll back the last release}`",
        ),
    };
    out.push(
        Diagnostic::new(RULE.code, slo.alert.key(), format!("the latency alert does not say {what}"))
            .at("pages somebody who has to guess")
            .help(help),
    );
}
