//! The constants of the contract.

use serde::Serialize;

use super::{Done, Source, maybe, text, texts};
use crate::analysis::Analysis;
use crate::emit::Failure;
use crate::emit::language::rust;
use crate::emit::places::Places;
use crate::model::{Broker, EffectKind, Outbox, Strategy, Ttl};
use crate::resolve::{CrashLimit, Prefetch};
use crate::syntax::Scalar as _;
use crate::units::Duration;

/// What the template sees of the contract.
#[derive(Debug, Serialize)]
pub(super) struct Shape {
    imports: Done,
    name: Done,
    version: Done,
    queue: Done,
    dead_letter_queue: Done,
    dedupe: Done,
    status: Done,
    outbox: Done,
    event_id: Done,
    business_id: Done,
    key: Done,
    schema: Done,
    strategy: Done,
    keep_keys: Done,
    external_effects: Done,
    lock: Done,
    lock_renewed: Done,
    handler_timeout: Done,
    shutdown_grace: Done,
    concurrency: Done,
    prefetch: Done,
    most_deliveries: Done,
    delivery_limit: Done,
    retention: Done,
    age_buckets: Done,
    delays: Vec<Done>,
}

pub(super) fn shape(source: &Source<'_>) -> Result<Shape, Failure> {
    let analysis = source.analysis;
    let contract = analysis.contract;
    let places = Places::of(analysis)?;
    let quoted = |field: Option<&str>| maybe(field.map(rust::string));
    let idempotency = &contract.idempotency;
    let table = |name: Option<&str>, standard: &str| {
        Done::new(name.map_or_else(|| format!("Tables::STANDARD.{standard}"), rust::string))
    };
    let outbox = contract.producer.outbox.get().and_then(|outbox| match outbox {
        Outbox::None => None,
        Outbox::Scalar(table) => Some(table.as_str()),
        Outbox::Mapping(outbox) => outbox.table.get().map(|table| table.as_str()),
    });
    let most = analysis.retries.deliveries().and_then(|most| u32::try_from(most).ok());
    Ok(Shape {
        imports: Done::new(imports(analysis)),
        name: text(contract.name()),
        version: text(contract.version.get().map_or("", |version| version.as_str())),
        queue: text(&places.queue),
        dead_letter_queue: quoted(places.dead_letters.as_deref()),
        dedupe: table(idempotency.store.table.get().map(|table| table.as_str()), "dedupe"),
        status: table(contract.status.table.get().map(|table| table.as_str()), "status"),
        outbox: table(outbox, "outbox"),
        event_id: quoted(contract.message.event_id.get().map(|field| field.as_str())),
        business_id: quoted(contract.message.business_id.get().map(|field| field.as_str())),
        key: texts(idempotency.key_fields().map(|(field, _)| field.as_str())),
        schema: schema(analysis),
        strategy: Done::new(strategy(idempotency.strategy.get())),
        keep_keys: time(idempotency.ttl.get().and_then(|ttl| match ttl {
            Ttl::Forever => None,
            Ttl::Scalar(ttl) => Some(*ttl),
        })),
        external_effects: texts(source.effects(EffectKind::External)),
        lock: Done::new(rust::duration(lock(analysis))),
        lock_renewed: Done::new(analysis.timing.renewed.to_string()),
        handler_timeout: Done::new(rust::duration(handler_timeout(analysis))),
        shutdown_grace: Done::new(rust::duration(grace(source))),
        concurrency: Done::new(rust::number(u64::from(analysis.resolved.concurrency.value.max(1)))),
        prefetch: Done::new(rust::number(prefetch(analysis))),
        most_deliveries: Done::new(
            most.map_or_else(|| "u32::MAX".to_owned(), |most| rust::number(u64::from(most))),
        ),
        delivery_limit: maybe(delivery_limit(analysis).map(|limit| rust::number(u64::from(limit)))),
        retention: time(contract.retention.get().copied()),
        age_buckets: Done::new(age_buckets(source)),
        delays: places.delays.into_iter().map(|delay| Done::new(rust::duration(delay))).collect(),
    })
}

/// What the file uses of the runtime: no more, or the compiler warns.
fn imports(analysis: &Analysis<'_>) -> String {
    let mut names = vec!["Answer", "Class", "Contract", "Processing", "Strategy"];
    if !analysis.retries.classes.is_empty() {
        names.extend(["Backoff", "Jitter", "Last"]);
    }
    if analysis.contract.message.schema_version.field.given() {
        names.push("Versions");
    }
    names.sort_unstable();
    format!("{{\n    {},\n}}", names.join(", "))
}

fn time(time: Option<Duration>) -> Done {
    maybe(time.map(rust::duration))
}

fn strategy(strategy: Option<&Strategy>) -> &'static str {
    match strategy {
        Some(Strategy::DedupeTable) => "DedupeTable",
        Some(Strategy::StateGuard) => "StateGuard",
        Some(Strategy::UniqueIndex) => "UniqueIndex",
        // The others are refused before.
        Some(Strategy::Natural | Strategy::BrokerWindow | Strategy::None) | None => "Natural",
    }
}

/// The versions that are accepted: those that stand in the contract, else the present one.
fn schema(analysis: &Analysis<'_>) -> Done {
    let version = &analysis.contract.message.schema_version;
    let Some(field) = version.field.get() else { return maybe(None) };
    let mut accepts: Vec<u32> = version.accepts.iter().map(|(version, _)| *version).collect();
    if accepts.is_empty() {
        // Additive changes keep the number, or raise it and can still be read by who knows the older one.
        accepts.extend(1..=version.current.get().copied().unwrap_or(1));
    }
    let accepts: Vec<String> = accepts.iter().map(|version| rust::number(u64::from(*version))).collect();
    let (field, accepts) = (rust::string(field.as_str()), accepts.join(", "));
    maybe(Some(format!("Versions {{ field: {field}, accepts: &[{accepts}] }}")))
}

/// How long a delivery is held.
fn lock(analysis: &Analysis<'_>) -> Duration {
    analysis.timing.lock.map_or(Duration::from_secs(30), |lock| lock.value)
}

/// A handler ends before its lock does.
fn handler_timeout(analysis: &Analysis<'_>) -> Duration {
    let written = analysis.contract.processing.handler_timeout.get().copied();
    written.unwrap_or_else(|| lock(analysis).scale(0.5))
}

fn grace(source: &Source<'_>) -> Duration {
    let written = source.analysis.contract.processing.shutdown_grace.get().copied();
    written.unwrap_or_else(|| Duration::parse(source.constant("shutdown_grace")).unwrap_or_default())
}

fn prefetch(analysis: &Analysis<'_>) -> u64 {
    match analysis.resolved.prefetch.map(|known| known.value) {
        Some(Prefetch::Count(count)) => u64::from(count.max(1)),
        Some(Prefetch::Unlimited) | None => u64::from(analysis.resolved.concurrency.value.max(1)),
    }
}

/// What the broker itself is to count, where it can.
fn delivery_limit(analysis: &Analysis<'_>) -> Option<u32> {
    match (analysis.contract.broker.get(), analysis.resolved.crash_limit) {
        (Some(Broker::Rabbitmq(_)), CrashLimit::Redeliveries(limit)) => Some(limit.value),
        _ => None,
    }
}

/// The usual bounds, the objective, the alert, and one above it: without that the alert could not fire.
fn age_buckets(source: &Source<'_>) -> String {
    let latency = &source.analysis.latency;
    let usual = source.constant("age_buckets").split_whitespace();
    let mut bounds: Vec<f64> = usual.filter_map(|bound| bound.parse().ok()).collect();
    bounds.extend(latency.objective.map(|time| time.value.as_secs_f64()));
    if let Some(alert) = latency.alert.map(|time| time.value.as_secs_f64()) {
        let above: f64 = source.constant("bucket_above").parse().unwrap_or(3.0);
        bounds.extend([alert, alert * above]);
    }
    bounds.sort_by(f64::total_cmp);
    bounds.dedup();
    let bounds: Vec<String> = bounds.into_iter().map(rust::float).collect();
    format!("&[{}]", bounds.join(", "))
}
