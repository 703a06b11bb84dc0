//! `SQLite`: one writer at a time, and no server.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::sqlite::{SqliteArguments, SqliteSynchronous};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow};
use sqlx::{Arguments as _, AssertSqlSafe, Column as _, Row as _, Sqlite as Engine, SqlitePool};
use sqlx::{TypeInfo as _, ValueRef as _};

use super::{Dialect, Row, Store, StoreError, Transaction, Value};

/// A database in a file.
#[derive(Debug)]
pub struct Sqlite {
    pool: SqlitePool,
}

impl Sqlite {
    /// Opens the database in `file`, and makes it where there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or is no database.
    pub async fn open(file: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            pool: pool(file).await.map_err(failed)?,
        })
    }
}

/// Connections to a file, as the embedded queue wants them, too.
///
/// The log is synced at checkpoints: a commit survives the death of the process at any moment, and the
/// database stays whole if the power fails, though the last commits may be gone then.
pub(crate) async fn pool(file: &Path) -> Result<SqlitePool, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(Duration::from_secs(10));
    SqlitePoolOptions::new()
        .max_connections(8)
        .connect_with(options)
        .await
}

#[async_trait]
impl Store for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    async fn begin(&self) -> Result<Box<dyn Transaction>, StoreError> {
        // At once as a writer: a reader that becomes one may find that somebody else was faster.
        let transaction = self
            .pool
            .begin_with("begin immediate")
            .await
            .map_err(failed)?;
        Ok(Box::new(Open(transaction)))
    }

    async fn concerns(&self, _tables: &[&str]) -> Result<Vec<String>, StoreError> {
        let mode: String = sqlx::query_scalar("pragma journal_mode")
            .fetch_one(&self.pool)
            .await
            .map_err(failed)?;
        let safe = mode == "wal" || mode == "delete";
        Ok(if safe {
            Vec::new()
        } else {
            vec![format!("journal_mode is {mode}, not wal")]
        })
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}

/// A transaction.
struct Open(sqlx::Transaction<'static, Engine>);

#[async_trait]
impl Transaction for Open {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let query = sqlx::query_with(AssertSqlSafe(sql.to_owned()), arguments(values)?);
        let done = query.execute(&mut *self.0).await.map_err(failed)?;
        Ok(done.rows_affected())
    }

    async fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let query = sqlx::query_with(AssertSqlSafe(sql.to_owned()), arguments(values)?);
        let rows = query.fetch_all(&mut *self.0).await.map_err(failed)?;
        rows.iter().map(row).collect()
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.0.commit().await.map_err(failed)
    }

    async fn rollback(self: Box<Self>) -> Result<(), StoreError> {
        self.0.rollback().await.map_err(failed)
    }
}

fn arguments(values: &[Value]) -> Result<SqliteArguments, StoreError> {
    let mut arguments = SqliteArguments::default();
    for value in values {
        let added = match value.clone() {
            Value::Null => arguments.add(None::<String>),
            Value::Integer(value) => arguments.add(value),
            Value::Real(value) => arguments.add(value),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
        };
        added.map_err(|error| StoreError::Refused(error.to_string()))?;
    }
    Ok(arguments)
}

fn row(row: &SqliteRow) -> Result<Row, StoreError> {
    let value = |at: usize| -> Result<Value, sqlx::Error> {
        let raw = row.try_get_raw(at)?;
        if raw.is_null() {
            return Ok(Value::Null);
        }
        // The type of the value itself: a column of this engine may hold any.
        Ok(match raw.type_info().name() {
            "INTEGER" | "BOOLEAN" => Value::Integer(row.try_get(at)?),
            "REAL" => Value::Real(row.try_get(at)?),
            "BLOB" => Value::Bytes(row.try_get(at)?),
            _ => Value::Text(row.try_get(at)?),
        })
    };
    let columns = row.columns().iter().map(|column| value(column.ordinal()));
    columns.collect::<Result<_, _>>().map(Row).map_err(failed)
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what `map_err` hands over"
)]
fn failed(error: sqlx::Error) -> StoreError {
    match &error {
        sqlx::Error::Database(said) if is_busy(said.code().as_deref()) => {
            StoreError::Busy(error.to_string())
        }
        sqlx::Error::Database(said)
            if said.constraint().is_some() || said.is_unique_violation() =>
        {
            StoreError::Constraint(error.to_string())
        }
        sqlx::Error::Database(_) | sqlx::Error::ColumnDecode { .. } => {
            StoreError::Refused(error.to_string())
        }
        _ => StoreError::Busy(error.to_string()),
    }
}

/// `SQLITE_BUSY` and `SQLITE_LOCKED`, with their extended codes.
fn is_busy(code: Option<&str>) -> bool {
    let code: i32 = code.and_then(|code| code.parse().ok()).unwrap_or(0);
    matches!(code & 0xff, 5 | 6)
}
