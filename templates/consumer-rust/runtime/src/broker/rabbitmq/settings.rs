//! The settings that are in force, as far as AMQP lets anybody see them.
//!
//! A queue cannot be asked for its arguments. But when somebody declares a queue that is there already, the
//! broker compares, and names the first argument that differs with the value that it has. So the queue is
//! declared as the contract wants it, and again with each value that the broker named, until it agrees. A
//! policy is not seen this way.

use lapin::options::QueueDeclareOptions;
use lapin::types::{AMQPValue, FieldTable};

use super::message::short;
use super::session::{Session, failed};
use crate::broker::{BrokerError, Effective, Reading};
use crate::contract::Contract;

/// A queue has fewer arguments than that.
const MOST: usize = 24;

/// Reads what is in force for the queue of `contract`.
pub(super) async fn read(session: &Session, contract: &Contract) -> Result<Effective, BrokerError> {
    // Declaring a queue that is not there would make it.
    session.ready(&[contract.queue.to_owned()]).await?;
    let (arguments, durable) = arguments(session, contract).await?;
    let text = |name: &str| match arguments.inner().get(name) {
        Some(AMQPValue::LongString(text)) => Some(text.to_string()),
        _ => None,
    };
    let limit = match arguments.inner().get("x-delivery-limit") {
        Some(AMQPValue::LongLongInt(limit)) => u32::try_from(*limit).ok(),
        _ => None,
    };
    let quorum = text("x-queue-type").as_deref() == Some("quorum");
    let dead_letters = text("x-dead-letter-exchange").and(text("x-dead-letter-routing-key"));
    let dead_letter_queue = match dead_letters {
        Some(queue) if there(session, &queue).await? => Reading::Is(queue),
        _ => Reading::Unset,
    };
    Ok(Effective {
        delivery_limit: match limit {
            _ if !quorum => Reading::NotNeeded,
            Some(limit) => Reading::Is(limit),
            None => Reading::Unset,
        },
        dead_letter_queue,
        // Whoever is connected holds what it received.
        lock: Reading::NotNeeded,
        retention: Reading::Unreadable("AMQP does not show policies".to_owned()),
        durable: Reading::Is(durable),
    })
}

async fn there(session: &Session, queue: &str) -> Result<bool, BrokerError> {
    match session.ready(&[queue.to_owned()]).await {
        Ok(_) => Ok(true),
        Err(BrokerError::Refused(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The arguments of the queue, and whether it is durable.
async fn arguments(
    session: &Session,
    contract: &Contract,
) -> Result<(FieldTable, bool), BrokerError> {
    let mut arguments = wanted(contract);
    let mut durable = true;
    for _ in 0..MOST {
        let channel = session.aside().await?;
        let options = QueueDeclareOptions {
            durable,
            ..QueueDeclareOptions::default()
        };
        let declared = channel
            .queue_declare(short(contract.queue)?, options, arguments.clone())
            .await;
        let _ = channel.close(200, "done".into()).await;
        let refusal = match declared.map_err(failed) {
            Ok(_) => return Ok((arguments, durable)),
            Err(BrokerError::Refused(refusal)) => refusal,
            Err(error) => return Err(error),
        };
        let Some(difference) = Difference::of(&refusal) else {
            return Err(BrokerError::Refused(refusal));
        };
        if difference.name == "durable" {
            durable = false;
            continue;
        }
        let mut known = arguments.inner().clone();
        match difference.value() {
            Some(value) => known.insert(short(difference.name)?, value),
            None => known.remove(difference.name),
        };
        arguments = FieldTable::from(known);
    }
    Err(BrokerError::Refused(
        "the queue's arguments could not be found out".to_owned(),
    ))
}

/// The arguments that the topology declares.
fn wanted(contract: &Contract) -> FieldTable {
    let mut arguments = FieldTable::default();
    let mut text = |name: &str, value: &str| {
        arguments.insert(name.into(), AMQPValue::LongString(value.into()));
    };
    text("x-queue-type", "quorum");
    text("x-overflow", "reject-publish");
    if let Some(queue) = contract.dead_letter_queue {
        text("x-dead-letter-exchange", queue);
        text("x-dead-letter-routing-key", queue);
        text("x-dead-letter-strategy", "at-least-once");
    }
    if let Some(limit) = contract.delivery_limit {
        arguments.insert(
            "x-delivery-limit".into(),
            AMQPValue::LongLongInt(limit.into()),
        );
    }
    arguments
}

/// What the broker says about an argument.
#[derive(Debug, PartialEq, Eq)]
struct Difference<'a> {
    name: &'a str,
    /// As it is written in the answer; `None` where the queue has no such argument.
    current: Option<&'a str>,
    /// Whether it is a text.
    quoted: bool,
}

impl<'a> Difference<'a> {
    /// From "inequivalent arg 'x-delivery-limit' for queue 'q' in vhost '/': received the value '5' of type
    /// 'long' but current is the value '20' of type 'long'", or from "received '5' but current is '20'".
    fn of(answer: &'a str) -> Option<Self> {
        let (_, rest) = answer.split_once("inequivalent arg '")?;
        let (name, rest) = rest.split_once('\'')?;
        let (_, current) = rest.rsplit_once("but current is ")?;
        let (value, kind) = match current.rsplit_once(" of type '") {
            Some((value, kind)) => (value.strip_prefix("the value "), kind),
            None => (Some(current), ""),
        };
        let value = value.and_then(|value| value.strip_prefix('\'')?.strip_suffix('\''));
        Some(Self {
            name,
            current: value,
            quoted: kind.starts_with("longstr"),
        })
    }

    fn value(&self) -> Option<AMQPValue> {
        let current = self.current?;
        if self.quoted {
            return Some(AMQPValue::LongString(current.into()));
        }
        Some(match (current.parse(), current) {
            (Ok(number), _) => AMQPValue::LongLongInt(number),
            (Err(_), "true" | "false") => AMQPValue::Boolean(current == "true"),
            (Err(_), _) => AMQPValue::LongString(current.into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_names_what_is_there() {
        let long = "PRECONDITION_FAILED - inequivalent arg 'x-delivery-limit' for queue 'q' in vhost '/': received the value '5' of type 'long' but current is the value '20' of type 'long'";
        let value = Difference::of(long).and_then(|difference| difference.value());
        assert_eq!(value, Some(AMQPValue::LongLongInt(20)));
        let none = long.replace("the value '20' of type 'long'", "none");
        let difference = Difference::of(&none).expect("a difference");
        assert_eq!(
            (difference.name, difference.value()),
            ("x-delivery-limit", None)
        );
        let text = long.replace("'20' of type 'long'", "'7' of type 'longstr'");
        let value = Difference::of(&text).and_then(|difference| difference.value());
        assert_eq!(value, Some(AMQPValue::LongString("7".into())));
        let quoted = long.replace("'20' of type 'long'", "'it's' of type 'longstr'");
        let value = Difference::of(&quoted).and_then(|difference| difference.value());
        assert_eq!(value, Some(AMQPValue::LongString("it's".into())));
        let short = "inequivalent arg 'durable' for queue 'q' in vhost '/': received 'true' but current is 'false'";
        let value = Difference::of(short).and_then(|difference| difference.value());
        assert_eq!(value, Some(AMQPValue::Boolean(false)));
        assert_eq!(Difference::of("NOT_FOUND - no queue 'q'"), None);
    }
}
