//! See `dedupe_shorter_than_replay.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule; `rules::bounds` judges it.
pub static RULE: Rule = Rule::new(
    "AK203",
    "dedupe-shorter-than-replay",
    Level::Warning,
    include_str!("dedupe_shorter_than_replay.md"),
    Check::Bound,
);
