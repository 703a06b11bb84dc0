//! See `prefetch_outlives_lock.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK703",
    "prefetch-outlives-lock",
    Level::Error,
    include_str!("prefetch_outlives_lock.md"),
    Check::Bound,
);
