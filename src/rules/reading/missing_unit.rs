//! See `missing_unit.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK006", "missing-unit", Level::Error, include_str!("missing_unit.md"), Check::Reading)
        .unsuppressible();
