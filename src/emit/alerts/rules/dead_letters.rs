//! Messages that could not be handled.

use super::super::super::language::promql::{duration, seconds};
use super::super::super::metrics::{self, rabbitmq};
use super::super::Source;
use super::{Rules, Told, part};
use crate::model::{DeadLetterAlert, FullAlert};
use crate::report::figures::percent;
use crate::syntax::Opt;
use crate::units::trim;

pub(super) fn rules(rules: &mut Rules<'_>) {
    let contract = rules.source.analysis.contract;
    let dead_letter = &contract.dead_letter;
    if !dead_letter.given() {
        return;
    }
    let on_call = if dead_letter.on_call.given() { &dead_letter.on_call } else { &contract.on_call };
    first(rules);
    many(rules, on_call);
    full(rules, on_call);
    overdue(rules);
}

/// How many dead letters there are: asked of the broker where it can say.
pub(in super::super) fn depth(source: &Source<'_>) -> String {
    match &source.names.dead_letters {
        Some(queue) if source.rabbitmq() => metrics::of_queue(rabbitmq::MESSAGES, queue, ""),
        _ => source.own(metrics::DEAD_LETTERS, ""),
    }
}

/// From which share of what fits in on somebody is paged.
pub(in super::super) fn full_share(source: &Source<'_>) -> Option<f64> {
    match source.analysis.contract.dead_letter.full_alert.get() {
        Some(FullAlert::None) => None,
        Some(FullAlert::Scalar(share)) => Some(share.share()),
        None => Some(source.share("full_alert")),
    }
}

fn one() -> Told {
    Told {
        summary: "there is a dead letter".to_owned(),
        means: "A message could not be handled and waits for a decision.".to_owned(),
        action: "Read it, and decide what becomes of it.".to_owned(),
        part: part::DEAD_LETTERS,
    }
}

fn first(rules: &mut Rules<'_>) {
    let source = rules.source;
    let expr = format!("max({}) > 0", depth(source));
    rules.ticket("QueueDeadLetter", &source.analysis.contract.dead_letter.owner, expr, one());
}

fn many(rules: &mut Rules<'_>, on_call: &Opt<String>) {
    let source = rules.source;
    let depth = depth(source);
    let at = match source.analysis.contract.dead_letter.alert.get() {
        Some(DeadLetterAlert::Mapping(at)) => at.messages.get().zip(at.within.get()),
        Some(DeadLetterAlert::Any) => {
            rules.page("QueueDeadLetters", on_call, format!("max({depth}) > 0"), one());
            return;
        }
        None => None,
    };
    let Some((messages, within)) = at.filter(|(_, within)| !within.is_zero()) else { return };
    let told = Told {
        summary: format!("{messages} more dead letters within {within}"),
        means: "This is no single bad message: something that every message needs is failing.".to_owned(),
        action: "Find the failing class, and stop its cause before anything is put back.".to_owned(),
        part: part::DEAD_LETTERS,
    };
    let expr = format!("max({depth} - min_over_time({depth}[{}])) >= {messages}", duration(*within));
    rules.page("QueueDeadLetters", on_call, expr, told);
}

fn full(rules: &mut Rules<'_>, on_call: &Opt<String>) {
    let source = rules.source;
    let most = source.analysis.contract.dead_letter.max_messages.get();
    let Some((share, most)) = full_share(source).zip(most) else { return };
    let told = Told {
        summary: "the dead letters are nearly full".to_owned(),
        means: format!(
            "Of {most} dead letters that fit in, {} are there. What comes once it is full is lost or blocks the queue.",
            percent(share)
        ),
        action: "Decide on the oldest; raise the limit only to gain time.".to_owned(),
        part: part::DEAD_LETTERS,
    };
    let expr = format!("max({}) >= {} * {most}", depth(source), trim(share));
    rules.page("QueueDeadLettersFull", on_call, expr, told);
}

fn overdue(rules: &mut Rules<'_>) {
    let source = rules.source;
    let dead_letter = &source.analysis.contract.dead_letter;
    let Some(triage) = dead_letter.triage_within.get() else { return };
    let oldest = source.own(metrics::DEAD_LETTER_OLDEST, "");
    let told = Told {
        summary: "a dead letter waits for too long".to_owned(),
        means: format!("The oldest dead letter should have been decided on within {triage}."),
        action: "Decide on the oldest first.".to_owned(),
        part: part::DEAD_LETTERS,
    };
    rules.ticket(
        "QueueDeadLetterOverdue",
        &dead_letter.owner,
        format!("max({oldest}) > {}", seconds(*triage)),
        told,
    );
}
