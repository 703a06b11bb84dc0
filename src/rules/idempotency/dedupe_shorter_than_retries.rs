//! See `dedupe_shorter_than_retries.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule; `rules::bounds` judges it.
pub static RULE: Rule = Rule::new(
    "AK201",
    "dedupe-shorter-than-retries",
    Level::Error,
    include_str!("dedupe_shorter_than_retries.md"),
    Check::Bound,
);
