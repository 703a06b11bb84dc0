//! AK3xx: what is retried, how often and how long.

use super::Rule;
use crate::analysis::{Analysis, RetryingClass};
use crate::model::{Action, Contract, FailureClass, Failures, Then};
use crate::source::Span;
use crate::syntax::Entry;

mod business_outcome_as_failure;
mod delay_held_past_lock;
mod dropped_after_retries;
mod endless_retry;
mod fixed_interval_retry;
mod nervous_retry;
mod over_trusted_unknown;
mod overlapping_failure_classes;
mod poison_without_evidence;
mod retried_poison;
mod retries_outlive_retention;
mod retries_shorter_than_outage;
mod silent_drop;
mod stacked_retries;
mod unanswered_failure_class;
mod uncounted_crashes;
mod undelayed_retry;
mod unjittered_backoff;
mod unreachable_cap;
mod waiting_inside_the_lock;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[
    &unanswered_failure_class::RULE,
    &retried_poison::RULE,
    &business_outcome_as_failure::RULE,
    &endless_retry::RULE,
    &fixed_interval_retry::RULE,
    &unjittered_backoff::RULE,
    &undelayed_retry::RULE,
    &unreachable_cap::RULE,
    &retries_outlive_retention::RULE,
    &silent_drop::RULE,
    &nervous_retry::RULE,
    &stacked_retries::RULE,
    &poison_without_evidence::RULE,
    &over_trusted_unknown::RULE,
    &overlapping_failure_classes::RULE,
    &waiting_inside_the_lock::RULE,
    &uncounted_crashes::RULE,
    &retries_shorter_than_outage::RULE,
    &dropped_after_retries::RULE,
    &delay_held_past_lock::RULE,
];

/// The classes that the contract writes out, each with its name.
pub(super) fn classes(contract: &Contract) -> impl Iterator<Item = (&Entry<FailureClass>, &FailureClass)> {
    let classes = match contract.failures.get() {
        Some(Failures::Mapping(classes)) => Some(classes),
        Some(Failures::Standard) | None => None,
    };
    classes
        .into_iter()
        .flat_map(|classes| classes.iter())
        .filter_map(|entry| Some((entry, entry.value.get()?)))
}

/// The written classes that retry, each with what was derived from it; none at at-most-once.
fn retrying<'a>(
    analysis: &'a Analysis<'_>,
) -> impl Iterator<Item = (&'a Entry<FailureClass>, &'a FailureClass, &'a RetryingClass)> {
    // Both keep the order of the contract.
    classes(analysis.contract)
        .filter(|(_, class)| class.action.get() == Some(&Action::Retry))
        .zip(&analysis.retries.classes)
        .map(|((entry, class), retries)| (entry, class, retries))
}

/// The word that sends messages of the class to the dead letters, where one does.
pub(super) fn dead_lettered(class: &FailureClass) -> Option<Span> {
    match (class.action.get()?, class.then.get()) {
        (Action::DeadLetter, _) => Some(class.action.span()),
        (Action::Retry, Some(Then::DeadLetter)) => Some(class.then.span()),
        _ => None,
    }
}

/// The word that throws messages of the class away, where one does.
fn dropped(class: &FailureClass) -> Option<Span> {
    match (class.action.get()?, class.then.get()) {
        (Action::Drop, _) => Some(class.action.span()),
        (Action::Retry, Some(Then::Drop)) => Some(class.then.span()),
        _ => None,
    }
}

/// `1 retry`, `5 retries`.
fn count_retries(count: u64) -> String {
    if count == 1 { "1 retry".to_owned() } else { format!("{count} retries") }
}
