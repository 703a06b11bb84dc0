//! AK5xx: order and age.

use super::Rule;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[];
