//! See `retried_poison.md`.

use super::classes;
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Action, FailureClass};
use crate::rules::{Check, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK302",
    "retried-poison",
    Level::Error,
    include_str!("retried_poison.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    if analysis.contract.at_most_once() {
        return;
    }
    for (entry, class) in classes(analysis.contract) {
        let Some(place) = retried(class) else { continue };
        if entry.name == "poison" {
            out.push(
                Diagnostic::new(RULE.code, place, "`poison` is retried, and fails again each time")
                    .at("the message stays as it is")
                    .label(class.max_retries.span(), "each of them in vain")
                    .help("write `action: dead-letter`, without retries and `then`"),
            );
            continue;
        }
        for (word, span) in class.r#match.iter().filter(|(word, _)| refuses_the_request(word.as_str())) {
            out.push(
                Diagnostic::new(
                    RULE.code,
                    span,
                    format!("`{}` retries `{word}`, which blames the request", entry.name),
                )
                .at("the same request gets the same answer")
                .label(place, "retried here")
                .note("of all 4xx only 408, 425 and 429 ask to come again")
                .help("move the word to `poison`, or to `business` where a refusal is an outcome")
                .level(Level::Warning),
            );
        }
    }
}

/// The place that asks for another try, at the broker or inside the delivery.
fn retried(class: &FailureClass) -> Option<Span> {
    let inside = &class.in_process.max_retries;
    if class.action.get() == Some(&Action::Retry) {
        return Some(class.action.span());
    }
    inside.get().filter(|retries| **retries > 0).map(|_| inside.span())
}

/// Whether the word is a 4xx status that no later try changes; `http-4xx` stands for all of them.
fn refuses_the_request(word: &str) -> bool {
    let Some(status) = word.strip_prefix("http-4") else { return false };
    let known = status == "xx" || (status.len() == 2 && status.bytes().all(|digit| digit.is_ascii_digit()));
    known && !matches!(status, "08" | "25" | "29")
}
