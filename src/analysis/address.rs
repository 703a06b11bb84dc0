//! Where the messages of a contract are at the broker, to see which contracts share them.

use crate::model::{Broker, BrokerKind, Contract};

/// A queue or topic of a broker, and the group that reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address<'a> {
    /// The kind of broker.
    pub kind: BrokerKind,
    /// The broker's own name of the queue or topic.
    pub name: &'a str,
    /// The group or subscription; empty where all consumers of the queue compete.
    pub group: &'a str,
}

impl<'a> Address<'a> {
    /// The address of `contract`; `None` where it names no broker or no queue.
    pub fn of(contract: &'a Contract) -> Option<Self> {
        let broker = contract.broker.get()?;
        let common = broker.common();
        let own = contract.queue.get()?.as_str();
        let name = common.queue.get().or(common.topic.get()).map_or(own, String::as_str);
        // An unsaid group of a topic is derived from the contract, and so belongs to it alone.
        let unsaid =
            if fans_out(broker) || (common.topic.given() && !common.queue.given()) { own } else { "" };
        let group = common.group.get().map_or(unsaid, String::as_str);
        Some(Self { kind: broker.kind(), name, group })
    }

    /// Whether both read the same messages, be it in groups of their own.
    pub fn shares_messages(&self, other: &Self) -> bool {
        self.kind == other.kind && self.name == other.name
    }
}

/// Whether each group gets every message.
fn fans_out(broker: &Broker) -> bool {
    match broker {
        Broker::Kafka(_) | Broker::RedisStreams(_) | Broker::NatsJetstream(_) | Broker::Pulsar(_) => true,
        Broker::Pubsub(_) | Broker::Mqtt(_) => true,
        Broker::Sqs(_) | Broker::Rabbitmq(_) | Broker::RedisList(_) => false,
        Broker::ServiceBus(_) | Broker::Postgres(_) | Broker::Embedded(_) => false,
    }
}
