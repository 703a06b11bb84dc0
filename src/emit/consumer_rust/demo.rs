//! What the demonstration calls things, and the tables that it needs.

use serde::Serialize;

use super::handler::{Once, Table, columns, tables};
use super::{Done, Source, maybe, message, text};
use crate::emit::language::rust;
use crate::model::{EffectKind, Flow, Strategy};

/// What the template sees.
#[derive(Debug, Serialize)]
pub(super) struct Shape {
    messages: Done,
    moment: Done,
    outside: Done,
    recorded: Done,
    count: Done,
    seed: Done,
    lock: Done,
    verdicts: Vec<Done>,
    answered: Done,
    again: Done,
    tables: Vec<Done>,
    indexes: Vec<Done>,
}

/// What a story is told with.
struct Words {
    moment: String,
    outside: Option<String>,
    verdicts: [&'static str; 3],
    again: &'static str,
}

pub(super) fn shape(source: &Source<'_>, message: &message::Shape) -> Shape {
    let analysis = source.analysis;
    let tables = tables(analysis);
    let columns: Vec<String> = columns(analysis, message).into_iter().map(|(name, _)| name).collect();
    let words = words(source);
    let (who, what) = answered(source);
    let lock = analysis.timing.lock;
    let lock = lock.map_or_else(String::new, |lock| analysis.written(lock.value, lock.span));
    let indexed = tables.iter().filter(|table| table.once == Once::Index);
    Shape {
        messages: text(&messages(source)),
        moment: text(&words.moment),
        outside: maybe(words.outside.as_deref().map(rust::string)),
        recorded: text(&recorded(tables.first())),
        count: text(&count(source, tables.first())),
        seed: maybe(seed(source, &columns).as_deref().map(rust::string)),
        lock: text(&lock),
        verdicts: words.verdicts.into_iter().map(text).collect(),
        answered: Done::new(format!("({}, {})", rust::string(&who), rust::string(&what))),
        again: text(words.again),
        tables: tables.iter().map(|table| text(&create(source, table, &columns))).collect(),
        indexes: indexed.map(|table| text(&index(table, &columns))).collect(),
    }
}

/// "payments" for a queue of money that is called payment-capture.
fn messages(source: &Source<'_>) -> String {
    let contract = source.analysis.contract;
    let first = contract.name().split(['-', '_', '.']).next().unwrap_or_default();
    if contract.is(Flow::Money) && !first.is_empty() { format!("{first}s") } else { "messages".to_owned() }
}

fn words(source: &Source<'_>) -> Words {
    let external = source.effects(EffectKind::External);
    let Some(first) = external.first() else {
        return Words {
            moment: "before the commit for the first, after it and before the acknowledgement for the \
                     others: the worst moment of each"
                .to_owned(),
            outside: None,
            verdicts: inside_verdicts(source),
            again: "done",
        };
    };
    let card = source.analysis.contract.is(Flow::Money) && first.contains("capture");
    if card {
        return Words {
            moment: "after the card was charged and before the ledger was written: the worst moment"
                .to_owned(),
            outside: Some("cards charged".to_owned()),
            verdicts: ["charged, never booked", "charged twice", "reconciled"],
            again: "charged",
        };
    }
    Words {
        moment: format!("after `{first}` was done and before it was written down: the worst moment"),
        outside: Some("done outside".to_owned()),
        verdicts: ["done, never recorded", "done twice", "reconciled"],
        again: "done",
    }
}

fn inside_verdicts(source: &Source<'_>) -> [&'static str; 3] {
    match source.analysis.contract.idempotency.strategy.get() {
        // The guard is in the handler's own statement, so it holds in all three.
        Some(Strategy::StateGuard) => ["lost", "met the guard", "met the guard"],
        _ => ["lost", "done twice", "done once"],
    }
}

/// Who answers, and what: ("the gateway", "captured") for gateway-capture.
fn answered(source: &Source<'_>) -> (String, String) {
    let external = source.effects(EffectKind::External);
    let name = external.first().copied().unwrap_or_default();
    match name.rsplit_once('-') {
        Some((who, act)) if act.ends_with('e') => {
            (format!("the {}", who.replace('-', " ")), format!("{act}d"))
        }
        _ => ("the world outside".to_owned(), "done".to_owned()),
    }
}

/// The widest label of a line of the ledger.
const LABEL: usize = 16;

fn recorded(table: Option<&Table>) -> String {
    let words = table.map(|table| table.name.replace(['_', '.'], " "));
    words.filter(|words| words.len() <= LABEL).unwrap_or_else(|| "effects recorded".to_owned())
}

/// SQL as `SQLite` reads it: the demonstration has no other engine.
fn name(name: &str) -> String {
    format!("\"{name}\"")
}

fn names(columns: &[String]) -> String {
    columns.iter().map(|column| name(column)).collect::<Vec<_>>().join(", ")
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn count(source: &Source<'_>, table: Option<&Table>) -> String {
    let contract = source.analysis.contract;
    let Some(table) = table else {
        // Nothing is recorded but that it succeeded.
        let status = contract.status.table.get().map_or("ackord_status", |table| table.as_str());
        return format!("select count(*) from {} where state = 'succeeded'", name(status));
    };
    let counted = format!("select count(*) from {}", name(&table.name));
    if table.once != Once::Guard {
        return counted;
    }
    let guard = &contract.idempotency.guard;
    let column = guard.column.get().map_or("", |column| column.as_str());
    let to = guard.to.get().map_or("", String::as_str);
    format!("{counted} where {} = {}", name(column), quoted(to))
}

fn create(source: &Source<'_>, table: &Table, columns: &[String]) -> String {
    let mut all = names(columns);
    if table.once == Once::Guard {
        let column = source.analysis.contract.idempotency.guard.column.get();
        all = format!("{all}, {}", name(column.map_or("", |column| column.as_str())));
    }
    format!("create table if not exists {} ({all})", name(&table.name))
}

fn index(table: &Table, columns: &[String]) -> String {
    let index = name(&format!("{}_once", table.name));
    format!("create unique index if not exists {index} on {} ({})", name(&table.name), names(columns))
}

/// The row in its state before, which a guard needs.
fn seed(source: &Source<'_>, columns: &[String]) -> Option<String> {
    let idempotency = &source.analysis.contract.idempotency;
    let guard =
        idempotency.guard.get().filter(|_| idempotency.strategy.get() == Some(&Strategy::StateGuard))?;
    let (table, column) = (guard.table.get()?.as_str(), guard.column.get()?.as_str());
    let from = quoted(guard.from.get().map_or("", String::as_str));
    let (table, key, column) = (name(table), names(columns), name(column));
    Some(format!("insert into {table} ({key}, {column}) values (?, {from})"))
}
