//! See `duplicate_key.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK002", "duplicate-key", Level::Error, include_str!("duplicate_key.md"), Check::Reading)
        .unsuppressible();
