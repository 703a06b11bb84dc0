//! What a store has to be able to do.
//!
//! An implementation is a file in `store/` behind a cargo feature, and small: it runs statements within
//! transactions. Dedupe, status and watermarks are written once, above it, in SQL that all three engines
//! read; where they differ, [`Dialect`] decides. So every engine has the same order of steps.
//!
//! What an implementation must keep:
//!
//! - A transaction that is dropped is rolled back.
//! - Isolation is `read committed` or stronger, and an insert that meets an uncommitted row with the same
//!   key waits for the other transaction to end.
//! - A commit that returned is on disk.
//! - A deadlock, a serialisation failure or a busy database is [`StoreError::Busy`]: the whole transaction
//!   may be tried again.

pub mod sqlite;

use async_trait::async_trait;

/// A database, for the time of a process.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// How its SQL differs.
    fn dialect(&self) -> Dialect;

    /// Begins a transaction that will write.
    async fn begin(&self) -> Result<Box<dyn Transaction>, StoreError>;

    /// What in its settings would make a commit untrue, such as a table that is not logged: empty where
    /// all is well. `tables` are those of the contract. Start-up refuses where there is something.
    async fn concerns(&self, tables: &[&str]) -> Result<Vec<String>, StoreError>;

    /// Lets go of its connections.
    async fn close(&self);
}

/// A transaction. Dropped, it is rolled back.
#[async_trait]
pub trait Transaction: Send {
    /// How the SQL differs.
    fn dialect(&self) -> Dialect;

    /// Runs a statement and says how many rows it changed: for an update, the rows that it found. Each `?`
    /// stands for a value; [`Dialect::placeholders`] turns them into what the engine reads. [`Value::Null`]
    /// must fit a column of any type.
    async fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError>;

    /// Runs a query and returns all rows.
    async fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError>;

    /// Makes it last.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;

    /// Undoes it.
    async fn rollback(self: Box<Self>) -> Result<(), StoreError>;
}

/// Inserts a row, or says that its key is taken. Waits for another transaction that is about to insert it.
///
/// # Errors
///
/// What the store says, but for a key that is taken.
pub async fn insert_once(
    transaction: &mut dyn Transaction,
    table: &str,
    columns: &[&str],
    values: &[Value],
) -> Result<bool, StoreError> {
    let dialect = transaction.dialect();
    match transaction
        .execute(&dialect.insert_or_nothing(table, columns), values)
        .await
    {
        Ok(rows) => Ok(rows > 0),
        Err(StoreError::Constraint(_)) if dialect == Dialect::Mysql => Ok(false),
        Err(error) => Err(error),
    }
}

/// How the SQL of an engine differs from that of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `PostgreSQL`.
    Postgres,
    /// `MySQL` and `MariaDB`.
    Mysql,
    /// `SQLite`.
    Sqlite,
}

impl Dialect {
    /// `sql` with placeholders as the engine reads them. A `?` inside quotes stays what it is.
    #[must_use]
    pub fn placeholders(self, sql: &str) -> String {
        if self != Self::Postgres {
            return sql.to_owned();
        }
        let mut out = String::with_capacity(sql.len() + 8);
        let (mut quote, mut count) = (None, 0);
        for character in sql.chars() {
            match (quote, character) {
                (None, '?') => {
                    count += 1;
                    out.push('$');
                    out.push_str(&count.to_string());
                    continue;
                }
                (None, '\'' | '"') => quote = Some(character),
                (Some(open), _) if open == character => quote = None,
                _ => {}
            }
            out.push(character);
        }
        out
    }

    /// An insert that changes nothing where its primary or unique key is taken.
    ///
    /// In `MySQL` it is a plain insert, whose error undoes the statement alone: `insert ignore` would also
    /// cut a key that is too long, and `on duplicate key` counts an untouched row as changed. So run it by
    /// [`insert_once`].
    #[must_use]
    pub fn insert_or_nothing(self, table: &str, columns: &[&str]) -> String {
        let holes = vec!["?"; columns.len()].join(", ");
        let insert = format!(
            "insert into {} ({}) values ({holes})",
            self.name(table),
            columns.join(", ")
        );
        match self {
            Self::Mysql => insert,
            Self::Postgres | Self::Sqlite => insert + " on conflict do nothing",
        }
    }

    /// A table's name, quoted, with the schema before it where there is one.
    #[must_use]
    pub fn name(self, name: &str) -> String {
        let quote = if self == Self::Mysql { '`' } else { '"' };
        let quoted = |part: &str| format!("{quote}{part}{quote}");
        name.split('.').map(quoted).collect::<Vec<_>>().join(".")
    }
}

/// A value in a statement or a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// Any integer of the engine, and a boolean as 0 or 1.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

macro_rules! from {
    ($($type:ty => $variant:ident),+) => {$(
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        }
    )+};
}
from!(i64 => Integer, i32 => Integer, u32 => Integer, bool => Integer, f64 => Real, String => Text,
    &str => Text, &String => Text, Vec<u8> => Bytes);

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A row, as its columns in the order of the query.
#[derive(Debug, Clone, PartialEq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// A column as an integer.
    #[must_use]
    pub fn integer(&self, column: usize) -> Option<i64> {
        match self.0.get(column)? {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// A column as text.
    #[must_use]
    pub fn text(&self, column: usize) -> Option<&str> {
        match self.0.get(column)? {
            Value::Text(value) => Some(value),
            _ => None,
        }
    }
}

/// Why a store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached, or not now; the whole transaction may be tried again.
    #[error("the store is busy or not available: {0}")]
    Busy(String),
    /// A unique key or another constraint stands against it.
    #[error("a constraint stands against it: {0}")]
    Constraint(String),
    /// The statement is wrong.
    #[error("the store refused: {0}")]
    Refused(String),
}
