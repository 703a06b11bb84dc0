//! AK9xx: evolution, the workspace and operation.

use super::Rule;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[];
