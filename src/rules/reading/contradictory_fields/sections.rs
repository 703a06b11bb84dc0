//! Fields that make no sense beside each other.

use super::{Contradiction, field, finding, named, written};
use crate::analysis::Analysis;
use crate::diagnostic::Diagnostic;
use crate::model::{Mark, ReplayIntent, Strategy};

pub(super) const ALL: &[Contradiction] = &[
    guard_of_another_strategy,
    natural_without_reason,
    unseen_in_flight,
    renewal_without_renewing,
    reprocessing_without_effect,
    least_above_most,
];

/// A guard that the strategy does not use.
fn guard_of_another_strategy(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let idempotency = &analysis.contract.idempotency;
    let strategy = idempotency.strategy.span();
    match idempotency.strategy.get() {
        Some(other) if *other != Strategy::StateGuard && idempotency.guard.given() => {
            let word = analysis.sources.slice(strategy);
            vec![
                finding(
                    idempotency.guard.key(),
                    format!("`guard` belongs to `state-guard`, but the strategy is `{word}`"),
                )
                .at("nothing looks at it")
                .label(strategy, "recognises a repeat in another way")
                .help("remove `guard`, or write `strategy: state-guard`"),
            ]
        }
        _ => Vec::new(),
    }
}

/// An effect that may be repeated, and nobody says why.
fn natural_without_reason(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let idempotency = &analysis.contract.idempotency;
    if idempotency.strategy.get() != Some(&Strategy::Natural) || idempotency.reason.given() {
        return Vec::new();
    }
    vec![
        finding(
            idempotency.strategy.span(),
            "`natural` claims that a repeat changes nothing, and gives no `reason`",
        )
        .at("nothing stops a repeat here")
        .help("add `reason` with what makes the effect the same, such as: sets the state, adds nothing"),
    ]
}

/// An answer for a key without a result, where none is ever seen.
fn unseen_in_flight(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let idempotency = &analysis.contract.idempotency;
    if idempotency.mark.get() != Some(&Mark::WithEffect) || !idempotency.in_flight.given() {
        return Vec::new();
    }
    vec![
        finding(
            idempotency.in_flight.span(),
            "`in_flight` answers for a key without a result, but `with-effect` leaves none",
        )
        .at("never happens")
        .label(idempotency.mark.span(), "key and effect are written in one transaction")
        .help("remove `in_flight`, or write `mark: before-effect` if an effect lies outside the transaction"),
    ]
}

/// How a lock is renewed that is not.
fn renewal_without_renewing(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let lock = &analysis.contract.processing.lock;
    let given = written([field("renew_for", &lock.renew_for), field("renewed_by", &lock.renewed_by)]);
    let renewed = lock.renewed.get() == Some(&true) || (lock.renewed.given() && lock.renewed.get().is_none());
    let Some(((_, first), _)) = given.split_first().filter(|_| !renewed) else { return Vec::new() };
    let verb = if given.len() == 1 { "says" } else { "say" };
    vec![
        finding(*first, format!("{} {verb} how the lock is renewed, but it is not", named(&given)))
            .at("of a lock that runs out")
            .label(
                if lock.renewed.given() { lock.renewed.span() } else { lock.timeout.span() },
                "held this long, and no longer",
            )
            .help(format!("add `renewed: true`, or remove {}", named(&given))),
    ]
}

/// A replay that must do everything again and nothing.
fn reprocessing_without_effect(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let replay = &analysis.contract.replay;
    let expected = replay.expected_no_op.get().filter(|share| share.share() > 0.0);
    match (replay.intent.get(), expected) {
        (Some(ReplayIntent::Reprocess), Some(share)) => vec![
            finding(
                replay.expected_no_op.span(),
                format!("`expected_no_op` of {share} contradicts `intent: reprocess`"),
            )
            .at("this share changes nothing")
            .label(replay.intent.span(), "every effect happens again")
            .help("remove `expected_no_op`, or write `intent: verify`"),
        ],
        _ => Vec::new(),
    }
}

/// A least number of workers above the most.
fn least_above_most(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let Some(workers) = analysis.contract.flow_control.workers.get() else { return Vec::new() };
    match (workers.min.get(), workers.max.get()) {
        (Some(least), Some(most)) if least > most => vec![
            finding(workers.min.span(), format!("`min` of {least} workers is more than `max` of {most}"))
                .at("the least")
                .label(workers.max.span(), "the most")
                .help("swap the two"),
        ],
        _ => Vec::new(),
    }
}
