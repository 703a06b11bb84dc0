//! AK9xx: evolution, the workspace and operation.

use super::Rule;

mod breaking_evolution;
mod dangling_link;
mod duplicate_queue;
mod impossible_replay;
mod latency_budget_exceeded;
pub mod literal_secret;
mod missing_evidence;
mod mixed_criticality;
mod replay_wider_than_failure;
mod retention_shorter_than_outage;
mod short_notice;
mod undurable_queue;
mod unlogged_bypass;
mod unowned_contract;
mod untraced_business_id;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[
    &breaking_evolution::RULE,
    &short_notice::RULE,
    &duplicate_queue::RULE,
    &dangling_link::RULE,
    &mixed_criticality::RULE,
    &latency_budget_exceeded::RULE,
    &unlogged_bypass::RULE,
    &missing_evidence::RULE,
    &untraced_business_id::RULE,
    &unowned_contract::RULE,
    &undurable_queue::RULE,
    &impossible_replay::RULE,
    &replay_wider_than_failure::RULE,
    &retention_shorter_than_outage::RULE,
    &literal_secret::RULE,
];
