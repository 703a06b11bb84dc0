//! What a broker must be told before the first message: queues, dead letters, retries and limits.

mod postgres;
mod rabbitmq;

use minijinja::Value;

use super::Failure;
use super::target::{Source, Target, View, texts};
use crate::lint::Clean;
use crate::model::Broker;

/// The target.
pub(super) const SOURCE: Source = Source {
    texts: texts!("topology":
        "target.yaml",
        "rabbitmq.json.j2",
        "postgres.sql.j2",
        "postgres.down.sql.j2",
        "pgmq.sql.j2",
        "pgmq.down.sql.j2",
        "expire.sql.j2",
    ),
    view,
};

fn view(clean: &Clean<'_>, target: &Target) -> Result<View, Failure> {
    let analysis = clean.analysis();
    let Some(broker) = analysis.contract.broker.get() else {
        let message =
            format!("`{}` names no broker, so there is nothing to declare", analysis.contract.name());
        return Err(Failure::new("emit::broker", message).help("write `broker: {kind: …}`"));
    };
    if broker.managed_elsewhere() {
        return Ok(View::new(Value::UNDEFINED));
    }
    match broker {
        Broker::Rabbitmq(settings) => {
            Ok(View::with(rabbitmq::view(analysis, settings, target)?, ["rabbitmq"]))
        }
        Broker::Postgres(settings) => postgres::view(analysis, settings, target),
        // The queue comes with the consumer.
        Broker::Embedded(_) => Ok(View::new(Value::UNDEFINED)),
        Broker::Kafka(_)
        | Broker::Sqs(_)
        | Broker::RedisStreams(_)
        | Broker::RedisList(_)
        | Broker::NatsJetstream(_)
        | Broker::Pulsar(_)
        | Broker::Pubsub(_)
        | Broker::ServiceBus(_)
        | Broker::Mqtt(_) => {
            let title = broker.kind().title();
            let name = analysis.contract.name();
            let message = format!("`{name}` is on {title}, whose topology is not generated yet");
            Err(Failure::new("emit::broker", message)
                .help("the topology is generated for RabbitMQ and PostgreSQL"))
        }
    }
}

/// A name as it may stand in a topology: one that acts on a terminal, or is too long, is refused rather
/// than changed.
fn checked(what: &str, name: &str, longest: u64) -> Result<(), Failure> {
    if name.is_empty() || name.chars().any(char::is_control) {
        let message = format!("the {what} `{name}` is empty or has control characters, which no name needs");
        return Err(Failure::new("emit::name", message).help("write a name of letters, digits, `-` and `.`"));
    }
    if name.len() as u64 > longest {
        let message = format!("the {what} `{name}` has {} bytes, and {longest} are the most", name.len());
        return Err(Failure::new("emit::name", message).help("write a shorter name"));
    }
    Ok(())
}
