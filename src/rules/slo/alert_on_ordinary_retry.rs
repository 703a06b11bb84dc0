//! See `alert_on_ordinary_retry.md`.

use crate::analysis::Analysis;
use crate::analysis::retries::RetryingClass;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};
use crate::units::{Duration, trim};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK609",
    "alert-on-ordinary-retry",
    Level::Note,
    include_str!("alert_on_ordinary_retry.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let (Some(alert), Some(p99)) = (analysis.latency.alert, analysis.timing.p99) else { return };
    let late = |class: &RetryingClass| ordinary(class) + p99.value * (class.retries() + 1);
    let Some(class) = analysis.retries.classes.iter().max_by_key(|class| late(class)) else { return };
    let total = late(class);
    if total <= alert.value {
        return;
    }
    let above = analysis.written(alert.value, alert.span);
    let name = &class.name;
    let (waits, retries, factor) =
        (class.waits.plain_total(class.retries()), class.retries(), class.waits.jitter_factor());
    let spread = if factor == 1.0 { String::new() } else { format!(" × {} jitter", trim(factor)) };
    let handling = analysis.written(p99.value, p99.span);
    out.push(
        Diagnostic::new(
            RULE.code,
            alert.span,
            format!("the alert at {above} counts messages whose `{name}` retries work as planned, which can take {}", total.need()),
        )
        .at("earlier than the last retry")
        .label(class.max_retries.span, format!("{retries} retries"))
        .label(class.waits.cap().span, "the longest wait")
        .label(p99.span, "for each delivery")
        .note(format!("latency with all retries = {waits} of waits{spread} + {} × {handling} = {}", retries + 1, total.need()))
        .help(format!("raise `slo.alert.above` to {}, or measure latency without retried messages", total.round_proposal())),
    );
}

/// The longest that the waits of the class take, by their own plan.
fn ordinary(class: &RetryingClass) -> Duration {
    let waits = class.waits.plain_total(class.retries());
    let factor = class.waits.jitter_factor();
    if factor == 1.0 { waits } else { waits.scale(factor) }
}
