//! `ackord inspect`: what follows from a contract, for a person and for a program.

mod json;
mod retries;
mod table;

use crate::analysis::{Analysis, bounds, guarantee, term};
use crate::model::Broker;
use crate::rules::bounds::shown;
use crate::units::Duration;

use table::Table;

pub use json::json;

/// Everything that follows from a contract, as a page for a terminal.
pub fn text(analysis: &Analysis<'_>, color: bool) -> String {
    let mut page = Table::new(color);
    page.line(&headline(analysis));
    page.line(&guarantee::sentence(analysis.contract));
    page.blank();
    retries::rows(analysis, &mut page);
    key_rows(analysis, &mut page);
    latency_rows(analysis, &mut page);
    bad_day_rows(analysis, &mut page);
    page.finish()
}

/// `payment-capture 1.0.0   money   rabbitmq 4.2 quorum`
fn headline(analysis: &Analysis<'_>) -> String {
    let contract = analysis.contract;
    let version = contract.version.get().map_or_else(String::new, |version| format!(" {version}"));
    let flow = contract.flow().map_or_else(String::new, |flow| format!("   {}", flow.word()));
    let broker = contract.broker.get().map_or_else(String::new, |broker| {
        let version = broker.common().version.get().map_or_else(String::new, |version| format!(" {version}"));
        format!("   {}{version}{}", broker.kind().word(), variant(broker))
    });
    format!("{}{version}{flow}{broker}", contract.name())
}

fn variant(broker: &Broker) -> &'static str {
    use crate::model::QueueType;
    match broker {
        Broker::Rabbitmq(rabbitmq) => match rabbitmq.queue_type.get() {
            Some(QueueType::Quorum) => " quorum",
            Some(QueueType::Classic) => " classic",
            Some(QueueType::Stream) => " stream",
            None => "",
        },
        Broker::Sqs(sqs) if sqs.fifo.get() == Some(&true) => " fifo",
        Broker::Sqs(_)
        | Broker::Kafka(_)
        | Broker::RedisStreams(_)
        | Broker::RedisList(_)
        | Broker::NatsJetstream(_)
        | Broker::Pulsar(_)
        | Broker::Pubsub(_)
        | Broker::ServiceBus(_)
        | Broker::Postgres(_)
        | Broker::Mqtt(_)
        | Broker::Embedded(_) => "",
    }
}

fn key_rows(analysis: &Analysis<'_>, page: &mut Table) {
    let Some(list) = bounds::key(analysis) else { return };
    let ttl = match (list.value, list.forever) {
        (_, true) => "for ever; it outlives".to_owned(),
        (Some(ttl), false) => format!("{ttl} must outlive"),
        (None, false) => "unsaid; it must outlive".to_owned(),
    };
    page.head("DEDUPE TTL", &ttl, &["needs", "slack"]);
    for bound in shown(&list) {
        let (derivation, needs, slack) = match (&bound.terms, bound.needs()) {
            (Ok(terms), Some(needs)) => {
                let sum = term::in_table(terms, |value, span| analysis.written(value, span));
                let sum =
                    if bound.id == bounds::BoundId::Resend { format!("by the producer, {sum}") } else { sum };
                let needs = needs.ceil_to(SECOND);
                (sum, needs.to_string(), slack(list.value, needs))
            }
            (Err(field), _) => (format!("unknown: needs `{field}`"), "?".to_owned(), String::new()),
            (Ok(_), None) => continue,
        };
        page.row(bound.id.id(), &derivation, &[&needs, &slack]);
    }
    if let (Some(rows), Some(load), Some(ttl)) =
        (analysis.capacity.dedupe_rows, analysis.capacity.load, list.value)
    {
        page.row("table", &format!("{} × {ttl}", load.value), &[&format!("{} rows", table::count(rows))]);
    }
}

/// How much longer a value lasts than it must.
fn slack(value: Option<Duration>, needs: Duration) -> String {
    match value {
        Some(value) if value >= needs => (value - needs).floor_to(SECOND).to_string(),
        Some(value) => format!("{} short", needs - value),
        None => String::new(),
    }
}

const SECOND: Duration = Duration::from_secs(1);

fn latency_rows(analysis: &Analysis<'_>, page: &mut Table) {
    let latency = &analysis.latency;
    let capacity = &analysis.capacity;
    let objective =
        latency.objective.map_or_else(|| "no objective".to_owned(), |p95| format!("p95 {}", p95.value));
    let alert = latency.alert.map_or_else(String::new, |alert| {
        let ratio =
            latency.alert_ratio.map_or_else(String::new, |ratio| format!(" ({} ×)", table::figure(ratio)));
        let held = latency.sustained.map_or_else(String::new, |time| format!(" for {}", time.value));
        let detection = latency
            .detection
            .map_or_else(String::new, |time| format!(": a full stall pages after about {time}"));
        format!(", page above {}{ratio}{held}{detection}", alert.value)
    });
    page.head("LATENCY", &format!("{objective}{alert}"), &[]);
    if let (Some(load), Some(mean), Some(busy)) = (capacity.load, capacity.mean, capacity.utilisation) {
        let resolved = &analysis.resolved;
        let all = u64::from(resolved.consumers.value) * u64::from(resolved.concurrency.value);
        let workers = if u64::from(capacity.workers) < all {
            format!("{} partitions", capacity.workers)
        } else {
            format!("({} × {}) workers", resolved.consumers.value, resolved.concurrency.value)
        };
        let peak = match (analysis.contract.processing.load.peak.get(), capacity.utilisation_peak) {
            (Some(rate), Some(busy)) => format!("   (peak {rate}: {})", table::percent(busy)),
            _ => String::new(),
        };
        let derivation = format!("{} × {} ÷ {workers}", load.value, mean.value);
        page.row("load", &derivation, &[&format!("{} busy{peak}", table::percent(busy))]);
    }
    if let Some(p95) = latency.p95_service {
        let duration = &analysis.contract.processing.duration;
        let from = match (latency.p95_written, duration.mean.get(), duration.p50.get(), duration.p99.get()) {
            (true, ..) => "as written".to_owned(),
            (false, Some(mean), _, Some(p99)) => format!("lognormal from mean {mean}, p99 {p99}"),
            (false, None, Some(p50), Some(p99)) => format!("lognormal from p50 {p50}, p99 {p99}"),
            (false, ..) => String::new(),
        };
        let (queueing, estimate) = match latency.p95_with_queueing {
            Some(with) if with > p95 => ("; with queueing", with),
            Some(_) => ("; no queueing", p95),
            None => ("", p95),
        };
        page.row("p95", &format!("{from}{queueing}"), &[&format!("about {}", table::about(estimate))]);
    }
}

fn bad_day_rows(analysis: &Analysis<'_>, page: &mut Table) {
    let capacity = &analysis.capacity;
    let mut rows = Vec::new();
    if let Some(backlog) = capacity.backlog {
        let drained = match capacity.drain {
            Some(drain) => format!("drained {} after they return", drain.ceil_to(SECOND)),
            None if capacity.overloaded() => "never drained: the load is at least the capacity".to_owned(),
            None => "drained nobody knows when: needs `processing.duration.mean`".to_owned(),
        };
        rows.push((
            String::new(),
            format!("consumers down {}: {} queued, {drained}", capacity.outage, table::count(backlog)),
        ));
    }
    rows.extend(retries::outage(analysis));
    let mut rows = rows.into_iter();
    let Some((_, first)) = rows.next() else { return };
    page.head("BAD DAYS", &first, &[]);
    for (label, line) in rows {
        page.row(&label, &line, &[]);
    }
}
