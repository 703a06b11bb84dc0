//! What a contract says, as the generated package of a queue fills it in.

use std::time::Duration;

use crate::demo::Words;
use crate::tables::Tables;

/// A contract. Every figure in it stands in the contract or follows from it.
#[derive(Debug, Clone, Copy)]
pub struct Contract {
    /// The contract's own name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What the broker calls the queue.
    pub queue: &'static str,
    /// What the broker calls the dead letters, where there are any.
    pub dead_letter_queue: Option<&'static str>,
    /// The tables.
    pub tables: Tables,
    /// The field that names the event, where one does.
    pub event_id: Option<&'static str>,
    /// The field that names the business act.
    pub business_id: Option<&'static str>,
    /// The fields of the dedupe key.
    pub key: &'static [&'static str],
    /// The versions that are accepted, where messages say theirs.
    pub schema: Option<Versions>,
    /// How a repeated message is recognised.
    pub strategy: Strategy,
    /// How long a key is kept; `None` is for ever.
    pub keep_keys: Option<Duration>,
    /// Effects outside the database, which need a row before them and a question after a crash.
    pub external_effects: &'static [&'static str],
    /// How messages are worked on.
    pub processing: Processing,
    /// The most deliveries of one message, crashes among them.
    pub most_deliveries: u32,
    /// Redeliveries after which the broker itself gives up, where it is to be set so.
    pub delivery_limit: Option<u32>,
    /// How long the queue keeps a message that nobody took.
    pub retention: Option<Duration>,
    /// The bounds of the histogram of message age, in seconds; the objective and the alert are among them.
    pub age_buckets: &'static [f64],
    /// The waits that a delay queue stands for, ascending, on brokers that need one for each.
    pub delays: &'static [Duration],
    /// What the demonstration calls things.
    pub demo: Words,
}

/// The versions of a message that a consumer accepts.
#[derive(Debug, Clone, Copy)]
pub struct Versions {
    /// The field that says which one it is.
    pub field: &'static str,
    /// Those that are accepted.
    pub accepts: &'static [u64],
}

/// How a repeated message is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// By a table of keys.
    DedupeTable,
    /// By a conditional update that finds the state already changed.
    StateGuard,
    /// By a unique index on the business table.
    UniqueIndex,
    /// Not at all: the effect is the same when it is repeated.
    Natural,
}

/// How messages are worked on.
#[derive(Debug, Clone, Copy)]
pub struct Processing {
    /// How long a delivery is held for one consumer.
    pub lock: Duration,
    /// Whether a lock is renewed while a handler runs.
    pub lock_renewed: bool,
    /// How long a handler may run.
    pub handler_timeout: Duration,
    /// How long a process may finish what it began.
    pub shutdown_grace: Duration,
    /// Handlers at work in one process.
    pub concurrency: usize,
    /// Messages that are fetched ahead.
    pub prefetch: usize,
}

/// What follows a failure.
#[derive(Debug, Clone, Copy)]
pub struct Class {
    /// Its name in the contract.
    pub name: &'static str,
    /// The words that it is recognised by.
    pub words: &'static [&'static str],
    /// What happens.
    pub answer: Answer,
}

/// What happens to a message whose handling failed.
#[derive(Debug, Clone, Copy)]
pub enum Answer {
    /// It is tried again so many times.
    Retry {
        /// The most retries.
        most: u32,
        /// The wait before each.
        backoff: Backoff,
        /// What follows the last.
        then: Last,
    },
    /// It goes to the dead letters at once.
    DeadLetter,
    /// It is settled and logged.
    Drop,
}

/// What follows the last retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Last {
    /// The dead letters.
    DeadLetter,
    /// Nothing.
    Drop,
}

/// The waits before retries.
#[derive(Debug, Clone, Copy)]
pub struct Backoff {
    /// The wait before each retry without jitter; the last one stands for all further.
    pub steps: &'static [Duration],
    /// The longest wait.
    pub cap: Duration,
    /// How it varies.
    pub jitter: Jitter,
}

/// How a wait varies, so that messages that failed together do not come back together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Jitter {
    /// Not.
    None,
    /// Between nothing and all of it.
    Full,
    /// Between half and all of it.
    Equal,
    /// Between the first wait and three times the one before.
    Decorrelated,
    /// By this share, up or down.
    Share(f64),
}
