//! AK4xx: what becomes of messages that could not be handled.

use super::Rule;
use crate::model::{Contract, DeadLetter};

mod alert_that_cannot_fire;
mod dead_letter_cycle;
mod dead_letter_gone_by_monday;
mod missing_dead_letter;
mod no_way_back;
mod shared_dead_letter;
mod triage_after_expiry;
mod unbounded_dead_letter;
mod undecided_dead_letter;
mod unowned_dead_letter;
mod unwatched_dead_letter;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[
    &missing_dead_letter::RULE,
    &unowned_dead_letter::RULE,
    &unwatched_dead_letter::RULE,
    &alert_that_cannot_fire::RULE,
    &dead_letter_gone_by_monday::RULE,
    &unbounded_dead_letter::RULE,
    &undecided_dead_letter::RULE,
    &no_way_back::RULE,
    &dead_letter_cycle::RULE,
    &triage_after_expiry::RULE,
    &shared_dead_letter::RULE,
];

/// The section as the contract has it; nothing at at-most-once, where every failure is a drop.
fn section(contract: &Contract) -> Option<&DeadLetter> {
    contract.dead_letter.get().filter(|_| !contract.at_most_once())
}
