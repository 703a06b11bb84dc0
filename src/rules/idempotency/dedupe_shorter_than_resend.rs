//! See `dedupe_shorter_than_resend.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule; `rules::bounds` judges it.
pub static RULE: Rule = Rule::new(
    "AK205",
    "dedupe-shorter-than-resend",
    Level::Warning,
    include_str!("dedupe_shorter_than_resend.md"),
    Check::Bound,
);
