//! See `unreachable_cap.md`.

use super::{count_retries, retrying};
use crate::analysis::{Analysis, RetryingClass};
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{Backoff, BackoffChoice, Jitter};
use crate::rules::{Check, Rule};
use crate::units::Duration;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK308",
    "unreachable-cap",
    Level::Note,
    include_str!("unreachable_cap.md"),
    Check::Contract(check),
);

/// A sentence has room for so many waits.
const SHOWN: u64 = 10;

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    for (entry, class, retries) in retrying(analysis) {
        let Some(BackoffChoice::Mapping(backoff)) = class.backoff.get() else { continue };
        let (Some(cap), Some(longest)) = (backoff.cap.get().copied(), longest(backoff, retries)) else {
            continue;
        };
        if longest >= cap {
            continue;
        }
        let n = retries.retries();
        let written = analysis.written(cap, backoff.cap.span());
        let message = format!(
            "the cap of {written} is never reached: {} of `{}` end at {longest}",
            count_retries(n),
            entry.name
        );
        out.push(
            Diagnostic::new(RULE.code, backoff.cap.span(), message)
                .at("no wait is so long")
                .label(backoff.initial.span(), "from here")
                .label(class.max_retries.span(), "in so many steps")
                .note(derivation(retries))
                .help(format!("write `cap: {longest}`, which changes no wait, or allow more retries"))
                .replace(
                    Applicability::Safe,
                    backoff.cap.span(),
                    longest.to_string(),
                    format!("cap: {written} -> {longest}"),
                ),
        );
    }
}

/// The longest wait before jitter is added, where retries and waits are known and grow.
fn longest(backoff: &Backoff, retries: &RetryingClass) -> Option<Duration> {
    let n = retries.retries();
    let grows = backoff.factor.get().is_none_or(|factor| factor.0 > 1.0);
    if n == 0 || !grows || !backoff.steps.is_empty() || backoff.initial.get()?.is_zero() {
        return None;
    }
    Some(match retries.waits.jitter() {
        Jitter::Decorrelated => retries.waits.longest(n),
        Jitter::None | Jitter::Full | Jitter::Equal | Jitter::Share(_) => retries.waits.plain(n),
    })
}

/// `waits: 1s, 2s, 4s, sum 7s`.
fn derivation(retries: &RetryingClass) -> String {
    let (n, waits) = (retries.retries(), &retries.waits);
    let decorrelated = waits.jitter() == Jitter::Decorrelated;
    let wait = |i| if decorrelated { waits.longest(i) } else { waits.plain(i) };
    let shown: Vec<String> = (1..=n.min(SHOWN)).map(|i| wait(i).to_string()).collect();
    let more = if n > SHOWN { ", …" } else { "" };
    let sum = if decorrelated { waits.longest_total(n) } else { waits.plain_total(n) };
    format!("waits: {}{more}; sum {sum}", shown.join(", "))
}
