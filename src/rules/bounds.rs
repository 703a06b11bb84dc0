//! The rules that compare one value with a list of bounds: of each list one finding is given.
//!
//! What the lists hold, and what each entry needs, is `analysis::bounds`; here stands which rule
//! judges an entry, how much it matters, and what is said.

use crate::analysis::Analysis;
use crate::analysis::bounds::{self, Bound, BoundId, BoundList, ListId};
use crate::analysis::term::{self, Term};
use crate::diagnostic::{Applicability, Code, Diagnostic, Level};
use crate::model::Flow;
use crate::units::Duration;

/// An entry of a list that its value does not outlive.
#[derive(Debug, Clone, Copy)]
pub struct Failing {
    /// The rule that says so.
    pub code: Code,
    /// How much it matters in this flow.
    pub level: Level,
    /// Which entry it is.
    entry: usize,
}

/// The lists of a contract.
pub fn lists(analysis: &Analysis<'_>) -> impl Iterator<Item = BoundList> {
    [
        bounds::key(analysis),
        bounds::lock(analysis),
        bounds::retention(analysis),
        bounds::dead_letter(analysis),
    ]
    .into_iter()
    .flatten()
}

/// The entries of `list` that its value does not outlive.
pub fn failing(analysis: &Analysis<'_>, list: &BoundList) -> Vec<Failing> {
    let Some(value) = list.value.filter(|_| !list.forever) else { return Vec::new() };
    let fails = |(entry, bound): (usize, &Bound)| {
        let needs = bound.needs();
        let broken = match bound.id {
            // A value that only equals these leaves nothing for the message itself.
            BoundId::Handler | BoundId::InProcess | BoundId::TimeToDeadLetter | BoundId::Triage => {
                needs.is_some_and(|needs| value <= needs)
            }
            BoundId::Weekend => value < weekend(analysis, needs),
            _ => needs.is_some_and(|needs| value < needs),
        };
        let (code, level) = judged_by(analysis, bound.id);
        broken.then_some(Failing { code: Code(code), level, entry })
    };
    list.entries.iter().enumerate().filter_map(fails).collect()
}

/// The least retention of dead letters: over a weekend, and the organisation's own least.
fn weekend(analysis: &Analysis<'_>, needs: Option<Duration>) -> Duration {
    needs.unwrap_or_default().max(analysis.policy.least_dead_letter_retention)
}

/// The rule that judges an entry, and how much it matters in this flow.
fn judged_by(analysis: &Analysis<'_>, id: BoundId) -> (&'static str, Level) {
    match id {
        BoundId::Retries => ("AK201", Level::Error),
        BoundId::Crashes => ("AK202", Level::Warning),
        BoundId::ReplayWindow if analysis.contract.replay.expects_no_effect() => ("AK203", Level::Error),
        BoundId::ReplayWindow | BoundId::Replay => ("AK203", Level::Warning),
        BoundId::Redrive if analysis.contract.is(Flow::Money) => ("AK204", Level::Warning),
        BoundId::Redrive => ("AK204", Level::Note),
        BoundId::Resend => ("AK205", Level::Warning),
        BoundId::ResendHorizon => ("AK205", Level::Note),
        BoundId::Handler => ("AK701", Level::Error),
        BoundId::HandlerMargin => ("AK702", Level::Warning),
        BoundId::Buffer => ("AK703", Level::Error),
        BoundId::InProcess => ("AK316", Level::Error),
        BoundId::TimeToDeadLetter => ("AK309", Level::Error),
        BoundId::Outage => ("AK915", Level::Error),
        BoundId::Weekend => ("AK405", Level::Warning),
        BoundId::Triage => ("AK410", Level::Error),
    }
}

/// The one finding for the entries that are left: of the highest level, and of equal level the first.
pub fn finding(analysis: &Analysis<'_>, list: &BoundList, failing: &[Failing]) -> Option<Diagnostic> {
    let worst = failing.iter().map(|one| one.level).max()?;
    let chosen = failing.iter().find(|one| one.level == worst)?;
    let bound = list.entries.get(chosen.entry)?;
    let value = list.value?;
    let shown = analysis.written(value, list.span);
    let terms = bound.terms.as_deref().unwrap_or(&[]);
    let needs = match bound.id {
        BoundId::Weekend => weekend(analysis, bound.needs()),
        _ => bound.needs()?,
    };
    let words = Words { analysis, shown: &shown, aside: &list.aside, needs, value };
    let mut finding = Diagnostic::new(chosen.code, list.span, words.message(bound))
        .at(words.label(bound))
        .level(chosen.level);
    for (term, text) in terms.iter().filter_map(|term| Some((term, explain(analysis, list.id, term)?))) {
        if term.name == "cap" {
            let (span, count) = retries_of(analysis, term);
            finding = finding.label(span, format!("{},", redeliveries(count)));
        } else if term.name == "lock" && term.count > 1 && list.id == ListId::Key {
            let span = analysis.retries.redeliveries.map_or(list.span, |known| known.span);
            finding = finding.label(span, redeliveries(term.count));
        }
        finding = finding.label(term.span, text);
    }
    if let Some(note) = words.derivation(bound, terms) {
        finding = finding.note(note);
    }
    if let Some(note) = others(analysis, list, bound) {
        finding = finding.note(note);
    }
    Some(propose(analysis, list, failing, finding))
}

/// `5 redeliveries`, `1 redelivery`.
fn redeliveries(count: u64) -> String {
    if count == 1 { "1 redelivery".to_owned() } else { format!("{count} redeliveries") }
}

/// Where the number of retries stands whose cap went into `term`.
fn retries_of(analysis: &Analysis<'_>, term: &Term) -> (crate::source::Span, u64) {
    let class = analysis
        .retries
        .classes
        .iter()
        .find(|class| class.waits.cap().span == term.span && class.retries() == term.count);
    class.map_or((Default::default(), term.count), |class| (class.max_retries.span, class.retries()))
}

/// What a label says at a term; `None` leaves the term without a label.
fn explain(analysis: &Analysis<'_>, list: ListId, term: &Term) -> Option<String> {
    let value = || analysis.written(term.value, term.span);
    let text = match term.name {
        "lock" if matches!(term.origin, crate::resolve::Origin::Broker(_)) => {
            format!("a dead consumer holds it {}", words_of(term))
        }
        "lock" => "a dead consumer holds it this long".to_owned(),
        "hold" => format!("renewed, a dead consumer holds it up to {}", term.value),
        "cap" => format!("each after a wait of up to {}", value()),
        "handler" | "handler timeout" => "one delivery is worked on this long".to_owned(),
        "p99" if list == ListId::Lock => "a slow message takes this long".to_owned(),
        "p99" => "the last delivery is worked on this long".to_owned(),
        "window" => "a replay reaches back this far".to_owned(),
        "DLQ retention" => "a dead letter is kept this long".to_owned(),
        "redrive within" => "a dead letter may be put back this late".to_owned(),
        "within" => "the producer may send again this late".to_owned(),
        "batch window" => "a batch waits this long until it is full".to_owned(),
        "waits" => "tries in the process".to_owned(),
        "outage" => "the outage to be survived".to_owned(),
        "triage" => "the deadline for a decision".to_owned(),
        _ => return None,
    };
    Some(text)
}

fn words_of(term: &Term) -> String {
    match term.origin {
        crate::resolve::Origin::Broker(fact) => {
            format!("{}, the default of {}", term.value, fact.broker.title())
        }
        crate::resolve::Origin::Written | crate::resolve::Origin::Derived => term.value.to_string(),
    }
}

/// What a finding of a list says.
struct Words<'a> {
    analysis: &'a Analysis<'a>,
    shown: &'a str,
    aside: &'a str,
    needs: Duration,
    value: Duration,
}

impl Words<'_> {
    fn message(&self, bound: &Bound) -> String {
        let (shown, aside) = (self.shown, self.aside);
        let needs = self.needs.need();
        let written = |index: usize| {
            let term = bound.terms.as_deref().ok().and_then(|terms| terms.get(index));
            term.map_or_else(|| needs.to_string(), |term| self.analysis.written(term.value, term.span))
        };
        match bound.id {
            BoundId::Retries => format!(
                "keys expire after {shown}, but a redelivery can come {needs} after the first delivery"
            ),
            BoundId::Crashes => format!(
                "keys expire after {shown}, but after crashes a redelivery can come {needs} after the first delivery"
            ),
            BoundId::ReplayWindow => {
                format!("keys expire after {shown}, but a replay reaches back {}", written(0))
            }
            BoundId::Replay => format!(
                "keys expire after {shown}, but a replayed message can come {needs} after its first delivery"
            ),
            BoundId::Redrive => format!(
                "keys expire after {shown}, but a dead letter can be handled again {needs} after its first delivery"
            ),
            BoundId::Resend => format!(
                "keys expire after {shown}, but the producer may send the same act again after {needs}"
            ),
            BoundId::ResendHorizon => format!(
                "keys expire after {shown}, but a repeated send can still be redelivered after {needs}"
            ),
            BoundId::Handler => format!(
                "the lock of {shown}{aside} runs out while a handler may still work for {}",
                self.exact(bound)
            ),
            BoundId::HandlerMargin => format!(
                "the lock of {shown}{aside} is less than three times the p99 of {}, and nothing stops a slow handler",
                written(0)
            ),
            BoundId::Buffer => format!(
                "the lock of {shown}{aside} runs out while a fetched message may still wait and be handled for {needs}"
            ),
            BoundId::InProcess => {
                format!("the lock of {shown}{aside} runs out while a handler tries again for {needs}")
            }
            BoundId::TimeToDeadLetter => {
                format!("the queue keeps a message for {shown}, but its retries can take {needs}")
            }
            BoundId::Outage => format!(
                "the queue keeps a message for {shown}, but an outage of {} and the backlog behind it last {needs}",
                written(0)
            ),
            BoundId::Weekend => format!(
                "dead letters are kept for {shown}, which is less than the {needs} that a weekend and triage take"
            ),
            BoundId::Triage => {
                format!("triage may take {}, but a dead letter is kept for {shown}", written(0))
            }
        }
    }

    /// A single written term as the user wrote it, else the need.
    fn exact(&self, bound: &Bound) -> String {
        match bound.terms.as_deref() {
            Ok([term]) if term.count == 1 => self.analysis.written(term.value, term.span),
            _ => self.needs.need().to_string(),
        }
    }

    fn label(&self, bound: &Bound) -> String {
        let short = (self.needs - self.value).need();
        match bound.id {
            _ if self.aside.is_empty() => match bound.id {
                BoundId::Handler | BoundId::HandlerMargin | BoundId::Buffer | BoundId::InProcess
                    if short.is_zero() =>
                {
                    "not a moment longer".to_owned()
                }
                BoundId::Retries
                | BoundId::Crashes
                | BoundId::ReplayWindow
                | BoundId::Replay
                | BoundId::Redrive
                | BoundId::Resend
                | BoundId::ResendHorizon => format!("expires {short} too early"),
                _ if short.is_zero() => "no longer than that".to_owned(),
                _ => format!("{short} too short"),
            },
            _ => format!("{}{}", self.value, self.aside),
        }
    }

    fn derivation(&self, bound: &Bound, terms: &[Term]) -> Option<String> {
        let name = match bound.id {
            BoundId::Retries if terms.iter().any(|term| term.name == "cap") => "retry chain",
            BoundId::Retries | BoundId::Crashes => "longest redelivery",
            BoundId::Replay => "replay",
            BoundId::Redrive => "redrive",
            BoundId::Resend => "resend",
            BoundId::ResendHorizon => "resend and its redeliveries",
            BoundId::Buffer => "fetch to settle",
            BoundId::InProcess => "tries under the lock",
            BoundId::HandlerMargin => "three times p99",
            BoundId::Outage => "outage and drain",
            BoundId::Weekend => "weekend and triage",
            BoundId::ReplayWindow | BoundId::Handler | BoundId::TimeToDeadLetter | BoundId::Triage => {
                return None;
            }
        };
        let written = |value, span| self.analysis.written(value, span);
        (!terms.is_empty())
            .then(|| format!("{name} = {} = {}", term::in_note(terms, written), self.needs.need()))
    }
}

/// The other entries of a list, in one line.
fn others(analysis: &Analysis<'_>, list: &BoundList, chosen: &Bound) -> Option<String> {
    let _ = analysis;
    let rest =
        shown(list).filter(|bound| bound.id != chosen.id && word(bound.id) != word(chosen.id)).map(|bound| {
            match bound.needs() {
                Some(needs) => format!("{} {}", word(bound.id), needs.need()),
                None => format!(
                    "{} unknown: needs `{}`",
                    word(bound.id),
                    bound.terms.as_ref().err().copied().unwrap_or("")
                ),
            }
        });
    let rest: Vec<String> = rest.collect();
    let field = match list.id {
        ListId::Key => "`ttl` must also outlive",
        ListId::Lock | ListId::Retention | ListId::DeadLetter => return None,
    };
    (!rest.is_empty()).then(|| format!("{field}: {}", rest.join(", ")))
}

/// The entries that a person is shown: those that another one contains are left out.
pub fn shown(list: &BoundList) -> impl Iterator<Item = &Bound> {
    list.entries.iter().filter(|bound| !matches!(bound.id, BoundId::ReplayWindow | BoundId::ResendHorizon))
}

/// What an entry is called in a sentence.
fn word(id: BoundId) -> &'static str {
    match id {
        BoundId::ReplayWindow => "replay",
        BoundId::ResendHorizon => "resend",
        _ => id.id(),
    }
}

/// Adds what to write instead.
fn propose(
    analysis: &Analysis<'_>,
    list: &BoundList,
    failing: &[Failing],
    finding: Diagnostic,
) -> Diagnostic {
    let needs = |one: &Failing| {
        let bound = list.entries.get(one.entry)?;
        let needs = bound.needs();
        if bound.id == BoundId::Weekend { Some(weekend(analysis, needs)) } else { needs }
    };
    let worth = |one: &&Failing| {
        one.level >= Level::Warning || failing.iter().all(|other| other.level == Level::Note)
    };
    let Some(largest) = failing.iter().filter(worth).filter_map(needs).max() else { return finding };
    let mut proposal = largest.round_proposal();
    if proposal <= largest && matches!(list.id, ListId::Lock | ListId::Retention) {
        proposal = (largest + Duration::from_secs(1)).round_proposal();
    }
    let (field, what) = match list.id {
        ListId::Key => ("ttl", covered(list, proposal)),
        ListId::Lock => return lock_help(list, proposal, finding),
        ListId::Retention => ("retention", String::new()),
        ListId::DeadLetter => ("dead_letter.retention", String::new()),
    };
    let key = field.rsplit('.').next().unwrap_or(field);
    let old = analysis.written(list.value.unwrap_or_default(), list.span);
    finding.help(format!("raise `{field}` to {proposal}{what}")).replace(
        Applicability::Unsafe,
        list.span,
        proposal.to_string(),
        format!("{key}: {old} -> {proposal}"),
    )
}

/// A longer lock, where it is written; elsewhere a fix would have to invent a place.
fn lock_help(list: &BoundList, proposal: Duration, finding: Diagnostic) -> Diagnostic {
    let value = list.value.unwrap_or_default();
    if !list.aside.is_empty() {
        return finding.help(format!(
            "write `processing.lock.timeout: {proposal}` and set it at the broker, or shorten the work"
        ));
    }
    finding.help(format!("raise the lock to {proposal}, or shorten the work")).replace(
        Applicability::Unsafe,
        list.span,
        proposal.to_string(),
        format!("lock: {value} -> {proposal}"),
    )
}

/// `, which covers all five`.
fn covered(list: &BoundList, proposal: Duration) -> String {
    let all: Vec<&Bound> = shown(list).collect();
    let missed = all
        .iter()
        .filter(|bound| bound.needs().is_none_or(|needs| needs > proposal))
        .map(|bound| word(bound.id));
    let missed: Vec<&str> = missed.collect();
    if !missed.is_empty() {
        return format!(", which covers all but {}", missed.join(" and "));
    }
    match all.len() {
        0 | 1 => String::new(),
        2 => ", which covers both".to_owned(),
        count => {
            let words = ["three", "four", "five"];
            format!(", which covers all {}", words.get(count - 3).copied().unwrap_or("of them"))
        }
    }
}
