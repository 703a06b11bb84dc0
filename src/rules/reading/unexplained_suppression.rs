//! See `unexplained_suppression.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK012",
    "unexplained-suppression",
    Level::Error,
    include_str!("unexplained_suppression.md"),
    Check::Reading,
);
