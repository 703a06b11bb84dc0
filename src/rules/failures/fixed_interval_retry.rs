//! See `fixed_interval_retry.md`.

use super::retrying;
use crate::analysis::{Analysis, RetryingClass};
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{Backoff, BackoffChoice};
use crate::rules::{Check, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK305",
    "fixed-interval-retry",
    Level::Warning,
    include_str!("fixed_interval_retry.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    for (entry, class, retries) in retrying(analysis) {
        let Some(BackoffChoice::Mapping(backoff)) = class.backoff.get() else { continue };
        let Some(place) = fixed(backoff, retries) else { continue };
        let wait = retries.waits.plain(1);
        let (name, each) = (&entry.name, analysis.written(wait, backoff.initial.span()));
        let mut finding = Diagnostic::new(
            RULE.code,
            place,
            format!("`{name}` comes back every {each}, however long the trouble lasts"),
        )
        .at("the waits do not grow")
        .label(class.max_retries.span(), "so often")
        .help("let the waits grow: `factor: 2` with a cap well above the first wait");
        if retries.limited {
            let (workers, n) = (u64::from(analysis.capacity.workers), retries.retries());
            let span = analysis.resolved.consumers.span;
            finding = finding.label(span, format!("{workers} workers in all")).note(format!(
                "{workers} workers × {n} retries = {} requests in {} ({n} × {each})",
                workers * n,
                wait * n
            ));
        }
        let growing = backoff.cap.get().is_none_or(|cap| *cap > wait);
        if growing && backoff.factor.given() && backoff.steps.is_empty() {
            let before = analysis.sources.slice(backoff.factor.span());
            let title = format!("factor: {before} -> 2");
            finding = finding.replace(Applicability::Unsafe, backoff.factor.span(), "2", title);
        }
        out.push(finding);
    }
}

/// The place that makes all waits equal, where there are several and they are.
fn fixed(backoff: &Backoff, retries: &RetryingClass) -> Option<Span> {
    let first = retries.waits.plain(1);
    let once = retries.limited && retries.retries() < 2;
    // Waits of no time at all are no interval, and have a rule of their own.
    if once || first.is_zero() {
        return None;
    }
    if !backoff.steps.is_empty() {
        return backoff.steps.iter().all(|(step, _)| *step == first).then(|| backoff.steps.span());
    }
    let initial = *backoff.initial.get()?;
    if backoff.factor.get().is_some_and(|factor| factor.0 == 1.0) {
        return Some(backoff.factor.span());
    }
    backoff.cap.get().filter(|cap| **cap <= initial).map(|_| backoff.cap.span())
}
