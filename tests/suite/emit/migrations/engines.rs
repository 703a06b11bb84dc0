//! The three engines, one way to run statements on each.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::servers;

/// Which one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Postgres,
    Mariadb,
    Sqlite,
}

/// Runs statements: rows, or what the engine complains about.
type Run = Box<dyn Fn(&str) -> Result<String, String>>;

/// A database that one test has for itself.
pub struct Engine {
    pub kind: Kind,
    run: Run,
}

/// A database of each engine that is there; of every one that is not, it was said loudly.
pub fn engines() -> Vec<Engine> {
    let postgres = servers::postgres().map(|server| {
        let database = server.database();
        Engine { kind: Kind::Postgres, run: Box::new(move |text| database.sql(text)) }
    });
    let mariadb = servers::mariadb().map(|server| {
        let database = server.database();
        Engine { kind: Kind::Mariadb, run: Box::new(move |text| database.sql(text)) }
    });
    [postgres, mariadb, python().then(embedded)].into_iter().flatten().collect()
}

fn embedded() -> Engine {
    let folder = tempfile::tempdir().expect("a folder");
    Engine { kind: Kind::Sqlite, run: Box::new(move |text| sqlite(&folder.path().join("database"), text)) }
}

/// Whether the interpreter is there, which brings SQLite along.
fn python() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "python3 is missing");
        eprintln!("NOT TESTED: python3 is missing, so no SQL ran on SQLite; install python3");
    }
    there
}

impl Engine {
    /// The word in a contract.
    pub fn word(&self) -> &'static str {
        match self.kind {
            Kind::Postgres => "postgres",
            Kind::Mariadb => "mysql",
            Kind::Sqlite => "sqlite",
        }
    }

    /// The name of a table or a column.
    pub fn name(&self, name: &str) -> String {
        let quote = if self.kind == Kind::Mariadb { "`" } else { "\"" };
        format!("{quote}{name}{quote}")
    }

    /// Any text, independent of what the target writes for one.
    pub fn text(&self, text: &str) -> String {
        let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        match self.kind {
            Kind::Postgres => format!("convert_from(decode('{hex}', 'hex'), 'UTF8')"),
            Kind::Mariadb => format!("_utf8mb4 0x{hex}"),
            Kind::Sqlite => format!("cast(x'{hex}' as text)"),
        }
    }

    /// What the engine answers, or complains about.
    pub fn try_sql(&self, statements: &str) -> Result<String, String> {
        (self.run)(statements)
    }

    /// The rows as lines, columns with `|`.
    #[track_caller]
    pub fn sql(&self, statements: &str) -> Vec<String> {
        match self.try_sql(statements) {
            Ok(text) => text.lines().map(|line| line.replace('\t', "|")).collect(),
            Err(error) => panic!("{}: {error}\n{statements}", self.word()),
        }
    }

    /// The one number of an answer.
    #[track_caller]
    pub fn number(&self, query: &str) -> i64 {
        let rows = self.sql(&format!("{query};\n"));
        rows.first().and_then(|row| row.parse().ok()).unwrap_or_else(|| panic!("{query}: {rows:?}"))
    }

    /// Everything that a schema is made of, as lines.
    pub fn schema(&self) -> Vec<String> {
        self.sql(match self.kind {
            Kind::Postgres => {
                "select table_name, column_name, data_type, is_nullable from information_schema.columns
                   where table_schema = 'public' order by table_name, ordinal_position;
                 select indexdef from pg_indexes where schemaname = 'public' order by indexname;\n"
            }
            Kind::Mariadb => {
                "select table_name, column_name, column_type, is_nullable, collation_name
                   from information_schema.columns where table_schema = database() order by 1, ordinal_position;
                 select table_name, index_name, non_unique, column_name from information_schema.statistics
                   where table_schema = database() order by 1, 2, seq_in_index;
                 select table_name, partition_name from information_schema.partitions
                   where table_schema = database() order by 1, 2;\n"
            }
            Kind::Sqlite => "select type, name, sql from sqlite_master order by 1, 2;\n",
        })
    }

    /// The tables that are there.
    pub fn tables(&self) -> Vec<String> {
        self.sql(match self.kind {
            Kind::Postgres => "select tablename from pg_tables where schemaname = 'public' order by 1;\n",
            Kind::Mariadb => "show tables;\n",
            Kind::Sqlite => {
                "select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!';\n"
            }
        })
    }

    /// How a statement reads its rows, in the engine's words.
    pub fn plan(&self, statement: &str) -> String {
        let explain = if self.kind == Kind::Sqlite { "explain query plan" } else { "explain" };
        self.sql(&format!("{explain} {statement};\n")).join("\n")
    }

    /// Rows 1 to `count` of a table: `values` are expressions of the number `i`.
    pub fn fill(&self, table: &str, count: u32, columns: &[&str], values: &[&str]) {
        let limit = match self.kind {
            Kind::Mariadb => "set session max_recursive_iterations = 1000000;\n",
            Kind::Postgres | Kind::Sqlite => "",
        };
        let columns: Vec<String> = columns.iter().map(|column| self.name(column)).collect();
        self.sql(&format!(
            "{limit}insert into {} ({})
             with recursive n (i) as (select 1 union all select i + 1 from n where i < {count})
             select {} from n;\n",
            self.name(table),
            columns.join(", "),
            values.join(", ")
        ));
    }

    /// An expression of the number `i` as a text that begins with `word`.
    pub fn numbered(&self, word: &str) -> String {
        match self.kind {
            Kind::Mariadb => format!("concat('{word}', i)"),
            Kind::Postgres | Kind::Sqlite => format!("'{word}' || i"),
        }
    }
}

fn sqlite(file: &Path, statements: &str) -> Result<String, String> {
    let script = super::super::root().join("tests/suite/emit/migrations/sqlite.py");
    let mut child = Command::new("python3")
        .arg(script)
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python3");
    child.stdin.take().expect("a pipe").write_all(statements.as_bytes()).expect("the statements");
    let output = child.wait_with_output().expect("an end");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}
