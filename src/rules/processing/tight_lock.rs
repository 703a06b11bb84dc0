//! See `tight_lock.md`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK702", "tight-lock", Level::Warning, include_str!("tight_lock.md"), Check::Bound);
