//! Statements about tables that are not ours to create: they stand in comments.

use super::{Line, Source, statements};
use crate::emit::Failure;
use crate::model::{Guard, Strategy};

/// What a strategy without a table of keys asks of the business tables.
pub(super) fn hints(source: &Source<'_>) -> Result<Vec<Line>, Failure> {
    let idempotency = &source.contract().idempotency;
    match idempotency.strategy.get() {
        Some(Strategy::StateGuard) => guard(source, &idempotency.guard),
        Some(Strategy::UniqueIndex) => Ok(unique(source).into_iter().collect()),
        Some(Strategy::DedupeTable | Strategy::Natural | Strategy::BrokerWindow | Strategy::None) | None => {
            Ok(Vec::new())
        }
    }
}

fn guard(source: &Source<'_>, guard: &Guard) -> Result<Vec<Line>, Failure> {
    let dialect = source.dialect;
    let fields = (guard.table.get(), guard.key.get(), guard.column.get(), guard.from.get(), guard.to.get());
    let (Some(table), Some(key), Some(column), Some(from), Some(to)) = fields else { return Ok(Vec::new()) };
    let (name, key_name) = (dialect.name(table.as_str()), dialect.word(key.as_str()));
    let state = dialect.word(column.as_str());
    let hole = if dialect == crate::emit::language::sql::Dialect::Postgres { "$1" } else { "?" };
    let update = format!(
        "update {name} set {state} = {} where {key_name} = {hole} and {state} = {}",
        source.text(to)?,
        source.text(from)?
    );
    let index = dialect.word(&dialect.derived(table.as_str(), "once"));
    Ok(vec![
        Line::new(
            "The guard is the consumer's own update, which changes a row once and then finds no row to change.",
            update,
        ),
        Line::new(
            "It needs the key to name one row. Where it is not the primary key already, your own migrations add this.",
            format!("create unique index {index} on {name} ({key_name})"),
        ),
    ])
}

fn unique(source: &Source<'_>) -> Option<Line> {
    let dialect = source.dialect;
    let idempotency = &source.contract().idempotency;
    let table = idempotency.store.table.get()?;
    let columns: Vec<&str> = idempotency.key_fields().map(|(field, _)| field.as_str()).collect();
    let index = dialect.word(&dialect.derived(table.as_str(), "once"));
    let sql = format!(
        "create unique index {index} on {} ({})",
        dialect.name(table.as_str()),
        statements::list(dialect, &columns)
    );
    Some(Line::new(
        "The row that the effect writes is the proof that it happened: your own migrations add this index.",
        sql,
    ))
}
