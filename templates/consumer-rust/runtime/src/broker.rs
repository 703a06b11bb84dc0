//! What a broker has to be able to do.
//!
//! An implementation is a file in `broker/` behind a cargo feature. What it must keep:
//!
//! - **Nothing is lost.** Whatever takes two steps (a copy elsewhere, then settling the original) has the
//!   copy confirmed first. A crash in between makes a second copy, which dedupe absorbs.
//! - **A lost lock is an error**, never a success: [`BrokerError::LockLost`].
//! - **Counts are exact** or absent. Reconciliation adds them up.
//! - It reconnects by itself before each call, and answers [`BrokerError::Unavailable`] while it cannot.

pub mod embedded;
#[cfg(feature = "postgres-queue")]
pub mod postgres;
#[cfg(feature = "rabbitmq")]
pub mod rabbitmq;

use std::time::Duration;

use async_trait::async_trait;

use crate::delivery::{Delivery, Headers, Outgoing, Place};

/// A broker of one queue and its dead letters, for the time of a process.
#[async_trait]
pub trait Broker: Send + Sync + 'static {
    /// Its word in a contract, for logs and metrics.
    fn kind(&self) -> &'static str;

    /// The settings that are in force, as the broker itself says: read from it, never from our own
    /// configuration. Start-up compares them with the contract and refuses to go on where they differ.
    async fn effective(&self) -> Result<Effective, BrokerError>;

    /// Hands out at most `most` messages of `from`. Waits up to `wait` for the first, and never for more
    /// once there is one. An empty answer means that there was none. Each is locked for this process until
    /// it is settled, its lock expires, or the process dies.
    async fn receive(
        &self,
        from: Place,
        most: usize,
        wait: Duration,
    ) -> Result<Vec<Delivery>, BrokerError>;

    /// Settles a delivery for good.
    async fn ack(&self, delivery: &Delivery) -> Result<(), BrokerError>;

    /// Hands the message out again after `delay`, with `headers` in place of its own and its count of this
    /// hop at zero. It must wait at the broker, without a lock, a worker or a message behind it that waits
    /// for it. A broker with delay queues of fixed times takes the nearest that is not shorter.
    async fn retry(
        &self,
        delivery: &Delivery,
        delay: Duration,
        headers: Headers,
    ) -> Result<(), BrokerError>;

    /// Moves the message to the dead letters, untouched but for its `headers`.
    async fn dead_letter(&self, delivery: &Delivery, headers: Headers) -> Result<(), BrokerError>;

    /// Puts the message back as if it had not been handed out, so that it is available at once; where the
    /// broker can, uncounted. For what was not begun when a process stops.
    async fn give_back(&self, delivery: &Delivery) -> Result<(), BrokerError>;

    /// Holds the delivery for `time` from now on. A broker whose lock is the connection does nothing.
    async fn extend(&self, delivery: &Delivery, time: Duration) -> Result<(), BrokerError>;

    /// Publishes to the queue, or puts a letter back among the dead ones, and returns when the broker has
    /// confirmed that it is kept.
    async fn publish(&self, to: Place, message: &Outgoing) -> Result<(), BrokerError>;

    /// How many messages are where, exactly and at this moment.
    async fn depth(&self) -> Result<Depth, BrokerError>;

    /// The ids of all messages that are still at the broker, wherever they wait, for the overlap term of
    /// reconciliation. `None` where it cannot tell without handing them out.
    async fn ids(&self) -> Result<Option<Vec<String>>, BrokerError>;

    /// Lets go of everything that was received and not settled, and closes the connection.
    async fn close(&self) -> Result<(), BrokerError>;
}

/// How many messages are where.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    /// Waiting in the queue.
    pub ready: u64,
    /// Handed out and not settled.
    pub in_flight: u64,
    /// Waiting for their retry.
    pub delayed: u64,
    /// Among the dead letters.
    pub dead: u64,
    /// Ever published, where the broker counts it. Copies of retries and dead letters are not counted.
    pub published: Option<u64>,
    /// Ever handed out, where the broker counts it.
    pub delivered: Option<u64>,
}

/// What a broker says about one of its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading<T> {
    /// It is set to this.
    Is(T),
    /// It is not set, and nothing stands in for it.
    Unset,
    /// This broker has no such setting: the runtime does what it would do.
    NotNeeded,
    /// It could not be read, and why. Start-up warns.
    Unreadable(String),
}

/// The settings that are in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effective {
    /// Redeliveries after which the broker gives a message up by itself.
    pub delivery_limit: Reading<u32>,
    /// Where the broker puts what it gives up.
    pub dead_letter_queue: Reading<String>,
    /// How long a delivery is held for one consumer.
    pub lock: Reading<Duration>,
    /// How long a message is kept that nobody takes.
    pub retention: Reading<Duration>,
    /// Whether messages survive a restart of the broker.
    pub durable: Reading<bool>,
}

/// Why a broker did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// Somebody else has the message by now, or will.
    #[error("the lock on the delivery is lost")]
    LockLost,
    /// It cannot be reached or does not answer; the same call may succeed later.
    #[error("the broker is not available: {0}")]
    Unavailable(String),
    /// It answered and refused; the same call will fail again.
    #[error("the broker refused: {0}")]
    Refused(String),
}
