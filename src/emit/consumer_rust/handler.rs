//! The user's own files, as they are before the user has written a line.

use serde::Serialize;

use super::message::{self, Field};
use super::{Done, Source, text};
use crate::analysis::Analysis;
use crate::emit::language::rust;
use crate::emit::shared::in_words;
use crate::model::{BaseType, EffectKind, Strategy};

/// What the templates see of the effects.
#[derive(Debug, Serialize)]
pub(super) struct Shape {
    #[serde(rename = "handler_imports")]
    imports: Done,
    outside: Outside,
    inside: Inside,
    question: Done,
}

#[derive(Debug, Serialize)]
struct Outside {
    names: Done,
    name: Done,
    missing: Done,
    question: Done,
}

#[derive(Debug, Serialize)]
struct Inside {
    names: Done,
    key: Done,
    /// The names of parameters: with an underscore where they are not used.
    message: Done,
    context: Done,
    lines: Vec<Done>,
}

/// A table that an effect writes, and how a second time is noticed there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) once: Once,
}

/// What makes a row of a table appear once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Once {
    /// The key in the table of keys.
    Key,
    /// A unique index.
    Index,
    /// The state before.
    Guard,
}

/// The tables of the effects, the one that decides first.
pub(super) fn tables(analysis: &Analysis<'_>) -> Vec<Table> {
    let contract = analysis.contract;
    let idempotency = &contract.idempotency;
    let strategy = idempotency.strategy.get();
    let decides = match strategy {
        Some(Strategy::UniqueIndex) => idempotency.store.table.get(),
        Some(Strategy::StateGuard) => idempotency.guard.table.get(),
        Some(Strategy::DedupeTable | Strategy::Natural | Strategy::BrokerWindow | Strategy::None) | None => {
            None
        }
    };
    let once = match strategy {
        Some(Strategy::StateGuard) => Once::Guard,
        Some(Strategy::UniqueIndex | Strategy::Natural) => Once::Index,
        Some(Strategy::DedupeTable | Strategy::BrokerWindow | Strategy::None) | None => Once::Key,
    };
    let mut tables: Vec<Table> =
        decides.map(|table| Table { name: table.as_str().to_owned(), once }).into_iter().collect();
    for (effect, _) in contract.effects() {
        if effect.kind.get() != Some(&EffectKind::Database) {
            continue;
        }
        let named = effect.table.get().map(|table| table.as_str().to_owned());
        let name = named.or_else(|| effect.name.get().map(|name| rust::snake(name.as_str())));
        let Some(name) = name.filter(|name| !tables.iter().any(|table| table.name == *name)) else {
            continue;
        };
        // Behind a table that decides, the others are written only if it said yes.
        let once = if strategy == Some(&Strategy::Natural) { Once::Index } else { Once::Key };
        tables.push(Table { name, once });
    }
    tables
}

/// The columns that hold the key, and where their values come from.
pub(super) fn columns(analysis: &Analysis<'_>, message: &message::Shape) -> Vec<(String, String)> {
    let idempotency = &analysis.contract.idempotency;
    let guard =
        idempotency.guard.key.get().filter(|_| idempotency.strategy.get() == Some(&Strategy::StateGuard));
    let names: Vec<&str> = match guard {
        Some(key) => vec![key.as_str()],
        None => idempotency.key_fields().map(|(field, _)| field.as_str()).collect(),
    };
    let read = |name: &&str| {
        let field = message.fields.iter().find(|field| field.written == **name)?;
        Some(((*name).to_owned(), value(field)?))
    };
    let all: Option<Vec<_>> = names.iter().map(read).collect();
    let whole = || {
        let name = names.first().filter(|_| names.len() == 1).map_or("act", |name| *name);
        vec![(name.to_owned(), "(&context.key).into()".to_owned())]
    };
    all.filter(|all| !all.is_empty()).unwrap_or_else(whole)
}

/// The field as a value of the store, where it is a plain one.
fn value(field: &Field) -> Option<String> {
    let plain = !field.of.optional && !field.of.list;
    let name = &field.ident;
    match field.of.base {
        BaseType::String | BaseType::Uuid | BaseType::Decimal | BaseType::Timestamp if plain => {
            Some(format!("(&message.{}).into()", name.as_str()))
        }
        BaseType::Integer if plain => Some(format!("message.{}.into()", name.as_str())),
        BaseType::String
        | BaseType::Uuid
        | BaseType::Decimal
        | BaseType::Timestamp
        | BaseType::Integer
        | BaseType::Number
        | BaseType::Boolean
        | BaseType::Object => None,
    }
}

pub(super) fn shape(source: &Source<'_>, message: &message::Shape) -> Shape {
    let analysis = source.analysis;
    let tables = tables(analysis);
    let columns = columns(analysis, message);
    let of_message = columns.iter().any(|(_, value)| value.contains("message."));
    let pairs: Vec<String> =
        columns.iter().map(|(name, value)| format!("({}, {value})", rust::string(name))).collect();
    let external = source.effects(EffectKind::External);
    let used: &[&str] = match (tables.is_empty(), external.is_empty()) {
        (true, _) => &["Context", "Done"],
        (false, true) => &["Applied", "Context"],
        (false, false) => &["Applied", "Context", "Done"],
    };
    let unused = |used: bool, name: &str| Done::new(if used { name.to_owned() } else { format!("_{name}") });
    Shape {
        imports: Done::new(format!("{{{}}}", used.join(", "))),
        outside: outside(&external),
        inside: Inside {
            names: Done::new(rust::comment(&in_words(names(source, &tables)))),
            key: Done::new(pairs.join(", ")),
            message: unused(of_message, "message"),
            context: unused(!of_message, "context"),
            lines: lines(analysis, &tables),
        },
        question: Done::new(rust::comment(&question(analysis))),
    }
}

fn outside(names: &[&str]) -> Outside {
    let all = in_words(names);
    Outside {
        names: Done::new(rust::comment(&all)),
        name: text(&all),
        missing: text(&format!("{all}: the client is not written yet")),
        question: text(&format!("{all}: the question is not written yet")),
    }
}

/// The effects by their names; where the contract names none, the tables.
fn names(source: &Source<'_>, tables: &[Table]) -> Vec<String> {
    let named = source.effects(EffectKind::Database);
    if named.is_empty() {
        return tables.iter().map(|table| table.name.clone()).collect();
    }
    named.into_iter().map(str::to_owned).collect()
}

/// What the contract says is asked outside.
fn question(analysis: &Analysis<'_>) -> String {
    let mut questions = analysis.contract.effects().filter_map(|(effect, _)| effect.reconcile.get());
    let question = questions.next().map_or("asks what became of it", String::as_str);
    let mut letters = question.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The statements of `record`.
fn lines(analysis: &Analysis<'_>, tables: &[Table]) -> Vec<Done> {
    let mut lines = Vec::new();
    for table in tables {
        let name = rust::string(&table.name);
        let call = match table.once {
            Once::Key => {
                lines.push(format!("effect::insert(transaction, {name}, &key).await?;"));
                continue;
            }
            Once::Index => format!("effect::insert_or_nothing(transaction, {name}, &key).await?"),
            Once::Guard => {
                let guard = &analysis.contract.idempotency.guard;
                let said = |field: Option<&str>| rust::string(field.unwrap_or_default());
                let column = said(guard.column.get().map(|column| column.as_str()));
                let from = said(guard.from.get().map(String::as_str));
                let to = said(guard.to.get().map(String::as_str));
                format!("effect::transition(transaction, {name}, &key, {column}, ({from}, {to})).await?")
            }
        };
        lines.push(format!("let applied = {call};"));
        lines.push("if applied == Applied::NoOp {".to_owned());
        lines.push("    return Ok(applied);".to_owned());
        lines.push("}".to_owned());
    }
    lines.push("Ok(Applied::Yes)".to_owned());
    lines.into_iter().map(Done::new).collect()
}
