//! How a message is settled at the broker, whatever came of it.

use std::time::Duration;

use tracing::{error, info, warn};

use super::{Act, Mode, Outcome};
use crate::broker::BrokerError;
use crate::contract::{Answer, Class};
use crate::failure::{Error, word};
use crate::handler::Handler;
use crate::settle::{Verdict, headers_for_dead_letter, headers_for_retry, headers_uncounted};
use crate::time::Millis;

/// A message that was handed out too often was never classified: its handler died each time.
const OVER_LIMIT: Class = Class {
    name: word::TOO_MANY_DELIVERIES,
    words: &[],
    answer: Answer::DeadLetter,
};

impl<H: Handler> Act<'_, H> {
    /// The message is done: the broker may forget it. Always the last step.
    pub(super) async fn ack(&self, outcome: Outcome) -> Result<Outcome, BrokerError> {
        if self.actor.mode != Mode::PopAndForget {
            self.actor.broker.ack(&self.taken.delivery).await?;
        }
        Ok(outcome)
    }

    /// Somebody else may still be at work on the same key: it comes back when their claim has ended.
    pub(super) async fn postpone(&self, time: Duration) -> Result<Outcome, BrokerError> {
        let names = self.names();
        info!(
            event_id = names.event_id,
            key = names.key,
            "somebody else is at work on this key"
        );
        let headers = headers_uncounted(&self.taken.delivery);
        self.actor
            .broker
            .retry(&self.taken.delivery, time, headers)
            .await?;
        Ok(Outcome::Postponed)
    }

    /// Handling failed: the contract says what follows for the class.
    pub(super) async fn fail(&self, error: &Error) -> Result<Outcome, BrokerError> {
        if self.actor.mode == Mode::PopAndForget {
            // It is acknowledged already, which is what this mode is about.
            return Ok(Outcome::Dropped);
        }
        let limit = error.word() == word::TOO_MANY_DELIVERIES;
        let class = if limit { OVER_LIMIT } else { self.class(error) };
        let delivery = &self.taken.delivery;
        let verdict = Verdict::of(&class, delivery.attempt());
        self.log(&class, &verdict, error);
        // The status first: it is only told, and the broker decides.
        self.tell(&class, &verdict, error).await;
        let broker = &self.actor.broker;
        match verdict {
            Verdict::Retry(wait) => {
                broker
                    .retry(delivery, wait, headers_for_retry(delivery, &class, error))
                    .await?;
                Ok(Outcome::Retried)
            }
            Verdict::DeadLetter => {
                let contract = &self.actor.contract;
                let headers =
                    headers_for_dead_letter(contract, self.names(), delivery, &class, error);
                broker.dead_letter(delivery, headers).await?;
                Ok(Outcome::Dead)
            }
            Verdict::Drop => {
                broker.ack(delivery).await?;
                Ok(Outcome::Dropped)
            }
        }
    }

    fn log(&self, class: &Class, verdict: &Verdict, failure: &Error) {
        let names = self.names();
        let contract = &self.actor.contract;
        let (event_id, attempt) = (names.event_id.as_str(), self.taken.delivery.attempt());
        let business_id = names.business_id.as_deref();
        let (version, class) = (contract.version, class.name);
        match verdict {
            Verdict::Retry(wait) => warn!(
                event_id, business_id, version, attempt, class, %failure,
                wait_ms = wait.as_millis(), "failed, and is tried again"
            ),
            Verdict::DeadLetter => error!(
                event_id, business_id, version, attempt, class, %failure, "failed, and is a dead letter"
            ),
            Verdict::Drop => {
                info!(event_id, business_id, version, attempt, class, %failure, "is dropped");
            }
        }
    }

    /// Writes the failure into the event's status. The message is settled whether or not that succeeds.
    async fn tell(&self, class: &Class, verdict: &Verdict, failure: &Error) {
        let text = failure.to_string();
        let mut status = self.status(verdict.state());
        status.failure = Some((class.name, &text));
        if let Verdict::Retry(wait) = verdict {
            status.next_retry_at = Some(Millis::now().plus(*wait));
        }
        let written = async {
            let mut transaction = self.actor.store.begin().await?;
            status.write(&mut *transaction).await?;
            transaction.commit().await
        };
        if let Err(error) = written.await {
            warn!(event_id = self.names().event_id, %error, "the status could not be written");
        }
    }
}
