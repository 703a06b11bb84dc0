//! AK6xx: objectives, alerts and the people behind them.

use super::Rule;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[];
