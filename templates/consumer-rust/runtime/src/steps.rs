//! The steps of the act order, for whoever wants to be there when one is reached.
//!
//! The demonstration and the proofs kill a process at a step. In production nobody watches.

use async_trait::async_trait;

use crate::delivery::Delivery;

/// A step that was just completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The broker handed the message out.
    Received,
    /// The row that claims the key is committed.
    Claimed,
    /// The effects outside the database happened.
    Performed,
    /// The effects in the database are written and not committed.
    Recorded,
    /// They are committed.
    Committed,
    /// The broker was told.
    Settled,
}

impl Step {
    /// Every step, in the order of the act.
    pub const ALL: [Self; 6] = [
        Self::Received,
        Self::Claimed,
        Self::Performed,
        Self::Recorded,
        Self::Committed,
        Self::Settled,
    ];

    /// Its word on a command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Claimed => "claimed",
            Self::Performed => "performed",
            Self::Recorded => "recorded",
            Self::Committed => "committed",
            Self::Settled => "settled",
        }
    }

    /// The step of that word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.word() == word)
    }
}

/// Somebody who is told at each step, and for whom the act waits.
#[async_trait]
pub trait Watcher: Send + Sync + 'static {
    /// A step was completed.
    async fn at(&self, step: Step, delivery: &Delivery);
}

/// Nobody.
#[derive(Debug, Clone, Copy)]
pub struct Nobody;

#[async_trait]
impl Watcher for Nobody {
    async fn at(&self, _step: Step, _delivery: &Delivery) {}
}
