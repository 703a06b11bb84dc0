//! SQL for what a contract needs in databases: tables with their indexes, what removes the rows that have
//! expired, and the way back. The tables are those that the generated consumer reads and writes.

mod columns;
mod hints;
mod jobs;
mod statements;
mod tables;

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use super::language::Done;
use super::language::sql::{self, Dialect};
use super::shared::header;
use super::target::{self, Target, View, texts};
use super::{Failure, render};
use crate::analysis::Analysis;
use crate::lint::Clean;
use crate::model::{Broker, Contract, Engine};

use statements::Widths;
use tables::Table;

/// The target.
pub(super) const SOURCE: target::Source = target::Source {
    texts: texts!("migrations":
        "target.yaml",
        "consumer.up.sql.j2",
        "consumer.down.sql.j2",
        "consumer.expire.sql.j2",
        "producer.up.sql.j2",
        "producer.down.sql.j2",
        "producer.expire.sql.j2",
        "tables.up.sql.j2",
        "tables.down.sql.j2",
        "tables.expire.sql.j2",
    ),
    view,
};

/// What the templates of files see.
#[derive(Debug, Serialize)]
struct Shape {
    header: Done,
    consumer: Side,
    producer: Side,
}

/// One of the two databases: the consumer's, or the producer's.
#[derive(Debug, Serialize)]
struct Side {
    notes: Vec<Done>,
    up: Done,
    hints: Vec<Line>,
    down_notes: Vec<Done>,
    down: Done,
    expire_notes: Vec<Done>,
    expire: Done,
}

/// What the templates of parts see.
#[derive(Debug, Serialize)]
struct Part {
    tables: Vec<Shown>,
    down: Vec<Line>,
    expire: Vec<Line>,
}

/// A table as it is created.
#[derive(Debug, Serialize)]
struct Shown {
    about: Done,
    notes: Vec<Done>,
    name: Done,
    columns: Vec<Line>,
    keys: Vec<Line>,
    end: Done,
    indexes: Vec<Line>,
    partitions: Vec<Done>,
}

/// A piece of SQL, and why it is there.
#[derive(Debug, Serialize)]
struct Line {
    why: Done,
    sql: Done,
}

impl Line {
    fn new(why: &str, sql: impl Into<String>) -> Self {
        Self { why: remark(why), sql: Done::new(sql) }
    }
}

/// Text behind `-- `.
fn remark(text: impl AsRef<str>) -> Done {
    Done::new(sql::comment(text.as_ref()))
}

/// What SQL is computed from.
struct Source<'a> {
    analysis: &'a Analysis<'a>,
    target: &'a Target,
    dialect: Dialect,
}

impl Source<'_> {
    fn contract(&self) -> &Contract {
        self.analysis.contract
    }

    fn constant(&self, name: &str) -> &str {
        self.target.constants().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    fn widths(&self) -> Widths<'_> {
        Widths { word: self.constant("word_length"), key: self.constant("key_bytes") }
    }

    /// A text of the contract as a text of SQL.
    fn text(&self, text: &str) -> Result<String, Failure> {
        self.dialect.text(text).ok_or_else(|| {
            Failure::new("emit::text", format!("`{text}` holds NUL, which no text of a database can hold"))
                .help("remove it from the contract")
        })
    }
}

/// The SQL that creates every table of a contract in SQLite, for the queue and the store that a consumer
/// brings along.
#[cfg_attr(not(test), expect(dead_code, reason = "the consumer will bring it along"))]
pub(super) fn embedded(clean: &Clean<'_>) -> Result<String, Failure> {
    let target = super::find("migrations")?;
    let source = Source { analysis: clean.analysis(), target: &target, dialect: Dialect::Sqlite };
    let mut all = tables::consumer(source.analysis);
    all.extend(tables::producer(source.analysis));
    let part = Part {
        tables: all.iter().map(|table| shown(&source, table)).collect(),
        down: vec![],
        expire: vec![],
    };
    render(target.text("tables.up.sql.j2"), &Value::from(Serde(part)))
}

fn view(clean: &Clean<'_>, target: &Target) -> Result<View, Failure> {
    let analysis = clean.analysis();
    let source = Source { analysis, target, dialect: dialect(analysis.contract, target) };
    let (consumer, producer) = (tables::consumer(analysis), tables::producer(analysis));
    for table in consumer.iter().chain(&producer) {
        fits(&source, table)?;
    }
    let shape = Shape {
        header: remark(header(analysis)),
        consumer: side(&source, &consumer, consumer_notes(&source, &consumer), hints::hints(&source)?)?,
        producer: side(&source, &producer, producer_notes(&source), Vec::new())?,
    };
    let mut view = View::new(Value::from(Serde(shape)));
    for (word, expires, tables) in
        [("consumer", "consumer-expires", &consumer), ("producer", "producer-expires", &producer)]
    {
        view.has.extend((!tables.is_empty()).then_some(word));
        view.has.extend((!jobs::jobs(&source, tables)?.is_empty()).then_some(expires));
    }
    Ok(view)
}

/// The dialect of the store, of the first effect that names one, or of the queue; else the target's own.
fn dialect(contract: &Contract, target: &Target) -> Dialect {
    let store = contract.idempotency.store.engine.get().copied();
    let effect = contract.effects().find_map(|(effect, _)| effect.store.get().copied());
    let queue = match contract.broker.get() {
        Some(Broker::Postgres(_)) => Some(Engine::Postgres),
        Some(Broker::Embedded(_)) => Some(Engine::Sqlite),
        _ => None,
    };
    let named = [store, effect, queue].into_iter().flatten().find_map(Dialect::of);
    let unnamed = target.constants().find(|(name, _)| *name == "engine").map(|(_, value)| value);
    named.unwrap_or(match unnamed {
        Some("mysql") => Dialect::Mysql,
        Some("sqlite") => Dialect::Sqlite,
        _ => Dialect::Postgres,
    })
}

/// Refuses what an engine would cut, or would not take.
fn fits(source: &Source<'_>, table: &Table) -> Result<(), Failure> {
    if !source.dialect.keeps(&table.name) {
        let message = format!("`{}` is longer than a name in {} may be", table.name, source.dialect.title());
        return Err(Failure::new("emit::name", message).help("give the table a shorter name"));
    }
    let most = source.constant("most_partitions").parse().unwrap_or(u32::MAX);
    match table.partitions {
        Some(count) if count > most => {
            let message = format!("`{}` would have {count} partitions, and {most} are the most", table.name);
            Err(Failure::new("emit::partitions", message).help("lower `partitions`"))
        }
        _ => Ok(()),
    }
}

fn side(
    source: &Source<'_>,
    tables: &[Table],
    notes: Vec<String>,
    hints: Vec<Line>,
) -> Result<Side, Failure> {
    let part = Value::from(Serde(Part {
        tables: tables.iter().map(|table| shown(source, table)).collect(),
        down: downs(source, tables)?,
        expire: jobs::jobs(source, tables)?,
    }));
    let rendered = |template: &str| -> Result<Done, Failure> {
        Ok(Done::new(render(source.target.text(template), &part)?.trim_end()))
    };
    Ok(Side {
        notes: notes.into_iter().map(remark).collect(),
        up: rendered("tables.up.sql.j2")?,
        hints,
        down_notes: DOWN_NOTES.iter().map(remark).collect(),
        down: rendered("tables.down.sql.j2")?,
        expire_notes: jobs::notes(source).into_iter().map(remark).collect(),
        expire: rendered("tables.expire.sql.j2")?,
    })
}

const DOWN_NOTES: [&str; 2] = [
    "Takes the tables back, with all that is in them. Stop the consumers and the producers first: without",
    "its key, a message that comes again takes effect again.",
];

fn downs(source: &Source<'_>, tables: &[Table]) -> Result<Vec<Line>, Failure> {
    let contract = source.text(source.contract().name())?;
    let down = |table: &Table| {
        let why = if table.shared {
            "Other contracts keep their rows here, too, so the table stays."
        } else {
            "The contract names this table: it goes, for every other contract that names it as well."
        };
        Line::new(why, statements::down(source.dialect, table, &contract))
    };
    Ok(tables.iter().rev().map(down).collect())
}

fn shown(source: &Source<'_>, table: &Table) -> Shown {
    let dialect = source.dialect;
    let inner = dialect == Dialect::Mysql;
    let why = if table.primary.why.is_empty() { "a row is found by its number" } else { table.primary.why };
    let primary = statements::primary(dialect, table).map(|sql| Line::new(why, sql));
    let within = table.indexes.iter().filter(|_| inner);
    let beside = table.indexes.iter().filter(|_| !inner);
    Shown {
        about: remark(table.about),
        notes: partition_note(source, table).into_iter().map(remark).collect(),
        name: Done::new(dialect.name(&table.name)),
        columns: table
            .columns
            .iter()
            .map(|column| Line::new(column.says, statements::column(dialect, column, source.widths())))
            .collect(),
        keys: primary
            .into_iter()
            .chain(within.map(|index| Line::new(index.why, statements::inner_index(dialect, table, index))))
            .collect(),
        end: Done::new(statements::end(dialect, table)),
        indexes: beside
            .map(|index| Line::new(&sentence(index.why), statements::outer_index(dialect, table, index)))
            .collect(),
        partitions: statements::partitions(dialect, table).into_iter().map(Done::new).collect(),
    }
}

/// With a capital at its start and a full stop.
fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    format!("{}{}.", first.map(String::from).unwrap_or_default(), characters.as_str())
}

fn partition_note(source: &Source<'_>, table: &Table) -> Option<&'static str> {
    table.partitions?;
    Some(if source.dialect == Dialect::Sqlite {
        "SQLite has no partitions, so it is one table."
    } else {
        "It is divided by a hash of the key: a key must be unique in the whole table, which no division by time could promise."
    })
}

fn consumer_notes(source: &Source<'_>, tables: &[Table]) -> Vec<String> {
    let contract = source.contract();
    let redis = contract.idempotency.store.engine.get() == Some(&Engine::Redis);
    let mut notes = Vec::new();
    if redis {
        notes.push("There is nothing to migrate for the keys: they are in Redis, which needs no table for them and lets them expire by itself.".to_owned());
    }
    if tables.is_empty() {
        notes.push(
            "There is nothing to migrate in the consumer's database: the contract keeps nothing in one."
                .to_owned(),
        );
        return notes;
    }
    notes.push(format!("What the consumer keeps, in {}.", source.dialect.title()));
    notes.extend(usual_notes(source));
    notes
}

fn producer_notes(source: &Source<'_>) -> Vec<String> {
    let mut notes = vec![format!("What the producer keeps, in {}.", source.dialect.title())];
    notes.extend(usual_notes(source));
    notes
}

/// What somebody must know before they run it.
fn usual_notes(source: &Source<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let contract = source.contract();
    let named = contract.idempotency.store.engine.get().is_some_and(|engine| *engine != Engine::Redis);
    if !named {
        notes.push("The contract names no store that speaks SQL; `idempotency.store.engine` decides for which engine this is written.".to_owned());
    }
    notes.push("Copy it under the next number of your own migrations: this file changes with the contract, and what a".to_owned());
    notes.push("database has applied must not. All times are milliseconds since the epoch, by the clock of who wrote them.".to_owned());
    if source.dialect == Dialect::Mysql {
        notes.push(
            "Keys are bytes, since a collation would take keys that differ in a blank at their end for one."
                .to_owned(),
        );
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{self, Inputs, Settings};
    use crate::policy::Policy;
    use crate::source::SourceFile;

    #[test]
    fn what_is_embedded_has_the_tables_of_both_sides() {
        let text = include_str!("../../examples/payment-capture/payment-capture.queue.yaml");
        let mut inputs = Inputs::default();
        inputs.sources.add(SourceFile::new("x.queue.yaml", text));
        let report = lint::run(inputs, &Settings::default());
        let policy = Policy::default();
        let clean = report.clean(&policy).expect("no error");
        let sql = embedded(clean.first().expect("a contract")).expect("SQL");
        for table in ["processed_payments", "ackord_status", "order_outbox"] {
            assert!(sql.contains(&format!("create table if not exists \"{table}\"")), "{sql}");
        }
        assert!(sql.contains("integer primary key autoincrement"), "{sql}");
    }
}
