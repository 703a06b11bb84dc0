//! `inspect` for a program. Durations are whole milliseconds; what must be outlived is rounded up to
//! the second, slack down to the second, everything else to the nearest millisecond.

use serde_json::{Map, Value, json};

use crate::analysis::{Analysis, BoundId, BoundList, RetryingClass, Term, bounds, guarantee, term};
use crate::resolve::{Known, Origin, Prefetch};
use crate::units::Duration;

use crate::report::figures::SECOND;

/// So many waits of a class are listed.
const MOST_WAITS: u64 = 20;

/// Everything that follows from a contract.
pub fn json(analysis: &Analysis<'_>) -> Value {
    let contract = analysis.contract;
    json!({
        "schema_version": 1,
        "queue": contract.name(),
        "version": contract.version.get().map(ToString::to_string),
        "flow": contract.flow().map(crate::model::Flow::word),
        "broker": contract.broker.get().map(|broker| json!({
            "kind": broker.kind().word(),
            "version": broker.common().version.get(),
        })),
        "guarantee": guarantee::sentence(contract),
        "resolved": resolved(analysis),
        "derived": derived(analysis),
    })
}

/// The settings that can come from elsewhere, each with where it came from.
fn resolved(analysis: &Analysis<'_>) -> Value {
    let resolved = &analysis.resolved;
    let lock = analysis.timing.lock.map(|lock| with_origin(millis(lock.value), &lock));
    let prefetch = resolved.prefetch.map(|prefetch| {
        let value = match prefetch.value {
            Prefetch::Count(count) => json!(count),
            Prefetch::Unlimited => json!("unlimited"),
        };
        with_origin(value, &prefetch)
    });
    json!({
        "managed": if resolved.managed_elsewhere { "elsewhere" } else { "ackord" },
        "lock_ms": lock,
        "prefetch": prefetch,
        "consumers": with_origin(json!(resolved.consumers.value), &resolved.consumers),
        "concurrency": with_origin(json!(resolved.concurrency.value), &resolved.concurrency),
        "partitions": resolved.partitions.map(|partitions| with_origin(json!(partitions.value), &partitions)),
    })
}

fn with_origin<T>(value: Value, known: &Known<T>) -> Value {
    match known.origin {
        Origin::Written => json!({"value": value, "origin": "written"}),
        Origin::Derived => json!({"value": value, "origin": "derived"}),
        Origin::Broker(fact) => json!({
            "value": value,
            "origin": "broker default",
            "setting": fact.setting,
            "source": fact.source,
        }),
    }
}

fn derived(analysis: &Analysis<'_>) -> Value {
    let (timing, retries) = (&analysis.timing, &analysis.retries);
    let (capacity, latency) = (&analysis.capacity, &analysis.latency);
    let classes: Map<String, Value> =
        retries.classes.iter().map(|one| (one.name.clone(), class(one))).collect();
    json!({
        "lock_ms": timing.lock.map(|lock| millis(lock.value)),
        "hold_ms": timing.hold.map(millis),
        "work_ms": timing.work.map(|work| millis(work.value)),
        "buffer_ms": timing.buffer.map(millis),
        "stay_ms": timing.stay.map(millis),
        "margin_ms": millis(analysis.policy.margin),
        "deliveries": retries.deliveries(),
        "workers": capacity.workers,
        "capacity_per_s": capacity.per_second,
        "spare_per_s": capacity.spare(),
        "utilisation": capacity.utilisation,
        "utilisation_peak": capacity.utilisation_peak,
        "amplification": retries.deliveries(),
        "classes": classes,
        "retry_chain_ms": retries.chain_total().map(millis),
        "retry_chain": retries.chain.as_deref().map(|terms| table(analysis, terms)),
        "redelivery_bound_ms": retries.bound_total().map(millis),
        "redelivery_bound": retries.bound.as_deref().map(|terms| table(analysis, terms)),
        "time_to_dlq_ms": {
            "waits": retries.waits_to_dead_letter.map(millis),
            "worst": retries.worst_to_dead_letter.map(millis),
        },
        "key": bounds::key(analysis).map_or_else(|| json!([]), |list| entries(analysis, &list, true)),
        "lock_list": bounds::lock(analysis).map_or_else(|| json!([]), |list| entries(analysis, &list, false)),
        "retention_list": bounds::retention(analysis).map_or_else(|| json!([]), |list| entries(analysis, &list, false)),
        "dead_letter_list": bounds::dead_letter(analysis).map_or_else(|| json!([]), |list| entries(analysis, &list, false)),
        "dedupe_rows": capacity.dedupe_rows.map(whole),
        "p95_service_ms": latency.p95_service.map(millis),
        "p95_with_queueing_ms": latency.p95_with_queueing.map(millis),
        "alert_detect_ms": latency.detection.map(millis),
        "alert_ratio": latency.alert_ratio,
        "outage_ms": millis(capacity.outage),
        "outage_backlog": capacity.backlog.map(whole),
        "drain_ms": capacity.drain.map(|drain| millis(drain.ceil_to(SECOND))),
        "replay_duration_ms": capacity.replay.map(|replay| millis(replay.ceil_to(SECOND))),
        "replay_messages": capacity.replay_messages.map(whole),
    })
}

fn class(class: &RetryingClass) -> Value {
    let n = class.retries();
    if !class.waits_known {
        return json!({"max_retries": class.max_retries.value, "waits_ms": null, "total_wait_ms": null});
    }
    let pair = |low: Duration, high: Duration| json!([millis(low), millis(high)]);
    json!({
        "max_retries": class.max_retries.value,
        "waits_ms": (1..=n.min(MOST_WAITS)).map(|i| pair(class.waits.shortest(i), class.waits.longest(i))).collect::<Vec<_>>(),
        "total_wait_ms": pair(class.waits.shortest_total(n), class.waits.longest_total(n)),
    })
}

fn entries(analysis: &Analysis<'_>, list: &BoundList, slack: bool) -> Value {
    // The margin over a slow handler is a rule of thumb of the linter, not something to be outlived.
    let all = list.entries.iter().filter(|bound| bound.id != BoundId::HandlerMargin).map(|bound| {
        let needs = bound.needs();
        let mut entry = json!({
            "id": bound.id.id(),
            "needs_ms": needs.map(|needs| millis(needs.ceil_to(SECOND))),
            "derivation": bound.terms.as_deref().ok().map(|terms| table(analysis, terms)),
            "unknown": bound.terms.as_ref().err(),
        });
        if let (true, Some(entry)) = (slack, entry.as_object_mut()) {
            let slack = needs.zip(list.value).map(|(needs, value)| signed_slack(value, needs));
            entry.insert("slack_ms".to_owned(), json!(slack));
        }
        entry
    });
    Value::Array(all.collect())
}

fn table(analysis: &Analysis<'_>, terms: &[Term]) -> String {
    term::in_table(terms, |value, span| analysis.written(value, span))
}

/// The slack in milliseconds, down to the whole second; negative where the value is too short.
fn signed_slack(value: Duration, needs: Duration) -> i64 {
    let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    if value >= needs {
        millis((value - needs).floor_to(SECOND))
    } else {
        -millis((needs - value).ceil_to(SECOND))
    }
}

fn millis(time: Duration) -> Value {
    json!(time.as_millis())
}

/// A count that was computed as a float.
fn whole(count: f64) -> u64 {
    count as u64
}
