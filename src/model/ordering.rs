//! `ordering`: in which order messages are handled.

use schemars::JsonSchema;
use serde::Deserialize;

use super::FieldName;
use crate::syntax::Opt;

/// In which order messages are handled.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Ordering#?", rename_all = "kebab-case")]
#[schemars(rename = "Ordering")]
pub enum Ordering {
    /// In any order.
    None,
    /// In the order of a key.
    #[schemars(untagged)]
    Mapping(Order),
}

/// The order of messages with the same key.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Order {
    /// The field whose equal values are handled in order.
    pub key: Opt<FieldName>,
    /// What keeps the order.
    pub by: Opt<OrderBy>,
    /// How many partitions there are.
    pub partitions: Opt<u32>,
    /// Whether a consumer that handles several messages at once keeps those of a key in one lane.
    pub lanes: Opt<Lanes>,
    /// What happens to later messages of a key while one of it waits for its retry.
    pub on_retry: Opt<OnRetry>,
    /// What happens to later messages of a key once one of it is dead-lettered.
    pub on_dead_letter: Opt<OnDeadLetter>,
}

/// What keeps an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OrderBy {
    /// Partitions, each read by one consumer.
    Partition,
    /// A check of what must come before, which postpones the message.
    DependencyCheck,
    /// One consumer.
    SingleConsumer,
}

/// How a consumer that handles several messages at once divides them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Lanes {
    /// One lane for each key.
    ByKey,
    /// As they come.
    None,
}

/// What happens to later messages of a key while one of it waits for its retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnRetry {
    /// They wait.
    BlockKey,
    /// They are set aside.
    ParkKey,
    /// They overtake.
    MayReorder,
}

/// What happens to later messages of a key once one of it is dead-lettered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnDeadLetter {
    /// They go on.
    Skip,
    /// They are set aside.
    ParkKey,
    /// The partition stops.
    Halt,
}
