//! See `dead_letter_gone_by_monday.md`; the check is `rules::bounds`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK405",
    "dead-letter-gone-by-monday",
    Level::Warning,
    include_str!("dead_letter_gone_by_monday.md"),
    Check::Bound,
);
