//! Load, capacity, bad days; and what all of it rests on.

use serde::Serialize;

use super::super::language::Lit;
use crate::analysis::{Analysis, bounds};
use crate::model::{Overflow, Strategy};
use crate::report::figures;
use crate::resolve::{Known, Origin};

/// One figure with where it comes from.
#[derive(Debug, Serialize)]
pub(super) struct Figure {
    what: Lit,
    value: Lit,
    from: Lit,
}

pub(super) fn figures(analysis: &Analysis<'_>) -> Vec<Figure> {
    let capacity = &analysis.capacity;
    let mut all = Vec::new();
    let mut add = |what: &str, value: String, from: String| {
        all.push(Figure { what: Lit::new(what), value: Lit::new(value), from: Lit::new(from) });
    };
    let peak = analysis.contract.processing.load.peak.get();
    if let Some(load) = capacity.load {
        let peak = peak
            .filter(|peak| **peak != load.value)
            .map_or_else(String::new, |peak| format!(", peak {peak}"));
        add("Load", format!("{}{peak}", load.value), "the contract".to_owned());
    }
    if let (Some(rate), Some(mean)) = (capacity.per_second, capacity.mean) {
        add(
            "Capacity",
            format!("{}/s", figures::figure(rate)),
            format!("{} ÷ {}", figures::workers(analysis), mean.value),
        );
    }
    if let (Some(busy), Some(load), Some(mean)) = (capacity.utilisation, capacity.load, capacity.mean) {
        let peak = capacity
            .utilisation_peak
            .map_or_else(String::new, |busy| format!(", at peak {}", figures::percent(busy)));
        let from = format!("{} × {} ÷ {}", load.value, mean.value, figures::workers(analysis));
        add("Busy", format!("{}{peak}", figures::percent(busy)), from);
    }
    if let Some(p95) = analysis.latency.p95_with_queueing.or(analysis.latency.p95_service) {
        let objective =
            analysis.latency.objective.map_or_else(String::new, |p95| format!(", objective {}", p95.value));
        add(
            "p95 of handling",
            format!("about {}{objective}", figures::about(p95)),
            "an estimate, the wait for a worker included".to_owned(),
        );
    }
    if let Some(backlog) = capacity.backlog {
        let value = format!("{} messages", figures::count(backlog));
        let load = capacity.load.map_or_else(String::new, |load| load.value.to_string());
        add("Backlog after an outage", value, format!("{load} × {}", capacity.outage));
    }
    if let Some(drain) = capacity.drain {
        let from = format!("backlog ÷ (capacity − load), outage {}", capacity.outage);
        add("Time to drain it", drain.ceil_to(figures::SECOND).to_string(), from);
    } else if capacity.overloaded() {
        add("Time to drain it", "never".to_owned(), "the load is at least the capacity".to_owned());
    }
    if let Some(deliveries) = analysis.retries.deliveries().filter(|deliveries| *deliveries > 1) {
        add(
            "Work if everything fails",
            format!("{deliveries} × the load"),
            "deliveries of one message at most".to_owned(),
        );
    }
    all
}

pub(super) fn limits(analysis: &Analysis<'_>) -> Vec<Lit> {
    let contract = analysis.contract;
    let mut limits = Vec::new();
    if let Some(list) = bounds::key(analysis).filter(|list| !list.forever)
        && let Some(ttl) = list.value
    {
        limits.push(format!(
            "A message that comes again more than {ttl} after it took effect takes effect a second time."
        ));
    }
    match contract.idempotency.strategy.get() {
        Some(Strategy::None | Strategy::BrokerWindow) if contract.at_least_once() => {
            limits.push(
                "A redelivery repeats the effect: count duplicates before you act on totals.".to_owned(),
            );
        }
        Some(Strategy::Natural) => {
            if let Some(reason) = contract.idempotency.reason.get() {
                limits.push(format!(
                    "A repeated effect is harmless for the reason that the contract gives: {reason}"
                ));
            }
        }
        _ => {}
    }
    if let Some(reason) = contract.delivery.reason.get() {
        limits.push(format!("Why this guarantee: {reason}"));
    }
    for (effect, _) in contract.effects() {
        if let (Some(name), Some(asked)) = (effect.name.get(), effect.reconcile.get()) {
            limits.push(format!(
                "Whether {name} happened, when a redelivery finds its key without a result: {asked}"
            ));
        }
    }
    if let Some(kept) = contract.retention.get() {
        limits
            .push(format!("The queue keeps a message that nobody takes for {kept}; after that it is gone."));
    }
    if let (Some(most), overflow) = (contract.max_length.messages.get(), contract.max_length.overflow.get()) {
        let then = match overflow {
            Some(Overflow::Reject) => "the publisher is told about the next one",
            Some(Overflow::DropOldest) => "the oldest is lost for the next one",
            Some(Overflow::DeadLetter) => "a message moves to the dead letters for the next one",
            None => "what happens to the next one is not stated",
        };
        limits.push(format!("The queue holds {} messages; {then}.", figures::count(*most as f64)));
    }
    if let Some(lock) = analysis.timing.lock.filter(|_| contract.at_least_once()) {
        limits.push(format!(
            "A message is held for {}{}: slower work is handed to a second consumer.",
            lock.value,
            origin(&lock)
        ));
    }
    if contract.at_least_once() {
        limits.push(format!(
            "Every time that must be outlived holds {} for clocks and network.",
            analysis.policy.margin
        ));
    }
    limits.push("Load and durations are what the contract says, not what was measured.".to_owned());
    limits.push(
        "That the alerts exist and that the commands fit your cluster is assumed, not proved, by this page."
            .to_owned(),
    );
    limits.into_iter().map(Lit::new).collect()
}

fn origin<T: Copy>(known: &Known<T>) -> String {
    match known.origin {
        Origin::Written => String::new(),
        Origin::Derived => " (derived from the time of handling)".to_owned(),
        Origin::Broker(_) => known.aside(),
    }
}
