//! `RabbitMQ` over AMQP 0-9-1, with the queues that the generated `topology` declares.
//!
//! A lock is the connection: a message belongs to whoever received it until it is settled or the connection
//! ends. A retry is a copy in a delay queue and then the acknowledgement of the original; a crash in between
//! leaves both, which dedupe absorbs. The broker counts anew at each such hop, so attempts travel in a header
//! of the message.

mod incoming;
mod management;
mod message;
mod session;
mod settings;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use lapin::options::{BasicAckOptions, BasicNackOptions, BasicRejectOptions};
use tokio::sync::Mutex;

use super::{Broker, BrokerError, Depth, Effective};
use crate::contract::Contract;
use crate::delivery::{Delivery, Headers, Outgoing, Place};
use message::{copy, fresh};
use session::Session;

/// So long a message is kept in hand that could not be moved: whatever stands against it is still there.
const PAUSE: Duration = Duration::from_secs(1);

/// A queue of `RabbitMQ` with its dead letters and its delay queues.
pub struct Rabbitmq {
    url: String,
    management: Option<String>,
    contract: Contract,
    session: Mutex<Option<Arc<Session>>>,
}

impl Rabbitmq {
    /// The queue of `contract` at the broker of `url`. Nothing is connected before the first call. With the
    /// address of its management interface, policies are compared with the contract, too.
    #[must_use]
    pub fn new(url: &str, management: Option<String>, contract: &Contract) -> Self {
        Self {
            url: url.to_owned(),
            management,
            contract: *contract,
            session: Mutex::new(None),
        }
    }

    /// The connection, or a new one where there is none or it is broken.
    async fn session(&self) -> Result<Arc<Session>, BrokerError> {
        let mut session = self.session.lock().await;
        if let Some(session) = session.as_ref().filter(|session| session.alive()) {
            return Ok(Arc::clone(session));
        }
        if let Some(broken) = session.take() {
            // What it held goes back to the queue, also where only one of its channels is gone.
            broken.close().await;
        }
        let new = Arc::new(Session::open(&self.url, &self.contract).await?);
        *session = Some(Arc::clone(&new));
        Ok(new)
    }

    /// The connection that holds a delivery.
    async fn holder(&self, delivery: &Delivery) -> Result<Arc<Session>, BrokerError> {
        let session = self.session.lock().await;
        let session = session
            .as_ref()
            .filter(|session| session.alive() && session.incoming.holds(delivery));
        session.map(Arc::clone).ok_or(BrokerError::LockLost)
    }

    fn queue(&self, place: Place) -> Result<&'static str, BrokerError> {
        match place {
            Place::Work => Ok(self.contract.queue),
            Place::DeadLetters => self
                .contract
                .dead_letter_queue
                .ok_or_else(|| BrokerError::Refused("the contract has no dead letters".to_owned())),
        }
    }

    /// The queue in which a message waits for `delay`: the nearest that is not shorter, else the longest.
    fn delay_queue(&self, delay: Duration) -> String {
        let delays = self.contract.delays;
        let nearest = delays.iter().find(|wait| **wait >= delay).or(delays.last());
        match nearest.filter(|_| !delay.is_zero()) {
            Some(wait) => delay_queue(self.contract.queue, *wait),
            None => self.contract.queue.to_owned(),
        }
    }

    /// Puts a copy of a delivery into another queue, and settles the original when the broker has it.
    async fn move_to(
        &self,
        queue: &str,
        delivery: &Delivery,
        headers: &Headers,
    ) -> Result<(), BrokerError> {
        let session = self.holder(delivery).await?;
        let original = session
            .incoming
            .original(delivery)
            .ok_or(BrokerError::LockLost)?;
        let copied = session
            .publish(
                "",
                queue,
                &delivery.body,
                copy(&original, delivery, headers)?,
            )
            .await;
        if let Err(error) = copied {
            self.hand_back(delivery).await;
            return Err(error);
        }
        self.ack(delivery).await
    }

    /// What cannot be moved is handed out again, since no lock of its own would ever end. That counts, so
    /// that the broker gives up at its limit and keeps the message until the dead letters have room.
    async fn hand_back(&self, delivery: &Delivery) {
        tokio::time::sleep(PAUSE).await;
        let Ok(session) = self.holder(delivery).await else {
            return;
        };
        let options = BasicRejectOptions { requeue: true };
        let tag = delivery.receipt.tag;
        // If the channel is gone, the message is back already.
        let _ = session.incoming.channel.basic_reject(tag, options).await;
        session.incoming.settled(delivery);
    }
}

/// The name of a delay queue, as the topology declares it.
#[must_use]
pub fn delay_queue(queue: &str, wait: Duration) -> String {
    format!("{queue}.retry.{}ms", wait.as_millis())
}

#[async_trait]
impl Broker for Rabbitmq {
    fn kind(&self) -> &'static str {
        "rabbitmq"
    }

    async fn effective(&self) -> Result<Effective, BrokerError> {
        let session = self.session().await?;
        let settings = settings::read(&session, &self.contract).await?;
        match &self.management {
            Some(address) => {
                management::complete(settings, address, &session.vhost, &self.contract).await
            }
            None => Ok(settings),
        }
    }

    async fn receive(
        &self,
        from: Place,
        most: usize,
        wait: Duration,
    ) -> Result<Vec<Delivery>, BrokerError> {
        let session = self.session().await?;
        match from {
            Place::Work => {
                session
                    .incoming
                    .receive(self.contract.queue, most, wait)
                    .await
            }
            Place::DeadLetters => {
                session
                    .incoming
                    .fetch(self.queue(from)?, from, most, wait)
                    .await
            }
        }
    }

    async fn ack(&self, delivery: &Delivery) -> Result<(), BrokerError> {
        let session = self.holder(delivery).await?;
        let options = BasicAckOptions::default();
        let acknowledged = session
            .incoming
            .channel
            .basic_ack(delivery.receipt.tag, options)
            .await;
        session.incoming.settled(delivery);
        // A channel that is gone has given the message back already.
        acknowledged.map_err(|_| BrokerError::LockLost)
    }

    async fn retry(
        &self,
        delivery: &Delivery,
        delay: Duration,
        headers: Headers,
    ) -> Result<(), BrokerError> {
        self.move_to(&self.delay_queue(delay), delivery, &headers)
            .await
    }

    async fn dead_letter(&self, delivery: &Delivery, headers: Headers) -> Result<(), BrokerError> {
        self.move_to(self.queue(Place::DeadLetters)?, delivery, &headers)
            .await
    }

    async fn give_back(&self, delivery: &Delivery) -> Result<(), BrokerError> {
        let session = self.holder(delivery).await?;
        let options = BasicNackOptions {
            requeue: true,
            ..BasicNackOptions::default()
        };
        let returned = session
            .incoming
            .channel
            .basic_nack(delivery.receipt.tag, options)
            .await;
        session.incoming.settled(delivery);
        returned.map_err(|_| BrokerError::LockLost)
    }

    async fn extend(&self, delivery: &Delivery, _time: Duration) -> Result<(), BrokerError> {
        // Its lock is the connection; but one that is gone is a lock that is lost.
        self.holder(delivery).await.map(drop)
    }

    async fn publish(&self, to: Place, message: &Outgoing) -> Result<(), BrokerError> {
        let (session, queue) = (self.session().await?, self.queue(to)?);
        let exchange = match to {
            Place::Work => session.exchange,
            Place::DeadLetters => "",
        };
        session
            .publish(exchange, queue, &message.body, fresh(message)?)
            .await
    }

    async fn depth(&self) -> Result<Depth, BrokerError> {
        let session = self.session().await?;
        let mut queues = vec![self.contract.queue.to_owned()];
        queues.extend(
            self.contract
                .delays
                .iter()
                .map(|wait| delay_queue(self.contract.queue, *wait)),
        );
        queues.extend(self.contract.dead_letter_queue.map(str::to_owned));
        let counts = session.ready(&queues).await?;
        let ready = counts.first().copied().unwrap_or_default();
        let dead = self
            .contract
            .dead_letter_queue
            .and(counts.last().copied())
            .unwrap_or_default();
        Ok(Depth {
            ready,
            // Only this process's own: AMQP does not say what others hold.
            in_flight: session.incoming.in_flight(),
            delayed: counts.iter().sum::<u64>() - ready - dead,
            dead,
            published: None,
            delivered: None,
        })
    }

    async fn ids(&self) -> Result<Option<Vec<String>>, BrokerError> {
        Ok(None)
    }

    async fn close(&self) -> Result<(), BrokerError> {
        if let Some(session) = self.session.lock().await.take() {
            session.close().await;
        }
        Ok(())
    }
}
