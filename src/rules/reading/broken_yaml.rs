//! See `broken_yaml.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK001", "broken-yaml", Level::Error, include_str!("broken_yaml.md"), Check::Reading)
        .unsuppressible();
