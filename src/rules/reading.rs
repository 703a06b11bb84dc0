//! AK0xx: whether a contract can be read, and what it must say at all.

use super::Rule;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[];
