//! The tables of a contract: which there are, what each column says, and why each index is there.

use super::columns::{self, Column};
use crate::analysis::Analysis;
use crate::model::{Against, Broker, Contract, EffectKind, Engine, Outbox, Strategy, Ttl};

/// What a consumer calls the tables that no contract names. It shares them with other contracts: each row
/// says whose it is.
pub(in crate::emit) const STATUS: &str = "ackord_status";
const DEDUPE: &str = "ackord_dedupe";
const WATERMARK: &str = "ackord_watermark";
const DEAD_LETTERS: &str = "ackord_dead_letters";

/// An index, and the question that it answers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Index {
    pub(super) columns: &'static [&'static str],
    pub(super) unique: bool,
    pub(super) why: &'static str,
}

const fn index(columns: &'static [&'static str], why: &'static str) -> Index {
    Index { columns, unique: false, why }
}

/// Which of the tables one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Dedupe,
    Status,
    Watermark,
    Outbox,
    DeadLetters,
}

/// A table.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) role: Role,
    pub(super) name: String,
    /// Whether contracts that do not name it have it, too.
    pub(super) shared: bool,
    pub(super) about: &'static str,
    pub(super) columns: &'static [Column],
    /// The primary key, with what it is for; empty where the number of the row is it.
    pub(super) primary: Index,
    pub(super) indexes: Vec<Index>,
    pub(super) partitions: Option<u32>,
}

/// The tables in the consumer's database.
pub(super) fn consumer(analysis: &Analysis<'_>) -> Vec<Table> {
    let contract = analysis.contract;
    if !has_database(contract) {
        return Vec::new();
    }
    [dedupe(contract), Some(status(contract)), watermark(contract), dead_letters(contract)]
        .into_iter()
        .flatten()
        .collect()
}

/// The tables in the producer's database.
pub(super) fn producer(analysis: &Analysis<'_>) -> Vec<Table> {
    let name = match analysis.contract.producer.outbox.get() {
        Some(Outbox::Scalar(table)) => Some(table),
        Some(Outbox::Mapping(outbox)) => outbox.table.get(),
        Some(Outbox::None) | None => None,
    };
    name.map(|name| outbox(name.as_str())).into_iter().collect()
}

/// Whether handling a message touches a database of ours, in which its state can be kept.
fn has_database(contract: &Contract) -> bool {
    let store = contract.idempotency.store.engine.get().is_some_and(|engine| *engine != Engine::Redis);
    let effect = contract.effects().any(|(effect, _)| effect.kind.get() == Some(&EffectKind::Database));
    let queue = matches!(contract.broker.get(), Some(Broker::Postgres(_) | Broker::Embedded(_)));
    store || effect || queue || contract.status.table.given() || compares_with_newest(contract)
}

/// Whether a message is compared with the newest one of its key, which has to be known for that.
fn compares_with_newest(contract: &Contract) -> bool {
    contract.staleness.given() && contract.staleness.against.get() != Some(&Against::Now)
}

fn dedupe(contract: &Contract) -> Option<Table> {
    let idempotency = &contract.idempotency;
    let redis = idempotency.store.engine.get() == Some(&Engine::Redis);
    if redis || idempotency.strategy.get() != Some(&Strategy::DedupeTable) {
        return None;
    }
    let name = idempotency.store.table.get();
    let partitions = idempotency.store.partitions.get().or(idempotency.partitions.get()).copied();
    let expires =
        index(&["expires_at"], "the expiry job finds what has expired without reading what has not");
    Some(Table {
        role: Role::Dedupe,
        name: name.map_or(DEDUPE, |name| name.as_str()).to_owned(),
        shared: name.is_none(),
        about: "One row for each business act: whoever inserts it may act, everybody else finds it there.",
        columns: columns::DEDUPE,
        primary: index(
            &["contract", "dedupe_key"],
            "the second of two that insert one key waits for the first, then finds it taken",
        ),
        indexes: if idempotency.ttl.get() == Some(&Ttl::Forever) { Vec::new() } else { vec![expires] },
        partitions,
    })
}

fn status(contract: &Contract) -> Table {
    let name = contract.status.table.get();
    Table {
        role: Role::Status,
        name: name.map_or(STATUS, |name| name.as_str()).to_owned(),
        shared: name.is_none(),
        about: "One row for each event: where it is, as somebody asks who waits for it.",
        columns: columns::STATUS,
        primary: index(&["contract", "event_id"], "the look-up of one event"),
        indexes: vec![
            index(&["contract", "business_id"], "everything that happened to one business act"),
            index(&["contract", "updated_at"], "what is new, and what is old enough to go"),
        ],
        partitions: None,
    }
}

fn watermark(contract: &Contract) -> Option<Table> {
    compares_with_newest(contract).then(|| Table {
        role: Role::Watermark,
        name: WATERMARK.to_owned(),
        shared: true,
        about: "The newest message that was applied for each key. Nothing of it expires: without its row, an old message would pass for a new one.",
        columns: columns::WATERMARK,
        primary: index(&["contract", "order_key"], "the row that each message of a key compares itself with"),
        indexes: Vec::new(),
        partitions: contract.staleness.partitions.get().copied(),
    })
}

fn outbox(name: &str) -> Table {
    Table {
        role: Role::Outbox,
        name: name.to_owned(),
        shared: false,
        about: "What the producer's transaction wants to be published: it is in the queue if, and only if, the transaction was committed.",
        columns: columns::OUTBOX,
        primary: index(&[], ""),
        indexes: vec![
            Index {
                columns: &["queue", "event_id"],
                unique: true,
                why: "an event is published once, and a replay selects by it",
            },
            index(
                &["sent_at", "id"],
                "the relay finds what is not sent yet, in order, and the expiry job what was sent long ago",
            ),
        ],
        partitions: None,
    }
}

/// Only where the broker cannot hold them itself.
fn dead_letters(contract: &Contract) -> Option<Table> {
    let given = contract.dead_letter.given();
    (given && matches!(contract.broker.get(), Some(Broker::Mqtt(_)))).then(|| Table {
        role: Role::DeadLetters,
        name: DEAD_LETTERS.to_owned(),
        shared: true,
        about: "Messages that could not be handled: this broker has no place for them.",
        columns: columns::DEAD_LETTERS,
        primary: index(&[], ""),
        indexes: vec![
            index(&["contract", "event_id"], "the dead letter of an event"),
            index(&["contract", "last_failure_at"], "the oldest ones, and what is old enough to go"),
        ],
        partitions: None,
    })
}
