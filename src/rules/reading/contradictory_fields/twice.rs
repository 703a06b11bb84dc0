//! One thing said in two places, and not the same.

use std::fmt::Display;

use super::{Contradiction, finding};
use crate::analysis::Analysis;
use crate::diagnostic::Diagnostic;
use crate::model::Broker;
use crate::resolve::Known;
use crate::syntax::Field;
use crate::units::Duration;

pub(super) const ALL: &[Contradiction] =
    &[lock, prefetch, partitions, replicas, key_partitions, message_shape];

/// A value by the path that a user looks for.
struct Said<'a, T> {
    path: &'a str,
    known: Option<Known<T>>,
}

fn said<'a, T: Copy, const R: bool>(path: &'a str, field: &Field<T, R>) -> Said<'a, T> {
    Said { path, known: Known::written(field) }
}

/// The disagreement of two fields that say the same thing, shown by `show`.
fn disagreement<T: Copy + PartialEq, S: Display>(
    neutral: &Said<'_, T>,
    other: &Said<'_, T>,
    show: impl Fn(Known<T>) -> S,
) -> Vec<Diagnostic> {
    let (Some(first), Some(second)) = (neutral.known, other.known) else { return Vec::new() };
    if first.value == second.value {
        return Vec::new();
    }
    let (path, again) = (neutral.path, other.path);
    let message =
        format!("`{again}` says {}, but `{path}` says {} of the same thing", show(second), show(first));
    vec![
        finding(second.span, message)
            .at("one of the two is not what happens")
            .label(first.span, "the same thing")
            .help(format!("remove `{again}`; `{path}` is enough")),
    ]
}

/// How long a message is held, in general and in the broker's own word.
fn lock(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let neutral = said("processing.lock.timeout", &analysis.contract.processing.lock.timeout);
    let own = match analysis.contract.broker.get() {
        Some(Broker::Kafka(kafka)) => said("broker.max_poll_interval", &kafka.max_poll_interval),
        Some(Broker::Pulsar(pulsar)) => said("broker.ack_timeout", &pulsar.ack_timeout),
        _ => return Vec::new(),
    };
    disagreement(&neutral, &own, |known: Known<Duration>| analysis.written(known.value, known.span))
}

/// How many messages are fetched ahead.
fn prefetch(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let Some(kafka) = analysis.contract.kafka() else { return Vec::new() };
    let neutral = said("processing.prefetch", &analysis.contract.processing.prefetch);
    disagreement(&neutral, &said("broker.max_poll_records", &kafka.max_poll_records), |known| known.value)
}

/// How many partitions the queue has.
fn partitions(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let (Some(kafka), Some(order)) = (analysis.contract.kafka(), analysis.contract.order()) else {
        return Vec::new();
    };
    disagreement(
        &said("ordering.partitions", &order.partitions),
        &said("broker.partitions", &kafka.partitions),
        |known| known.value,
    )
}

/// On how many nodes each message is.
fn replicas(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let broker = analysis.contract.broker.get();
    let Some(durability) = broker.map(|broker| broker.common().durability) else { return Vec::new() };
    let own = match broker {
        Some(Broker::Kafka(kafka)) => said("broker.replication", &kafka.replication),
        Some(Broker::NatsJetstream(stream)) => said("broker.replicas", &stream.replicas),
        _ => return Vec::new(),
    };
    disagreement(&said("broker.durability.replicas", &durability.replicas), &own, |known| known.value)
}

/// Into how many partitions the table of keys is divided.
fn key_partitions(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let idempotency = &analysis.contract.idempotency;
    let Some(store) = idempotency.store.get() else { return Vec::new() };
    let neutral = said("idempotency.store.partitions", &store.partitions);
    disagreement(&neutral, &said("idempotency.partitions", &idempotency.partitions), |known| known.value)
}

/// The shape of the message, as fields and as a schema.
fn message_shape(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let message = &analysis.contract.message;
    if !message.fields.given() || !message.schema.given() {
        return Vec::new();
    }
    vec![
        finding(message.schema.key(), "`schema` and `fields` both say what a message carries")
            .at("one of the two will be out of date")
            .label(message.fields.key(), "the same thing")
            .help("keep `schema`, which says more, and remove `fields`; or the other way round"),
    ]
}
