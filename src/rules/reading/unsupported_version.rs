//! See `unsupported_version.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK010",
    "unsupported-version",
    Level::Error,
    include_str!("unsupported_version.md"),
    Check::Reading,
);
