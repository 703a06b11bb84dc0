//! AK4xx: what becomes of messages that could not be handled.

use super::Rule;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[];
