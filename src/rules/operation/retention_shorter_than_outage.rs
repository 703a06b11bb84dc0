//! See `retention_shorter_than_outage.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK915",
    "retention-shorter-than-outage",
    Level::Error,
    include_str!("retention_shorter_than_outage.md"),
    Check::Bound,
);
