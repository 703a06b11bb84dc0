//! See `impossible_replay.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{Broker, Outbox, QueueType, ReplaySource, RetentionPolicy};
use crate::rules::{Check, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK913",
    "impossible-replay",
    Level::Error,
    include_str!("impossible_replay.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    match analysis.contract.replay.from.get() {
        Some(ReplaySource::Broker) => out.extend(forgotten(analysis).or_else(|| expired(analysis))),
        Some(ReplaySource::Outbox) => out.extend(not_kept(analysis)),
        Some(ReplaySource::Archive) | None => {}
    }
}

/// The broker lets go of a message that was acknowledged.
fn forgotten(analysis: &Analysis<'_>) -> Option<Diagnostic> {
    let contract = analysis.contract;
    let (why, label) = gone_once_acknowledged(contract.broker.get()?)?;
    let from = contract.replay.from.span();
    Some(
        Diagnostic::new(RULE.code, from, format!("the replay takes messages from the broker, but {why}"))
            .at("they are gone")
            .label(
                if label == Span::default() { contract.broker_kind_place() } else { label },
                "keeps no acknowledged message",
            )
            .help("write `from: outbox` and keep sent rows, or `from: archive`"),
    )
}

/// Why the messages are gone, and the setting that says so where it is not the kind itself.
fn gone_once_acknowledged(broker: &Broker) -> Option<(&'static str, Span)> {
    let kind = Span::default();
    match broker {
        Broker::Rabbitmq(rabbitmq) if rabbitmq.queue_type.get() == Some(&QueueType::Stream) => None,
        Broker::Rabbitmq(rabbitmq) => {
            Some(("RabbitMQ deletes a message once it is acknowledged", rabbitmq.queue_type.span()))
        }
        Broker::Sqs(_) => Some(("SQS deletes a message once it is acknowledged", kind)),
        Broker::ServiceBus(_) => Some(("Service Bus deletes a message once it is completed", kind)),
        Broker::Postgres(_) => Some(("a handled row is deleted from the table", kind)),
        Broker::RedisList(_) => Some(("a message that was taken is no longer in the list", kind)),
        Broker::Mqtt(_) => Some(("an MQTT broker keeps no message that was delivered", kind)),
        Broker::NatsJetstream(stream) => match stream.retention_policy.get()? {
            RetentionPolicy::Limits => None,
            RetentionPolicy::Workqueue => Some((
                "a stream with `workqueue` deletes a message once it is acknowledged",
                stream.retention_policy.span(),
            )),
            RetentionPolicy::Interest => Some((
                "a stream with `interest` deletes a message once all its consumers have acknowledged it",
                stream.retention_policy.span(),
            )),
        },
        Broker::Pubsub(pubsub) => {
            let dropped = pubsub.retain_acked.get() == Some(&false);
            dropped
                .then(|| ("Pub/Sub is told not to retain acknowledged messages", pubsub.retain_acked.span()))
        }
        Broker::Kafka(_) | Broker::RedisStreams(_) | Broker::Pulsar(_) | Broker::Embedded(_) => None,
    }
}

/// The broker keeps messages, but not for as long as the replay reaches back.
fn expired(analysis: &Analysis<'_>) -> Option<Diagnostic> {
    let contract = analysis.contract;
    let (kept, window) = (contract.retention.get()?, contract.replay.window.get()?);
    if kept >= window {
        return None;
    }
    let window = analysis.written(*window, contract.replay.window.span());
    let shown = analysis.written(*kept, contract.retention.span());
    Some(
        Diagnostic::new(
            RULE.code,
            contract.replay.window.span(),
            format!("the replay reaches back {window}, but the broker keeps a message for {shown}"),
        )
        .at("further than anything is kept")
        .label(contract.retention.span(), "kept this long")
        .help(format!("raise `retention` above {window}, or shorten the window")),
    )
}

/// The outbox does not have the messages either.
fn not_kept(analysis: &Analysis<'_>) -> Option<Diagnostic> {
    let contract = analysis.contract;
    let (replay, outbox) = (&contract.replay, &contract.producer.outbox);
    let window = replay.window.get();
    let reach =
        window.map_or_else(|| "24h".to_owned(), |window| analysis.written(*window, replay.window.span()));
    let finding = |what: String| {
        Diagnostic::new(RULE.code, replay.from.span(), what)
            .at("they are not there")
            .label(replay.window.span(), "reaches back this far")
    };
    match outbox.get() {
        None | Some(Outbox::None) if contract.producer.given() && (outbox.get().is_some() || !outbox.given()) => {
            let place = if outbox.given() { outbox.span() } else { contract.producer.key() };
            Some(
                finding("the replay takes messages from the outbox, but the producer has none".to_owned())
                    .label(place, "no outbox")
                    .help(format!("write `outbox: {{table: NAME, keep: {reach}}}`, or `from: archive`")),
            )
        }
        Some(Outbox::Scalar(table)) => Some(
            finding(format!("the replay takes messages from the outbox `{table}`, but a row is removed once it is confirmed"))
                .label(outbox.span(), "keeps no sent row")
                .help(format!("write `outbox: {{table: {table}, keep: {reach}}}`"))
                .replace(
                    Applicability::Unsafe,
                    outbox.span(),
                    format!("{{table: {table}, keep: {reach}}}"),
                    format!("outbox: {table} -> {{table: {table}, keep: {reach}}}"),
                ),
        ),
        Some(Outbox::Mapping(table)) => {
            let field = &table.keep;
            let Some(keep) = field.get() else {
                let nothing = !field.given();
                return nothing.then(|| {
                    finding("the replay takes messages from the outbox, but it does not say how long sent rows are kept".to_owned())
                        .label(outbox.key(), "no `keep`")
                        .help(format!("write `keep: {reach}` in `producer.outbox`"))
                });
            };
            let window = window.filter(|window| keep < *window)?;
            let shown = analysis.written(*keep, field.span());
            Some(
                finding(format!("the replay reaches back {reach}, but the outbox keeps sent rows for {shown}"))
                    .label(field.span(), "kept this long")
                    .help(format!("raise `keep` to {reach}"))
                    .replace(Applicability::Unsafe, field.span(), window.to_string(), format!("keep: {shown} -> {window}")),
            )
        }
        None | Some(Outbox::None) => None,
    }
}
