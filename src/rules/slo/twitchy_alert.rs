//! See `twitchy_alert.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::rules::{Check, Rule};
use crate::units::trim;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK603",
    "twitchy-alert",
    Level::Error,
    include_str!("twitchy_alert.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let (latency, policy) = (&analysis.latency, analysis.policy);
    let (Some(alert), Some(objective), Some(ratio)) = (latency.alert, latency.objective, latency.alert_ratio)
    else {
        return;
    };
    // Where the latency is the work itself, ten times of it would page after days.
    let slow = objective.value > policy.slow_objective;
    let least = if slow { policy.slow_alert_ratio } else { policy.alert_ratio };
    if ratio >= least {
        return;
    }
    let (above, p95) =
        (analysis.written(alert.value, alert.span), analysis.written(objective.value, objective.span));
    // Rounded down, so that 9.999 does not read as the 10 that is wanted.
    let shown = trim((ratio * 100.0).floor() / 100.0);
    let wanted = objective.value.scale(least);
    let what = format!(
        "the alert at {above} is only {shown} × the p95 objective of {p95}, so an ordinary bad hour pages somebody"
    );
    let mut finding = Diagnostic::new(RULE.code, alert.span, what)
        .at(format!("{shown} × the objective"))
        .label(objective.span, "the objective")
        .note(format!(
            "alert ÷ objective = {above} ÷ {p95} = {shown}; wanted: at least {} × {p95} = {wanted}",
            trim(least)
        ))
        .help(format!("raise `slo.alert.above` to {wanted}, or tighten the objective"))
        .replace(
            Applicability::Unsafe,
            alert.span,
            wanted.to_string(),
            format!("above: {above} -> {wanted}"),
        );
    if slow {
        let limit = policy.slow_objective;
        finding = finding.level(Level::Warning).note(format!(
            "an objective above {limit} is mostly the work itself: the alert needs {} × of it, not {}",
            trim(least),
            trim(policy.alert_ratio)
        ));
    }
    out.push(finding);
}
