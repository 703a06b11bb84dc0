//! See `retries_shorter_than_outage.md`.

use super::{count_retries, retrying};
use crate::analysis::{Analysis, RetryingClass};
use crate::diagnostic::{Diagnostic, Level};
use crate::model::Jitter;
use crate::rules::{Check, Rule};
use crate::units::Duration;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK318",
    "retries-shorter-than-outage",
    Level::Warning,
    include_str!("retries_shorter_than_outage.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    for (entry, class, retries) in retrying(analysis) {
        let Some(outage) = class.survives_outage.get().copied().filter(|_| retries.limited) else { continue };
        let (covered, how) = covered(retries);
        if outage <= covered {
            continue;
        }
        let written = analysis.written(outage, class.survives_outage.span());
        let covered = covered.floor_to(Duration::from_millis(1));
        let message =
            format!("`{}` is to survive an outage of {written}, but its retries {how} {covered}", entry.name);
        out.push(
            Diagnostic::new(RULE.code, class.survives_outage.span(), message)
                .at("longer than all waits together")
                .label(retries.max_retries.span, "so many waits")
                .label(retries.waits.cap().span, "none longer than this")
                .note(derivation(retries))
                .help("allow more retries, raise the cap, or lower `survives_outage` to what is true"),
        );
    }
}

/// The time that the waits cover, and how surely. Full jitter may wait for nothing at all, so that
/// its mean is taken.
fn covered(retries: &RetryingClass) -> (Duration, &'static str) {
    let (n, waits) = (retries.retries(), &retries.waits);
    match waits.jitter() {
        Jitter::Full => (waits.plain_total(n).scale(0.5), "cover on average"),
        Jitter::None | Jitter::Equal | Jitter::Decorrelated | Jitter::Share(_) => {
            (waits.shortest_total(n), "are sure to cover only")
        }
    }
}

/// `5 retries wait 2m4s without jitter, 1m2s at least with it`.
fn derivation(retries: &RetryingClass) -> String {
    let (n, waits) = (retries.retries(), &retries.waits);
    let plain = format!("the waits of {} add up to {}", count_retries(n), waits.plain_total(n));
    match waits.jitter() {
        Jitter::None => plain,
        Jitter::Full => format!("{plain}; full jitter leaves half of it on average"),
        Jitter::Equal | Jitter::Decorrelated | Jitter::Share(_) => {
            format!("{plain}; jitter may shorten them to {}", waits.shortest_total(n))
        }
    }
}
