//! Derived quantities in the words that people read: one wording for `inspect` and for what is generated.

use crate::analysis::{Analysis, BoundId, BoundList, RetryingClass, term};
use crate::model::{Broker, QueueType};
use crate::rules::bounds::shown;
use crate::units::{Duration, trim};

/// What must be outlived is rounded up to it, slack down to it.
pub const SECOND: Duration = Duration::from_secs(1);

/// One retry of a class.
#[derive(Debug, Clone)]
pub struct Step {
    /// Which retry it is, from 1.
    pub retry: u64,
    /// How long it waits: `4s-8s`.
    pub wait: String,
    /// How long that is after the first failure, waits alone.
    pub elapsed: String,
}

/// The first retries of `class` and the last one, at most `most` of them; `None` stands for those between.
pub fn steps(analysis: &Analysis<'_>, class: &RetryingClass, most: u64) -> Vec<Option<Step>> {
    let n = class.retries();
    let mut shown: Vec<Option<u64>> = (1..=n.min(most)).map(Some).collect();
    if n > most {
        shown.truncate(usize::try_from(most.saturating_sub(2)).unwrap_or(1));
        shown.extend([None, Some(n)]);
    }
    let step = |retry| Step {
        retry,
        wait: range(
            class.waits.shortest(retry).to_string(),
            wait(analysis, class, class.waits.longest(retry)),
        ),
        elapsed: total_wait(class, retry),
    };
    shown.into_iter().map(|retry| retry.map(step)).collect()
}

/// The waits of the first `retries` retries together: `14s-28s`.
pub fn total_wait(class: &RetryingClass, retries: u64) -> String {
    let waits = &class.waits;
    range(waits.shortest_total(retries).to_string(), waits.longest_total(retries).to_string())
}

/// A wait as the user wrote it where it is the cap.
fn wait(analysis: &Analysis<'_>, class: &RetryingClass, wait: Duration) -> String {
    let cap = class.waits.cap();
    if wait == cap.value { analysis.written(wait, cap.span) } else { wait.to_string() }
}

fn range(low: String, high: String) -> String {
    if low == high { low } else { format!("{low}-{high}") }
}

/// One entry of a list of bounds.
#[derive(Debug, Clone)]
pub struct Need {
    /// Which entry it is.
    pub id: BoundId,
    /// The sum that must be outlived, or which field is missing to know it.
    pub derivation: String,
    /// The sum, `?` where it is not known.
    pub needs: String,
    /// How much longer the value lasts; empty where that is not known.
    pub slack: String,
}

/// The entries of `list` that are shown.
pub fn needs(analysis: &Analysis<'_>, list: &BoundList) -> Vec<Need> {
    let need = |bound: &crate::analysis::Bound| match (&bound.terms, bound.needs()) {
        (Ok(terms), Some(needs)) => {
            let sum = term::in_table(terms, |value, span| analysis.written(value, span));
            let derivation =
                if bound.id == BoundId::Resend { format!("by the producer, {sum}") } else { sum };
            let needs = needs.ceil_to(SECOND);
            Some(Need { id: bound.id, derivation, needs: needs.to_string(), slack: slack(list.value, needs) })
        }
        (Err(field), _) => {
            let derivation = format!("unknown: needs `{field}`");
            Some(Need { id: bound.id, derivation, needs: "?".to_owned(), slack: String::new() })
        }
        (Ok(_), None) => None,
    };
    shown(list).filter_map(need).collect()
}

/// How much longer a value lasts than it must.
fn slack(value: Option<Duration>, needs: Duration) -> String {
    match value {
        Some(value) if value >= needs => (value - needs).floor_to(SECOND).to_string(),
        Some(value) => format!("{} short", needs - value),
        None => String::new(),
    }
}

/// `rabbitmq 4.2 quorum`; nothing where no broker is named.
pub fn broker(analysis: &Analysis<'_>) -> Option<String> {
    let broker = analysis.contract.broker.get()?;
    let version = broker.common().version.get().map_or_else(String::new, |version| format!(" {version}"));
    Some(format!("{}{version}{}", broker.kind().word(), variant(broker)))
}

#[allow(clippy::wildcard_enum_match_arm, reason = "most kinds have no variants")]
fn variant(broker: &Broker) -> &'static str {
    match broker {
        Broker::Rabbitmq(rabbitmq) => match rabbitmq.queue_type.get() {
            Some(QueueType::Quorum) => " quorum",
            Some(QueueType::Classic) => " classic",
            Some(QueueType::Stream) => " stream",
            None => "",
        },
        Broker::Sqs(sqs) if sqs.fifo.get() == Some(&true) => " fifo",
        _ => "",
    }
}

/// Who does the work: `(2 × 8) workers`, or the partitions that limit them.
pub fn workers(analysis: &Analysis<'_>) -> String {
    let resolved = &analysis.resolved;
    let all = u64::from(resolved.consumers.value) * u64::from(resolved.concurrency.value);
    if u64::from(analysis.capacity.workers) < all {
        format!("{} partitions", analysis.capacity.workers)
    } else {
        format!("({} × {}) workers", resolved.consumers.value, resolved.concurrency.value)
    }
}

/// `3,000`, `6.48 million`.
pub fn count(value: f64) -> String {
    let two = |value: f64| {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if value >= 1e9 {
        return format!("{} billion", two(value / 1e9));
    }
    if value >= 1e6 {
        return format!("{} million", two(value / 1e6));
    }
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A factor with at most two decimals.
pub fn figure(value: f64) -> String {
    trim((value * 100.0).round() / 100.0)
}

/// `12.5 %`
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let rounded =
        if percent < 0.1 { (percent * 1000.0).round() / 1000.0 } else { (percent * 10.0).round() / 10.0 };
    format!("{} %", trim(rounded))
}

/// A duration with two significant figures: an estimate.
pub fn about(value: Duration) -> String {
    let seconds = value.as_secs_f64();
    if seconds <= 0.0 {
        return "0s".to_owned();
    }
    let digits = seconds.log10().floor() - 1.0;
    let step = 10f64.powf(digits);
    Duration::from_secs_f64((seconds / step).round() * step).to_string()
}
