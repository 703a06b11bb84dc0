//! What each broker does when nobody tells it otherwise: facts as data, each with its source.
//!
//! Rules, defaults and explanations read a fact from here; nobody writes one down again.

mod facts;

pub use facts::FACTS;

use crate::model::BrokerKind;
use crate::units::Duration;

/// Something that a broker does, by its own documentation.
#[derive(Debug)]
pub struct Fact {
    /// The broker.
    pub broker: BrokerKind,
    /// What it is about, such as `lock`.
    pub topic: Topic,
    /// The broker's own name of the setting.
    pub setting: &'static str,
    /// What holds where the setting is not written.
    pub value: Value,
    /// The versions that it holds for, where the broker has versions.
    pub versions: Versions,
    /// Whether it was read in the broker's own documentation.
    pub status: Status,
    /// The document that says so.
    pub source: &'static str,
}

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// How long a delivered message is held.
    Lock,
    /// How many messages are fetched ahead.
    Prefetch,
    /// How many redeliveries there are.
    DeliveryLimit,
}

/// The value of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// A length of time.
    Time(Duration),
    /// A number.
    Count(u32),
    /// No limit at all.
    Unlimited,
}

/// Major, minor and patch number.
pub type Version = (u32, u32, u32);

/// A range of versions: from the first one on, and before the second one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Versions {
    /// The first version; `None` is the oldest one that the table speaks of.
    pub from: Option<Version>,
    /// The first version that it no longer holds for.
    pub before: Option<Version>,
}

/// How well a fact is known. Only confirmed facts can be errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Read in the named source.
    Confirmed,
}

impl Versions {
    const ANY: Self = Self { from: None, before: None };

    fn hold(self, version: Option<Version>) -> bool {
        // A version that is not written is taken to be a current one.
        let version = version.unwrap_or((u32::MAX, 0, 0));
        self.from.is_none_or(|from| version >= from) && self.before.is_none_or(|before| version < before)
    }
}

/// What `kind` does about `topic` in that version, where it is known.
pub fn fact(kind: BrokerKind, topic: Topic, version: Option<&str>) -> Option<&'static Fact> {
    let version = version.and_then(parse_version);
    FACTS.iter().find(|fact| fact.broker == kind && fact.topic == topic && fact.versions.hold(version))
}

/// The numbers of a version such as `4.2`, `4` or `3.8.16`; what is not written is 0.
pub(crate) fn parse_version(text: &str) -> Option<Version> {
    let mut parts = text.split('.').map(str::parse::<u32>);
    let major = parts.next()?.ok()?;
    let mut next = || parts.next().and_then(Result::ok).unwrap_or(0);
    Some((major, next(), next()))
}

impl BrokerKind {
    /// The broker's own name, for sentences.
    pub fn title(self) -> &'static str {
        match self {
            Self::Kafka => "Kafka",
            Self::Sqs => "SQS",
            Self::Rabbitmq => "RabbitMQ",
            Self::RedisStreams => "Redis streams",
            Self::RedisList => "Redis lists",
            Self::NatsJetstream => "JetStream",
            Self::Pulsar => "Pulsar",
            Self::Pubsub => "Pub/Sub",
            Self::ServiceBus => "Service Bus",
            Self::Postgres => "PostgreSQL",
            Self::Mqtt => "MQTT",
            Self::Embedded => "the embedded queue",
        }
    }

    /// What the broker's vendor sells as exactly-once, and what it leaves out.
    pub fn exactly_once_fine_print(self) -> &'static str {
        match self {
            Self::Kafka => {
                "Kafka's transactions cover records read from and written to Kafka; an effect outside happens again when the consumer dies before its offset is committed"
            }
            Self::Sqs => {
                "SQS FIFO drops a producer's repeated send within 5 minutes; a message whose visibility timeout runs out is delivered again"
            }
            Self::Rabbitmq => {
                "RabbitMQ's confirms and acknowledgements prevent loss; a consumer that dies before its ack gets the message again"
            }
            Self::RedisStreams => {
                "a pending entry of a Redis stream is claimed again when its consumer dies before XACK"
            }
            Self::RedisList => {
                "a Redis list either loses the message in hand (pop) or hands it out again (move)"
            }
            Self::NatsJetstream => {
                "JetStream's message id stops a repeated publish within its window, and a double ack protects the ack, not the effect"
            }
            Self::Pulsar => {
                "Pulsar's transactions cover topics of Pulsar; an effect outside happens again after a crash"
            }
            Self::Pubsub => {
                "the exactly-once switch of Pub/Sub promises no redelivery after a successful ack; a consumer that dies before it gets the message again"
            }
            Self::ServiceBus => {
                "duplicate detection of Service Bus drops repeated sends; a lock that runs out delivers the message again"
            }
            Self::Postgres => {
                "a PostgreSQL queue applies an effect once only where the effect is in the same database and transaction"
            }
            Self::Mqtt => {
                "QoS 2 ends at the client library; the application behind it may die before or after its effect"
            }
            Self::Embedded => "the embedded queue delivers again after a crash",
        }
    }
}
