//! AK7xx: locks, prefetch, shared limits and the size of messages.

use super::Rule;

mod embedded_bulk;
mod endless_handler;
mod lock_shorter_than_work;
mod oversized_message;
mod prefetch_outlives_lock;
mod shared_limit_exceeded;
mod slow_message_holds_others;
mod tight_lock;
mod unbounded_prefetch;

pub use endless_handler::endless;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[
    &lock_shorter_than_work::RULE,
    &tight_lock::RULE,
    &prefetch_outlives_lock::RULE,
    &unbounded_prefetch::RULE,
    &shared_limit_exceeded::RULE,
    &oversized_message::RULE,
    &embedded_bulk::RULE,
    &endless_handler::RULE,
    &slow_message_holds_others::RULE,
];
