//! The settings of each kind of broker.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Common, Durability, Managed};
use crate::syntax::{List, Opt};
use crate::units::Duration;

/// The settings of one kind of broker: those that all kinds have, and its own.
macro_rules! brokers {
    ($($(#[$doc:meta])* $name:ident {$($(#[$field_doc:meta])* $field:ident: $type:ty,)*})+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            // The word itself is read as the tag of `Broker`; here it only leaves its place.
            #[schemars(skip)]
            kind: Opt<String>,
            /// The version of the broker, quoted: "4.2".
            pub version: Opt<String>,
            /// The name of the queue at the broker, where it differs.
            pub queue: Opt<String>,
            /// The name of the topic at the broker, where it differs.
            pub topic: Opt<String>,
            /// The consumer group or subscription.
            pub group: Opt<String>,
            /// Who sets up the queue: `ackord` emits every setting; `elsewhere`, an unsaid one has the broker's default.
            pub managed: Opt<Managed>,
            /// How durable the broker's own storage is.
            pub durability: Opt<Durability>,
            /// The limit on deliveries of a queue that is managed elsewhere.
            pub delivery_limit: Opt<u32>,
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl $name {
            pub(super) fn common(&self) -> Common<'_> {
                Common {
                    kind: self.kind.span(),
                    version: &self.version,
                    queue: &self.queue,
                    topic: &self.topic,
                    group: &self.group,
                    managed: &self.managed,
                    durability: &self.durability,
                    delivery_limit: &self.delivery_limit,
                }
            }
        }
    )+};
}

brokers! {
    /// Apache Kafka.
    Kafka {
        /// Whether consumers form a classic group or share partitions.
        mode: Opt<KafkaMode>,
        /// The rebalance protocol of the group.
        protocol: Opt<KafkaProtocol>,
        /// How many partitions the topic has.
        partitions: Opt<u32>,
        /// On how many brokers each partition is.
        replication: Opt<u32>,
        /// How many of them must have a message before it is confirmed.
        min_insync: Opt<u32>,
        /// What the producer waits for.
        acks: Opt<KafkaAcks>,
        /// Whether the client commits offsets by itself, and how often.
        auto_commit: Opt<AutoCommit>,
        /// The longest time between two polls.
        max_poll_interval: Opt<Duration>,
        /// The most records that one poll returns.
        max_poll_records: Opt<u32>,
        /// Where a group without an offset starts.
        offset_reset: Opt<OffsetReset>,
        /// Whether a retry blocks its partition or goes through topics of its own.
        retry: Opt<KafkaRetry>,
        /// Whether members keep their partitions over a restart.
        static_member: Opt<bool>,
    }
    /// Amazon SQS.
    Sqs {
        /// Whether it is a FIFO queue.
        fifo: Opt<bool>,
        /// Whether the FIFO queue has high throughput on.
        high_throughput: Opt<bool>,
        /// Whether the body decides what is a duplicate.
        content_based_dedup: Opt<bool>,
        /// What runs the handler; with `lambda`, `handler_timeout` is the function's, for a whole batch.
        runtime: Opt<SqsRuntime>,
        /// The concurrency reserved for the function.
        reserved_concurrency: Opt<u32>,
    }
    /// RabbitMQ.
    Rabbitmq {
        /// The type of the queue.
        queue_type: Opt<QueueType>,
        /// How a retry waits.
        delay: Opt<RabbitDelay>,
        /// How a failed message is given back.
        nack: Opt<Nack>,
        /// Whether the queue belongs to one connection.
        exclusive: Opt<bool>,
        /// Whether the queue is deleted with its last consumer.
        auto_delete: Opt<bool>,
        /// Whether only one consumer is active at a time.
        single_active_consumer: Opt<bool>,
        /// How dead letters are handed over.
        dead_letter_strategy: Opt<DeadLetterStrategy>,
    }
    /// Redis streams.
    RedisStreams {
        /// How the stream is trimmed.
        trim: Opt<Trim>,
        /// Whether the group reads without acknowledging.
        no_ack: Opt<bool>,
        /// Whether a consumer claims what a dead one held.
        claim: Opt<bool>,
    }
    /// A Redis list.
    RedisList {
        /// How a consumer takes a message.
        take: Opt<Take>,
        /// Whether something puts back what a dead consumer held.
        reaper: Opt<bool>,
    }
    /// NATS JetStream.
    NatsJetstream {
        /// Where messages are kept.
        storage: Opt<Storage>,
        /// On how many servers each message is.
        replicas: Opt<u32>,
        /// When the stream lets go of a message.
        retention_policy: Opt<RetentionPolicy>,
        /// Which message goes when the stream is full.
        discard: Opt<Discard>,
        /// The window in which a message id is known.
        duplicate_window: Opt<Duration>,
        /// How many messages may wait for their acknowledgement.
        max_ack_pending: Opt<u32>,
        /// Whether messages are acknowledged.
        ack_policy: Opt<AckPolicy>,
        /// The waits before redeliveries, one by one.
        backoff_list: Opt<List<Duration>>,
        /// When a message reaches the disk.
        sync: Opt<Sync>,
    }
    /// Apache Pulsar.
    Pulsar {
        /// How consumers share the subscription.
        subscription: Opt<PulsarSubscription>,
        /// The time after which an unacknowledged message is delivered again.
        ack_timeout: Opt<Duration>,
        /// Whether the broker drops repeated sends.
        dedup: Opt<bool>,
        /// The name of the producer, which the broker's dedup goes by.
        producer_name: Opt<String>,
        /// How the producer forms batches.
        batcher: Opt<Batcher>,
        /// Whether transactions are on.
        transactions: Opt<bool>,
        /// What happens when the backlog is full.
        backlog_policy: Opt<BacklogPolicy>,
    }
    /// Google Cloud Pub/Sub.
    Pubsub {
        /// How messages reach the consumer.
        subscription: Opt<PubsubSubscription>,
        /// Whether messages with an ordering key are ordered.
        message_ordering: Opt<bool>,
        /// Whether the subscription has the provider's own exactly-once switch on.
        exactly_once: Opt<bool>,
        /// Whether acknowledged messages are kept.
        retain_acked: Opt<bool>,
        /// The time of disuse after which the subscription is deleted.
        expiration: Opt<Duration>,
        /// The subscription that reads the dead letters.
        dead_letter_subscription: Opt<String>,
        /// Whether the service may publish to the dead-letter topic.
        iam_granted: Opt<bool>,
    }
    /// Azure Service Bus.
    ServiceBus {
        /// How a message is taken.
        mode: Opt<ServiceBusMode>,
        /// Whether sessions are on.
        sessions: Opt<bool>,
        /// What a failed handler does.
        on_failure: Opt<ServiceBusFailure>,
        /// The window in which a message id is known.
        duplicate_detection: Opt<Duration>,
        /// Whether an expired message is dead-lettered.
        dead_letter_on_expiry: Opt<bool>,
    }
    /// A table of a PostgreSQL database as a queue.
    PostgresQueue {
        /// Whether the table is ours or pgmq's.
        table: Opt<PostgresTable>,
        /// Whether the table is unlogged.
        unlogged: Opt<bool>,
        /// Whether a commit waits for the disk.
        synchronous_commit: Opt<bool>,
    }
    /// An MQTT broker.
    Mqtt {
        /// The quality of service of the publisher.
        publish_qos: Opt<u8>,
        /// The quality of service of the subscriber.
        subscribe_qos: Opt<u8>,
        /// How long the session of an absent subscriber is kept.
        session_expiry: Opt<Duration>,
        /// Whether the broker persists sessions.
        persistence: Opt<bool>,
        /// Whether subscribers share the messages.
        shared_subscription: Opt<bool>,
        /// How many messages may be in flight to a subscriber.
        max_inflight: Opt<u32>,
        /// How many messages wait for an absent subscriber.
        max_queued: Opt<u32>,
    }
    /// The queue in the consumer's own process, on SQLite.
    Embedded {}
}

/// Enums whose words are the documentation.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident {$($word:ident,)+})+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[allow(missing_docs)]
        pub enum $name { $($word,)+ }
    )+};
}

words! {
    /// How Kafka consumers divide a topic.
    KafkaMode { Group, Share, }
    /// Kafka's rebalance protocol.
    KafkaProtocol { Classic, Consumer, }
    /// What a Kafka producer waits for.
    KafkaAcks { All, Leader, None, }
    /// Where a Kafka group without an offset starts.
    OffsetReset { Earliest, Latest, None, }
    /// Whether a Kafka retry blocks its partition.
    KafkaRetry { Blocking, Topics, }
    /// What runs the handler behind SQS.
    SqsRuntime { Service, Lambda, }
    /// The type of a RabbitMQ queue.
    QueueType { Classic, Quorum, Stream, }
    /// How a RabbitMQ retry waits.
    RabbitDelay { TtlQueues, Native, Plugin, }
    /// How a failed message is given back.
    Nack { Reject, Requeue, }
    /// How RabbitMQ hands over dead letters.
    DeadLetterStrategy { AtMostOnce, AtLeastOnce, }
    /// How a consumer takes a message from a list.
    Take { Pop, Move, }
    /// Where JetStream keeps messages.
    Storage { File, Memory, }
    /// When JetStream lets go of a message.
    RetentionPolicy { Limits, Workqueue, Interest, }
    /// Which message goes when a JetStream stream is full.
    Discard { Old, New, }
    /// Whether JetStream messages are acknowledged.
    AckPolicy { Explicit, None, }
    /// When a JetStream message reaches the disk.
    Sync { Always, Interval, }
    /// How Pulsar consumers share a subscription.
    PulsarSubscription { Exclusive, Shared, Failover, KeyShared, }
    /// How a Pulsar producer forms batches.
    Batcher { Default, KeyBased, }
    /// What happens when Pulsar's backlog is full.
    BacklogPolicy { ProducerHold, ProducerException, ConsumerEviction, }
    /// How Pub/Sub messages reach the consumer.
    PubsubSubscription { Pull, Push, Export, }
    /// How a Service Bus message is taken.
    ServiceBusMode { PeekLock, ReceiveAndDelete, }
    /// What a failed Service Bus handler does.
    ServiceBusFailure { Abandon, CloseSession, }
    /// Whose table the PostgreSQL queue is.
    PostgresTable { Own, Pgmq, }
    /// How a Redis stream is trimmed.
    TrimMode { Keepref, Acked, }
}

/// Whether a Kafka client commits offsets by itself.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "AutoCommit#?", rename_all = "kebab-case")]
#[schemars(rename = "AutoCommit")]
pub enum AutoCommit {
    /// `false` is no, `true` is the client's own interval.
    #[schemars(untagged)]
    Scalar(bool),
    /// So often.
    #[schemars(untagged)]
    Mapping(AutoCommitInterval),
}

/// How often a Kafka client commits offsets by itself.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct AutoCommitInterval {
    /// The time between two commits.
    pub interval: crate::syntax::Req<Duration>,
}

/// How a Redis stream is trimmed.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Trim {
    /// To so many entries.
    pub max_len: Opt<u64>,
    /// To entries of this id and newer.
    pub min_id: Opt<String>,
    /// Which references to trimmed entries are kept.
    pub mode: Opt<TrimMode>,
}
