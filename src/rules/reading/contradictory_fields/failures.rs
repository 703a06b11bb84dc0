//! Answers to failures that exclude each other.

use super::{Contradiction, field, finding, named, section, written};
use crate::analysis::Analysis;
use crate::diagnostic::Diagnostic;
use crate::model::{Action, Backoff, BackoffChoice, FailureClass, Failures};
use crate::source::Span;
use crate::syntax::{Field, List, Opt, Section};

pub(super) const ALL: &[Contradiction] = &[retrying_without_retry, steps_and_formula, steps_and_count];

/// The classes with their names.
fn classes<'a>(analysis: &Analysis<'a>) -> impl Iterator<Item = (&'a str, &'a FailureClass)> {
    let classes = match analysis.contract.failures.get() {
        Some(Failures::Mapping(classes)) => classes,
        Some(Failures::Standard) | None => Section::empty(),
    };
    classes.iter().filter_map(|entry| Some((entry.name.as_str(), entry.value.get()?)))
}

/// The backoffs of redeliveries and of tries inside one delivery, with the number of retries beside each.
fn backoffs<'a>(analysis: &Analysis<'a>) -> impl Iterator<Item = (&'a Backoff, Option<(u32, Span)>)> {
    fn count<const R: bool>(field: &Field<u32, R>) -> Option<(u32, Span)> {
        field.get().map(|count| (*count, field.span()))
    }
    classes(analysis).flat_map(|(_, class)| {
        let between = match class.backoff.get() {
            Some(BackoffChoice::Mapping(backoff)) => Some((backoff, count(&class.max_retries))),
            Some(BackoffChoice::LockExpiry) | None => None,
        };
        let within: &Opt<Backoff> = &class.in_process.backoff;
        between.into_iter().chain(within.get().map(|backoff| (backoff, count(&class.in_process.max_retries))))
    })
}

/// What only a retry needs, in a class that does not retry.
fn retrying_without_retry(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (name, class) in classes(analysis) {
        let word = match class.action.get() {
            Some(Action::DeadLetter) => "dead-letter",
            Some(Action::Drop) => "drop",
            Some(Action::Retry) | None => continue,
        };
        let given = written([
            field("max_retries", &class.max_retries),
            section("backoff", &class.backoff),
            field("then", &class.then),
        ]);
        let Some(((_, first), others)) = given.split_first() else { continue };
        let verb = if others.is_empty() { "belongs" } else { "belong" };
        let mut one = finding(
            *first,
            format!("{} {verb} to a retry, but `{name}` is answered with `{word}`", named(&given)),
        )
        .at("never takes place")
        .label(class.action.span(), "at the first failure")
        .help(format!("remove {}, or write `action: retry`", named(&given)));
        for (_, span) in others {
            one = one.label(*span, "never takes place");
        }
        found.push(one);
    }
    found
}

/// Waits one by one together with the formula that they replace.
fn steps_and_formula(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let both = backoffs(analysis).filter(|(backoff, _)| backoff.steps.given());
    both.filter_map(|(backoff, _)| {
        let formula = written([
            field("initial", &backoff.initial),
            field("factor", &backoff.factor),
            field("cap", &backoff.cap),
        ]);
        let ((_, first), others) = formula.split_first()?;
        let mut one =
            finding(*first, format!("{} and `steps` both say how long a retry waits", named(&formula)))
                .at("not used beside `steps`")
                .label(backoff.steps.key(), "the waits one by one")
                .help(format!("remove {} or `steps`", named(&formula)));
        for (_, span) in others {
            one = one.label(*span, "not used beside `steps`");
        }
        Some(one)
    })
    .collect()
}

/// As many steps as retries, or the two disagree.
fn steps_and_count(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    backoffs(analysis)
        .filter_map(|(backoff, count)| {
            let (most, span) = count?;
            let steps = backoff.steps.get().map(List::len).filter(|steps| *steps > 0)?;
            (u32::try_from(steps) != Ok(most)).then(|| {
                let (retries, waits) =
                    (plural(u64::from(most), "retry", "retries"), plural(steps as u64, "wait", "waits"));
                finding(span, format!("`max_retries` says {retries}, but `steps` names {waits}"))
                    .at(retries)
                    .label(backoff.steps.span(), waits)
                    .help("write one step for each retry, or remove `max_retries`")
            })
        })
        .collect()
}

fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
