//! See `triage_after_expiry.md`; the check is `rules::bounds`.

use crate::diagnostic::Level;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK410",
    "triage-after-expiry",
    Level::Error,
    include_str!("triage_after_expiry.md"),
    Check::Bound,
);
