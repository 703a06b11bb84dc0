//! See `untraced_business_id.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::rules::{Check, Rule};
use crate::syntax::nearest::nearest;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK910",
    "untraced-business-id",
    Level::Warning,
    include_str!("untraced_business_id.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let message = &contract.message;
    let Some(id) = message.business_id.get().filter(|_| message.fields_known()) else { return };
    // The same field in the key is reported there, as what makes the key empty.
    let in_key = contract.idempotency.key_fields().any(|(field, _)| field == id);
    if in_key || message.known().named(id.as_str()).is_some() {
        return;
    }
    let span = message.business_id.span();
    let finding = Diagnostic::new(
        RULE.code,
        span,
        format!("the business id `{id}` is not a field of the message, so nothing can be traced by it"),
    )
    .at("not among the fields")
    .label(message.declared_at(), "the fields of the message");
    let names = message.known().iter().map(|entry| entry.name.as_str());
    out.push(match nearest(id.as_str(), names).first() {
        Some(near) => finding.help(format!("write `{near}` if that is meant")).replace(
            Applicability::Unsafe,
            span,
            *near,
            format!("business_id: {id} -> {near}"),
        ),
        None => finding.help(format!(
            "add `{id}` to {}, or name the field that identifies one business act",
            message.declared_in()
        )),
    });
}
