//! `dead_letter`: where messages go that could not be handled.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Slug;
use crate::syntax::{List, Opt, Req};
use crate::units::{Duration, Ratio};

/// Where messages go that could not be handled, and who looks after them.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct DeadLetter {
    /// The queue that holds them.
    pub queue: Opt<Slug>,
    /// Who decides what becomes of each.
    pub owner: Opt<String>,
    /// The rotation that is paged; unsaid, the contract's.
    pub on_call: Opt<String>,
    /// From how many on a person is paged; a ticket at the first one is always emitted.
    pub alert: Opt<DeadLetterAlert>,
    /// From which share of `max_messages` on a person is paged; unsaid, 80%.
    pub full_alert: Opt<FullAlert>,
    /// The deadline for a decision on each.
    pub triage_within: Opt<Duration>,
    /// How long each is kept.
    pub retention: Opt<Duration>,
    /// How many are kept.
    pub max_messages: Opt<u64>,
    /// Whether there is a switch that puts them back.
    pub redrive: Opt<bool>,
    /// How old a dead letter may be put back; unsaid, the retention.
    pub redrive_within: Opt<RedriveWithin>,
    /// What brings a message here; unsaid, `reject` and `delivery-limit`.
    pub triggers: Opt<List<Trigger>>,
    /// Whether other contracts use the same queue.
    pub shared: Opt<bool>,
}

/// From how many dead letters on a person is paged.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "DeadLetterAlert#?", rename_all = "kebab-case")]
#[schemars(rename = "DeadLetterAlert")]
pub enum DeadLetterAlert {
    /// From the first one on.
    Any,
    /// From so many within a time on.
    #[schemars(untagged)]
    Mapping(DeadLetterThreshold),
}

/// So many dead letters within a time.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct DeadLetterThreshold {
    /// How many.
    pub messages: Req<u64>,
    /// Within which time.
    pub within: Req<Duration>,
}

/// From which share of `max_messages` on a person is paged.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename = "FullAlert#?", rename_all = "kebab-case")]
#[schemars(rename = "FullAlert")]
pub enum FullAlert {
    /// Never.
    None,
    /// From that share on.
    #[schemars(untagged)]
    Scalar(Ratio),
}

/// How old a dead letter may be put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename = "RedriveWithin#?", rename_all = "kebab-case")]
#[schemars(rename = "RedriveWithin")]
pub enum RedriveWithin {
    /// As old as the life of its key allows; the redrive refuses what is older.
    Ttl,
    /// So old.
    #[schemars(untagged)]
    Scalar(Duration),
}

/// What brings a message to the dead letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// The consumer rejected it.
    Reject,
    /// It was too old for the queue.
    Expiry,
    /// The queue was full.
    Overflow,
    /// It was delivered too often.
    DeliveryLimit,
}
