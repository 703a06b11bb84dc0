//! See `delay_held_past_lock.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::HeldBy;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK321",
    "delay-held-past-lock",
    Level::Error,
    include_str!("delay_held_past_lock.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let delay = &analysis.contract.delivery.max_delay;
    let timing = &analysis.timing;
    let held = delay.held_by.get() == Some(&HeldBy::Consumer);
    if !held || timing.renewed || analysis.contract.at_most_once() {
        return;
    }
    let (Some(longest), Some(lock)) = (delay.longest.get().copied(), timing.lock) else { return };
    let p99 = timing.p99.map(|p99| p99.value).unwrap_or_default();
    let needed = longest + p99;
    if needed < lock.value {
        return;
    }
    let (waits, locked) =
        (analysis.written(longest, delay.longest.span()), analysis.written(lock.value, lock.span));
    let mut finding = Diagnostic::new(
        RULE.code,
        delay.longest.span(),
        format!(
            "a message delayed by {waits} outlasts the lock of {locked}{} that its consumer holds",
            lock.aside()
        ),
    )
    .at("delivered to another consumer meanwhile, and again")
    .label(delay.held_by.span(), "held under a lock")
    .label(lock.span, "the lock")
    .help("write `held_by: broker`, let a timer of its own renew the lock, or raise the lock above the sum");
    if let Some(known) = timing.p99 {
        let p99 = analysis.written(p99, known.span);
        finding = finding
            .label(known.span, "and then the work")
            .note(format!("delay {waits} + p99 {p99} = {}, at least the lock of {locked}", needed.need()));
    }
    out.push(finding);
}
