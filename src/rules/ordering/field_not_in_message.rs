//! See `field_not_in_message.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::FieldName;
use crate::rules::idempotency::is_missing;
use crate::rules::{Check, Rule};
use crate::syntax::Opt;
use crate::syntax::nearest::nearest;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK509",
    "field-not-in-message",
    Level::Error,
    include_str!("field_not_in_message.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let order = contract.order().map(|order| (&order.key, "the ordering key"));
    let staleness = &contract.staleness;
    let others = [
        (&staleness.timestamp, "the timestamp"),
        (&staleness.sequence, "the sequence"),
        (&contract.message.schema_version.field, "the version field"),
    ];
    for (field, role) in order.into_iter().chain(others) {
        out.extend(missing(analysis, field, role));
    }
}

fn missing(analysis: &Analysis<'_>, field: &Opt<FieldName>, role: &str) -> Option<Diagnostic> {
    let message = &analysis.contract.message;
    let name = field.get().filter(|name| is_missing(message, name))?;
    let finding = Diagnostic::new(
        RULE.code,
        field.span(),
        format!("`{name}` is {role}, but the message has no such field"),
    )
    .at(format!("not in {}", message.declared_in()))
    .label(message.declared_at(), "the fields of the message");
    let known = message.known().iter().map(|entry| entry.name.as_str());
    Some(match nearest(name.as_str(), known).first() {
        Some(near) => finding
            .help(format!("write `{near}`, or add `{name}` to {}", message.declared_in()))
            .replace(Applicability::Unsafe, field.span(), *near, format!("{name} -> {near}")),
        None => {
            finding.help(format!("add `{name}` to {}, or name a field that is there", message.declared_in()))
        }
    })
}
