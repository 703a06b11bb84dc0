//! See `alert_that_cannot_fire.md`.

use super::section;
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{DeadLetter, DeadLetterAlert, DeadLetterThreshold};
use crate::resolve::Known;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK404",
    "alert-that-cannot-fire",
    Level::Error,
    include_str!("alert_that_cannot_fire.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let Some(section) = section(analysis.contract) else { return };
    let Some(DeadLetterAlert::Mapping(alert)) = section.alert.get() else { return };
    let Some(messages) = alert.messages.get().copied() else { return };
    let finding = beyond_limit(section, alert, messages)
        .or_else(|| beyond_load(analysis, alert, messages))
        .or_else(|| beyond_policy(analysis, alert, messages));
    out.extend(finding);
}

/// The queue is full before it holds so many.
fn beyond_limit(section: &DeadLetter, alert: &DeadLetterThreshold, messages: u64) -> Option<Diagnostic> {
    let most = section.max_messages.get().copied().filter(|most| messages > *most)?;
    Some(
        Diagnostic::new(
            RULE.code,
            alert.messages.span(),
            format!("the dead-letter alert waits for {messages} messages, and the queue holds {most}"),
        )
        .at("never reached")
        .label(section.max_messages.span(), "full before")
        .help("lower `alert.messages` well below `max_messages`"),
    )
}

/// Fewer messages come in the window, even if every one of them fails.
fn beyond_load(analysis: &Analysis<'_>, alert: &DeadLetterThreshold, messages: u64) -> Option<Diagnostic> {
    let within = alert.within.get().copied()?;
    let load = &analysis.contract.processing.load;
    let rates = [Known::written(&load.steady), Known::written(&load.peak)];
    let rate =
        rates.into_iter().flatten().max_by(|a, b| a.value.per_second().total_cmp(&b.value.per_second()))?;
    let come = rate.value.per_second() * within.as_secs_f64();
    // A count is whole: what is within rounding of it is reached.
    if messages as f64 <= come + 1e-6 {
        return None;
    }
    let come = (come + 1e-6).floor();
    let (rate_text, window) =
        (analysis.sources.slice(rate.span), analysis.written(within, alert.within.span()));
    let finding = Diagnostic::new(
        RULE.code,
        alert.messages.span(),
        format!("the dead-letter alert waits for {messages} messages within {window}, and {come} at most come in that time"),
    )
    .at("never reached, not even if every message fails")
    .label(rate.span, "so many come")
    .label(alert.within.span(), "in this time")
    .note(format!("{rate_text} × {window} = {come} messages"))
    .help("write `alert: any`, which pages at the first one, or a longer `within`");
    Some(finding)
}

/// So many messages are lost to their users before anybody is called.
fn beyond_policy(analysis: &Analysis<'_>, alert: &DeadLetterThreshold, messages: u64) -> Option<Diagnostic> {
    let (most, time) = (analysis.policy.dead_letter_alert_messages, analysis.policy.dead_letter_alert_within);
    let within = alert.within.get().copied()?;
    // A longer window may wait for more, in proportion; a shorter one for no more than the policy.
    let allowed = most as f64 * within.ratio(time).max(1.0);
    if messages as f64 <= allowed {
        return None;
    }
    let window = analysis.written(within, alert.within.span());
    let finding = Diagnostic::new(
        RULE.code,
        alert.messages.span(),
        format!(
            "the dead-letter alert waits for {messages} messages within {window}, more than {most} in {time}"
        ),
    )
    .at("as many have failed before anybody is paged")
    .label(alert.within.span(), "in this time")
    .help("lower `alert.messages`: 10 within 15m is a start")
    .level(Level::Warning);
    Some(finding)
}
