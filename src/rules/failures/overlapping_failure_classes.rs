//! See `overlapping_failure_classes.md`.

use std::collections::BTreeMap;

use super::classes;
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK315",
    "overlapping-failure-classes",
    Level::Error,
    include_str!("overlapping_failure_classes.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let mut words: BTreeMap<&str, Vec<(&str, crate::source::Span)>> = BTreeMap::new();
    for (entry, class) in classes(analysis.contract) {
        for (word, span) in class.r#match.iter() {
            let places = words.entry(word.as_str()).or_default();
            // The same word twice in one class asks for one thing.
            if places.last().is_none_or(|(class, _)| *class != entry.name) {
                places.push((&entry.name, span));
            }
        }
    }
    for (word, places) in words {
        let [(first, first_span), (second, second_span), more @ ..] = places.as_slice() else { continue };
        let mut finding = Diagnostic::new(
            RULE.code,
            *second_span,
            format!("`{word}` belongs to `{first}` and to `{second}`"),
        )
        .at(format!("answered by `{second}` here"))
        .label(*first_span, format!("and by `{first}` here"))
        .help("leave the word in the class whose answer is meant");
        for (class, span) in more {
            finding = finding.label(*span, format!("and by `{class}` here"));
        }
        out.push(finding);
    }
}
