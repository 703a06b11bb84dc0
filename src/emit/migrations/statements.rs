//! Tables as statements in an engine's own SQL.

use super::columns::{Column, Kind};
use super::tables::{Index, Role, Table};
use crate::emit::language::sql::Dialect;

/// The widths that MySQL asks for, as `target.yaml` states them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Widths<'a> {
    pub(super) word: &'a str,
    pub(super) key: &'a str,
}

/// A column as it is declared.
pub(super) fn column(dialect: Dialect, column: &Column, widths: Widths<'_>) -> String {
    let name = dialect.word(column.name);
    let kind = kind(dialect, column.kind, widths);
    let null = if column.null || column.kind == Kind::Id { "" } else { " not null" };
    format!("{name} {kind}{null}")
}

fn kind(dialect: Dialect, kind: Kind, widths: Widths<'_>) -> String {
    match (dialect, kind) {
        (Dialect::Postgres, Kind::Id) => "bigint generated always as identity".to_owned(),
        (Dialect::Mysql, Kind::Id) => "bigint not null auto_increment".to_owned(),
        (Dialect::Sqlite, Kind::Id) => "integer primary key autoincrement".to_owned(),
        (Dialect::Mysql, Kind::Word) => format!("varchar({})", widths.word),
        // A collation would take keys that differ in a blank at their end for one.
        (Dialect::Mysql, Kind::Key) => format!("varbinary({})", widths.key),
        (Dialect::Mysql, Kind::Text) => "longtext".to_owned(),
        (_, Kind::Word | Kind::Key | Kind::Text) => "text".to_owned(),
        (_, Kind::Count) => "integer".to_owned(),
        (Dialect::Sqlite, Kind::Long) => "integer".to_owned(),
        (_, Kind::Long) => "bigint".to_owned(),
        (Dialect::Postgres, Kind::Bytes) => "bytea".to_owned(),
        (Dialect::Mysql, Kind::Bytes) => "longblob".to_owned(),
        (Dialect::Sqlite, Kind::Bytes) => "blob".to_owned(),
    }
}

/// The primary key, where no column is declared to be it.
pub(super) fn primary(dialect: Dialect, table: &Table) -> Option<String> {
    match table.primary.columns {
        [] if dialect == Dialect::Sqlite => None,
        [] => Some(format!("primary key ({})", dialect.word("id"))),
        columns => Some(format!("primary key ({})", list(dialect, columns))),
    }
}

/// An index as a part of its table, since MySQL cannot create one unless it is there.
pub(super) fn inner_index(dialect: Dialect, table: &Table, index: &Index) -> String {
    let unique = if index.unique { "unique " } else { "" };
    let name = dialect.word(&index_name(dialect, table, index));
    format!("{unique}index {name} ({})", list(dialect, index.columns))
}

/// An index by a statement of its own.
pub(super) fn outer_index(dialect: Dialect, table: &Table, index: &Index) -> String {
    let unique = if index.unique { "unique " } else { "" };
    let mut name = dialect.word(&index_name(dialect, table, index));
    let mut on = dialect.name(&table.name);
    // In SQLite the schema stands before the index, in PostgreSQL before the table.
    if let (Dialect::Sqlite, Some((schema, bare))) = (dialect, table.name.split_once('.')) {
        name = format!("{}.{name}", dialect.word(schema));
        on = dialect.word(bare);
    }
    format!("create {unique}index if not exists {name} on {on} ({})", list(dialect, index.columns))
}

fn index_name(dialect: Dialect, table: &Table, index: &Index) -> String {
    dialect.derived(&table.name, &index.columns.join("_"))
}

/// What stands behind the columns. Only InnoDB has transactions, and only this character set has all of
/// Unicode.
pub(super) fn end(dialect: Dialect, table: &Table) -> String {
    let by = table.primary.columns.last().map(|column| dialect.word(column)).unwrap_or_default();
    match (dialect, table.partitions) {
        (Dialect::Postgres, Some(_)) => format!(" partition by hash ({by})"),
        (Dialect::Mysql, Some(count)) => format!("{INNODB} partition by key ({by}) partitions {count}"),
        (Dialect::Mysql, None) => INNODB.to_owned(),
        (Dialect::Postgres | Dialect::Sqlite, _) => String::new(),
    }
}

const INNODB: &str = " engine = InnoDB default character set utf8mb4 collate utf8mb4_bin";

/// The partitions that PostgreSQL has one by one.
pub(super) fn partitions(dialect: Dialect, table: &Table) -> Vec<String> {
    let count = table.partitions.filter(|_| dialect == Dialect::Postgres).unwrap_or(0);
    let schema = table.name.split_once('.').map(|(schema, _)| format!("{}.", dialect.word(schema)));
    let schema = schema.unwrap_or_default();
    let partition = |number: u32| {
        let name = dialect.word(&dialect.derived(&table.name, &format!("p{number}")));
        format!(
            "create table if not exists {schema}{name} partition of {} for values with (modulus {count}, remainder {number})",
            dialect.name(&table.name)
        )
    };
    (0..count).map(partition).collect()
}

/// Which rows an expiry job removes.
pub(super) struct Expired {
    /// The column whose time decides.
    pub(super) column: &'static str,
    /// How long a row is kept behind that time, in milliseconds.
    pub(super) kept: Option<u64>,
    /// What else a row must be, as SQL.
    pub(super) also: Option<String>,
}

/// A statement that removes at most `batch` rows, the oldest first, and reads them by their index.
pub(super) fn expire(dialect: Dialect, table: &Table, rows: &Expired, batch: &str, millis: &str) -> String {
    let name = dialect.name(&table.name);
    let at = dialect.word(rows.column);
    let now = now(dialect, millis);
    let kept = rows.kept.map(|kept| format!(" - {kept}")).unwrap_or_default();
    let also = rows.also.as_ref().map(|also| format!("{also} and ")).unwrap_or_default();
    let oldest = format!("where {also}{at} <= {now}{kept}\n    order by {at}\n    limit {batch}");
    match dialect {
        Dialect::Mysql => format!("delete from {name}\n    {oldest}"),
        Dialect::Sqlite => {
            format!("delete from {name} where rowid in (\n    select rowid from {name}\n    {oldest}\n)")
        }
        // A place in a table is no key to its partitions, and a job that finds a row locked leaves it to
        // the next run.
        Dialect::Postgres => {
            let keys: &[&str] =
                if table.primary.columns.is_empty() { &["id"] } else { table.primary.columns };
            let same = |key: &&str| format!("kept.{0} = gone.{0}", dialect.word(key));
            let same = keys.iter().map(same).collect::<Vec<_>>().join(" and ");
            format!(
                "delete from {name} as kept using (\n    select {} from {name}\n    {oldest}\n    for update skip locked\n) as gone\nwhere {same}",
                list(dialect, keys)
            )
        }
    }
}

/// The present as the tables have it.
fn now(dialect: Dialect, millis: &str) -> String {
    match dialect {
        Dialect::Postgres => format!("cast(extract(epoch from now()) * {millis} as bigint)"),
        Dialect::Mysql => format!("unix_timestamp() * {millis}"),
        Dialect::Sqlite => format!("cast(strftime('%s', 'now') as integer) * {millis}"),
    }
}

/// What takes the table back: all of it where it is the contract's own, else the contract's rows.
/// `contract` is the contract's name as a text of SQL.
pub(super) fn down(dialect: Dialect, table: &Table, contract: &str) -> String {
    let name = dialect.name(&table.name);
    match table.role {
        Role::Outbox => format!("drop table if exists {name}"),
        Role::Dedupe | Role::Status | Role::Watermark | Role::DeadLetters if table.shared => {
            format!("delete from {name} where {} = {contract}", dialect.word("contract"))
        }
        Role::Dedupe | Role::Status | Role::Watermark | Role::DeadLetters => {
            format!("drop table if exists {name}")
        }
    }
}

/// Columns, quoted, with commas.
pub(super) fn list(dialect: Dialect, columns: &[&str]) -> String {
    columns.iter().map(|column| dialect.word(column)).collect::<Vec<_>>().join(", ")
}
