//! See `undurable_queue.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Broker, Durability, Eviction, Flow, KafkaAcks, Persistence, Storage};
use crate::rules::{Check, Rule};
use crate::source::Span;
use crate::syntax::Opt;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK912",
    "undurable-queue",
    Level::Error,
    include_str!("undurable_queue.md"),
    Check::Contract(check),
);

/// A setting under which confirmed messages can be lost.
struct Flaw {
    span: Span,
    /// The setting as a person would say it.
    setting: &'static str,
    /// What is lost, and when.
    loses: &'static str,
    /// What to write instead.
    instead: &'static str,
    /// Whether it loses everything, not only the last moments.
    all: bool,
}

impl Flaw {
    fn new(span: Span, setting: &'static str, loses: &'static str, instead: &'static str) -> Self {
        Self { span, setting, loses, instead, all: false }
    }

    fn all(self) -> Self {
        Self { all: true, ..self }
    }
}

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some(broker) = contract.broker.get().filter(|_| contract.at_least_once()) else { return };
    let mut flaws = of_storage(broker);
    flaws.extend(of_broker(broker));
    // The worst one is at fault, of equally bad ones the first.
    flaws.sort_by_key(|flaw| !flaw.all);
    let Some((worst, others)) = flaws.split_first() else { return };
    let precious = contract.is(Flow::Money) || contract.is(Flow::Audit);
    let level = if worst.all || precious { Level::Error } else { Level::Warning };
    let mut finding = Diagnostic::new(
        RULE.code,
        worst.span,
        format!("at-least-once delivery from a queue with {}: {}", worst.setting, worst.loses),
    )
    .at(if worst.all { "everything in the queue may go" } else { "the latest messages may go" })
    .level(level)
    .label(contract.delivery.guarantee.span(), "promised here");
    for flaw in others {
        finding = finding.label(flaw.span, flaw.setting).note(format!("{}: {}", flaw.setting, flaw.loses));
    }
    out.push(finding.help(worst.instead));
}

/// What `broker.durability` says.
fn of_storage(broker: &Broker) -> Vec<Flaw> {
    let durability = broker.common().durability;
    if !durability.given() {
        return Vec::new();
    }
    let Durability { persistence, eviction, shared_with_cache, .. } = &**durability;
    let mut flaws = Vec::new();
    flaws.extend(unpersisted(broker, persistence, durability.key()));
    match eviction.get() {
        None | Some(Eviction::Noeviction) => {}
        Some(Eviction::AllkeysLru | Eviction::AllkeysLfu | Eviction::AllkeysRandom) => flaws.push(
            Flaw::new(
                eviction.span(),
                "eviction of any key",
                "when memory is full, the queue itself is what goes",
                "write `eviction: noeviction`, and let the producer see that the queue is full",
            )
            .all(),
        ),
        Some(
            Eviction::VolatileLru | Eviction::VolatileLfu | Eviction::VolatileRandom | Eviction::VolatileTtl,
        ) => {
            flaws.push(Flaw::new(
                eviction.span(),
                "eviction of keys that expire",
                "when memory is full, every queue key with an expiry goes",
                "write `eviction: noeviction`, and let the producer see that the queue is full",
            ));
        }
    }
    if shared_with_cache.get() == Some(&true) {
        flaws.push(Flaw::new(
            shared_with_cache.span(),
            "a cache in the same instance",
            "whoever clears the cache, or lets it fill the memory, takes the queue along",
            "give the queue an instance of its own",
        ));
    }
    flaws
}

fn unpersisted(broker: &Broker, persistence: &Opt<Persistence>, section: Span) -> Option<Flaw> {
    let snapshots = "a crash loses all since the last snapshot, which Redis takes every minute to every hour unless told otherwise";
    let log = "write `persistence: aof-everysec`, which loses up to a second, or `aof-always`";
    let redis = matches!(broker, Broker::RedisStreams(_) | Broker::RedisList(_));
    match persistence.get() {
        Some(Persistence::None) => {
            Some(Flaw::new(persistence.span(), "no persistence", "a restart loses all that waits", log).all())
        }
        Some(Persistence::Rdb) => Some(Flaw::new(persistence.span(), "snapshots only", snapshots, log)),
        Some(Persistence::AofEverysec | Persistence::AofAlways) => None,
        None if redis && !persistence.given() => Some(Flaw::new(
            section,
            "no word on persistence, so with Redis' default of snapshots",
            snapshots,
            log,
        )),
        None => None,
    }
}

/// What the broker's own settings say.
fn of_broker(broker: &Broker) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    match broker {
        Broker::Rabbitmq(rabbitmq) => {
            if rabbitmq.auto_delete.get() == Some(&true) {
                let loses =
                    "it is deleted with all messages when its last consumer goes, at every deployment";
                flaws.push(
                    Flaw::new(
                        rabbitmq.auto_delete.span(),
                        "`auto_delete`",
                        loses,
                        "write `auto_delete: false`",
                    )
                    .all(),
                );
            }
            if rabbitmq.exclusive.get() == Some(&true) {
                let loses = "it is deleted with all messages when the connection that declared it ends";
                flaws.push(
                    Flaw::new(rabbitmq.exclusive.span(), "`exclusive`", loses, "write `exclusive: false`")
                        .all(),
                );
            }
        }
        Broker::NatsJetstream(stream) if stream.storage.get() == Some(&Storage::Memory) => {
            let loses = "a restart of its servers loses all that waits";
            flaws.push(
                Flaw::new(stream.storage.span(), "memory storage", loses, "write `storage: file`").all(),
            );
        }
        Broker::Postgres(table) => {
            if table.unlogged.get() == Some(&true) {
                let loses = "after a crash PostgreSQL empties the table";
                flaws.push(
                    Flaw::new(table.unlogged.span(), "an unlogged table", loses, "write `unlogged: false`")
                        .all(),
                );
            }
            if table.synchronous_commit.get() == Some(&false) {
                let loses = "a crash loses the commits of the last moments, up to three times `wal_writer_delay`, 600ms by default";
                flaws.push(Flaw::new(
                    table.synchronous_commit.span(),
                    "asynchronous commits",
                    loses,
                    "write `synchronous_commit: true`",
                ));
            }
        }
        Broker::Kafka(kafka) => {
            match kafka.acks.get() {
                Some(KafkaAcks::None) => flaws.push(Flaw::new(
                    kafka.acks.span(),
                    "`acks: none`",
                    "a record that never reached a broker is taken for sent",
                    "write `acks: all`",
                )),
                Some(KafkaAcks::Leader) => flaws.push(Flaw::new(
                    kafka.acks.span(),
                    "`acks: leader`",
                    "records that no follower has copied yet go with their leader",
                    "write `acks: all`",
                )),
                Some(KafkaAcks::All) | None => {}
            }
            if kafka.min_insync.get() == Some(&1) {
                let loses = "while the followers are behind, one copy is enough for a confirm, and goes with its broker";
                flaws.push(Flaw::new(
                    kafka.min_insync.span(),
                    "`min_insync: 1`",
                    loses,
                    "write `min_insync: 2` with `replication: 3`",
                ));
            }
        }
        Broker::Mqtt(mqtt) if mqtt.persistence.get() == Some(&false) => {
            let loses = "a restart of the broker loses every session and all that waits in it";
            flaws.push(
                Flaw::new(mqtt.persistence.span(), "no persistence", loses, "write `persistence: true`")
                    .all(),
            );
        }
        Broker::Sqs(_) | Broker::RedisStreams(_) | Broker::RedisList(_) | Broker::NatsJetstream(_) => {}
        Broker::Pulsar(_)
        | Broker::Pubsub(_)
        | Broker::ServiceBus(_)
        | Broker::Mqtt(_)
        | Broker::Embedded(_) => {}
    }
    flaws
}
