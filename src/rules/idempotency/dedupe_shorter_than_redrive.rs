//! See `dedupe_shorter_than_redrive.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule; `rules::bounds` judges it.
pub static RULE: Rule = Rule::new(
    "AK204",
    "dedupe-shorter-than-redrive",
    Level::Warning,
    include_str!("dedupe_shorter_than_redrive.md"),
    Check::Bound,
);
