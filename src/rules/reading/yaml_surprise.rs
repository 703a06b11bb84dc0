//! See `yaml_surprise.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK007", "yaml-surprise", Level::Error, include_str!("yaml_surprise.md"), Check::Reading)
        .unsuppressible();
