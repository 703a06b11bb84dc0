//! A table of PostgreSQL as a queue: ours, or that of the extension pgmq.

use minijinja::value::Serde;
use serde::Serialize;

use super::checked;
use crate::analysis::Analysis;
use crate::emit::Failure;
use crate::emit::language::Done;
use crate::emit::language::sql::{self, Dialect};
use crate::emit::places::Places;
use crate::emit::shared::header;
use crate::emit::target::{Target, View};
use crate::model::{PostgresQueue, PostgresTable};
use crate::units::Duration;

const POSTGRES: Dialect = Dialect::Postgres;

/// What the templates see.
#[derive(Debug, Serialize)]
struct Shape {
    header: Done,
    notes: Vec<Done>,
    unlogged: bool,
    create: Done,
    /// How often a new message was handed out.
    never: Done,
    vacuum_share: Done,
    batch: Done,
    queue: Table,
    dead_letters: Option<Table>,
    expire: Vec<Job>,
}

/// A table, or a queue of pgmq.
#[derive(Debug, Serialize)]
struct Table {
    /// As a name.
    name: Done,
    /// As a text.
    text: Done,
    /// In a comment.
    about: Done,
    by_visible_at: Done,
    by_message_id: Done,
    /// Whether other contracts use it.
    shared: bool,
}

/// Removes what has been there long enough.
#[derive(Debug, Serialize)]
struct Job {
    why: Done,
    table: Done,
    id: Done,
    since: Done,
    keep: Done,
}

/// The view, and which files it is for.
pub(super) fn view(
    analysis: &Analysis<'_>,
    settings: &PostgresQueue,
    target: &Target,
) -> Result<View, Failure> {
    let contract = analysis.contract;
    let source = Source { target, pgmq: settings.table.get() == Some(&PostgresTable::Pgmq) };
    let places = Places::of(analysis)?;
    let queue = source.table(&places.queue, false)?;
    let shared = contract.dead_letter.shared.get() == Some(&true);
    let dead_letters = places.dead_letters.as_deref().map(|name| source.table(name, shared)).transpose()?;
    let kept = contract.retention.get().map(|keep| source.job(&queue, "published_at", *keep));
    let buried = dead_letters.as_ref().zip(contract.dead_letter.retention.get());
    let buried = buried.map(|(table, keep)| source.job(table, "dead_at", *keep));
    let expire: Vec<Job> = kept.into_iter().chain(buried).collect();
    let unlogged = settings.unlogged.get() == Some(&true);
    let mut files = vec![if source.pgmq { "pgmq" } else { "postgres" }];
    files.extend((!expire.is_empty()).then_some("expires"));
    let shape = Shape {
        header: comment(&header(analysis)),
        notes: notes(analysis, settings).iter().map(|note| comment(note)).collect(),
        unlogged,
        create: Done::new(if unlogged { "create_unlogged" } else { "create" }),
        never: Done::new("0"),
        vacuum_share: Done::new(target.constant("vacuum_share")),
        batch: Done::new(target.constant("batch")),
        queue,
        dead_letters,
        expire,
    };
    Ok(View::with(minijinja::Value::from(Serde(shape)), files))
}

fn comment(text: &str) -> Done {
    Done::new(sql::comment(text))
}

/// What tables are computed from.
struct Source<'a> {
    target: &'a Target,
    pgmq: bool,
}

impl Source<'_> {
    fn table(&self, name: &str, shared: bool) -> Result<Table, Failure> {
        let longest = if self.pgmq { "longest_pgmq" } else { "longest_table" };
        checked("table", name, self.target.number(longest))?;
        let simple = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if self.pgmq && !name.bytes().all(simple) {
            let message = format!("pgmq cannot keep the name `{name}`");
            return Err(Failure::new("emit::name", message).help("write lower-case letters, digits and `_`"));
        }
        let index = |column: &str| Done::new(POSTGRES.word(&derived(name, column)));
        let pgmq = || format!("pgmq.{}", POSTGRES.word(&format!("q_{name}")));
        Ok(Table {
            name: Done::new(if self.pgmq { pgmq() } else { POSTGRES.word(name) }),
            text: Done::new(POSTGRES.text(name).unwrap_or_default()),
            about: comment(name),
            by_visible_at: index("visible_at"),
            by_message_id: index("message_id"),
            shared,
        })
    }

    fn job(&self, table: &Table, since: &str, keep: Duration) -> Job {
        Job {
            why: comment(&format!("Kept for {keep}.")),
            table: table.name.clone(),
            id: Done::new(if self.pgmq { "msg_id" } else { "id" }),
            since: Done::new(if self.pgmq { "enqueued_at" } else { since }),
            keep: Done::new(format!("'{} milliseconds'", keep.as_millis())),
        }
    }
}

/// The name of an index; in a table's name a dot is only a dot.
fn derived(table: &str, column: &str) -> String {
    POSTGRES.derived(&table.replace('.', "_"), column)
}

/// What a table cannot do, so that somebody else has to.
fn notes(analysis: &Analysis<'_>, settings: &PostgresQueue) -> Vec<String> {
    let contract = analysis.contract;
    let mut notes = Vec::new();
    if let Some(most) = contract.max_length.messages.get() {
        notes.push(format!(
            "A table has no limit: that it holds at most {most} messages is for the producer to see to."
        ));
    }
    if let Some(most) = contract.dead_letter.max_messages.get() {
        notes.push(format!(
            "A table has no limit: an alert watches that no more than {most} are dead letters."
        ));
    }
    if settings.synchronous_commit.get() == Some(&false) {
        notes.push("The contract has `synchronous_commit: false`: what was committed last may be lost with the server.".to_owned());
    }
    notes
}
