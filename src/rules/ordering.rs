//! AK5xx: order and age.

mod batch_breaks_order;
mod concurrency_breaks_order;
mod field_not_in_message;
mod global_order;
mod idle_consumers;
mod retry_overtaken;
mod stale_before_retry;
mod stale_within_slo;
mod wall_clock_only;

use super::Rule;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[
    &global_order::RULE,
    &concurrency_breaks_order::RULE,
    &retry_overtaken::RULE,
    &idle_consumers::RULE,
    &batch_breaks_order::RULE,
    &stale_before_retry::RULE,
    &wall_clock_only::RULE,
    &field_not_in_message::RULE,
    &stale_within_slo::RULE,
];
