//! What the consumers tell about themselves.

use super::super::super::metrics;
use super::{Cases, FLOW};
use crate::units::{Ratio, trim};

pub(super) fn cases(cases: &mut Cases<'_>) {
    silent(cases);
    attempts(cases);
    dedupe(cases);
    once(cases);
}

/// What should never happen, all at once.
fn once(cases: &mut Cases<'_>) {
    let rare = [
        (cases.applied(), "QueueReplayApplied"),
        (cases.own(metrics::LOCK_LOST), "QueueLockLost"),
        (cases.unknown(), "QueueUnknownFailure"),
        (cases.own(metrics::BYPASS), "QueueBypassOn"),
    ];
    let lines = rare.clone().map(|(series, _)| (series, "0x3 1x3".to_owned()));
    let checks: Vec<_> = rare.iter().flat_map(|(_, alert)| [(2, *alert, false), (6, *alert, true)]).collect();
    cases.case("what should never happen", &lines, &checks);
}

fn silent(cases: &mut Cases<'_>) {
    let (settle, silent) = (cases.settle, cases.held("QueueConsumerSilent"));
    let gone = [(cases.own(metrics::INFO), format!("1x{settle} stale"))];
    // A series that is stale is gone at once.
    let end = settle + silent;
    let checks = [
        (settle, "QueueConsumerSilent", false),
        (end - 4, "QueueConsumerSilent", false),
        (end, "QueueConsumerSilent", true),
    ];
    cases.case("no data", &gone, &checks);
}

fn attempts(cases: &mut Cases<'_>) {
    let tries = |cases: &Cases<'_>, each: f64, end: u64| {
        [(cases.own(metrics::ATTEMPTS), format!("0+{}x{end}", trim(each)))]
    };
    let flow = FLOW as f64;
    if let Ok(mean) = cases.source.constant("retries_mean").parse::<f64>() {
        let end = cases.held("QueueRetries") + 2;
        let (less, more) = (tries(cases, flow * mean - 1.0, end), tries(cases, flow * mean + 1.0, end));
        cases.case("retried as often as usual", &less, &[(end, "QueueRetries", false)]);
        cases.case("retried too often", &more, &[(end, "QueueRetries", true)]);
    }
    if let Some(most) = cases.source.analysis.retries.deliveries() {
        let end = cases.held("QueueRedelivery") + 2;
        let most = flow * most as f64;
        let (less, more) = (tries(cases, most - 1.0, end), tries(cases, most + 1.0, end));
        cases.case("delivered as often as may be", &less, &[(end, "QueueRedelivery", false)]);
        cases.case("delivered too often", &more, &[(end, "QueueRedelivery", true)]);
    }
}

fn dedupe(cases: &mut Cases<'_>) {
    let end = cases.settle + cases.held("QueueDedupeFailing");
    let share = crate::syntax::Scalar::parse(cases.source.constant("dedupe_share")).map_or(1.0, Ratio::share);
    let failing = |cases: &Cases<'_>, times: f64| {
        let each = FLOW as f64 * share * times;
        [(cases.own(metrics::DEDUPE_ERRORS), format!("0+{}x{end}", trim(each)))]
    };
    let (less, more) = (failing(cases, 0.9), failing(cases, 1.1));
    cases.case("the store of keys fails at times", &less, &[(end, "QueueDedupeFailing", false)]);
    cases.case("the store of keys fails", &more, &[(end, "QueueDedupeFailing", true)]);
}
