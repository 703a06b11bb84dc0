//! Late, standing still, and late again.

use super::super::super::language::promql::seconds;
use super::super::super::metrics;
use super::super::rules::least_settled;
use super::{Cases, FLOW, Line};
use crate::units::Duration;

pub(super) fn cases(cases: &mut Cases<'_>) {
    let Some(above) = cases.source.analysis.latency.alert.map(|above| above.value) else { return };
    slow(cases);
    few(cases);
    stall(cases, above);
    twice(cases);
}

/// What the bound at the threshold counts where all is well for a time, and then no message is in time.
fn late_from(settle: u64, steps: u64) -> String {
    format!("0+{FLOW}x{settle} {}x{steps}", FLOW * settle)
}

fn at_threshold(cases: &Cases<'_>) -> String {
    let [at, ..] = cases.bounds().unwrap_or_default();
    cases.bucket(&at)
}

fn slow(cases: &mut Cases<'_>) {
    let (settle, hold) = (cases.settle, cases.held("QueueLatency"));
    let slow = settle + hold;
    let late = [(at_threshold(cases), late_from(settle, hold))];
    let checks =
        [(settle, "QueueLatency", false), (slow, "QueueLatency", true), (slow, "QueueLatencyAgain", false)];
    cases.case("slow: the first page", &late, &checks);
}

/// Each message is late, but so few that their p95 is only the slowest one.
fn few(cases: &mut Cases<'_>) {
    let Some(least) = least_settled(cases.source).and_then(|least| least.parse::<u64>().ok()) else { return };
    let window = cases.settle - 2;
    let end = cases.settle + cases.held("QueueLatency");
    // So many in a window, a little below and a little above.
    for (name, each, fires) in [
        ("late, but too few for a p95", (least as f64 - 1.0) / window as f64, false),
        ("late, and just enough for a p95", (least as f64 + 1.0) / window as f64, true),
    ] {
        let flow = format!("0+{}x{end}", crate::units::trim(each));
        let [at, over, all] = cases.bounds().unwrap_or_default();
        let lines = [
            (cases.bucket(&at), format!("0x{end}")),
            (cases.bucket(&over), flow.clone()),
            (cases.bucket(&all), flow.clone()),
            (cases.own(metrics::AGE_COUNT), flow),
        ];
        cases.case(name, &lines, &[(end, "QueueLatency", fires)]);
    }
}

fn stall(cases: &mut Cases<'_>, above: Duration) {
    let settle = cases.settle;
    // What was settled before must have left the window.
    let rest = cases.held("QueueStalled") + settle;
    let end = settle + rest;
    let stopped = late_from(settle, rest);
    let lines = |cases: &Cases<'_>, age: Duration, settled: &str| -> Vec<Line> {
        let held = format!("0x{settle} {}x{rest}", seconds(age));
        let mut lines = vec![(cases.own(metrics::OLDEST_HELD), held)];
        lines.extend([metrics::SETTLED, metrics::AGE_COUNT].map(|one| (cases.own(one), settled.to_owned())));
        lines.extend(cases.bounds().into_iter().flatten().map(|le| (cases.bucket(&le), settled.to_owned())));
        lines
    };
    let second = Duration::from_secs(1);
    let over = lines(cases, above + second, &stopped);
    let checks = [(settle, "QueueStalled", false), (end, "QueueStalled", true), (end, "QueueLatency", false)];
    cases.case("stall: p95 sees nothing", &over, &checks);
    let not_yet = lines(cases, above, &stopped);
    cases.case("stall: not yet", &not_yet, &[(end, "QueueStalled", false)]);
    let going_on = lines(cases, above + second, &format!("0+{FLOW}x{end}"));
    cases.case("one old message, and all others go on", &going_on, &[(end, "QueueStalled", false)]);
    if least_settled(cases.source).is_some() {
        let trickle = lines(cases, above + second, &format!("0+{FLOW}x{settle} {}+1x{rest}", FLOW * settle));
        cases.case("a trickle is a stall", &trickle, &[(end, "QueueStalled", true)]);
    }
}

fn twice(cases: &mut Cases<'_>) {
    let (settle, hold) = (cases.settle, cases.held("QueueLatency"));
    let within = cases.source.analysis.contract.slo.repeat_page.within.get().copied().unwrap_or_default();
    let (slow, within) = (settle + hold, cases.steps(within));
    let good = FLOW * settle;
    // Late, then well for a time, then late again.
    let values = |calm: u64| {
        let then = good + FLOW * calm;
        format!("0+{FLOW}x{settle} {good}x{} {good}+{FLOW}x{calm} {then}x{hold}", hold - 1)
    };
    let calm = settle + 3;
    // Where two pages do not fit into the time, there is nothing to see.
    if hold + calm + 4 >= within {
        return;
    }
    let bucket = at_threshold(cases);
    let second = slow + calm + hold;
    let checks = [
        (slow - 1, "QueueLatency", true),
        (slow + calm - 1, "QueueLatency", false),
        (slow + calm - 1, "QueueLatencyAgain", false),
        (second, "QueueLatency", true),
        (second, "QueueLatencyAgain", true),
    ];
    cases.case("slow twice: the second page", &[(bucket.clone(), values(calm))], &checks);
    let calm = within + 3;
    let second = slow + calm + hold;
    let checks = [(second, "QueueLatency", true), (second, "QueueLatencyAgain", false)];
    cases.case("slow again, but later: a first page", &[(bucket, values(calm))], &checks);
}
