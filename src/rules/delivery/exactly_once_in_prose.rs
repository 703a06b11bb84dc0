//! See `exactly_once_in_prose.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};
use crate::source::Span;

use promises::{Promise, promises};

mod promises;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK102",
    "exactly-once-in-prose",
    Level::Warning,
    include_str!("exactly_once_in_prose.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let texts = [
        ("queue", contract.queue.span()),
        ("summary", contract.summary.span()),
        ("name", contract.message.name.span()),
        ("description", contract.message.description.span()),
        ("reason", contract.delivery.reason.span()),
    ];
    for (field, place) in texts {
        // The text as it stands in the file, so that the words themselves can be pointed at.
        let text = analysis.sources.slice(place);
        for (promise, range) in promises(text) {
            let words = text.get(range.clone()).unwrap_or("");
            let start = place.start as usize;
            let span = Span::new(place.file, start + range.start, start + range.end);
            out.push(judge(analysis, field, promise, words, span));
        }
    }
}

fn judge(analysis: &Analysis<'_>, field: &str, promise: Promise, words: &str, span: Span) -> Diagnostic {
    let guarantee = &analysis.contract.delivery.guarantee;
    let finding = match promise {
        Promise::ExactlyOnce => Diagnostic::new(
            RULE.code,
            span,
            format!("`{words}` in `{field}` is a promise that no queue can keep"),
        )
        .at("whoever reads this stops asking what happens on a repeat")
        .help(format!("write what holds: {}", what_holds(analysis))),
        Promise::Experience => Diagnostic::new(
            RULE.code,
            span,
            format!("`{words}` in `{field}` promises what people notice, not what is delivered"),
        )
        .at("it allows the same thing twice in front of a person")
        .help("write how often the message is delivered, and apart from it what a person gets: one, or none"),
    };
    finding.label(guarantee.span(), "what is delivered")
}

fn what_holds(analysis: &Analysis<'_>) -> String {
    let contract = analysis.contract;
    if contract.at_most_once() {
        return "delivered at most once".to_owned();
    }
    let key: Vec<&str> = contract.idempotency.key_fields().map(|(field, _)| field.as_str()).collect();
    match key.as_slice() {
        [] => "delivered at least once; what makes a repeat harmless is `idempotency`".to_owned(),
        [field] => format!("delivered at least once; each {field} takes effect once"),
        fields => format!("delivered at least once; each ({}) takes effect once", fields.join(", ")),
    }
}
