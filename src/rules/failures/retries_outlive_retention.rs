//! See `retries_outlive_retention.md`; the check is `rules::bounds`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK309",
    "retries-outlive-retention",
    Level::Error,
    include_str!("retries_outlive_retention.md"),
    Check::Bound,
);
