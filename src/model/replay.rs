//! `replay`: how an operator handles past messages again.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::syntax::{Opt, Req};
use crate::units::{Duration, Ratio};

/// How an operator handles past messages again.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Replay {
    /// Where the messages come from.
    pub from: Opt<ReplaySource>,
    /// How far back.
    pub window: Req<Duration>,
    /// How they are selected.
    pub by: Opt<ReplayBy>,
    /// Whether a replayed message keeps its broker message id.
    pub message_id: Opt<MessageId>,
    /// Where they go.
    pub to: Opt<ReplayTarget>,
    /// Whether nothing should happen, or everything again.
    pub intent: Opt<ReplayIntent>,
    /// The share of replayed messages that must have no effect; any other is a dedupe bug.
    pub expected_no_op: Opt<Ratio>,
}

/// Where replayed messages come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReplaySource {
    /// From the broker, which still has them.
    Broker,
    /// From the producer's outbox.
    Outbox,
    /// From an archive.
    Archive,
}

impl ReplaySource {
    /// The word in a contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Broker => "broker",
            Self::Outbox => "outbox",
            Self::Archive => "archive",
        }
    }
}

/// How replayed messages are selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReplayBy {
    /// By a range of event ids.
    EventIdRange,
    /// By time.
    Time,
    /// By offset.
    Offset,
}

impl ReplayBy {
    /// The words in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::EventIdRange => "range of event ids",
            Self::Time => "range of time",
            Self::Offset => "range of offsets",
        }
    }
}

/// Whether a replayed message keeps its broker message id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MessageId {
    /// It gets a new one.
    New,
    /// It keeps it.
    Same,
}

/// Where replayed messages go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReplayTarget {
    /// To this consumer.
    ThisConsumer,
    /// To the topic, and so to every subscriber.
    Topic,
}

/// What a replay is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReplayIntent {
    /// Nothing should happen: each effect is there already.
    Verify,
    /// Everything should happen again.
    Reprocess,
}

impl Replay {
    /// Whether a replay must find every effect done already.
    pub fn verifies(&self) -> bool {
        self.intent.get().is_none_or(|intent| *intent == ReplayIntent::Verify)
    }

    /// Whether every replayed message must have no effect.
    pub fn expects_no_effect(&self) -> bool {
        self.verifies() && self.expected_no_op.get().is_none_or(|ratio| ratio.share() >= 1.0)
    }
}
