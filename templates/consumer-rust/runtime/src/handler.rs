//! What a queue's own package brings along.

use async_trait::async_trait;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::contract::Class;
use crate::failure::Error;
use crate::stand_in::StandIn;
use crate::store::Transaction;

/// A queue's message, its effects and its answers to failures. The generated `main.rs` implements it with
/// the functions in `handler.rs`, `classify.rs` and `reconcile.rs`.
#[async_trait]
pub trait Handler: Send + Sync + 'static {
    /// The message.
    type Message: DeserializeOwned + Send + Sync;

    /// The effects outside the database, which no transaction can undo. Called once for each key, unless
    /// [`Self::reconcile`] found that an earlier call had no effect.
    async fn perform(&self, message: &Self::Message, context: &Context) -> Result<Done, Error>;

    /// The effects in the database. They last if and only if the message counts as done.
    async fn record(
        &self,
        message: &Self::Message,
        done: &Done,
        transaction: &mut dyn Transaction,
    ) -> Result<Applied, Error>;

    /// What became of [`Self::perform`] when nobody was left to write down its answer: `None` if it had no
    /// effect.
    async fn reconcile(
        &self,
        message: &Self::Message,
        context: &Context,
    ) -> Result<Option<Done>, Error>;

    /// The class of a failure.
    fn classify(&self, error: &Error) -> Class;

    /// A message for the demonstration and the proofs, different for each number.
    fn sample(&self, number: u64) -> Json;
}

/// What the effects outside the database answered, to be kept beside the key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Done(pub String);

/// Whether an effect changed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// It did.
    Yes,
    /// It was there already.
    NoOp,
}

impl Applied {
    /// By the number of rows that a statement changed.
    #[must_use]
    pub fn by_rows(rows: u64) -> Self {
        if rows == 0 { Self::NoOp } else { Self::Yes }
    }
}

/// What a handler may know about the delivery that it works on.
#[derive(Debug, Clone)]
pub struct Context {
    /// Which attempt this is, from 1.
    pub attempt: u32,
    /// The dedupe key, which is also the idempotency key for effects outside.
    pub key: String,
    /// In the demonstration and the proofs: what stands in for everything outside.
    pub stand_in: Option<StandIn>,
}
