//! See `waiting_inside_the_lock.md`; the check is `rules::bounds`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK316",
    "waiting-inside-the-lock",
    Level::Error,
    include_str!("waiting_inside_the_lock.md"),
    Check::Bound,
);
