//! A connection with its channels, and what it holds.

use std::time::Duration;

use lapin::options::{
    BasicPublishOptions, ConfirmSelectOptions, ExchangeDeclareOptions, QueueDeclareOptions,
};
use lapin::types::FieldTable;
use lapin::{
    BasicProperties, Channel, Confirmation, Connection, ConnectionProperties, ExchangeKind,
};

use super::incoming::Incoming;
use super::message::short;
use crate::broker::BrokerError;
use crate::contract::Contract;

/// So long a connection may take to be there.
const CONNECT: Duration = Duration::from_secs(10);

/// So long a broker may take to confirm: one that is short of memory or disk does not answer at all.
const CONFIRM: Duration = Duration::from_secs(30);

/// A connection.
pub(super) struct Session {
    connection: Connection,
    /// Hands out and settles.
    pub(super) incoming: Incoming,
    /// Publishes, and hears what was confirmed.
    publisher: Channel,
    /// The exchange of the topology, or the one that every broker has.
    pub(super) exchange: &'static str,
    /// The virtual host.
    pub(super) vhost: String,
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
            incoming: Incoming::new(channel, contract.processing.prefetch),
            publisher,
            exchange,
        })
    }

    pub(super) fn alive(&self) -> bool {
        let channels = [&self.incoming.channel, &self.publisher];
        self.connection.status().connected()
            && channels.iter().all(|channel| channel.status().connected())
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
