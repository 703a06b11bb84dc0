//! AK3xx: what is retried, how often and how long.

use super::Rule;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[];
