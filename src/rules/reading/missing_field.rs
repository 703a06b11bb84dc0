//! See `missing_field.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK004", "missing-field", Level::Error, include_str!("missing_field.md"), Check::Reading)
        .unsuppressible();
