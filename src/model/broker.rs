//! `broker`: the broker that keeps the queue, with its own settings.
//!
//! A user writes a broker's setting only where it says something that the neutral fields do not.

mod kinds;

pub use kinds::*;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Eviction, Persistence};
use crate::source::Span;
use crate::syntax::Opt;

/// The settings that every kind of broker has.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct Common<'a> {
    pub kind: Span,
    pub version: &'a Opt<String>,
    pub queue: &'a Opt<String>,
    pub topic: &'a Opt<String>,
    pub group: &'a Opt<String>,
    pub managed: &'a Opt<Managed>,
    pub durability: &'a Opt<Durability>,
    pub delivery_limit: &'a Opt<u32>,
}

/// Who sets up the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Managed {
    /// The topology that is generated from this contract.
    Ackord,
    /// Somebody else; a setting that is not written has the broker's default.
    Elsewhere,
}

/// How durable the broker's own storage is.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Durability {
    /// How messages reach the disk.
    pub persistence: Opt<Persistence>,
    /// What is evicted when memory is full.
    pub eviction: Opt<Eviction>,
    /// Whether the same instance is also used as a cache.
    pub shared_with_cache: Opt<bool>,
    /// On how many nodes each message is.
    pub replicas: Opt<u32>,
}

/// The broker that keeps the queue.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Broker#kind", rename_all = "kebab-case")]
#[schemars(rename = "Broker", tag = "kind")]
#[allow(missing_docs)]
pub enum Broker {
    Kafka(Kafka),
    Sqs(Sqs),
    Rabbitmq(Rabbitmq),
    RedisStreams(RedisStreams),
    RedisList(RedisList),
    NatsJetstream(NatsJetstream),
    Pulsar(Pulsar),
    Pubsub(Pubsub),
    ServiceBus(ServiceBus),
    Postgres(PostgresQueue),
    Mqtt(Mqtt),
    Embedded(Embedded),
}

/// A kind of broker, without its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum BrokerKind {
    Kafka,
    Sqs,
    Rabbitmq,
    RedisStreams,
    RedisList,
    NatsJetstream,
    Pulsar,
    Pubsub,
    ServiceBus,
    Postgres,
    Mqtt,
    Embedded,
}

impl BrokerKind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 12] = [
        Self::Kafka,
        Self::Sqs,
        Self::Rabbitmq,
        Self::RedisStreams,
        Self::RedisList,
        Self::NatsJetstream,
        Self::Pulsar,
        Self::Pubsub,
        Self::ServiceBus,
        Self::Postgres,
        Self::Mqtt,
        Self::Embedded,
    ];

    /// The word in a contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Kafka => "kafka",
            Self::Sqs => "sqs",
            Self::Rabbitmq => "rabbitmq",
            Self::RedisStreams => "redis-streams",
            Self::RedisList => "redis-list",
            Self::NatsJetstream => "nats-jetstream",
            Self::Pulsar => "pulsar",
            Self::Pubsub => "pubsub",
            Self::ServiceBus => "service-bus",
            Self::Postgres => "postgres",
            Self::Mqtt => "mqtt",
            Self::Embedded => "embedded",
        }
    }
}

impl Broker {
    /// The kind of the broker.
    pub fn kind(&self) -> BrokerKind {
        match self {
            Self::Kafka(_) => BrokerKind::Kafka,
            Self::Sqs(_) => BrokerKind::Sqs,
            Self::Rabbitmq(_) => BrokerKind::Rabbitmq,
            Self::RedisStreams(_) => BrokerKind::RedisStreams,
            Self::RedisList(_) => BrokerKind::RedisList,
            Self::NatsJetstream(_) => BrokerKind::NatsJetstream,
            Self::Pulsar(_) => BrokerKind::Pulsar,
            Self::Pubsub(_) => BrokerKind::Pubsub,
            Self::ServiceBus(_) => BrokerKind::ServiceBus,
            Self::Postgres(_) => BrokerKind::Postgres,
            Self::Mqtt(_) => BrokerKind::Mqtt,
            Self::Embedded(_) => BrokerKind::Embedded,
        }
    }

    /// The settings that every kind has.
    pub fn common(&self) -> Common<'_> {
        match self {
            Self::Kafka(broker) => broker.common(),
            Self::Sqs(broker) => broker.common(),
            Self::Rabbitmq(broker) => broker.common(),
            Self::RedisStreams(broker) => broker.common(),
            Self::RedisList(broker) => broker.common(),
            Self::NatsJetstream(broker) => broker.common(),
            Self::Pulsar(broker) => broker.common(),
            Self::Pubsub(broker) => broker.common(),
            Self::ServiceBus(broker) => broker.common(),
            Self::Postgres(broker) => broker.common(),
            Self::Mqtt(broker) => broker.common(),
            Self::Embedded(broker) => broker.common(),
        }
    }

    /// Whether somebody else sets up the queue.
    pub fn managed_elsewhere(&self) -> bool {
        self.common().managed.get() == Some(&Managed::Elsewhere)
    }
}

impl super::Contract {
    /// The settings of Kafka, where that is the broker.
    pub fn kafka(&self) -> Option<&Kafka> {
        match self.broker.get() {
            Some(Broker::Kafka(kafka)) => Some(kafka),
            _ => None,
        }
    }

    /// The settings of RabbitMQ, where that is the broker.
    pub fn rabbitmq(&self) -> Option<&Rabbitmq> {
        match self.broker.get() {
            Some(Broker::Rabbitmq(rabbitmq)) => Some(rabbitmq),
            _ => None,
        }
    }

    /// The settings of SQS, where that is the broker.
    pub fn sqs(&self) -> Option<&Sqs> {
        match self.broker.get() {
            Some(Broker::Sqs(sqs)) => Some(sqs),
            _ => None,
        }
    }

    /// Whether the broker is of `kind`.
    pub fn is_on(&self, kind: BrokerKind) -> bool {
        self.broker.get().is_some_and(|broker| broker.kind() == kind)
    }

    /// The place of the word that says which broker it is, to point at when its default is meant.
    pub fn broker_kind_place(&self) -> Span {
        self.broker.get().map_or(Span::default(), |broker| broker.common().kind)
    }
}
