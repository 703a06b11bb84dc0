//! What is looked at, in the order in which somebody asks.

use super::super::metrics::{self, rabbitmq};
use super::Source;
use crate::model::{DeadLetterAlert, FullAlert};
use crate::units::Duration;

/// Panels that answer one question.
pub(super) struct Row {
    pub(super) title: &'static str,
    pub(super) panels: Vec<Panel>,
}

/// Series over time, with the lines that they should stay below.
pub(super) struct Panel {
    pub(super) title: &'static str,
    pub(super) description: String,
    pub(super) unit: &'static str,
    /// Each with its legend.
    pub(super) series: Vec<(String, String)>,
    /// Each with its colour, the lowest first.
    pub(super) lines: Vec<(&'static str, f64)>,
}

const SECONDS: &str = "s";
const COUNT: &str = "short";
const PER_SECOND: &str = "mps";
const SHARE: &str = "percentunit";

/// Where something begins to matter, and where somebody is called.
const NOTICE: &str = "yellow";
const ALERT: &str = "red";

pub(super) fn rows(source: &Source<'_>) -> Vec<Row> {
    let mut rows = vec![
        Row { title: "How late are messages?", panels: vec![age(source), oldest(source)] },
        Row { title: "Is any message missing?", panels: vec![flow(source), held(source)] },
    ];
    if source.analysis.contract.at_least_once() {
        rows.push(Row {
            title: "Is work done twice?",
            panels: vec![attempts(source), retries(source), repeated(source)],
        });
    }
    rows.push(Row {
        title: "Is there room for more?",
        panels: vec![utilisation(source), workers(source), drain(source)],
    });
    if source.analysis.contract.dead_letter.given() {
        rows.push(Row {
            title: "What could not be handled?",
            panels: vec![by_class(source), dead_letters(source), oldest_dead_letter(source)],
        });
    }
    rows
}

fn rate(series: &str) -> String {
    format!("rate({series}[$__rate_interval])")
}

fn sum(series: &str) -> String {
    format!("sum({})", rate(series))
}

/// The lines of what is shown in seconds.
fn age_lines(source: &Source<'_>) -> Vec<(&'static str, f64)> {
    let latency = &source.analysis.latency;
    let line = |color, time: Duration| (color, time.as_secs_f64());
    let objective = latency.objective.map(|objective| line(NOTICE, objective.value));
    objective.into_iter().chain(latency.alert.map(|above| line(ALERT, above.value))).collect()
}

fn age(source: &Source<'_>) -> Panel {
    let latency = &source.analysis.latency;
    let by_bound = format!("sum by (le) ({})", rate(&source.own(metrics::AGE_BUCKET)));
    let quantiles =
        source.constant("quantiles").split(' ').filter_map(|one| Some((one, one.parse::<f64>().ok()?)));
    let objective = latency
        .objective
        .map_or_else(String::new, |p95| format!(" p95 should stay below {} (yellow).", p95.value));
    let above = latency
        .alert
        .map_or_else(String::new, |above| format!(" p95 above {} (red) calls somebody.", above.value));
    Panel {
        title: "Age when done",
        description: format!("From publication to effect.{objective}{above}"),
        unit: SECONDS,
        series: quantiles
            .map(|(one, share)| {
                (format!("histogram_quantile({one}, {by_bound})"), format!("p{}", share * 100.0))
            })
            .collect(),
        lines: age_lines(source),
    }
}

fn oldest(source: &Source<'_>) -> Panel {
    let alert = source.analysis.latency.alert.map(|above| (ALERT, above.value.as_secs_f64()));
    Panel {
        title: "Oldest message in hand",
        description: "Rises through a stall, in which nothing gets done and no age is measured.".to_owned(),
        unit: SECONDS,
        series: vec![(format!("max({})", source.own(metrics::OLDEST_HELD)), "oldest".to_owned())],
        lines: alert.into_iter().collect(),
    }
}

fn flow(source: &Source<'_>) -> Panel {
    let named = [
        (metrics::PRODUCED, "produced"),
        (metrics::SETTLED, "settled"),
        (metrics::DROPPED, "of these, dropped"),
        (metrics::DEAD_LETTERED, "of these, dead-lettered"),
    ];
    let known = if source.analysis.contract.dead_letter.given() { 4 } else { 3 };
    Panel {
        title: "Produced and settled",
        description: "Over a longer time both are equal, or messages pile up or get lost.".to_owned(),
        unit: PER_SECOND,
        series: named
            .iter()
            .take(known)
            .map(|(metric, legend)| (sum(&source.own(metric)), (*legend).to_owned()))
            .collect(),
        lines: Vec::new(),
    }
}

/// What waits, asked of the broker where it can say.
fn waiting(source: &Source<'_>) -> String {
    if source.rabbitmq() {
        format!("sum({})", source.queue(rabbitmq::READY))
    } else {
        format!("max({})", source.own(metrics::DEPTH))
    }
}

fn held(source: &Source<'_>) -> Panel {
    let in_flight = if source.rabbitmq() && source.analysis.contract.at_least_once() {
        source.queue(rabbitmq::UNACKED)
    } else {
        source.own(metrics::IN_FLIGHT)
    };
    Panel {
        title: "In the queue",
        description: "Messages that wait, and messages that a consumer holds.".to_owned(),
        unit: COUNT,
        series: vec![
            (waiting(source), "waiting".to_owned()),
            (format!("sum({in_flight})"), "in flight".to_owned()),
        ],
        lines: Vec::new(),
    }
}

fn attempts(source: &Source<'_>) -> Panel {
    let deliveries = source.analysis.retries.deliveries();
    let most =
        deliveries.map_or_else(String::new, |most| format!(" The contract allows {most} for one message."));
    let expr = format!("{} / {}", sum(&source.own(metrics::ATTEMPTS)), sum(&source.own(metrics::SETTLED)));
    Panel {
        title: "Attempts for each message",
        description: format!("One, where nothing fails.{most}"),
        unit: COUNT,
        series: vec![(expr, "attempts".to_owned())],
        lines: deliveries.map(|most| (ALERT, most as f64)).into_iter().collect(),
    }
}

fn retries(source: &Source<'_>) -> Panel {
    let by_class = format!("sum by (class) ({})", rate(&source.own(metrics::RETRIES)));
    Panel {
        title: "Retries and redeliveries",
        description: "Retries follow a failure of their class. Redeliveries come from the broker: a consumer died, lost its lock or its connection.".to_owned(),
        unit: PER_SECOND,
        series: vec![
            (by_class, "retried: {{class}}".to_owned()),
            (sum(&source.own(metrics::REDELIVERIES)), "redelivered".to_owned()),
        ],
        lines: Vec::new(),
    }
}

fn repeated(source: &Source<'_>) -> Panel {
    let named = [
        (metrics::DEDUPE_HITS, "known already"),
        (metrics::DEDUPE_ERRORS, "the store of keys failed"),
        (metrics::LOCK_LOST, "lock lost"),
    ];
    Panel {
        title: "Repeated messages",
        description: "A message that is known already changes nothing. A lock that is lost sends its message to a second consumer.".to_owned(),
        unit: PER_SECOND,
        series: named.map(|(metric, legend)| (sum(&source.own(metric)), legend.to_owned())).into(),
        lines: Vec::new(),
    }
}

fn utilisation(source: &Source<'_>) -> Panel {
    let expr = format!("sum({}) / sum({})", source.own(metrics::BUSY), source.own(metrics::WORKERS));
    let percent = crate::report::figures::percent;
    let stated = source
        .analysis
        .capacity
        .utilisation
        .map_or_else(String::new, |share| format!(" The contract's load makes {}.", percent(share)));
    Panel {
        title: "Workers at work",
        description: format!("The share of the workers that have a message.{stated}"),
        unit: SHARE,
        series: vec![(expr, "busy".to_owned())],
        lines: vec![(NOTICE, source.share("busy_share"))],
    }
}

fn workers(source: &Source<'_>) -> Panel {
    let capacity = &source.analysis.capacity;
    Panel {
        title: "Workers",
        description: format!(
            "The contract has {} workers; flow control may let fewer work.",
            capacity.workers
        ),
        unit: COUNT,
        series: vec![
            (format!("sum({})", source.own(metrics::WORKERS)), "may work".to_owned()),
            (format!("sum({})", source.own(metrics::BUSY)), "work".to_owned()),
        ],
        lines: vec![(NOTICE, f64::from(capacity.workers))],
    }
}

fn drain(source: &Source<'_>) -> Panel {
    let expr = format!(
        "{} / clamp_min({}, {})",
        waiting(source),
        sum(&source.own(metrics::SETTLED)),
        source.constant("least_rate")
    );
    Panel {
        title: "Time to handle what waits",
        description: "At the present rate. A message that comes now waits about as long.".to_owned(),
        unit: SECONDS,
        series: vec![(expr, "drained in".to_owned())],
        lines: age_lines(source),
    }
}

fn by_class(source: &Source<'_>) -> Panel {
    Panel {
        title: "New dead letters by class",
        description: "The class says what helps: the runbook has a line for each.".to_owned(),
        unit: PER_SECOND,
        series: vec![(
            format!("sum by (class) ({})", rate(&source.own(metrics::DEAD_LETTERED))),
            "{{class}}".to_owned(),
        )],
        lines: Vec::new(),
    }
}

fn dead_letters(source: &Source<'_>) -> Panel {
    let dead_letter = &source.analysis.contract.dead_letter;
    let depth = match &source.names.dead_letters {
        Some(queue) if source.rabbitmq() => metrics::of_queue(rabbitmq::MESSAGES, queue, super::CHOSEN),
        _ => source.own(metrics::DEAD_LETTERS),
    };
    let (many, said) = match dead_letter.alert.get() {
        Some(DeadLetterAlert::Any) => (None, " The first one calls somebody.".to_owned()),
        Some(DeadLetterAlert::Mapping(at)) => match at.messages.get().zip(at.within.get()) {
            Some((messages, within)) => (
                Some((NOTICE, *messages as f64)),
                format!(" {messages} more within {within} call somebody (yellow)."),
            ),
            None => (None, String::new()),
        },
        None => (None, String::new()),
    };
    let share = match dead_letter.full_alert.get() {
        Some(FullAlert::None) => None,
        Some(FullAlert::Scalar(share)) => Some(share.share()),
        None => Some(source.share("full_alert")),
    };
    let full = share.zip(dead_letter.max_messages.get()).map(|(share, most)| (ALERT, share * *most as f64));
    Panel {
        title: "Dead letters",
        description: format!("Messages that wait for a decision.{said}"),
        unit: COUNT,
        series: vec![(format!("max({depth})"), "dead letters".to_owned())],
        lines: many.into_iter().chain(full).collect(),
    }
}

fn oldest_dead_letter(source: &Source<'_>) -> Panel {
    let triage = source.analysis.contract.dead_letter.triage_within.get();
    let within =
        triage.map_or_else(String::new, |time| format!(" Each is decided on within {time} (yellow)."));
    Panel {
        title: "Oldest dead letter",
        description: format!("How long the oldest has waited.{within}"),
        unit: SECONDS,
        series: vec![(format!("max({})", source.own(metrics::DEAD_LETTER_OLDEST)), "oldest".to_owned())],
        lines: triage.map(|time| (NOTICE, time.as_secs_f64())).into_iter().collect(),
    }
}
