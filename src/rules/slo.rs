//! AK6xx: objectives, alerts and the people behind them.

use super::Rule;

mod alert_on_ordinary_retry;
mod alert_without_meaning;
mod late_alert;
mod nobody_to_page;
mod overloaded;
mod twitchy_alert;
mod unreachable_slo;
mod unsustained_alert;

/// The rules of this group, by code.
pub static RULES: &[&Rule] = &[
    &twitchy_alert::RULE,
    &unsustained_alert::RULE,
    &unreachable_slo::RULE,
    &overloaded::RULE,
    &nobody_to_page::RULE,
    &alert_without_meaning::RULE,
    &alert_on_ordinary_retry::RULE,
    &late_alert::RULE,
];
