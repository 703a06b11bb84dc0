//! See `unsustained_alert.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK604",
    "unsustained-alert",
    Level::Warning,
    include_str!("unsustained_alert.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let alert = &analysis.contract.slo.alert;
    if !alert.above.given() {
        return;
    }
    let held = &alert.r#for;
    let help = "write how long the threshold must be exceeded, such as `for: 2m`";
    match held.get() {
        Some(time) if time.is_zero() => out.push(
            Diagnostic::new(
                RULE.code,
                held.span(),
                "the latency alert is held for no time at all, so a single slow scrape pages somebody",
            )
            .at("no time at all")
            .help(help)
            .replace(Applicability::Unsafe, held.span(), "2m", "for: 0s -> 2m"),
        ),
        None if !held.given() => out.push(
            Diagnostic::new(
                RULE.code,
                alert.key(),
                "the latency alert has no `for`, so a single slow scrape pages somebody",
            )
            .at("no time that it must last")
            .label(alert.above.span(), "exceeded once, it fires")
            .help(help),
        ),
        Some(_) | None => {}
    }
}
