//! See `unused_suppression.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK011",
    "unused-suppression",
    Level::Warning,
    include_str!("unused_suppression.md"),
    Check::Reading,
);
