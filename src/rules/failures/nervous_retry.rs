//! See `nervous_retry.md`.

use super::{classes, count_retries};
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Action, BackoffChoice, FailureClass};
use crate::rules::{Check, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK311",
    "nervous-retry",
    Level::Warning,
    include_str!("nervous_retry.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    if analysis.contract.at_most_once() {
        return;
    }
    for (entry, class) in classes(analysis.contract).filter(|(entry, _)| entry.name == "transient") {
        let Some((retries, place)) = retries(class) else { continue };
        let inside = class.in_process.max_retries.get().map_or(0, |retries| u64::from(*retries));
        if (retries + 1) * (inside + 1) > 2 {
            continue;
        }
        let given_up = match retries + inside {
            0 => "at its first failure".to_owned(),
            n => format!("after {}", count_retries(n)),
        };
        out.push(
            Diagnostic::new(RULE.code, place, format!("`transient` gives a message up {given_up}"))
                .at("a restart of the other side takes longer")
                .label(entry.key, "failures that pass by themselves")
                .help("write `max_retries: 5` with a backoff that outlasts an ordinary restart"),
        );
    }
}

/// How often the message is given back, and the place that says so; nothing where no limit is known.
fn retries(class: &FailureClass) -> Option<(u64, Span)> {
    match class.action.get()? {
        Action::DeadLetter => Some((0, class.action.span())),
        // A drop is judged by the rule on dropped messages.
        Action::Drop => None,
        Action::Retry => match class.backoff.get() {
            Some(BackoffChoice::Mapping(backoff)) if !backoff.steps.is_empty() => {
                Some((backoff.steps.len() as u64, backoff.steps.span()))
            }
            _ => class.max_retries.get().map(|retries| (u64::from(*retries), class.max_retries.span())),
        },
    }
}
