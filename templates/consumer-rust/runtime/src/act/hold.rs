//! How long an attempt may take, and how its hold on the message and the key is kept meanwhile.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tracing::{error, warn};

use super::Act;
use crate::broker::BrokerError;
use crate::dedupe::Claim;
use crate::failure::{Error, word};
use crate::handler::Handler;
use crate::store::StoreError;

/// A lock is renewed so often within its time, so that one failed renewal does not cost it.
const RENEWALS: u32 = 3;

impl<H: Handler> Act<'_, H> {
    /// Does `work` while the delivery, and the claim where there is one, stay ours.
    ///
    /// Both run side by side: the work may hold a row that a renewal waits for.
    pub(super) async fn holding<T>(
        &self,
        claim: Option<&Claim<'_>>,
        work: impl Future<Output = T>,
    ) -> T {
        if !self.actor.contract.processing.lock_renewed {
            return work.await;
        }
        tokio::select! {
            done = work => done,
            never = self.renew(claim) => match never {},
        }
    }

    async fn renew(&self, claim: Option<&Claim<'_>>) -> std::convert::Infallible {
        let lock = self.actor.contract.processing.lock;
        loop {
            tokio::time::sleep(lock / RENEWALS).await;
            match self.actor.broker.extend(&self.taken.delivery, lock).await {
                Ok(()) => {}
                Err(BrokerError::LockLost) => self.lose("delivery"),
                Err(error) => warn!(%error, "the lock could not be renewed; it is tried again"),
            }
            let Some(claim) = claim else { continue };
            match self.extend(claim, lock).await {
                Ok(true) => {}
                Ok(false) => self.lose("claim"),
                Err(error) => warn!(%error, "the claim could not be renewed; it is tried again"),
            }
        }
    }

    async fn extend(&self, claim: &Claim<'_>, time: Duration) -> Result<bool, StoreError> {
        let mut transaction = self.actor.store.begin().await?;
        let ours = claim.extend(&mut *transaction, time).await?;
        transaction.commit().await?;
        Ok(ours)
    }

    fn lose(&self, what: &str) {
        if !self.lost.swap(true, Ordering::AcqRel) {
            self.actor.metrics.lock_lost();
            let event_id = self.taken.names.event_id.as_str();
            error!(
                event_id,
                what, "the lock is lost: nothing of this attempt is committed"
            );
        }
    }

    /// `work`, or a failure if it takes longer than a handler may.
    pub(super) async fn in_time<T>(
        &self,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let limit = self.actor.contract.processing.handler_timeout;
        tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
            Err(Error::new(
                word::TIMEOUT,
                format!("the handler ran longer than {limit:?}"),
            ))
        })
    }
}
