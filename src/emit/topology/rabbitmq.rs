//! Definitions of RabbitMQ, as its management interface and its start read them.
//!
//! What makes a message safe is an argument of its queue: it cannot change afterwards, and a client notices
//! a difference when it declares the queue again. What operators tune is a policy.

use minijinja::value::Serde;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::checked;
use crate::analysis::Analysis;
use crate::brokers::parse_version;
use crate::emit::Failure;
use crate::emit::language::{Done, json};
use crate::emit::places::{Places, delay_queue};
use crate::emit::shared::header;
use crate::emit::target::Target;
use crate::model::{OrderBy, Overflow, QueueType, RabbitDelay, Rabbitmq, Unroutable};
use crate::resolve::CrashLimit;
use crate::units::Duration;

/// What the template sees.
#[derive(Debug, Serialize)]
struct Shape {
    definitions: Done,
}

pub(super) fn view(
    analysis: &Analysis<'_>,
    settings: &Rabbitmq,
    target: &Target,
) -> Result<minijinja::Value, Failure> {
    let source = Source::new(analysis, settings, target)?;
    let definitions = Done::new(json::document(&source.definitions()));
    Ok(minijinja::Value::from(Serde(Shape { definitions })))
}

/// What definitions are computed from.
struct Source<'a> {
    analysis: &'a Analysis<'a>,
    settings: &'a Rabbitmq,
    target: &'a Target,
    places: Places,
    /// Major and minor version; the newest where none is written.
    version: (u32, u32),
}

impl<'a> Source<'a> {
    fn new(analysis: &'a Analysis<'a>, settings: &'a Rabbitmq, target: &'a Target) -> Result<Self, Failure> {
        let version = settings.version.get().and_then(|text| parse_version(text));
        let version = version.map_or((u32::MAX, 0), |(major, minor, _)| (major, minor));
        let name = analysis.contract.name();
        let refuse = |what: &str, help: &str| {
            Err(Failure::new("emit::topology", format!("`{name}` {what}")).help(help.to_owned()))
        };
        if version < (3, 10) {
            return refuse(
                "is on a RabbitMQ before 3.10, whose quorum queues cannot hold a retry",
                "RabbitMQ 3.10 or newer",
            );
        }
        if settings.queue_type.get() == Some(&QueueType::Stream) {
            return refuse(
                "is a stream of RabbitMQ, whose topology is not generated yet",
                "queue_type: quorum",
            );
        }
        if matches!(settings.delay.get(), Some(RabbitDelay::Native | RabbitDelay::Plugin)) {
            return refuse(
                "waits by something else than delay queues, which is not generated yet",
                "delay: ttl-queues",
            );
        }
        if settings.exclusive.get() == Some(&true) || settings.auto_delete.get() == Some(&true) {
            return refuse(
                "is gone with its connection or consumer, so nobody can declare it for them",
                "remove `exclusive` and `auto_delete`",
            );
        }
        let places = Places::of(analysis)?;
        for queue in [Some(&places.queue), places.dead_letters.as_ref()].into_iter().flatten() {
            checked("queue", queue, target.number("longest_name"))?;
            if queue.starts_with("amq.") {
                return refuse(
                    "has a queue whose name begins with `amq.`, which RabbitMQ keeps for itself",
                    "write another name",
                );
            }
        }
        Ok(Self { analysis, settings, target, places, version })
    }

    fn definitions(&self) -> Value {
        let mut exchanges = vec![self.exchange()];
        let mut queues = vec![queue(&self.places.queue, self.work())];
        let mut bindings = vec![binding(&self.places.queue)];
        if let Some(dead_letters) = &self.places.dead_letters {
            exchanges.push(exchange(dead_letters, "direct", Map::new()));
            queues.push(queue(dead_letters, self.dead_letters()));
            bindings.push(binding(dead_letters));
        }
        if let Some(unroutable) = self.unroutable() {
            exchanges.push(exchange(&unroutable, "fanout", Map::new()));
            queues.push(queue(&unroutable, typed("quorum")));
            bindings.push(binding(&unroutable));
        }
        let delays = self.places.delays.iter();
        queues.extend(delays.map(|wait| queue(&delay_queue(&self.places.queue, *wait), self.delay(*wait))));
        json!({
            "generated": header(self.analysis),
            "vhosts": [{"name": VHOST}],
            "exchanges": exchanges,
            "queues": queues,
            "bindings": bindings,
            "policies": self.policies(),
        })
    }

    /// Where producers publish.
    fn exchange(&self) -> Value {
        let mut arguments = Map::new();
        if let Some(unroutable) = self.unroutable() {
            arguments.insert("alternate-exchange".to_owned(), unroutable.into());
        }
        exchange(&self.places.queue, "direct", arguments)
    }

    /// Where a message goes that no queue is bound for.
    fn unroutable(&self) -> Option<String> {
        let alternate = self.analysis.contract.producer.unroutable.get() == Some(&Unroutable::Alternate);
        alternate.then(|| format!("{}.unroutable", self.places.queue))
    }

    fn classic(&self) -> bool {
        self.settings.queue_type.get() == Some(&QueueType::Classic)
    }

    /// The arguments of the queue itself.
    fn work(&self) -> Map<String, Value> {
        let mut arguments = typed(if self.classic() { "classic" } else { "quorum" });
        let overflow = self.analysis.contract.max_length.overflow.get().copied().unwrap_or(Overflow::Reject);
        let keeps_new = overflow != Overflow::Reject;
        if let Some(dead_letters) = &self.places.dead_letters {
            arguments.extend(dead_lettered(dead_letters));
            // Only a queue that refuses what it has no room for can promise each dead letter.
            if !self.classic() && !keeps_new {
                arguments.insert("x-dead-letter-strategy".to_owned(), "at-least-once".into());
            }
        }
        let overflow = if keeps_new { "drop-head" } else { "reject-publish" };
        arguments.insert("x-overflow".to_owned(), overflow.into());
        if let Some(limit) = self.delivery_limit().filter(|_| !self.classic()) {
            arguments.insert("x-delivery-limit".to_owned(), limit.into());
        }
        if let Some(replicas) = self.settings.durability.replicas.get().filter(|_| !self.classic()) {
            arguments.insert("x-quorum-initial-group-size".to_owned(), (*replicas).into());
        }
        let by = self.analysis.contract.order().and_then(|order| order.by.get());
        if self.settings.single_active_consumer.get() == Some(&true) || by == Some(&OrderBy::SingleConsumer) {
            arguments.insert("x-single-active-consumer".to_owned(), true.into());
        }
        arguments
    }

    /// After so many redeliveries the broker gives a message up by itself. From 4.0 on it does so after 20
    /// where nobody says otherwise, and without dead letters that is a loss.
    fn delivery_limit(&self) -> Option<i64> {
        let redeliveries = self.analysis.retries.redeliveries.map(|known| i64::from(known.value));
        let limit = match self.analysis.resolved.crash_limit {
            CrashLimit::Redeliveries(limit) => Some(i64::from(limit.value)),
            CrashLimit::Classes if self.places.dead_letters.is_some() => redeliveries,
            CrashLimit::Classes | CrashLimit::Uncounted(_) | CrashLimit::Unknown => None,
        };
        limit.or_else(|| self.unlimited())
    }

    /// How a queue says that it has no limit, where it would have one.
    fn unlimited(&self) -> Option<i64> {
        (self.version >= (4, 0)).then_some(-1)
    }

    /// The arguments of the dead-letter queue. Nothing leaves it by itself but by age: what it has no room
    /// for stays where it is.
    fn dead_letters(&self) -> Map<String, Value> {
        let mut arguments = typed("quorum");
        arguments.insert("x-overflow".to_owned(), "reject-publish".into());
        if let Some(unlimited) = self.unlimited() {
            arguments.insert("x-delivery-limit".to_owned(), unlimited.into());
        }
        arguments
    }

    /// The arguments of a delay queue: no consumer, only a time, and the way back.
    fn delay(&self, wait: Duration) -> Map<String, Value> {
        let mut arguments = typed("quorum");
        arguments.insert("x-message-ttl".to_owned(), wait.as_millis().into());
        arguments.extend(dead_lettered(&self.places.queue));
        arguments.insert("x-dead-letter-strategy".to_owned(), "at-least-once".into());
        arguments.insert("x-overflow".to_owned(), "reject-publish".into());
        arguments
    }

    fn policies(&self) -> Vec<Value> {
        let contract = self.analysis.contract;
        let mut work = Map::new();
        if let Some(retention) = contract.retention.get() {
            work.insert("message-ttl".to_owned(), retention.as_millis().into());
        }
        if let Some(most) = contract.max_length.messages.get() {
            work.insert("max-length".to_owned(), (*most).into());
        }
        // Before 3.12 one timeout holds for all queues of a node, and 4.3 asks classic queues no more.
        let timed = self.version >= (3, 12) && !(self.classic() && self.version >= (4, 3));
        if let Some(lock) = self.analysis.timing.lock.filter(|_| timed) {
            work.insert("consumer-timeout".to_owned(), lock.value.as_millis().into());
        }
        let mut dead = Map::new();
        if let Some(retention) = contract.dead_letter.retention.get() {
            dead.insert("message-ttl".to_owned(), retention.as_millis().into());
        }
        if let Some(most) = contract.dead_letter.max_messages.get() {
            dead.insert("max-length".to_owned(), (*most).into());
        }
        let queues = [(Some(&self.places.queue), work), (self.places.dead_letters.as_ref(), dead)];
        let written = queues.into_iter().filter(|(_, definition)| !definition.is_empty());
        written.filter_map(|(queue, definition)| Some(self.policy(queue?, definition))).collect()
    }

    fn policy(&self, queue: &str, definition: Map<String, Value>) -> Value {
        json!({
            "vhost": VHOST,
            "name": queue,
            "pattern": pattern(queue),
            "apply-to": "queues",
            "priority": self.target.number("policy_priority"),
            "definition": definition,
        })
    }
}

/// Where definitions belong that a broker reads at its start. Those for one virtual host belong there,
/// whatever they say.
const VHOST: &str = "/";

fn typed(kind: &str) -> Map<String, Value> {
    Map::from_iter([("x-queue-type".to_owned(), kind.into())])
}

fn dead_lettered(to: &str) -> Map<String, Value> {
    let name = |argument: &str| (argument.to_owned(), Value::from(to));
    Map::from_iter([name("x-dead-letter-exchange"), name("x-dead-letter-routing-key")])
}

fn queue(name: &str, arguments: Map<String, Value>) -> Value {
    json!({"name": name, "vhost": VHOST, "durable": true, "auto_delete": false, "arguments": arguments})
}

fn exchange(name: &str, kind: &str, arguments: Map<String, Value>) -> Value {
    json!({
        "name": name, "vhost": VHOST, "type": kind, "durable": true, "auto_delete": false, "internal": false,
        "arguments": arguments,
    })
}

/// The exchange of a name to the queue of that name.
fn binding(name: &str) -> Value {
    json!({
        "source": name, "vhost": VHOST, "destination": name, "destination_type": "queue", "routing_key": name,
        "arguments": {},
    })
}

/// A pattern that only this name fits.
fn pattern(name: &str) -> String {
    let mut pattern = String::from("^");
    for character in name.chars() {
        if character.is_ascii_punctuation() && !"-_".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('$');
    pattern
}
