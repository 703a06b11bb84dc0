//! See `wrong_type.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK005", "wrong-type", Level::Error, include_str!("wrong_type.md"), Check::Reading)
        .unsuppressible();
