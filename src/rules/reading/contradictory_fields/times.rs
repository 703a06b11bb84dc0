//! Times and rates that cannot all be true.

use super::{Contradiction, finding};
use crate::analysis::Analysis;
use crate::diagnostic::Diagnostic;
use crate::resolve::Known;
use crate::units::Duration;

pub(super) const ALL: &[Contradiction] = &[
    quantiles_out_of_order,
    quantile_against_mean,
    slower_than_the_whole_chain,
    timeout_before_the_tries,
    peak_below_steady,
];

/// The written quantiles of the handling time, with their names and the share of messages that is slower.
fn quantiles(analysis: &Analysis<'_>) -> Vec<(&'static str, u64, Known<Duration>)> {
    let duration = &analysis.contract.processing.duration;
    let all = [("p50", 2, &duration.p50), ("p95", 20, &duration.p95), ("p99", 100, &duration.p99)];
    all.into_iter().filter_map(|(name, one_of, field)| Some((name, one_of, Known::written(field)?))).collect()
}

/// A quantile that is shorter than a lower one.
fn quantiles_out_of_order(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let quantiles = quantiles(analysis);
    let pairs = quantiles
        .iter()
        .zip(quantiles.iter().skip(1))
        .filter(|((_, _, low), (_, _, high))| low.value > high.value);
    pairs
        .map(|((lower, of_low, low), (higher, of_high, high))| {
            let (short, long) =
                (analysis.written(high.value, high.span), analysis.written(low.value, low.span));
            finding(high.span, format!("`{higher}` of {short} is shorter than `{lower}` of {long}"))
                .at(faster(*of_high))
                .label(low.span, faster(*of_low))
                .help(format!("measure both again: `{higher}` is at least `{lower}`"))
        })
        .collect()
}

/// What a quantile says, where one message in `one_of` is slower.
fn faster(one_of: u64) -> String {
    format!("{} % of messages are faster", 100 - 100 / one_of.max(1))
}

/// A quantile that the mean rules out: one message in 100 that takes over 100 × the mean outweighs all others.
fn quantile_against_mean(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let Some(mean) = Known::written(&analysis.contract.processing.duration.mean) else { return Vec::new() };
    let impossible =
        quantiles(analysis).into_iter().filter(|(_, one_of, known)| known.value > mean.value * *one_of);
    impossible
        .map(|(name, one_of, known)| {
            let (long, short) = (analysis.written(known.value, known.span), analysis.written(mean.value, mean.span));
            let most = mean.value * one_of;
            finding(known.span, format!("`{name}` of {long} is more than {one_of} × the mean of {short}"))
                .at("cannot be")
                .label(mean.span, format!("allows at most {most}"))
                .note(format!("if 1 in {one_of} messages took longer than {most}, they alone would raise the mean above {short}"))
                .help("measure both again over the same messages")
        })
        .collect()
}

/// One message that takes longer than the whole chain may.
fn slower_than_the_whole_chain(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let whole = Known::written(&analysis.contract.slo.end_to_end);
    let (Some(p99), Some(whole)) = (analysis.timing.p99, whole) else { return Vec::new() };
    if p99.value <= whole.value {
        return Vec::new();
    }
    let (long, limit) = (analysis.written(p99.value, p99.span), analysis.written(whole.value, whole.span));
    vec![
        finding(p99.span, format!("`p99` of {long} is longer than `end_to_end` of {limit}"))
            .at("handling one message alone takes this long")
            .label(whole.span, "the limit over all queues of the chain")
            .help("raise `end_to_end`, or make the handler faster"),
    ]
}

/// A handler that is stopped before its tries can be over.
fn timeout_before_the_tries(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let limit = Known::written(&analysis.contract.processing.handler_timeout);
    let (Some(limit), Some(p99)) = (limit, analysis.timing.p99) else { return Vec::new() };
    let inside = analysis.timing.in_process;
    let (tries, waits) = inside.map_or((1, Duration::ZERO), |inside| (inside.tries, inside.waits));
    let needs = p99.value * tries + waits;
    if limit.value >= needs {
        return Vec::new();
    }
    let (given, each) = (analysis.written(limit.value, limit.span), analysis.written(p99.value, p99.span));
    let (need, sum) = (analysis.written(needs.need(), p99.span), analysis.written(needs, p99.span));
    let what = if tries == 1 { "a handler".to_owned() } else { format!("the {tries} tries of one delivery") };
    let verb = if tries == 1 { "needs" } else { "need" };
    let mut found =
        finding(limit.span, format!("`handler_timeout` of {given} stops {what} that {verb} up to {sum}"))
            .at(format!("{} too early", needs.saturating_sub(limit.value).need()))
            .label(p99.span, "each try takes up to this long")
            .help(format!("raise `handler_timeout` to {need}, or try less often inside one delivery"));
    if let Some(inside) = inside {
        found = found
            .label(inside.span, format!("{tries} tries"))
            .note(format!("{tries} × {each} + {waits} of waits = {needs}"));
    }
    vec![found]
}

/// A busiest hour that is quieter than an ordinary day.
fn peak_below_steady(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let load = &analysis.contract.processing.load;
    let (Some(steady), Some(peak)) = (Known::written(&load.steady), Known::written(&load.peak)) else {
        return Vec::new();
    };
    if peak.value.per_second() >= steady.value.per_second() {
        return Vec::new();
    }
    vec![
        finding(peak.span, format!("`peak` of {} is below `steady` of {}", peak.value, steady.value))
            .at("the busiest hour")
            .label(steady.span, "an ordinary day")
            .help("write the larger of the two as `peak`"),
    ]
}
