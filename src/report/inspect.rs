//! `ackord inspect`: what follows from a contract, for a person and for a program.

mod json;
mod retries;
mod table;

use crate::analysis::{Analysis, bounds, guarantee};
use crate::report::figures::{self, SECOND};

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
    let broker = figures::broker(analysis).map_or_else(String::new, |broker| format!("   {broker}"));
    format!("{}{version}{flow}{broker}", contract.name())
}

fn key_rows(analysis: &Analysis<'_>, page: &mut Table) {
    let Some(list) = bounds::key(analysis) else { return };
    let ttl = match (list.value, list.forever) {
        (_, true) => "for ever; it outlives".to_owned(),
        (Some(ttl), false) => format!("{ttl} must outlive"),
        (None, false) => "unsaid; it must outlive".to_owned(),
    };
    page.head("DEDUPE TTL", &ttl, &["needs", "slack"]);
    for need in figures::needs(analysis, &list) {
        page.row(need.id.id(), &need.derivation, &[&need.needs, &need.slack]);
    }
    if let (Some(rows), Some(load), Some(ttl)) =
        (analysis.capacity.dedupe_rows, analysis.capacity.load, list.value)
    {
        page.row("table", &format!("{} × {ttl}", load.value), &[&format!("{} rows", figures::count(rows))]);
    }
}

fn latency_rows(analysis: &Analysis<'_>, page: &mut Table) {
    let latency = &analysis.latency;
    let capacity = &analysis.capacity;
    let objective =
        latency.objective.map_or_else(|| "no objective".to_owned(), |p95| format!("p95 {}", p95.value));
    let alert = latency.alert.map_or_else(String::new, |alert| {
        let ratio =
            latency.alert_ratio.map_or_else(String::new, |ratio| format!(" ({} ×)", figures::figure(ratio)));
        let held = latency.sustained.map_or_else(String::new, |time| format!(" for {}", time.value));
        let detection = latency
            .detection
            .map_or_else(String::new, |time| format!(": a full stall pages after about {time}"));
        format!(", page above {}{ratio}{held}{detection}", alert.value)
    });
    page.head("LATENCY", &format!("{objective}{alert}"), &[]);
    if let (Some(load), Some(mean), Some(busy)) = (capacity.load, capacity.mean, capacity.utilisation) {
        let workers = figures::workers(analysis);
        let peak = match (analysis.contract.processing.load.peak.get(), capacity.utilisation_peak) {
            (Some(rate), Some(busy)) => format!("   (peak {rate}: {})", figures::percent(busy)),
            _ => String::new(),
        };
        let derivation = format!("{} × {} ÷ {workers}", load.value, mean.value);
        page.row("load", &derivation, &[&format!("{} busy{peak}", figures::percent(busy))]);
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
        page.row("p95", &format!("{from}{queueing}"), &[&format!("about {}", figures::about(estimate))]);
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
            format!("consumers down {}: {} queued, {drained}", capacity.outage, figures::count(backlog)),
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
