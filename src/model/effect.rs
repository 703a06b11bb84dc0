//! `effects`: what handling one message changes.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Engine, FieldName, Identifier};
use crate::syntax::{Opt, Req};
use crate::units::Duration;

/// One thing that handling a message changes, and that must not happen twice.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Effect {
    /// What it is called.
    pub name: Req<FieldName>,
    /// Where it happens.
    pub kind: Req<EffectKind>,
    /// The table that it changes.
    pub table: Opt<Identifier>,
    /// The store that it happens in; unsaid, the idempotency store.
    pub store: Opt<Engine>,
    /// The field that the other side takes as its own idempotency key.
    pub idempotency_key: Opt<FieldName>,
    /// How long the other side honours that key.
    pub key_valid_for: Opt<Duration>,
    /// How the other side is asked what became of it.
    pub reconcile: Opt<String>,
}

/// Where an effect happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EffectKind {
    /// In a database of ours.
    Database,
    /// In somebody else's system.
    External,
    /// As another message.
    Publish,
}
