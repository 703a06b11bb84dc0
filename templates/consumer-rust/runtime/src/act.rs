//! What happens to one message, in this order: claim, effect, commit, and the acknowledgement last.
//!
//! A crash between any two steps leaves the message at the broker. What it meets when it comes back is
//! decided by what was committed: nothing (then it is new), a claim without a result (then it is asked
//! outside what became of it), or a result (then it is a duplicate).

mod fail;
mod hold;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tracing::{info, warn};

use crate::broker::{Broker, BrokerError};
use crate::contract::{Class, Contract, Strategy};
use crate::dedupe::{Claim, Claimed};
use crate::failure::{Error, word};
use crate::handler::{Applied, Context, Done, Handler};
use crate::intake::{Names, Taken};
use crate::metrics::Metrics;
use crate::random;
use crate::stand_in::StandIn;
use crate::status;
use crate::steps::{Step, Watcher};
use crate::store::{Store, Transaction};
use crate::tables::State;

/// How much of the act order is kept. Everything but the first is for comparison: the demonstration, the
/// proofs that must be able to fail, and the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// All of it.
    Reliable,
    /// Without keys: every delivery takes effect.
    WithoutDedupe,
    /// Acknowledged as soon as received, and without keys.
    PopAndForget,
}

/// Everything that acting on a message needs.
pub struct Actor<H> {
    /// What is promised.
    pub contract: Contract,
    /// Where messages come from.
    pub broker: Arc<dyn Broker>,
    /// Where effects and keys are.
    pub store: Arc<dyn Store>,
    /// What a message does.
    pub handler: H,
    /// How much of the order is kept.
    pub mode: Mode,
    /// Who is told at each step.
    pub watcher: Arc<dyn Watcher>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// What stands in for everything outside, in the demonstration and the proofs.
    pub stand_in: Option<StandIn>,
    /// The name of this process in rows and logs.
    pub owner: String,
}

/// What came of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It took effect.
    Applied,
    /// It took effect before: nothing was left to do.
    NoOp,
    /// Its effect outside had happened in an attempt that died; now it is recorded.
    Reconciled,
    /// Somebody else is at work on it; it comes back.
    Postponed,
    /// It failed and comes back.
    Retried,
    /// It is among the dead letters.
    Dead,
    /// It failed and is dropped.
    Dropped,
}

impl Outcome {
    /// Its word in logs and metrics.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::NoOp => "no-op",
            Self::Reconciled => "reconciled",
            Self::Postponed => "postponed",
            Self::Retried => "retried",
            Self::Dead => "dead",
            Self::Dropped => "dropped",
        }
    }
}

/// One message on its way through the order.
struct Act<'a, H: Handler> {
    actor: &'a Actor<H>,
    taken: &'a Taken<H::Message>,
    /// The name of this attempt, which no other has.
    owner: String,
    /// Whether the lock is lost: nothing is committed then.
    lost: AtomicBool,
}

impl<H: Handler> Actor<H> {
    /// Acts on a message and settles it.
    ///
    /// # Errors
    ///
    /// If the broker could not be told: it will hand the message out again.
    pub async fn act(&self, taken: &Taken<H::Message>) -> Result<Outcome, BrokerError> {
        let owner = format!("{}/{}", self.owner, random::name());
        let act = Act {
            actor: self,
            taken,
            owner,
            lost: AtomicBool::new(false),
        };
        self.watcher.at(Step::Received, &taken.delivery).await;
        if self.mode == Mode::PopAndForget {
            self.broker.ack(&taken.delivery).await?;
        }
        let outcome = match act.run().await {
            Ok(Ran::Finished(outcome)) => act.ack(outcome).await?,
            Ok(Ran::Held(time)) => act.postpone(time).await?,
            Err(error) => act.fail(&error).await?,
        };
        self.watcher.at(Step::Settled, &taken.delivery).await;
        self.metrics.settled(outcome, taken);
        Ok(outcome)
    }
}

/// How far a message came.
enum Ran {
    Finished(Outcome),
    Held(Duration),
}

impl<H: Handler> Act<'_, H> {
    async fn run(&self) -> Result<Ran, Error> {
        let attempt = self.taken.delivery.attempt();
        if attempt > self.actor.contract.most_deliveries {
            let text = format!(
                "delivery {attempt} of at most {}",
                self.actor.contract.most_deliveries
            );
            return Err(Error::new(word::TOO_MANY_DELIVERIES, text));
        }
        self.actor.metrics.attempt();
        let message = self.taken.message.as_ref().map_err(Clone::clone)?;
        let keyed = self.actor.mode == Mode::Reliable
            && self.actor.contract.strategy == Strategy::DedupeTable;
        match (keyed, self.actor.contract.external_effects.is_empty()) {
            (true, false) => self.claim_first(message).await,
            (true, true) => self.holding(None, self.claim_with_effect(message)).await,
            (false, _) => self.holding(None, self.without_key(message)).await,
        }
    }

    /// No key: the effect itself knows whether it was there, or nobody wants to know.
    async fn without_key(&self, message: &H::Message) -> Result<Ran, Error> {
        let done = self.perform(message).await?;
        let mut transaction = self.actor.store.begin().await?;
        let applied = self.record(message, &done, &mut *transaction).await?;
        self.commit(transaction).await?;
        Ok(Ran::Finished(applied.into()))
    }

    /// Key and effect in one transaction: the effect is there if and only if the key is.
    async fn claim_with_effect(&self, message: &H::Message) -> Result<Ran, Error> {
        let mut transaction = self.actor.store.begin().await?;
        match self.claim(None).make(&mut *transaction).await? {
            Claimed::New => {
                let applied = self
                    .record(message, &Done::default(), &mut *transaction)
                    .await?;
                self.commit(transaction).await?;
                Ok(Ran::Finished(applied.into()))
            }
            Claimed::Duplicate => self.duplicate(transaction).await,
            // A contract that once had effects outside may have left claims without a result.
            Claimed::Held(_) | Claimed::Abandoned => Err(Error::new(
                word::STORE_REFUSED,
                "the key is claimed by an effect outside",
            )),
        }
    }

    /// An effect outside the database: no transaction spans it, so a claim without a result is committed
    /// before, and its result after.
    async fn claim_first(&self, message: &H::Message) -> Result<Ran, Error> {
        let claim = self.claim(Some(self.actor.contract.processing.lock));
        let mut transaction = self.actor.store.begin().await?;
        let claimed = claim.make(&mut *transaction).await?;
        match claimed {
            Claimed::Duplicate => return self.duplicate(transaction).await,
            Claimed::Held(time) => {
                transaction.rollback().await?;
                return Ok(Ran::Held(time));
            }
            Claimed::New | Claimed::Abandoned => transaction.commit().await?,
        }
        self.actor
            .watcher
            .at(Step::Claimed, &self.taken.delivery)
            .await;
        let work = self.perform_and_record(message, &claim, claimed);
        let finished = self.holding(Some(&claim), work).await;
        if finished.is_err() {
            self.release(&claim).await;
        }
        finished.map(Ran::Finished)
    }

    async fn perform_and_record(
        &self,
        message: &H::Message,
        claim: &Claim<'_>,
        claimed: Claimed,
    ) -> Result<Outcome, Error> {
        let found = if claimed == Claimed::Abandoned {
            self.reconcile(message).await?
        } else {
            None
        };
        let reconciled = found.is_some();
        let done = match found {
            Some(done) => done,
            None => self.perform(message).await?,
        };
        let mut transaction = self.actor.store.begin().await?;
        let applied = self.record(message, &done, &mut *transaction).await?;
        if !claim.finish(&mut *transaction, &done.0).await? {
            return Err(Error::new(
                word::TIMEOUT,
                "the claim was taken over while the handler ran",
            ));
        }
        self.commit(transaction).await?;
        Ok(if reconciled {
            Outcome::Reconciled
        } else {
            applied.into()
        })
    }

    async fn reconcile(&self, message: &H::Message) -> Result<Option<Done>, Error> {
        let found = self
            .in_time(self.actor.handler.reconcile(message, &self.context()))
            .await?;
        let names = &self.taken.names;
        let answer = found.as_ref().map(|done| done.0.as_str());
        // With an answer it had happened, and is recorded; without one it is done now.
        info!(event_id = names.event_id, key = names.key, answer, "came back in flight");
        Ok(found)
    }

    async fn perform(&self, message: &H::Message) -> Result<Done, Error> {
        if self.actor.contract.external_effects.is_empty() {
            return Ok(Done::default());
        }
        let done = self
            .in_time(self.actor.handler.perform(message, &self.context()))
            .await?;
        self.actor
            .watcher
            .at(Step::Performed, &self.taken.delivery)
            .await;
        Ok(done)
    }

    async fn record(
        &self,
        message: &H::Message,
        done: &Done,
        transaction: &mut dyn Transaction,
    ) -> Result<Applied, Error> {
        let applied = self
            .in_time(self.actor.handler.record(message, done, transaction))
            .await?;
        self.status(State::Succeeded).write(transaction).await?;
        self.actor
            .watcher
            .at(Step::Recorded, &self.taken.delivery)
            .await;
        Ok(applied)
    }

    async fn commit(&self, transaction: Box<dyn Transaction>) -> Result<(), Error> {
        if self.lost.load(Ordering::Acquire) {
            transaction.rollback().await?;
            return Err(Error::new(
                word::TIMEOUT,
                "the lock was lost while the handler ran",
            ));
        }
        transaction.commit().await?;
        self.actor
            .watcher
            .at(Step::Committed, &self.taken.delivery)
            .await;
        Ok(())
    }

    /// The effect is there; only the event may be another one.
    async fn duplicate(&self, mut transaction: Box<dyn Transaction>) -> Result<Ran, Error> {
        self.status(State::Succeeded)
            .write(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(Ran::Finished(Outcome::NoOp))
    }

    /// Lets the next attempt take the claim at once. If that fails, it waits until the lease ends.
    async fn release(&self, claim: &Claim<'_>) {
        let released = async {
            let mut transaction = self.actor.store.begin().await?;
            claim.release(&mut *transaction).await?;
            transaction.commit().await
        };
        if let Err(error) = released.await {
            warn!(key = claim.key, %error, "the claim could not be released; its lease ends by itself");
        }
    }

    fn claim(&self, lease: Option<Duration>) -> Claim<'_> {
        Claim {
            contract: &self.actor.contract,
            key: &self.taken.names.key,
            event_id: &self.taken.names.event_id,
            owner: &self.owner,
            lease,
        }
    }

    fn context(&self) -> Context {
        Context {
            attempt: self.taken.delivery.attempt(),
            key: self.taken.names.key.clone(),
            stand_in: self.actor.stand_in.clone(),
        }
    }

    fn status(&self, state: State) -> status::Change<'_> {
        status::Change {
            contract: &self.actor.contract,
            names: &self.taken.names,
            state,
            attempts: self.taken.delivery.attempt(),
            failure: None,
            owner: &self.actor.owner,
            next_retry_at: None,
        }
    }

    fn class(&self, error: &Error) -> Class {
        self.actor.handler.classify(error)
    }

    fn names(&self) -> &Names {
        &self.taken.names
    }
}

impl From<Applied> for Outcome {
    fn from(applied: Applied) -> Self {
        match applied {
            Applied::Yes => Self::Applied,
            Applied::NoOp => Self::NoOp,
        }
    }
}
