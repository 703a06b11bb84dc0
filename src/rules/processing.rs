//! AK7xx: locks, fetching, sizes and shared limits.

use super::Rule;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[];
