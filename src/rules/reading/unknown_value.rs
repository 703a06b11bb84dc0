//! See `unknown_value.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK008", "unknown-value", Level::Error, include_str!("unknown_value.md"), Check::Reading)
        .unsuppressible();
