//! See `undelayed_retry.md`.

use super::{count_retries, retrying};
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::BackoffChoice;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK307",
    "undelayed-retry",
    Level::Error,
    include_str!("undelayed_retry.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    for (entry, class, retries) in retrying(analysis) {
        let n = retries.retries();
        if retries.limited && n == 0 {
            continue;
        }
        let (place, words) = match class.backoff.get() {
            None if !class.backoff.given() => (class.action.span(), "no `backoff`"),
            Some(BackoffChoice::Mapping(backoff)) if backoff.steps.given() => {
                // One step of nothing before longer ones is a quick second look, and fine.
                if backoff.steps.is_empty() || backoff.steps.iter().any(|(step, _)| !step.is_zero()) {
                    continue;
                }
                (backoff.steps.span(), "no step waits")
            }
            Some(BackoffChoice::Mapping(backoff)) => match backoff.initial.get() {
                Some(initial) if initial.is_zero() => {
                    (backoff.initial.span(), "no wait, and no factor makes it one")
                }
                None if !backoff.initial.given() => (class.backoff.key(), "no `initial`"),
                Some(_) | None => continue,
            },
            Some(BackoffChoice::LockExpiry) | None => continue,
        };
        let often =
            if retries.limited { format!("its {}", count_retries(n)) } else { "its retries".to_owned() };
        out.push(
            Diagnostic::new(RULE.code, place, format!("`{}` waits for nothing before {often}", entry.name))
                .at(words)
                .label(class.max_retries.span(), "all of them used up while the trouble lasts")
                .help("write a backoff such as {initial: 1s, factor: 2, cap: 1m, jitter: equal}, or `lock-expiry`"),
        );
    }
}
