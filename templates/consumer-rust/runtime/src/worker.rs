//! Receives, acts on as many messages as may be in hand, and stops without leaving anything undone.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tracing::{error, info, warn};

use crate::act::Actor;
use crate::broker::BrokerError;
use crate::delivery::{Delivery, Place};
use crate::handler::Handler;
use crate::intake::{Taken, take};
use crate::status;
use crate::store::StoreError;
use crate::tables::State;

/// So long one call for messages waits: a stop is noticed in between, never in the middle of one.
const WAIT: Duration = Duration::from_millis(250);

/// So long nothing is asked of a broker that is away.
const PAUSE: Duration = Duration::from_secs(1);

/// Works on messages until it is told to stop.
pub struct Worker<H> {
    actor: Arc<Actor<H>>,
    hands: Arc<Semaphore>,
    count: AtomicU64,
}

/// When a worker stops by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Never.
    Told,
    /// When nothing is ready, in hand or waiting for a retry.
    Drained,
}

impl<H: Handler> Worker<H> {
    /// A worker with as many hands as the contract says.
    #[must_use]
    pub fn new(actor: Arc<Actor<H>>) -> Self {
        let hands = Arc::new(Semaphore::new(actor.contract.processing.concurrency.max(1)));
        Self {
            actor,
            hands,
            count: AtomicU64::new(0),
        }
    }

    /// Works until `stop` becomes true, or until there is nothing left, as `until` says. What is in hand
    /// then is finished within the contract's grace, and given back after it.
    ///
    /// # Errors
    ///
    /// If the broker refuses to hand out messages for good.
    pub async fn run(&self, stop: &watch::Receiver<bool>, until: Until) -> Result<(), BrokerError> {
        let mut at_work = JoinSet::new();
        while !*stop.borrow() {
            while at_work.try_join_next().is_some() {}
            let Some(first) = self.free_hand().await else {
                continue;
            };
            let most = self.hands.available_permits() + 1;
            match self.actor.broker.receive(Place::Work, most, WAIT).await {
                Ok(deliveries) if deliveries.is_empty() => {
                    if until == Until::Drained && at_work.is_empty() && self.drained().await? {
                        return Ok(());
                    }
                }
                Ok(deliveries) => self.begin(deliveries, first, &mut at_work).await,
                Err(BrokerError::Unavailable(reason)) => {
                    warn!(reason, "the broker is away; it is asked again");
                    tokio::time::sleep(PAUSE).await;
                }
                Err(error) => return Err(error),
            }
        }
        self.finish(at_work).await;
        Ok(())
    }

    /// Waits for a hand to be free, but not for so long that a stop goes unnoticed.
    async fn free_hand(&self) -> Option<OwnedSemaphorePermit> {
        let hand = Arc::clone(&self.hands).acquire_owned();
        tokio::time::timeout(WAIT, hand).await.ok()?.ok()
    }

    async fn drained(&self) -> Result<bool, BrokerError> {
        let depth = self.actor.broker.depth().await?;
        Ok(depth.ready + depth.in_flight + depth.delayed == 0)
    }

    async fn begin(
        &self,
        deliveries: Vec<Delivery>,
        first: OwnedSemaphorePermit,
        at_work: &mut JoinSet<()>,
    ) {
        let taken: Vec<Taken<H::Message>> = deliveries
            .into_iter()
            .map(|delivery| take(&self.actor.contract, delivery))
            .collect();
        if let Err(error) = self.note_received(&taken).await {
            warn!(%error, "the status `received` could not be written");
        }
        let mut hand = Some(first);
        for one in taken {
            let hand = match hand.take() {
                Some(hand) => Some(hand),
                None => Arc::clone(&self.hands).acquire_owned().await.ok(),
            };
            let number = self.count.fetch_add(1, Ordering::Relaxed);
            let actor = Arc::clone(&self.actor);
            actor.metrics.take_up(number);
            at_work.spawn(async move {
                let _hand = hand;
                handle(&actor, &one).await;
                actor.metrics.put_down(number);
            });
        }
    }

    /// One transaction for all that came together: nobody waits for a status.
    async fn note_received(&self, all: &[Taken<H::Message>]) -> Result<(), StoreError> {
        let mut transaction = self.actor.store.begin().await?;
        for taken in all {
            let change = status::Change {
                contract: &self.actor.contract,
                names: &taken.names,
                state: State::Received,
                attempts: taken.delivery.attempt(),
                failure: None,
                owner: &self.actor.owner,
                next_retry_at: None,
            };
            change.write(&mut *transaction).await?;
        }
        transaction.commit().await
    }

    /// Waits for what is in hand. What is not finished in time keeps its lock until that expires: giving
    /// it back at once could put it into other hands while an effect outside is still under way.
    async fn finish(&self, mut at_work: JoinSet<()>) {
        let grace = self.actor.contract.processing.shutdown_grace;
        info!(in_hand = at_work.len(), "stopping");
        let all = async { while at_work.join_next().await.is_some() {} };
        if tokio::time::timeout(grace, all).await.is_err() {
            error!(
                left = at_work.len(),
                "not finished within the grace; it comes back by its lock"
            );
            at_work.shutdown().await;
        }
    }
}

async fn handle<H: Handler>(actor: &Actor<H>, taken: &Taken<H::Message>) {
    let names = &taken.names;
    match actor.act(taken).await {
        Ok(outcome) => info!(
            event_id = names.event_id,
            business_id = names.business_id,
            version = actor.contract.version,
            attempt = taken.delivery.attempt(),
            outcome = outcome.word(),
            "settled"
        ),
        Err(error) => warn!(
            event_id = names.event_id,
            %error,
            "the broker was not told; it hands the message out again"
        ),
    }
}
