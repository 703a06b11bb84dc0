//! AK1xx: what is promised about each delivery.

use super::Rule;

mod exactly_once_delivery;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[&exactly_once_delivery::RULE];
