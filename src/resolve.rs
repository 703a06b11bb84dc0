//! Contract + facts about its broker -> every setting with its value and where it came from.
//!
//! Only settings that can come from somewhere else than the contract are resolved; all others are
//! read from the contract itself. What has to be computed (a lock from the handler's time) is the
//! business of `analysis`.

use crate::brokers::{self, Fact, Topic, Value};
use crate::model::{Broker, BrokerKind, Contract, QueueType, Redelivery, SqsRuntime};
use crate::source::Span;
use crate::syntax::Field;
use crate::units::Duration;

/// Where a value came from.
#[derive(Debug, Clone, Copy)]
pub enum Origin {
    /// The contract says so.
    Written,
    /// It follows from the contract; the generated consumer and topology are told so.
    Derived,
    /// The broker's own default; the queue is managed elsewhere.
    Broker(&'static Fact),
}

/// A value, its place where it has one, and where it came from.
#[derive(Debug, Clone, Copy)]
pub struct Known<T> {
    /// The value.
    pub value: T,
    /// The place to point at: the value, or the broker whose default it is; empty if there is none.
    pub span: Span,
    /// Where it came from.
    pub origin: Origin,
}

impl<T: Copy> Known<T> {
    /// A value that follows from others.
    pub fn derived(value: T) -> Self {
        Self { value, span: Span::default(), origin: Origin::Derived }
    }

    /// The value of a field, if it was written.
    pub fn written<const R: bool>(field: &Field<T, R>) -> Option<Self> {
        field.get().map(|value| Self { value: *value, span: field.span(), origin: Origin::Written })
    }

    /// Whether the contract says so itself.
    pub fn is_written(&self) -> bool {
        matches!(self.origin, Origin::Written)
    }

    /// Behind a value in a derivation: ", the default of SQS", or nothing.
    pub fn aside(&self) -> String {
        match self.origin {
            Origin::Written | Origin::Derived => String::new(),
            Origin::Broker(fact) => format!(", the default of {}", fact.broker.title()),
        }
    }
}

/// How many messages a consumer fetches ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefetch {
    /// So many.
    Count(u32),
    /// As many as there are.
    Unlimited,
}

/// How often a message is delivered again after crashes.
#[derive(Debug, Clone, Copy)]
pub enum CrashLimit {
    /// So often at most.
    Redeliveries(Known<u32>),
    /// As often as the failure classes say at most: the consumer counts all deliveries together.
    Classes,
    /// Nobody counts.
    Uncounted(Span),
    /// Nothing says.
    Unknown,
}

/// The settings of a contract that can come from elsewhere.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The time after which a held message is delivered to another consumer.
    pub lock: Option<Known<Duration>>,
    /// How many messages a consumer fetches ahead.
    pub prefetch: Option<Known<Prefetch>>,
    /// How many consumer processes there are.
    pub consumers: Known<u32>,
    /// How many messages each of them handles at once.
    pub concurrency: Known<u32>,
    /// How many partitions an ordered queue has.
    pub partitions: Option<Known<u32>>,
    /// How often a message is delivered again after crashes.
    pub crash_limit: CrashLimit,
    /// Whether unsaid settings have the broker's defaults.
    pub managed_elsewhere: bool,
}

/// How many consumers there are: as written, else as often as a function may run at once, else one.
fn consumers(contract: &Contract) -> Known<u32> {
    let lambda = contract.sqs().filter(|sqs| sqs.runtime.get() == Some(&SqsRuntime::Lambda));
    Known::written(&contract.processing.consumers)
        .or_else(|| Known::written(&lambda?.reserved_concurrency))
        .unwrap_or(Known::derived(1))
}

/// Resolves one contract.
pub fn resolve(contract: &Contract) -> Resolved {
    let processing = &contract.processing;
    let broker = contract.broker.get();
    let managed_elsewhere = broker.is_some_and(Broker::managed_elsewhere);
    let concurrency = Known::written(&processing.concurrency).unwrap_or(Known::derived(1));
    Resolved {
        lock: lock(contract, managed_elsewhere),
        prefetch: prefetch(contract, concurrency.value, managed_elsewhere),
        consumers: consumers(contract),
        concurrency,
        partitions: partitions(contract),
        crash_limit: crash_limit(contract, managed_elsewhere),
        managed_elsewhere,
    }
}

fn lock(contract: &Contract, managed_elsewhere: bool) -> Option<Known<Duration>> {
    let by_broker = match contract.broker.get() {
        Some(Broker::Kafka(kafka)) => Known::written(&kafka.max_poll_interval),
        Some(Broker::Pulsar(pulsar)) => Known::written(&pulsar.ack_timeout),
        _ => None,
    };
    Known::written(&contract.processing.lock.timeout).or(by_broker).or_else(|| {
        let fact = default_of(contract, Topic::Lock, managed_elsewhere)?;
        match fact.value {
            Value::Time(value) => {
                Some(Known { value, span: contract.broker_kind_place(), origin: Origin::Broker(fact) })
            }
            Value::Count(_) | Value::Unlimited => None,
        }
    })
}

fn prefetch(contract: &Contract, concurrency: u32, managed_elsewhere: bool) -> Option<Known<Prefetch>> {
    let count = |known: Known<u32>| Known {
        value: match (known.value, contract.broker.get().map(Broker::kind)) {
            // On these brokers a prefetch of nothing means: as many as there are.
            (0, Some(BrokerKind::Rabbitmq)) => Prefetch::Unlimited,
            (value, _) => Prefetch::Count(value),
        },
        span: known.span,
        origin: known.origin,
    };
    let by_broker = contract.kafka().and_then(|kafka| Known::written(&kafka.max_poll_records));
    if let Some(known) = Known::written(&contract.processing.prefetch).or(by_broker) {
        return Some(count(known));
    }
    if !managed_elsewhere {
        return Some(Known::derived(Prefetch::Count(concurrency)));
    }
    let fact = default_of(contract, Topic::Prefetch, managed_elsewhere)?;
    let value = match fact.value {
        Value::Count(value) => Prefetch::Count(value),
        Value::Unlimited => Prefetch::Unlimited,
        Value::Time(_) => return None,
    };
    Some(Known { value, span: contract.broker_kind_place(), origin: Origin::Broker(fact) })
}

fn partitions(contract: &Contract) -> Option<Known<u32>> {
    let order = contract.order()?;
    let by_broker = contract.kafka().and_then(|kafka| Known::written(&kafka.partitions));
    Known::written(&order.partitions).or(by_broker)
}

fn crash_limit(contract: &Contract, managed_elsewhere: bool) -> CrashLimit {
    let limits = match contract.redelivery.get() {
        Some(Redelivery::Lost) => return CrashLimit::Classes,
        Some(Redelivery::Mapping(limits)) => Some(limits),
        None => None,
    };
    if let Some(limits) = limits {
        if limits.counted.get() == Some(&false) {
            return CrashLimit::Uncounted(limits.counted.span());
        }
        if let Some(written) = Known::written(&limits.max_retries) {
            return CrashLimit::Redeliveries(written);
        }
    }
    if !managed_elsewhere {
        return CrashLimit::Classes;
    }
    let Some(broker) = contract.broker.get() else { return CrashLimit::Unknown };
    if let Some(written) = Known::written(broker.common().delivery_limit) {
        return CrashLimit::Redeliveries(written);
    }
    let quorum =
        contract.rabbitmq().is_some_and(|rabbitmq| rabbitmq.queue_type.get() == Some(&QueueType::Quorum));
    let fact = default_of(contract, Topic::DeliveryLimit, managed_elsewhere).filter(|_| quorum);
    match fact.map(|fact| (fact, fact.value)) {
        Some((fact, Value::Count(value))) => CrashLimit::Redeliveries(Known {
            value,
            span: contract.broker_kind_place(),
            origin: Origin::Broker(fact),
        }),
        _ => CrashLimit::Unknown,
    }
}

/// The broker's default for `topic`, which counts only where somebody else sets up the queue.
fn default_of(contract: &Contract, topic: Topic, managed_elsewhere: bool) -> Option<&'static Fact> {
    let broker = contract.broker.get().filter(|_| managed_elsewhere)?;
    brokers::fact(broker.kind(), topic, broker.common().version.get().map(String::as_str))
}
