//! A connection with its channels, and what it holds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex as Lock, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use lapin::message::Delivery as Received;
use lapin::options::{
    BasicConsumeOptions, BasicGetOptions, BasicPublishOptions, BasicQosOptions,
    ConfirmSelectOptions, ExchangeDeclareOptions, QueueDeclareOptions,
};
use lapin::types::FieldTable;
use lapin::{
    BasicProperties, Channel, Confirmation, Connection, ConnectionProperties, ExchangeKind,
};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::deadline;
use super::message::{handed_out_before, headers, short};
use crate::broker::BrokerError;
use crate::contract::Contract;
use crate::delivery::{Delivery, Place, Receipt};
use crate::random;

/// So long a connection may take to be there.
const CONNECT: Duration = Duration::from_secs(10);

/// So long a broker may take to confirm: one that is short of memory or disk does not answer at all.
const CONFIRM: Duration = Duration::from_secs(30);

/// So often a queue is asked that is not consumed from.
const PAUSE: Duration = Duration::from_millis(20);

/// The properties of what was handed out and not settled, by tag.
type Held = Arc<Lock<HashMap<u64, BasicProperties>>>;

/// A connection.
pub(super) struct Session {
    connection: Connection,
    /// Hands out and settles.
    pub(super) channel: Channel,
    /// Publishes, and hears what was confirmed.
    publisher: Channel,
    /// The exchange of the topology, or the one that every broker has.
    pub(super) exchange: &'static str,
    /// The virtual host.
    pub(super) vhost: String,
    prefetch: u16,
    incoming: Mutex<Option<UnboundedReceiver<Received>>>,
    held: Held,
    token: String,
}

impl Session {
    pub(super) async fn open(url: &str, contract: &Contract) -> Result<Self, BrokerError> {
        let opened = async {
            let name = format!("{} {}", contract.name, std::process::id());
            let properties = ConnectionProperties::default().with_connection_name(name.into());
            let connection = Connection::connect(url, properties).await?;
            let channel = connection.create_channel().await?;
            let publisher = connection.create_channel().await?;
            publisher
                .confirm_select(ConfirmSelectOptions::default())
                .await?;
            Ok((connection, channel, publisher))
        };
        let (connection, channel, publisher) = in_time(CONNECT, opened).await?;
        let exchange = if exists(&connection, contract.queue).await? {
            contract.queue
        } else {
            ""
        };
        Ok(Self {
            vhost: connection.status().vhost().to_string(),
            connection,
            channel,
            publisher,
            exchange,
            prefetch: u16::try_from(contract.processing.prefetch).unwrap_or(u16::MAX),
            incoming: Mutex::new(None),
            held: Held::default(),
            token: random::name(),
        })
    }

    pub(super) fn alive(&self) -> bool {
        let channels = [&self.channel, &self.publisher];
        self.connection.status().connected()
            && channels.iter().all(|channel| channel.status().connected())
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HashMap<u64, BasicProperties>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn holds(&self, delivery: &Delivery) -> bool {
        let receipt = &delivery.receipt;
        receipt.token == self.token && self.alive() && self.held().contains_key(&receipt.tag)
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
        let mut incoming = self.incoming.lock().await;
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
        let until = deadline(wait);
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

    /// Publishes, and returns when a queue has the message and the broker says so.
    pub(super) async fn publish(
        &self,
        exchange: &str,
        key: &str,
        body: &[u8],
        properties: BasicProperties,
    ) -> Result<(), BrokerError> {
        let (exchange, key) = (short(exchange)?, short(key)?);
        let options = BasicPublishOptions {
            mandatory: true,
            ..BasicPublishOptions::default()
        };
        let text = key.to_string();
        let published = async {
            let sent = self
                .publisher
                .basic_publish(exchange, key, options, body, properties);
            sent.await?.await
        };
        match in_time(CONFIRM, published).await? {
            Confirmation::Ack(None) => Ok(()),
            Confirmation::Ack(Some(_)) | Confirmation::Nack(Some(_)) => Err(BrokerError::Refused(
                format!("no queue takes `{text}`; see the topology"),
            )),
            Confirmation::Nack(None) => Err(BrokerError::Unavailable(format!(
                "`{text}` is full, or has no majority"
            ))),
            Confirmation::NotRequested => Err(BrokerError::Refused(
                "the broker does not confirm".to_owned(),
            )),
        }
    }

    /// How many messages wait in each queue, exactly: the broker answers from the queue itself.
    pub(super) async fn ready(&self, queues: &[String]) -> Result<Vec<u64>, BrokerError> {
        let channel = self.aside().await?;
        let mut counts = Vec::with_capacity(queues.len());
        for queue in queues {
            let options = QueueDeclareOptions {
                passive: true,
                ..QueueDeclareOptions::default()
            };
            let declared = channel.queue_declare(short(queue)?, options, FieldTable::default());
            counts.push(u64::from(declared.await.map_err(failed)?.message_count()));
        }
        // If it cannot be closed, it is closed with the connection.
        let _ = channel.close(200, "done".into()).await;
        Ok(counts)
    }

    /// A channel for questions: a wrong one closes its channel.
    pub(super) async fn aside(&self) -> Result<Channel, BrokerError> {
        self.connection.create_channel().await.map_err(failed)
    }

    pub(super) async fn close(&self) {
        // It may be closed already, which is what is wanted.
        let _ = self.connection.close(200, "done".into()).await;
    }
}

fn hold(held: &Held, message: &Received) {
    let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
    held.insert(message.delivery_tag, message.properties.clone());
}

async fn exists(connection: &Connection, exchange: &str) -> Result<bool, BrokerError> {
    let channel = connection.create_channel().await.map_err(failed)?;
    let options = ExchangeDeclareOptions {
        passive: true,
        ..ExchangeDeclareOptions::default()
    };
    let kind = ExchangeKind::Direct;
    let declared = channel
        .exchange_declare(short(exchange)?, kind, options, FieldTable::default())
        .await;
    let _ = channel.close(200, "done".into()).await;
    match declared.map_err(failed) {
        Ok(()) => Ok(true),
        Err(BrokerError::Refused(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn in_time<T>(
    time: Duration,
    work: impl Future<Output = lapin::Result<T>>,
) -> Result<T, BrokerError> {
    let done = tokio::time::timeout(time, work).await;
    let late = |_| BrokerError::Unavailable(format!("no answer within {time:?}"));
    done.map_err(late)?.map_err(failed)
}

/// Answers that will be the same again, by their AMQP code: access, not found, locked, precondition, allowed.
const FINAL: [u16; 5] = [403, 404, 405, 406, 530];

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what `map_err` hands over"
)]
pub(super) fn failed(error: lapin::Error) -> BrokerError {
    let text = error.to_string();
    let lapin::ErrorKind::ProtocolError(answer) = error.kind() else {
        return BrokerError::Unavailable(text);
    };
    // A queue whose node is just starting is not found, either.
    let passing = ["down", "stopped", "timed out", "timeout", "inaccessible"];
    if FINAL.contains(&answer.get_id()) && !passing.iter().any(|word| text.contains(word)) {
        BrokerError::Refused(text)
    } else {
        BrokerError::Unavailable(text)
    }
}
