//! See `slow_message_holds_others.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::KafkaMode;
use crate::resolve::Prefetch;
use crate::rules::{Check, Rule};
use crate::units::trim;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK711",
    "slow-message-holds-others",
    Level::Warning,
    include_str!("slow_message_holds_others.md"),
    Check::Contract(check),
);

/// From this factor between p99 and p50 on, a slow message is another kind of message.
const SLOW: f64 = 10.0;

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let concurrency = analysis.resolved.concurrency;
    let (Some(prefetch), Some(p99)) = (analysis.resolved.prefetch, analysis.timing.p99) else { return };
    let Prefetch::Count(fetched) = prefetch.value else { return };
    // A partition belongs to one member of the group, so nobody else could take what waits there.
    if analysis.contract.kafka().is_some_and(|kafka| kafka.mode.get() != Some(&KafkaMode::Share)) {
        return;
    }
    if fetched <= concurrency.value {
        return;
    }
    let median = &analysis.contract.processing.duration.p50;
    let ratio =
        median.get().map(|p50| p99.value.ratio(*p50)).filter(|ratio| ratio.is_finite() && *ratio >= SLOW);
    let objective = analysis.latency.objective;
    let late = analysis
        .timing
        .buffer
        .and_then(|buffer| Some((buffer, objective?)))
        .filter(|(buffer, p95)| *buffer > p95.value);
    let slowest = analysis.written(p99.value, p99.span);
    let (what, note) = if let Some((buffer, objective)) = late {
        let promised = analysis.written(objective.value, objective.span);
        let rounds = buffer.ratio(p99.value).round();
        (
            format!(
                "the last of {fetched} fetched messages may take {buffer}, longer than the objective of {promised}"
            ),
            format!(
                "{fetched} fetched ÷ {} at once = {} rounds × {slowest} = {buffer}",
                concurrency.value,
                trim(rounds)
            ),
        )
    } else if let Some(ratio) = ratio {
        let usual = median.get().map_or_else(String::new, |p50| analysis.written(*p50, median.span()));
        (
            format!(
                "{fetched} messages are fetched for {} workers, so a slow one holds others that idle workers could take",
                concurrency.value
            ),
            format!(
                "p99 ÷ p50 = {slowest} ÷ {usual} = {}: one message in a hundred is as long as {} others",
                trim(ratio.round()),
                trim(ratio.round())
            ),
        )
    } else {
        return;
    };
    let mut finding = Diagnostic::new(RULE.code, prefetch.span, what)
        .at(format!("{} more than are worked on", fetched - concurrency.value))
        .label(concurrency.span, "worked on at once")
        .label(p99.span, "a slow message takes this long")
        .label(median.span(), "half of them are faster");
    if let Some((_, objective)) = late {
        finding = finding.label(objective.span, "the objective");
    }
    finding = finding.note(note).help(format!(
        "lower `prefetch` to {}, or give slow messages a queue of their own",
        concurrency.value
    ));
    if prefetch.is_written() {
        let to = concurrency.value;
        finding = finding.replace(
            Applicability::Unsafe,
            prefetch.span,
            to.to_string(),
            format!("prefetch: {fetched} -> {to}"),
        );
    }
    out.push(finding);
}
