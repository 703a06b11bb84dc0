//! See `dedupe_shorter_than_crashes.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule; `rules::bounds` judges it.
pub static RULE: Rule = Rule::new(
    "AK202",
    "dedupe-shorter-than-crashes",
    Level::Warning,
    include_str!("dedupe_shorter_than_crashes.md"),
    Check::Bound,
);
