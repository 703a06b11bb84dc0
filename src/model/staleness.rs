//! `staleness`: which messages are too old to be applied.

use schemars::JsonSchema;
use serde::Deserialize;

use super::FieldName;
use crate::syntax::{Opt, Req};
use crate::units::Duration;

/// Which messages are too old to be applied.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Staleness {
    /// The field with the time of the event.
    pub timestamp: Opt<FieldName>,
    /// The field with the sequence of the event.
    pub sequence: Opt<FieldName>,
    /// How much older than what it is compared with a message may be.
    pub max_age: Req<Duration>,
    /// What a message is compared with.
    pub against: Opt<Against>,
    /// Which clock decides.
    pub clock: Opt<ClockKind>,
    /// What happens to a message that is too old.
    pub on_stale: Opt<OnStale>,
    /// Into how many partitions the table of watermarks is divided.
    pub partitions: Opt<u32>,
}

/// What the age of a message is measured against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Against {
    /// The newest message known for its key.
    NewestOfKey,
    /// The present.
    Now,
}

/// Which clock decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// The time of day.
    Physical,
    /// The sequence.
    Logical,
    /// The sequence first, the time of day on a tie.
    Hybrid,
}

/// What happens to a message that is too old.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnStale {
    /// It is acknowledged, counted and alerted.
    Reject,
    /// It goes to the dead letters.
    DeadLetter,
}
