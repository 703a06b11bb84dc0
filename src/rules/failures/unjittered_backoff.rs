//! See `unjittered_backoff.md`.

use super::retrying;
use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{BackoffChoice, Jitter};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK306",
    "unjittered-backoff",
    Level::Warning,
    include_str!("unjittered_backoff.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let workers = analysis.capacity.workers;
    if workers < 2 {
        return;
    }
    for (entry, class, retries) in retrying(analysis) {
        let Some(BackoffChoice::Mapping(backoff)) = class.backoff.get() else { continue };
        let jitter = &backoff.jitter;
        let none = jitter.get() == Some(&Jitter::None) || !jitter.given();
        let waits = !retries.waits.plain_total(retries.retries()).is_zero();
        if !none || !waits {
            continue;
        }
        let place = if jitter.given() { jitter.span() } else { class.backoff.key() };
        let (consumers, concurrency) = (analysis.resolved.consumers, analysis.resolved.concurrency);
        let mut finding = Diagnostic::new(
            RULE.code,
            place,
            format!("`{}` makes {workers} workers come back in the same moment", entry.name),
        )
        .at("no jitter")
        .label(consumers.span, "so many consumers")
        .label(concurrency.span, "so many messages at once in each")
        .help("write `jitter: equal`, which spreads each wait and never lengthens it");
        if workers == consumers.value.saturating_mul(concurrency.value) {
            finding = finding.note(format!(
                "{} consumers × {} at once = {workers} workers",
                consumers.value, concurrency.value
            ));
        }
        if jitter.given() {
            finding = finding.replace(Applicability::Unsafe, place, "equal", "jitter: none -> equal");
        }
        out.push(finding);
    }
}
