//! `idempotency`: what makes the effect of a message happen once.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{FieldName, Identifier};
use crate::syntax::{List, Opt, Req};
use crate::units::Duration;

/// What makes the effect of a message happen once.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Idempotency {
    /// The fields that name the business act; never the broker's message id.
    pub key: Opt<List<FieldName>>,
    /// How a repeated message is recognised.
    pub strategy: Opt<Strategy>,
    /// Why the effect is the same when it is repeated (with `natural`).
    pub reason: Opt<String>,
    /// Where keys are kept.
    pub store: Opt<Store>,
    /// When the key is written.
    pub mark: Opt<Mark>,
    /// What a redelivery does that finds its key without a result.
    pub in_flight: Opt<InFlight>,
    /// How long a key is kept.
    pub ttl: Opt<Ttl>,
    /// The state transition that happens at most once (with `state-guard`).
    pub guard: Opt<Guard>,
    /// Into how many partitions the table of keys is divided.
    pub partitions: Opt<u32>,
}

/// How a repeated message is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// A table of keys.
    DedupeTable,
    /// A conditional update that finds the state already changed.
    StateGuard,
    /// A unique index on the business table.
    UniqueIndex,
    /// The effect is the same when it is repeated.
    Natural,
    /// The broker's own window on message ids.
    BrokerWindow,
    /// It is not.
    None,
}

/// Where keys are kept.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Store {
    /// The kind of store.
    pub engine: Req<Engine>,
    /// The table or key prefix.
    pub table: Opt<Identifier>,
    /// Which of Redis' ways to persist is on.
    pub persistence: Opt<Persistence>,
    /// What Redis evicts when it is full.
    pub eviction: Opt<Eviction>,
    /// Whether the store is also used as a cache.
    pub shared_with_cache: Opt<bool>,
    /// Into how many partitions the table is divided.
    pub partitions: Opt<u32>,
}

/// A kind of store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Engine {
    Postgres,
    Mysql,
    Sqlite,
    Redis,
}

impl Engine {
    /// The word in a contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
            Self::Sqlite => "sqlite",
            Self::Redis => "redis",
        }
    }
}

/// How Redis persists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Persistence {
    /// Not at all.
    None,
    /// By snapshots.
    Rdb,
    /// By a log that reaches the disk each second.
    AofEverysec,
    /// By a log that reaches the disk with each write.
    AofAlways,
}

impl Persistence {
    /// The word in a contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Rdb => "rdb",
            Self::AofEverysec => "aof-everysec",
            Self::AofAlways => "aof-always",
        }
    }
}

/// What Redis evicts when it is full, in its own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Eviction {
    Noeviction,
    AllkeysLru,
    AllkeysLfu,
    AllkeysRandom,
    VolatileLru,
    VolatileLfu,
    VolatileRandom,
    VolatileTtl,
}

/// When the key is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Before the effect, without a result; the result follows.
    BeforeEffect,
    /// In the transaction of the effect.
    WithEffect,
    /// After the effect.
    AfterEffect,
    /// After the acknowledgement.
    AfterAck,
}

/// What a redelivery does that finds its key without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InFlight {
    /// Asks the other side what became of it.
    Reconcile,
    /// Waits for another delivery.
    RetryLater,
}

/// How long a key is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename = "Ttl#?", rename_all = "kebab-case")]
#[schemars(rename = "Ttl")]
pub enum Ttl {
    /// For ever.
    Forever,
    /// So long.
    #[schemars(untagged)]
    Scalar(Duration),
}

/// A state transition that happens at most once.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Guard {
    /// The table.
    pub table: Req<Identifier>,
    /// The field of the message that finds the row.
    pub key: Req<FieldName>,
    /// The column of the state.
    pub column: Req<Identifier>,
    /// The state before.
    pub from: Req<String>,
    /// The state after.
    pub to: Req<String>,
}

impl Idempotency {
    /// The fields of the key.
    pub fn key_fields(&self) -> impl Iterator<Item = (&FieldName, crate::source::Span)> {
        self.key.get().into_iter().flat_map(List::iter)
    }
}
