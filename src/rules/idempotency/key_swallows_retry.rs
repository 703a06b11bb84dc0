//! See `key_swallows_retry.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Mark, Strategy, Ttl};
use crate::rules::{Check, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK215",
    "key-swallows-retry",
    Level::Error,
    include_str!("key_swallows_retry.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let idempotency = &contract.idempotency;
    let table = idempotency.strategy.get() == Some(&Strategy::DedupeTable);
    let marked_first = idempotency.mark.get() == Some(&Mark::BeforeEffect) && !idempotency.in_flight.given();
    let (Some(ttl), Some(hold)) = (idempotency.ttl.get(), analysis.timing.hold) else { return };
    let lives = match ttl {
        Ttl::Forever => "for ever".to_owned(),
        Ttl::Scalar(ttl) if *ttl >= hold => analysis.written(*ttl, idempotency.ttl.span()),
        Ttl::Scalar(_) => return,
    };
    if !contract.at_least_once() || !table || !marked_first {
        return;
    }
    let span =
        analysis.timing.lock.filter(|lock| lock.value == hold).map_or(Span::default(), |lock| lock.span);
    let text = format!(
        "a key that is written before the effect and kept {lives} is still there when the message comes again after {}: the retry counts as a duplicate, and the message is lost",
        analysis.written(hold, span),
    );
    let lock = analysis.timing.lock.map_or(Span::default(), |lock| lock.span);
    out.push(
        Diagnostic::new(RULE.code, idempotency.mark.span(), text)
            .at("the key is there before the effect is")
            .label(idempotency.ttl.span(), "outlives the lock")
            .label(lock, "then the message of a dead consumer comes again")
            .help("add `in_flight: reconcile`, so that a key without a result is not taken for a finished message"),
    );
}
