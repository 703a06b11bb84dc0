//! `producer`: how messages get into the queue.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Identifier;
use crate::syntax::{Opt, Req};
use crate::units::Duration;

/// How messages get into the queue.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Producer {
    /// Whether the producer waits until the broker has confirmed each message.
    pub confirms: Opt<bool>,
    /// What happens to a message that no queue is bound for.
    pub unroutable: Opt<Unroutable>,
    /// The table that holds each message until it is confirmed.
    pub outbox: Opt<Outbox>,
    /// The latest that the producer may send the same business act again.
    pub resend_within: Opt<Duration>,
    /// Whether messages are sent in order: one in flight, or an idempotent producer.
    pub in_order: Opt<bool>,
}

/// What happens to a message that no queue is bound for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unroutable {
    /// The publisher gets it back as an error.
    Error,
    /// The broker sends it another way.
    Alternate,
    /// It is gone.
    Ignored,
}

/// The outbox of the producer.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Outbox#?", rename_all = "kebab-case")]
#[schemars(rename = "Outbox")]
pub enum Outbox {
    /// There is none.
    None,
    /// A table; a row is removed once it is confirmed.
    #[schemars(untagged)]
    Scalar(Identifier),
    /// A table whose rows are kept, marked sent, for a time.
    #[schemars(untagged)]
    Mapping(OutboxTable),
}

/// A table whose rows are kept, marked sent, for a time.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct OutboxTable {
    /// The table.
    pub table: Req<Identifier>,
    /// How long a sent row is kept, so that it can be replayed.
    pub keep: Opt<Duration>,
}

impl Outbox {
    /// How long sent rows are kept, where they are.
    pub fn keep(&self) -> Option<Duration> {
        match self {
            Self::Mapping(table) => table.keep.get().copied(),
            Self::None | Self::Scalar(_) => None,
        }
    }
}
