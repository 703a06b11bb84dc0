//! The usual effects on a table, in the words of each engine.

use crate::handler::Applied;
use crate::store::{StoreError, Transaction, Value, insert_once};

/// Columns with their values.
pub type Row<'a> = Vec<(&'a str, Value)>;

/// Adds a row.
///
/// # Errors
///
/// What the store says.
pub async fn insert(
    transaction: &mut dyn Transaction,
    table: &str,
    row: &Row<'_>,
) -> Result<Applied, StoreError> {
    let dialect = transaction.dialect();
    let (columns, values): (Vec<String>, Vec<Value>) = row
        .iter()
        .map(|(column, value)| (dialect.column(column), value.clone()))
        .unzip();
    let holes = vec!["?"; columns.len()].join(", ");
    let sql = format!(
        "insert into {} ({}) values ({holes})",
        dialect.name(table),
        columns.join(", ")
    );
    transaction
        .execute(&sql, &values)
        .await
        .map(Applied::by_rows)
}

/// Adds a row, or does nothing where a unique index has its key: the row itself says that it was done.
///
/// # Errors
///
/// What the store says.
pub async fn insert_or_nothing(
    transaction: &mut dyn Transaction,
    table: &str,
    row: &Row<'_>,
) -> Result<Applied, StoreError> {
    let dialect = transaction.dialect();
    let columns: Vec<String> = row
        .iter()
        .map(|(column, _)| dialect.column(column))
        .collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let values: Vec<Value> = row.iter().map(|(_, value)| value.clone()).collect();
    let inserted = insert_once(transaction, table, &columns, &values).await?;
    Ok(if inserted {
        Applied::Yes
    } else {
        Applied::NoOp
    })
}

/// Changes the state of one row, if it is still in the state before: whoever comes second finds nothing to
/// change.
///
/// # Errors
///
/// What the store says.
pub async fn transition(
    transaction: &mut dyn Transaction,
    table: &str,
    key: &Row<'_>,
    column: &str,
    (from, to): (&str, &str),
) -> Result<Applied, StoreError> {
    let dialect = transaction.dialect();
    let column = dialect.column(column);
    let mut sql = format!(
        "update {} set {column} = ? where {column} = ?",
        dialect.name(table)
    );
    let mut values: Vec<Value> = vec![to.into(), from.into()];
    for (name, value) in key {
        sql.push_str(&format!(" and {} = ?", dialect.column(name)));
        values.push(value.clone());
    }
    transaction
        .execute(&sql, &values)
        .await
        .map(Applied::by_rows)
}
