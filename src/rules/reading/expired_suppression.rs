//! See `expired_suppression.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK013",
    "expired-suppression",
    Level::Error,
    include_str!("expired_suppression.md"),
    Check::Reading,
)
.unsuppressible();
