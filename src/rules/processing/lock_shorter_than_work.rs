//! See `lock_shorter_than_work.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK701",
    "lock-shorter-than-work",
    Level::Error,
    include_str!("lock_shorter_than_work.md"),
    Check::Bound,
);
