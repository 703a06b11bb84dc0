//! See `missing_file.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK014", "missing-file", Level::Error, include_str!("missing_file.md"), Check::Reading);
