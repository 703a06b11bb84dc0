//! The columns of each table, as the generated consumer reads and writes them.

/// What a column holds; each engine has its own word for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The number of a row, which the engine gives.
    Id,
    /// A word of a contract or of the consumer.
    Word,
    /// A text of a message that finds a row: compared byte by byte.
    Key,
    /// Any text.
    Text,
    /// A small number.
    Count,
    /// A number of any size, or a time in milliseconds since the epoch.
    Long,
    /// Any bytes.
    Bytes,
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) null: bool,
    pub(super) says: &'static str,
}

const fn column(name: &'static str, kind: Kind, says: &'static str) -> Column {
    Column { name, kind, null: false, says }
}

const fn maybe(name: &'static str, kind: Kind, says: &'static str) -> Column {
    Column { name, kind, null: true, says }
}

/// Business acts.
pub(super) const DEDUPE: &[Column] = &[
    column("contract", Kind::Word, "the queue of the contract: two contracts may share the table"),
    column("dedupe_key", Kind::Key, "the business act"),
    column("state", Kind::Word, "in_flight or done"),
    maybe("result", Kind::Text, "what the effect outside the database answered"),
    column("event_id", Kind::Key, "the message that claimed it"),
    column("owner", Kind::Word, "the process that claimed it"),
    column("lease_until", Kind::Long, "until when an in_flight row belongs to its owner"),
    column("created_at", Kind::Long, "when it was claimed"),
    maybe("expires_at", Kind::Long, "when it may go; null is never"),
];

/// Events.
pub(super) const STATUS: &[Column] = &[
    column("contract", Kind::Word, "the queue of the contract"),
    column("event_id", Kind::Key, "the event"),
    maybe("business_id", Kind::Key, "the business act that it is about"),
    column("state", Kind::Word, "received, succeeded, waiting, dead, dropped or stale"),
    column("attempts", Kind::Count, "attempts so far"),
    maybe("failure_class", Kind::Word, "of the last failure"),
    maybe("error", Kind::Text, "of the last failure"),
    column("owner", Kind::Word, "the process that had it last"),
    maybe("next_retry_at", Kind::Long, "when it is tried again"),
    column("received_at", Kind::Long, "when it came for the first time"),
    column("updated_at", Kind::Long, "when this row was last true"),
];

/// The newest message of each key.
pub(super) const WATERMARK: &[Column] = &[
    column("contract", Kind::Word, "the queue of the contract"),
    column("order_key", Kind::Key, "the key"),
    maybe("sequence", Kind::Long, "the sequence of the newest message"),
    maybe("event_time", Kind::Long, "the time of the newest message"),
    column("updated_at", Kind::Long, "when it was applied"),
];

/// What is to be published.
pub(super) const OUTBOX: &[Column] = &[
    column("id", Kind::Id, "in this order it is published"),
    column("queue", Kind::Word, "where to"),
    column("event_id", Kind::Key, "the event"),
    maybe("order_key", Kind::Key, "the key whose messages keep their order"),
    column("headers", Kind::Text, "a JSON object of texts"),
    column("body", Kind::Bytes, "the message"),
    column("created_at", Kind::Long, "when it was written"),
    maybe("sent_at", Kind::Long, "when the broker confirmed it; null is not yet"),
];

/// What could not be handled.
pub(super) const DEAD_LETTERS: &[Column] = &[
    column("id", Kind::Id, "the dead letter"),
    column("contract", Kind::Word, "the queue of the contract"),
    column("event_id", Kind::Key, "the event"),
    maybe("business_id", Kind::Key, "the business act that it is about"),
    column("failure_class", Kind::Word, "the class that decided"),
    column("error", Kind::Text, "the error in words"),
    column("attempts", Kind::Count, "attempts before it was given up"),
    column("headers", Kind::Text, "a JSON object of texts, as they were"),
    column("body", Kind::Bytes, "the message, untouched"),
    column("origin_queue", Kind::Word, "where it came from"),
    column("contract_version", Kind::Word, "the version of the contract that was in force"),
    column("first_failure_at", Kind::Long, "when it failed for the first time"),
    column("last_failure_at", Kind::Long, "when it failed for the last time"),
];
