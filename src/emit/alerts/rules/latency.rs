//! Messages are late, for the first time and again.

use super::super::super::language::promql::{duration, seconds};
use super::super::super::metrics;
use super::super::Source;
use super::{Rules, Told, part};
use crate::units::Duration;

/// The alert about the second page needs the first one as a series: 0 while it fires, else 1.
const CALM: &str = "ackord:latency_page:calm";

pub(super) fn rules(rules: &mut Rules<'_>) {
    let source = rules.source;
    let Some(above) = source.analysis.latency.alert.map(|above| above.value) else { return };
    let first = source.analysis.contract.slo.first_page.get().map_or("investigate", String::as_str);
    late(rules, above, first);
    stalled(rules, above, first);
    again(rules);
}

/// From how many settled messages on their p95 says something, where the contract's load gives as many
/// on a usual day. Below that, the oldest message in hand says it.
pub(in super::super) fn least_settled<'a>(source: &'a Source<'_>) -> Option<&'a str> {
    let least = source.constant("least_settled");
    let load = source.analysis.capacity.load?.value.per_second();
    let usual = load * source.time("rate_window").as_secs_f64();
    (usual >= 2.0 * least.parse::<f64>().ok()?).then_some(least)
}

fn late(rules: &mut Rules<'_>, above: Duration, first: &str) {
    let source = rules.source;
    let latency = &source.analysis.latency;
    let window = source.constant("rate_window");
    let held = latency.sustained.map(|time| time.value);
    let for_long = held.map_or_else(String::new, |time| format!(" for {time}"));
    let objective =
        latency.objective.map_or_else(String::new, |p95| format!(" The objective is {}.", p95.value));
    let bucket = source.own(metrics::AGE_BUCKET, "");
    let enough = least_settled(source).map_or_else(String::new, |least| {
        format!(" and sum(increase({}[{window}])) >= {least}", source.own(metrics::AGE_COUNT, ""))
    });
    let expr = format!(
        "histogram_quantile({}, sum by (le) (rate({bucket}[{window}]))) > {}{enough}",
        source.constant("quantile"),
        seconds(above)
    );
    let told = Told {
        summary: format!("messages take effect too late, p95 above {above}{for_long}"),
        means: format!("From publication to effect, p95 is above {above}{for_long}.{objective}"),
        action: first.to_owned(),
        part: part::FIRST,
    };
    let rule = rules.page("QueueLatency", &source.analysis.contract.on_call, expr, told);
    rule.hold = held;
    rule.stage = Some("investigate");
}

fn stalled(rules: &mut Rules<'_>, above: Duration, first: &str) {
    let source = rules.source;
    let held = source.analysis.latency.sustained.map(|time| time.value);
    let (oldest, settled) = (source.own(metrics::OLDEST_HELD, ""), source.own(metrics::SETTLED, ""));
    let window = source.constant("rate_window");
    let few = least_settled(source).map_or_else(|| "== 0".to_owned(), |least| format!("< {least}"));
    let expr = format!("max({oldest}) > {} and sum(increase({settled}[{window}])) {few}", seconds(above));
    let told = Told {
        summary: "a stall: messages are in hand, next to none is settled".to_owned(),
        means: format!(
            "A message in hand is older than {above}, and too few are settled for their p95 to say anything: it sees only what is done."
        ),
        action: first.to_owned(),
        part: part::FIRST,
    };
    let rule = rules.page("QueueStalled", &source.analysis.contract.on_call, expr, told);
    rule.hold = held;
    rule.stage = Some("investigate");
}

fn again(rules: &mut Rules<'_>) {
    let source = rules.source;
    let contract = source.analysis.contract;
    let repeat = contract.slo.repeat_page.get();
    let Some((within, todo)) = repeat.and_then(|page| page.within.get().zip(page.r#do.get())) else { return };
    if within.is_zero() {
        return;
    }
    // Where no page fires there is no series of it, and the consumer's own one stands for none.
    let firing = source.own("ALERTS", ",alertname=\"QueueLatency\",alertstate=\"firing\"");
    let none = source.own(metrics::INFO, "");
    rules.record(CALM, format!("1 - (max by (contract) ({firing}) or max by (contract) (0 * {none}))"));
    // What falls to 0 where a page begins looks like a counter that was reset.
    let calm = source.own(CALM, "");
    let expr = format!(
        "max(resets({calm}[{}])) >= {} and max({calm}) == 0",
        duration(*within),
        source.constant("pages")
    );
    let told = Told {
        summary: format!("the second page about latency within {within}"),
        means: "The first remedy did not hold.".to_owned(),
        action: todo.clone(),
        part: part::FIRST,
    };
    rules.page("QueueLatencyAgain", &contract.on_call, expr, told).stage = Some("rollback");
}
