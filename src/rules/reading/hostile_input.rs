//! See `hostile_input.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK009", "hostile-input", Level::Error, include_str!("hostile_input.md"), Check::Reading)
        .unsuppressible();
