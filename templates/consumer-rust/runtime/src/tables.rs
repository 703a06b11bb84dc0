//! The tables that this runtime reads and writes.
//!
//! The `migrations` that are generated beside it create them. All times are `BIGINT`: milliseconds since
//! 1970, UTC, by the clock of the host that wrote them. Types below are those of `PostgreSQL`; `MySQL` has
//! `VARCHAR(255)` in place of a `TEXT` that is part of a key, with a binary collation (keys that differ in
//! case are different keys), and `LONGBLOB` in place of `BYTEA`.
//!
//! `dedupe` (its name stands in the contract): one row for each business act.
//!
//! | column | type | what it says |
//! |---|---|---|
//! | `contract` | TEXT, primary key with `dedupe_key` | the queue's name: two contracts may share a table |
//! | `dedupe_key` | TEXT | the business key |
//! | `state` | TEXT | `in_flight` or `done` |
//! | `result` | TEXT, null | what the external effect answered |
//! | `event_id` | TEXT | the message that claimed it |
//! | `owner` | TEXT | the process that claimed it |
//! | `lease_until` | BIGINT | until when an `in_flight` row belongs to its owner |
//! | `created_at` | BIGINT | when it was claimed |
//! | `expires_at` | BIGINT, null, indexed | when it may go; null is never |
//!
//! `status`: one row for each event, as `/status/{event_id}` shows it.
//!
//! | column | type | what it says |
//! |---|---|---|
//! | `contract` | TEXT, primary key with `event_id` | |
//! | `event_id` | TEXT | |
//! | `business_id` | TEXT, null, indexed with `contract` | |
//! | `state` | TEXT | a [`State`] |
//! | `attempts` | INTEGER | attempts so far |
//! | `failure_class` | TEXT, null | of the last failure |
//! | `error` | TEXT, null | of the last failure |
//! | `owner` | TEXT | the process that had it last |
//! | `next_retry_at` | BIGINT, null | |
//! | `received_at` | BIGINT | for the first time |
//! | `updated_at` | BIGINT, indexed with `contract` | |
//!
//! `watermark`: the newest message that was applied for each key.
//!
//! | column | type | what it says |
//! |---|---|---|
//! | `contract` | TEXT, primary key with `order_key` | |
//! | `order_key` | TEXT | |
//! | `sequence` | BIGINT, null | the logical clock |
//! | `event_time` | BIGINT, null | the physical clock |
//! | `updated_at` | BIGINT | |
//!
//! `outbox` (its name stands in the contract): what the producer's transaction wants to be published.
//!
//! | column | type | what it says |
//! |---|---|---|
//! | `id` | BIGINT, generated, primary key | in this order it is published |
//! | `queue` | TEXT | where to |
//! | `event_id` | TEXT, unique with `queue` | |
//! | `order_key` | TEXT, null | |
//! | `headers` | TEXT | a JSON object of texts |
//! | `body` | BYTEA | |
//! | `created_at` | BIGINT | |
//! | `sent_at` | BIGINT, null, indexed with `id` | when the broker confirmed it |
//!
//! `dead_letters`: where the broker has no dead-letter queue of its own.
//!
//! | column | type | what it says |
//! |---|---|---|
//! | `id` | BIGINT, generated, primary key | |
//! | `contract`, `event_id` | TEXT, indexed together | |
//! | `business_id` | TEXT, null | |
//! | `failure_class`, `error` | TEXT | |
//! | `attempts` | INTEGER | |
//! | `headers` | TEXT | a JSON object of texts, as they were |
//! | `body` | BYTEA | untouched |
//! | `origin_queue`, `contract_version` | TEXT | |
//! | `first_failure_at`, `last_failure_at` | BIGINT | |

/// The names of a contract's tables, each with its schema where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tables {
    /// Business acts.
    pub dedupe: &'static str,
    /// Events.
    pub status: &'static str,
    /// The newest message of each key.
    pub watermark: &'static str,
    /// What is to be published.
    pub outbox: &'static str,
    /// What could not be handled.
    pub dead_letters: &'static str,
}

impl Tables {
    /// The names where the contract gives none.
    pub const STANDARD: Self = Self {
        dedupe: "ackord_dedupe",
        status: "ackord_status",
        watermark: "ackord_watermark",
        outbox: "ackord_outbox",
        dead_letters: "ackord_dead_letters",
    };
}

/// The columns of `dedupe`.
pub const DEDUPE: &[&str] = &[
    "contract",
    "dedupe_key",
    "state",
    "result",
    "event_id",
    "owner",
    "lease_until",
    "created_at",
    "expires_at",
];

/// The columns of `status`.
pub const STATUS: &[&str] = &[
    "contract",
    "event_id",
    "business_id",
    "state",
    "attempts",
    "failure_class",
    "error",
    "owner",
    "next_retry_at",
    "received_at",
    "updated_at",
];

/// Where an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It was received and is worked on.
    Received,
    /// It took effect.
    Succeeded,
    /// It waits for its next attempt.
    Waiting,
    /// It is among the dead letters.
    Dead,
    /// It was dropped, as the contract says for its class.
    Dropped,
    /// It was too old.
    Stale,
}

impl State {
    /// The word in the column.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Succeeded => "succeeded",
            Self::Waiting => "waiting",
            Self::Dead => "dead",
            Self::Dropped => "dropped",
            Self::Stale => "stale",
        }
    }
}
