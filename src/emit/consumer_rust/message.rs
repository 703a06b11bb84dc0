//! The message as a type, and one to try with.

use serde::Serialize;

use super::{Done, text};
use crate::analysis::Analysis;
use crate::emit::language::rust;
use crate::model::{BaseType, Contract, FieldType};

/// What the templates see of the message.
#[derive(Debug, Serialize)]
pub(super) struct Shape {
    title: Done,
    pub(super) fields: Vec<Field>,
    /// Whether no fields are known.
    open: bool,
    samples: Vec<Sample>,
}

#[derive(Debug, Serialize)]
pub(super) struct Field {
    #[serde(skip)]
    pub(super) written: String,
    #[serde(skip)]
    pub(super) of: FieldType,
    name: Done,
    pub(super) ident: Done,
    kind: Done,
    renamed: bool,
    remark: Done,
}

#[derive(Debug, Serialize)]
struct Sample {
    name: Done,
    value: Done,
}

pub(super) fn shape(analysis: &Analysis<'_>) -> Shape {
    let message = &analysis.contract.message;
    let known = message.known().iter().filter_map(|entry| Some((entry.name.clone(), entry.value.get()?)));
    let known: Vec<(String, FieldType)> = known.map(|(name, of)| (name, of.clone())).collect();
    let idents = rust::distinct(known.iter().map(|(name, _)| rust::snake(name)));
    let fields = known.iter().zip(idents).map(|((name, of), ident)| field(name, of, ident)).collect();
    let title = match (message.name.get(), analysis.contract.summary.get()) {
        (Some(name), Some(summary)) => format!("{}. {}", rust::code(name), rust::comment(summary)),
        (Some(name), None) => format!("{}.", rust::code(name)),
        (None, Some(summary)) => rust::comment(summary),
        (None, None) => "A message.".to_owned(),
    };
    Shape {
        title: Done::new(title),
        fields,
        open: known.is_empty(),
        samples: samples(analysis.contract, &known),
    }
}

fn field(name: &str, of: &FieldType, ident: String) -> Field {
    let base = match of.base {
        BaseType::String | BaseType::Timestamp | BaseType::Uuid | BaseType::Decimal => "String",
        BaseType::Integer => "i64",
        BaseType::Number => "f64",
        BaseType::Boolean => "bool",
        BaseType::Object => "serde_json::Map<String, Value>",
    };
    let list = if of.list { format!("Vec<{base}>") } else { base.to_owned() };
    let kind = if of.optional { format!("Option<{list}>") } else { list };
    Field {
        written: name.to_owned(),
        of: of.clone(),
        name: text(name),
        renamed: ident != name,
        ident: Done::new(ident),
        kind: Done::new(kind),
        remark: Done::new(format!("{}: {of}.", rust::code(name))),
    }
}

/// Every field that is known, and those that the contract speaks of.
fn samples(contract: &Contract, known: &[(String, FieldType)]) -> Vec<Sample> {
    let mut all: Vec<(String, FieldType)> = known.to_vec();
    let own = FieldType { optional: false, list: false, base: BaseType::String };
    for name in spoken_of(contract) {
        if !all.iter().any(|(known, _)| *known == name) {
            all.push((name, own.clone()));
        }
    }
    let version = &contract.message.schema_version;
    let says_version = version.field.get().map(|field| field.as_str());
    let current = version.current.get().copied().unwrap_or(1);
    let value = |name: &str, of: &FieldType| {
        if says_version == Some(name) {
            return rust::number(u64::from(current));
        }
        let base = sample(name, of.base);
        if of.list { format!("[{base}]") } else { base }
    };
    all.iter().map(|(name, of)| Sample { name: text(name), value: Done::new(value(name, of)) }).collect()
}

fn spoken_of(contract: &Contract) -> Vec<String> {
    let message = &contract.message;
    let ids = [message.event_id.get(), message.business_id.get()].into_iter().flatten();
    let keys = contract.idempotency.key_fields().map(|(field, _)| field);
    let guard = contract.idempotency.guard.key.get();
    ids.chain(keys).chain(guard).map(|field| field.as_str().to_owned()).collect()
}

/// An expression for a value of the type that differs from one `number` to the next.
fn sample(name: &str, base: BaseType) -> String {
    match base {
        BaseType::String => format!("format!({})", rust::string(&format!("{}_{{number:04}}", prefix(name)))),
        BaseType::Uuid => "format!(\"00000000-0000-4000-8000-{number:012x}\")".to_owned(),
        BaseType::Integer => "number".to_owned(),
        BaseType::Number => "1.5".to_owned(),
        BaseType::Boolean => "true".to_owned(),
        BaseType::Timestamp => "\"2030-01-01T00:00:00Z\"".to_owned(),
        BaseType::Decimal => "\"10.00\"".to_owned(),
        BaseType::Object => "{}".to_owned(),
    }
}

/// The initials of a field that names something, as ids are usually written: `pi` for `payment_intent_id`.
fn prefix(name: &str) -> String {
    let snake = rust::snake(name);
    let words: Vec<&str> = snake.split('_').filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [words @ .., "id"] if !words.is_empty() => {
            words.iter().filter_map(|word| word.chars().next()).collect()
        }
        _ => snake,
    }
}
