//! What the broker hands out, from its arrival until it is settled.

use std::collections::HashMap;
use std::sync::{Arc, Mutex as Lock, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use lapin::message::Delivery as Received;
use lapin::options::{BasicConsumeOptions, BasicGetOptions, BasicQosOptions};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Channel};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::message::{handed_out_before, headers, short};
use super::session::failed;
use crate::broker::BrokerError;
use crate::delivery::{Delivery, Place, Receipt};
use crate::random;

/// So often a queue is asked that is not consumed from.
const PAUSE: Duration = Duration::from_millis(20);

/// The properties of what was handed out and not settled, by tag.
type Held = Arc<Lock<HashMap<u64, BasicProperties>>>;

/// A channel that hands out and settles.
pub(super) struct Incoming {
    pub(super) channel: Channel,
    prefetch: u16,
    messages: Mutex<Option<UnboundedReceiver<Received>>>,
    held: Held,
    token: String,
}

impl Incoming {
    pub(super) fn new(channel: Channel, prefetch: usize) -> Self {
        Self {
            channel,
            prefetch: u16::try_from(prefetch).unwrap_or(u16::MAX),
            messages: Mutex::new(None),
            held: Held::default(),
            token: random::name(),
        }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<u64, BasicProperties>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn holds(&self, delivery: &Delivery) -> bool {
        let receipt = &delivery.receipt;
        receipt.token == self.token && self.held().contains_key(&receipt.tag)
    }

    /// The properties that a delivery came with.
    pub(super) fn original(&self, delivery: &Delivery) -> Option<BasicProperties> {
        self.held().get(&delivery.receipt.tag).cloned()
    }

    pub(super) fn settled(&self, delivery: &Delivery) {
        self.held().remove(&delivery.receipt.tag);
    }

    /// What was handed out to this process and is not settled, waiting in its hands or at work.
    pub(super) fn in_flight(&self) -> u64 {
        self.held().len() as u64
    }

    /// Takes from the queue that this process consumes from.
    pub(super) async fn receive(
        &self,
        queue: &str,
        most: usize,
        wait: Duration,
    ) -> Result<Vec<Delivery>, BrokerError> {
        let mut incoming = self.messages.lock().await;
        if incoming.is_none() {
            *incoming = Some(self.consume(queue).await?);
        }
        let Some(messages) = incoming.as_mut() else {
            return Ok(Vec::new());
        };
        let first = match tokio::time::timeout(wait, messages.recv()).await {
            Err(_) => return Ok(Vec::new()),
            Ok(Some(first)) => first,
            Ok(None) => {
                *incoming = None;
                let reason = "the broker stopped handing out messages";
                return Err(BrokerError::Unavailable(reason.to_owned()));
            }
        };
        let mut deliveries = vec![self.delivery(first, Place::Work)];
        while deliveries.len() < most {
            let Ok(next) = messages.try_recv() else { break };
            deliveries.push(self.delivery(next, Place::Work));
        }
        Ok(deliveries)
    }

    /// Begins to consume. What comes is noted as held at once, not when somebody asks for it.
    async fn consume(&self, queue: &str) -> Result<UnboundedReceiver<Received>, BrokerError> {
        let qos = self
            .channel
            .basic_qos(self.prefetch, BasicQosOptions::default());
        qos.await.map_err(failed)?;
        let options = BasicConsumeOptions::default();
        let consumer =
            self.channel
                .basic_consume(short(queue)?, "".into(), options, FieldTable::default());
        let mut consumer = consumer.await.map_err(failed)?;
        let (sender, receiver) = unbounded_channel();
        let held = Arc::clone(&self.held);
        tokio::spawn(async move {
            // The prefetch bounds what waits here.
            while let Some(Ok(message)) = consumer.next().await {
                hold(&held, &message);
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Ok(receiver)
    }

    /// Takes from a queue that nobody consumes from, one by one.
    pub(super) async fn fetch(
        &self,
        queue: &str,
        from: Place,
        most: usize,
        wait: Duration,
    ) -> Result<Vec<Delivery>, BrokerError> {
        let until = Instant::now() + wait;
        let mut deliveries = Vec::new();
        while deliveries.len() < most {
            let got = self
                .channel
                .basic_get(short(queue)?, BasicGetOptions::default());
            match got.await.map_err(failed)? {
                Some(message) => {
                    hold(&self.held, &message.delivery);
                    deliveries.push(self.delivery(message.delivery, from));
                }
                None if deliveries.is_empty() && Instant::now() < until => {
                    tokio::time::sleep(PAUSE).await;
                }
                None => break,
            }
        }
        Ok(deliveries)
    }

    fn delivery(&self, message: Received, from: Place) -> Delivery {
        let id = message.properties.message_id().as_ref();
        Delivery {
            // Without an id of its own it gets one, which the copy of a retry keeps.
            id: id.map_or_else(random::name, ToString::to_string),
            headers: headers(&message.properties),
            handed_out_before: handed_out_before(&message.properties, message.redelivered),
            received_at: Instant::now(),
            locked_until: None,
            from,
            receipt: Receipt {
                tag: message.delivery_tag,
                token: self.token.clone(),
            },
            body: message.data,
        }
    }
}

fn hold(held: &Held, message: &Received) {
    let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
    held.insert(message.delivery_tag, message.properties.clone());
}
