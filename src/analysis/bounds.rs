//! What a value must outlive, as lists: one list for each value that is judged.
//!
//! The rules that judge a value are one function over its list and give one finding; `inspect` and
//! the runbook print the same list.

use crate::model::{RedriveWithin, Strategy, Ttl};
use crate::source::Span;
use crate::units::Duration;

use super::Analysis;
use super::term::{Term, sum};

/// Which value a list judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListId {
    /// `idempotency.ttl`: how long a key lives.
    Key,
    /// `processing.lock.timeout`: how long a message is held.
    Lock,
    /// `retention`: how long the queue keeps a message.
    Retention,
    /// `dead_letter.retention`: how long a dead letter is kept.
    DeadLetter,
}

/// What a value must outlive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BoundId {
    Retries,
    Crashes,
    ReplayWindow,
    Replay,
    Redrive,
    Resend,
    ResendHorizon,
    Handler,
    HandlerMargin,
    Buffer,
    InProcess,
    TimeToDeadLetter,
    Outage,
    Weekend,
    Triage,
}

impl BoundId {
    /// The stable name in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::Retries => "retries",
            Self::Crashes => "crashes",
            Self::ReplayWindow => "replay-window",
            Self::Replay => "replay",
            Self::Redrive => "redrive",
            Self::Resend => "resend",
            Self::ResendHorizon => "resend-horizon",
            Self::Handler => "handler",
            Self::HandlerMargin => "handler-margin",
            Self::Buffer => "buffer",
            Self::InProcess => "in-process",
            Self::TimeToDeadLetter => "time-to-dlq",
            Self::Outage => "outage",
            Self::Weekend => "weekend",
            Self::Triage => "triage",
        }
    }
}

/// One entry of a list.
#[derive(Debug, Clone)]
pub struct Bound {
    /// What it is.
    pub id: BoundId,
    /// The terms whose sum must be outlived, or the field that is missing to know it.
    pub terms: Result<Vec<Term>, &'static str>,
}

impl Bound {
    /// What must be outlived, where it is known.
    pub fn needs(&self) -> Option<Duration> {
        self.terms.as_deref().ok().map(sum)
    }
}

/// A value with all that it must outlive.
#[derive(Debug, Clone)]
pub struct BoundList {
    /// Which value it is.
    pub id: ListId,
    /// The value; `None` where it is not known, or lasts for ever.
    pub value: Option<Duration>,
    /// Where it stands.
    pub span: Span,
    /// Behind the value, where it came from: ", the default of SQS".
    pub aside: String,
    /// Whether it lasts for ever.
    pub forever: bool,
    /// The entries, in the order in which they are reported.
    pub entries: Vec<Bound>,
}

/// The field that a bound on redeliveries most likely lacks.
fn missing_for_bound(analysis: &Analysis<'_>) -> &'static str {
    if analysis.retries.redeliveries.is_none() {
        return if analysis.contract.failures.given() { "redelivery.max_retries" } else { "failures" };
    }
    if analysis.timing.stay.is_none() { "processing.duration.p99" } else { "processing.lock.timeout" }
}

/// What a dedupe key must outlive; nothing where there is no table of keys or no second delivery.
pub fn key(analysis: &Analysis<'_>) -> Option<BoundList> {
    let contract = analysis.contract;
    let idempotency = &contract.idempotency;
    let table = idempotency.strategy.get() == Some(&Strategy::DedupeTable);
    if !table || !contract.at_least_once() {
        return None;
    }
    let (value, forever) = match idempotency.ttl.get() {
        Some(Ttl::Scalar(ttl)) => (Some(*ttl), false),
        Some(Ttl::Forever) => (None, true),
        None => (None, false),
    };
    let missing = missing_for_bound(analysis);
    let bound = analysis.retries.bound.clone().ok_or(missing);
    let crashes = |name, count| {
        analysis.retries.bound_total().map(|x| Term::derived(name, x).times(count)).ok_or(missing)
    };
    let margin = Term::derived("margin", analysis.policy.margin);
    let mut entries = Vec::new();
    if let Some(terms) = retries(analysis) {
        entries.push(Bound { id: BoundId::Retries, terms: Ok(terms) });
    } else if !analysis.retries.classes.is_empty() {
        entries.push(Bound { id: BoundId::Retries, terms: Err("processing.lock.timeout") });
    }
    entries.push(Bound { id: BoundId::Crashes, terms: bound });
    if let Some(window) = contract.replay.window.get().filter(|_| contract.replay.verifies()) {
        let window = Term { span: contract.replay.window.span(), ..Term::derived("window", *window) };
        entries.push(Bound { id: BoundId::ReplayWindow, terms: Ok(vec![window]) });
        let duration = analysis.capacity.replay.map(|time| Term::derived("replaying it", time));
        let terms = crashes("crashes", 2)
            .and_then(|crashes| Ok(vec![window, duration.ok_or(missing_for_load(analysis))?, crashes]));
        entries.push(Bound { id: BoundId::Replay, terms });
    }
    let dead_letter = &contract.dead_letter;
    if dead_letter.redrive.get() == Some(&true) {
        let kept = match dead_letter.redrive_within.get() {
            Some(RedriveWithin::Ttl) => Ok(Vec::new()),
            Some(RedriveWithin::Scalar(within)) => Ok(vec![Term {
                span: dead_letter.redrive_within.span(),
                ..Term::derived("redrive within", *within)
            }]),
            None => match dead_letter.retention.get() {
                Some(kept) => Ok(vec![Term {
                    span: dead_letter.retention.span(),
                    ..Term::derived("DLQ retention", *kept)
                }]),
                None => Err("dead_letter.retention"),
            },
        };
        let terms = kept.and_then(|mut terms| {
            terms.push(crashes("crashes", 2)?);
            Ok(terms)
        });
        entries.push(Bound { id: BoundId::Redrive, terms });
    }
    if let Some(within) = contract.producer.resend_within.get() {
        let within =
            Term { span: contract.producer.resend_within.span(), ..Term::derived("within", *within) };
        entries.push(Bound { id: BoundId::Resend, terms: Ok(vec![within, margin]) });
        let horizon = crashes("crashes", 1).map(|crashes| vec![within, margin, crashes]);
        entries.push(Bound { id: BoundId::ResendHorizon, terms: horizon });
    }
    Some(BoundList {
        id: ListId::Key,
        value,
        span: idempotency.ttl.span(),
        aside: String::new(),
        forever,
        entries,
    })
}

fn missing_for_load(analysis: &Analysis<'_>) -> &'static str {
    if analysis.capacity.load.is_none() {
        "processing.load"
    } else if analysis.capacity.per_second.is_none() {
        "processing.duration.mean"
    } else {
        "capacity above the load"
    }
}

/// The shorter of the rule of thumb and the upper bound; the rule of thumb where only that is known.
fn retries(analysis: &Analysis<'_>) -> Option<Vec<Term>> {
    let chain = analysis.retries.chain.clone()?;
    match &analysis.retries.bound {
        Some(bound) if sum(bound) < sum(&chain) => Some(bound.clone()),
        Some(_) | None => Some(chain),
    }
}

/// What a lock must outlast.
pub fn lock(analysis: &Analysis<'_>) -> Option<BoundList> {
    let timing = &analysis.timing;
    if analysis.contract.at_most_once() {
        return None;
    }
    let missing = "processing.duration.p99";
    let mut entries = Vec::new();
    let work = timing
        .work
        .map(|work| vec![Term::known(if timing.work_is_limited { "handler timeout" } else { "p99" }, work)]);
    entries.push(Bound { id: BoundId::Handler, terms: work.ok_or(missing) });
    if let Some(p99) = timing.p99.filter(|_| !timing.work_is_limited) {
        entries.push(Bound { id: BoundId::HandlerMargin, terms: Ok(vec![Term::known("p99", p99).times(3)]) });
    }
    let stay = timing.stay.map(|_| stay_terms(analysis)).ok_or(missing);
    entries.push(Bound { id: BoundId::Buffer, terms: stay });
    if let Some(inside) = timing.under_lock {
        let terms = timing.p99.map(|p99| {
            let waits = Term { span: inside.span, ..Term::derived("waits", inside.waits) };
            vec![Term::known("p99", p99).times(inside.tries), waits]
        });
        entries.push(Bound { id: BoundId::InProcess, terms: terms.ok_or(missing) });
    }
    let lock = timing.lock;
    Some(BoundList {
        id: ListId::Lock,
        value: lock.map(|lock| lock.value),
        span: lock.map_or(Span::default(), |lock| lock.span),
        aside: lock.map_or_else(String::new, |lock| lock.aside()),
        forever: timing.renewed,
        entries,
    })
}

/// batch window + what was fetched before + the work on the message itself.
fn stay_terms(analysis: &Analysis<'_>) -> Vec<Term> {
    let timing = &analysis.timing;
    let processing = &analysis.contract.processing;
    let mut terms = Vec::new();
    if let Some(window) = processing.batch.window.get() {
        terms.push(Term { span: processing.batch.window.span(), ..Term::derived("batch window", *window) });
    }
    if let (Some(buffer), Some(p99), Some(work)) = (timing.buffer, timing.p99, timing.work) {
        let before = (buffer - p99.value).ratio(p99.value).round() as u64;
        if before > 0 {
            terms.push(Term::known("p99", p99).times(before));
        }
        terms.push(Term::known(if timing.work_is_limited { "handler timeout" } else { "p99" }, work));
    }
    terms
}

/// What the queue's retention must outlast.
pub fn retention(analysis: &Analysis<'_>) -> Option<BoundList> {
    let contract = analysis.contract;
    if contract.at_most_once() {
        return None;
    }
    let worst = analysis.retries.worst_to_dead_letter;
    let terms = worst.map(|worst| vec![Term::derived("the worst way to the dead letters", worst)]);
    let mut entries =
        vec![Bound { id: BoundId::TimeToDeadLetter, terms: terms.ok_or(missing_for_bound(analysis)) }];
    if let Some(outage) = contract.outage.get() {
        let outage = Term { span: contract.outage.span(), ..Term::derived("outage", *outage) };
        let drain = analysis.capacity.drain.map(|drain| Term::derived("drain", drain));
        let terms = drain.map(|drain| vec![outage, drain]).ok_or(missing_for_load(analysis));
        entries.push(Bound { id: BoundId::Outage, terms });
    }
    Some(BoundList {
        id: ListId::Retention,
        value: contract.retention.get().copied(),
        span: contract.retention.span(),
        aside: String::new(),
        forever: false,
        entries,
    })
}

/// What the retention of the dead letters must outlast.
pub fn dead_letter(analysis: &Analysis<'_>) -> Option<BoundList> {
    let contract = analysis.contract;
    if !contract.dead_letter.given() || contract.at_most_once() {
        return None;
    }
    let dead_letter = &contract.dead_letter;
    let triage = dead_letter
        .triage_within
        .get()
        .map(|time| Term { span: dead_letter.triage_within.span(), ..Term::derived("triage", *time) })
        .ok_or("dead_letter.triage_within");
    let weekend = Term::derived("weekend", analysis.policy.weekend);
    let entries = vec![
        Bound { id: BoundId::Weekend, terms: triage.map(|triage| vec![weekend, triage]) },
        Bound { id: BoundId::Triage, terms: triage.map(|triage| vec![triage]) },
    ];
    Some(BoundList {
        id: ListId::DeadLetter,
        value: dead_letter.retention.get().copied(),
        span: dead_letter.retention.span(),
        aside: String::new(),
        forever: false,
        entries,
    })
}
