//! See `overloaded.md`.

use crate::analysis::{Analysis, Capacity};
use crate::diagnostic::{Diagnostic, Level};
use crate::resolve::Known;
use crate::rules::{Check, Rule};
use crate::units::{Duration, Rate, trim};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK606", "overloaded", Level::Error, include_str!("overloaded.md"), Check::Contract(check));

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let (capacity, load) = (&analysis.capacity, &analysis.contract.processing.load);
    let (Some(all), Some(_)) = (capacity.per_second, capacity.mean) else { return };
    let steady = Known::written(&load.steady);
    let peak = Known::written(&load.peak);
    let share = |rate: Option<Known<Rate>>| rate.map(|rate| (rate, rate.value.per_second() / all));
    // A peak that is just handled leaves no backlog, as long as the rest of the day is known to be quieter.
    let full = |share: f64| share > 1.0 || (share == 1.0 && steady.is_none());
    if let Some((rate, share)) = share(steady).filter(|(_, share)| *share >= 1.0) {
        out.push(finding(analysis, rate, share, "steady", 1.0));
    } else if let Some((rate, share)) = share(peak).filter(|(_, share)| full(*share)) {
        let hour = ((rate.value.per_second() - all) * 3600.0).round();
        let back = steady.map(|steady| all - steady.value.per_second()).filter(|spare| *spare > 0.0);
        let drained = match back {
            Some(spare) => {
                let time = Duration::from_secs_f64(hour / spare).need();
                format!("drained {time} after the load is steady again")
            }
            None => "and how long the rest of the day needs for them is not known without `load.steady`"
                .to_owned(),
        };
        let finding = finding(analysis, rate, share, "peak", 1.0)
            .level(Level::Warning)
            .note(format!("one hour of peak leaves {} messages waiting, {drained}", thousands(hour)));
        out.push(finding);
    } else if let Some((rate, share)) = share(steady).filter(|(_, share)| *share > analysis.policy.busy) {
        out.push(finding(analysis, rate, share, "steady", analysis.policy.busy).level(Level::Note));
    }
}

fn finding(analysis: &Analysis<'_>, rate: Known<Rate>, share: f64, name: &str, limit: f64) -> Diagnostic {
    let capacity = &analysis.capacity;
    let all = trim(capacity.per_second.unwrap_or_default());
    let load = rate.value;
    let percent = trim((share * 1000.0).floor() / 10.0);
    let what = match limit < 1.0 {
        true => format!(
            "the {name} load of {load} takes {percent} % of what the workers can do, which leaves little for a bad day"
        ),
        false => format!("the {name} load of {load} is more than the {all}/s that the workers can do"),
    };
    let what = if share == 1.0 {
        format!("the {name} load of {load} is all that the workers can do, so a backlog never shrinks")
    } else {
        what
    };
    let mut finding = Diagnostic::new(RULE.code, rate.span, what).at(format!("{percent} % of capacity"));
    let processing = &analysis.contract.processing;
    let consumers = analysis.resolved.consumers;
    // Their number was taken from the function's reserved concurrency.
    let function = consumers.is_written() && !processing.consumers.given();
    finding = finding
        .label(consumers.span, if function { "so many runs of the function at once" } else { "consumers" })
        .label(processing.concurrency.span(), "messages at once in each");
    if let Some(partitions) = analysis.resolved.partitions.filter(|_| capped(analysis)) {
        finding = finding.label(partitions.span, "one worker for each partition at most");
    }
    if let Some(mean) = capacity.mean {
        let shown =
            if mean.is_written() { analysis.written(mean.value, mean.span) } else { mean.value.to_string() };
        finding = finding.label(mean.span, "for each message").note(format!(
            "capacity = {} {} ÷ {shown} = {all}/s; load = {load} = {percent} % of it",
            capacity.workers,
            if capacity.workers == 1 { "worker" } else { "workers" }
        ));
    }
    if let Some(deliveries) = analysis.retries.deliveries().filter(|deliveries| *deliveries > 1) {
        finding = finding.note(format!("on the worst day each message is delivered {deliveries} times, and the load is so many times larger"));
    }
    let wanted = workers_for(capacity, rate.value, limit);
    let how = match capped(analysis) {
        true => format!("raise the partitions and the workers to at least {wanted}"),
        false if function => format!("raise `reserved_concurrency` to at least {wanted}"),
        false => format!("raise `consumers` × `concurrency` to at least {wanted}"),
    };
    finding.help(format!("{how}, or make handling faster"))
}

/// Whether there are more workers than partitions that they could read.
fn capped(analysis: &Analysis<'_>) -> bool {
    let all = analysis.resolved.consumers.value.saturating_mul(analysis.resolved.concurrency.value);
    all > analysis.capacity.workers
}

/// The least number of workers that keeps the load below `limit` of what they can do.
fn workers_for(capacity: &Capacity, load: Rate, limit: f64) -> u64 {
    let mean = capacity.mean.map_or(0.0, |mean| mean.value.as_secs_f64());
    ((load.per_second() * mean / limit.max(0.01)).floor() as u64).saturating_add(1)
}

/// `72,000`.
fn thousands(count: f64) -> String {
    let digits = format!("{count:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
