//! The organisation's figures: what a contract is held to where the field leaves a choice.

use crate::units::Duration;

/// The figures that rules compare with. `ackord.toml` may replace each one under `[policy]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// What clock error and network add to every bound.
    pub margin: Duration,
    /// The least factor between the alert threshold and the p95 objective.
    pub alert_ratio: f64,
    /// Objectives longer than this are the work itself, and held to `slow_alert_ratio` instead.
    pub slow_objective: Duration,
    /// The least factor between alert and objective where the objective exceeds `slow_objective`.
    pub slow_alert_ratio: f64,
    /// The least time that a dead letter is kept.
    pub least_dead_letter_retention: Duration,
    /// The longest weekend that a dead letter must survive before anybody looks.
    pub weekend: Duration,
    /// The most dead letters that may wait for a page …
    pub dead_letter_alert_messages: u64,
    /// … within this time.
    pub dead_letter_alert_within: Duration,
    /// The least notice that a breaking change owes.
    pub breaking_notice: Duration,
    /// The most retries that an unclassified failure deserves.
    pub unknown_retries: u32,
    /// Bodies above this go by reference.
    pub embedded_size: u64,
    /// The rows from which a dedupe table is partitioned.
    pub dedupe_rows: u64,
    /// The share of capacity above which the steady load is worth a note.
    pub busy: f64,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            margin: Duration::from_secs(60),
            alert_ratio: 10.0,
            slow_objective: Duration::from_secs(15 * 60),
            slow_alert_ratio: 2.0,
            least_dead_letter_retention: Duration::from_secs(3 * 86_400),
            weekend: Duration::from_secs(3 * 86_400),
            dead_letter_alert_messages: 100,
            dead_letter_alert_within: Duration::from_secs(15 * 60),
            breaking_notice: Duration::from_secs(72 * 3600),
            unknown_retries: 3,
            embedded_size: 256 * 1024,
            dedupe_rows: 100_000_000,
            busy: 0.8,
        }
    }
}
