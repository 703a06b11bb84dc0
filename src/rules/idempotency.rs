//! AK2xx: what makes an effect happen once.

use super::Rule;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[];
