//! See `key_not_in_message.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{BaseType, FieldName, Message};
use crate::rules::{Check, Rule};
use crate::source::Span;
use crate::syntax::nearest::nearest;

use super::{transport_id_as_key, volatile_key};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK209",
    "key-not-in-message",
    Level::Error,
    include_str!("key_not_in_message.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let idempotency = &contract.idempotency;
    let guard = &idempotency.guard.key;
    let guard = guard.get().map(|name| (name, guard.span()));
    let mut fields: Vec<(&FieldName, Span)> = idempotency.key_fields().collect();
    fields.extend(guard.filter(|(name, _)| idempotency.key_fields().all(|(field, _)| field != *name)));
    for (name, span) in fields {
        if is_missing(&contract.message, name) {
            out.push(missing(&contract.message, name, span));
        } else if let Some(entry) = contract.message.known().named(name.as_str()) {
            if !entry.value.get().is_some_and(|field| field.optional) {
                continue;
            }
            let text = format!("`{name}` is part of the key, but a message may come without it");
            out.push(
                Diagnostic::new(RULE.code, span, text)
                    .at("may be absent")
                    .label(entry.value.span(), "optional")
                    .note("all messages without it have one key, and all but the first count as duplicates")
                    .help(format!("make `{name}` a field that every message has, or name another one")),
            );
        }
    }
}

/// Whether the fields of the message are known, and `name` is none of them, and no other rule says so.
pub(in crate::rules) fn is_missing(message: &Message, name: &FieldName) -> bool {
    // Behind a dot stands a part of an object, whose own fields a contract does not list.
    let inside_object = name
        .as_str()
        .split_once('.')
        .is_some_and(|(outer, _)| message.field(outer).is_some_and(|field| field.base == BaseType::Object));
    message.fields_known()
        && message.known().named(name.as_str()).is_none()
        && !inside_object
        && !transport_id_as_key::is_transport_id(message, name)
        && volatile_key::volatile(message, name).is_none()
}

fn missing(message: &Message, name: &FieldName, span: Span) -> Diagnostic {
    let finding = Diagnostic::new(
        RULE.code,
        span,
        format!("`{name}` is part of the key, but the message has no such field"),
    )
    .at(format!("not in {}", message.declared_in()))
    .label(message.declared_at(), "the fields of the message");
    let known = message.known().iter().map(|entry| entry.name.as_str());
    match nearest(name.as_str(), known).first() {
        Some(near) => finding
            .help(format!("write `{near}`, or add `{name}` to {}", message.declared_in()))
            .replace(Applicability::Unsafe, span, *near, format!("key: {name} -> {near}")),
        None => {
            finding.help(format!("add `{name}` to {}, or name a field that is there", message.declared_in()))
        }
    }
}
