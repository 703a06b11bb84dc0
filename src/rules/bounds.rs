//! The rules that compare one value with a list of bounds: of each list one finding is given.
//!
//! What the lists hold, and what each entry needs, is `analysis::bounds`; here stands which rule
//! judges an entry, how much it matters, and what is said.

mod words;

use crate::analysis::Analysis;
use crate::analysis::bounds::{self, Bound, BoundId, BoundList, ListId};
use crate::analysis::term::Term;
use crate::diagnostic::{Applicability, Code, Diagnostic, Level};
use crate::model::Flow;
use crate::units::Duration;

use words::{Words, explain};

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
            BoundId::Retries
            | BoundId::Crashes
            | BoundId::ReplayWindow
            | BoundId::Replay
            | BoundId::Redrive
            | BoundId::Resend
            | BoundId::ResendHorizon
            | BoundId::HandlerMargin
            | BoundId::Buffer
            | BoundId::Outage => needs.is_some_and(|needs| value < needs),
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
    let needs =
        if bound.id == BoundId::Weekend { weekend(analysis, bound.needs()) } else { bound.needs()? };
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
    if let Some(note) = others(list, bound) {
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

/// The other entries of a list, in one line.
fn others(list: &BoundList, chosen: &Bound) -> Option<String> {
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
    if id == BoundId::ReplayWindow {
        BoundId::Replay.id()
    } else if id == BoundId::ResendHorizon {
        BoundId::Resend.id()
    } else {
        id.id()
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
