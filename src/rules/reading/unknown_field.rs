//! See `unknown_field.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK003", "unknown-field", Level::Error, include_str!("unknown_field.md"), Check::Reading)
        .unsuppressible();
