//! A message on its way: what a broker hands out, and what a producer hands in.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::time::Millis;

/// The headers that this runtime writes and reads. Everything else that a producer sets is carried along
/// untouched.
pub mod header {
    /// Attempts that were made before this hop. It travels in the message because brokers count anew at
    /// each hop.
    pub const ATTEMPT: &str = "x-attempt";
    /// When the message was published, in milliseconds since 1970.
    pub const PUBLISHED_AT: &str = "x-published-at";
    /// When the first attempt failed.
    pub const FIRST_FAILURE_AT: &str = "x-first-failure-at";
    /// When the last attempt failed.
    pub const LAST_FAILURE_AT: &str = "x-last-failure-at";
    /// The failure class that decided.
    pub const FAILURE_CLASS: &str = "x-failure-class";
    /// The error in words.
    pub const ERROR: &str = "x-error";
    /// The queue that a dead letter came from.
    pub const ORIGIN_QUEUE: &str = "x-origin-queue";
    /// The version of the contract that was in force.
    pub const CONTRACT_VERSION: &str = "x-contract-version";
    /// The business act that the message is about.
    pub const BUSINESS_ID: &str = "x-business-id";
    /// Set on what an operator sends again, so that it is counted as a replay.
    pub const REPLAY: &str = "x-replay";
}

/// Headers by name, in a fixed order. Values are text; a broker writes numbers as text, too.
pub type Headers = BTreeMap<String, String>;

/// Where a message is at a broker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The queue itself.
    Work,
    /// Its dead letters.
    DeadLetters,
}

/// What a broker needs to settle a delivery. Only the broker that made it reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The number that the broker gave: a delivery tag, the id of a row.
    pub tag: u64,
    /// What tells this hand-out from others of the same number: the id of a channel, the token of a lock.
    pub token: String,
}

/// A message that was handed out and has to be settled.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The producer's id of the message; the same on every attempt.
    pub id: String,
    /// Exactly what was published.
    pub body: Vec<u8>,
    /// The headers, without those that the broker itself adds.
    pub headers: Headers,
    /// How often the broker handed it out before on this hop: zero at first. Only crashes and lost locks
    /// make it grow, because a retry is a new hop.
    pub handed_out_before: u32,
    /// When this process received it.
    pub received_at: Instant,
    /// Until when nobody else gets it, if the broker says so by time.
    pub locked_until: Option<Instant>,
    /// Where it came from.
    pub from: Place,
    /// For the broker.
    pub receipt: Receipt,
}

impl Delivery {
    /// Which attempt this is, from 1: those in the header, those of this hop, and this one.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        let before: u32 = self.number(header::ATTEMPT).unwrap_or(0);
        before
            .saturating_add(self.handed_out_before)
            .saturating_add(1)
    }

    /// When it was published, where the producer or the broker says so.
    #[must_use]
    pub fn published_at(&self) -> Option<Millis> {
        self.number(header::PUBLISHED_AT).map(Millis)
    }

    /// A header as a number. One that is none counts as absent: a stranger's header must not stop us.
    #[must_use]
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.headers.get(name)?.parse().ok()
    }
}

/// A message to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The id that stays with the message.
    pub id: String,
    /// What is published.
    pub body: Vec<u8>,
    /// The headers; [`header::PUBLISHED_AT`] among them.
    pub headers: Headers,
    /// The key whose messages keep their order, where the contract promises one.
    pub order_key: Option<String>,
}
