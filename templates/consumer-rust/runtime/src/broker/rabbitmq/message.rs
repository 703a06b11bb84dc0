//! Messages as the broker knows them: properties and typed headers.

use std::collections::BTreeMap;

use lapin::BasicProperties;
use lapin::types::{AMQPValue, FieldTable, LongString, ShortString};

use crate::broker::BrokerError;
use crate::delivery::{Delivery, Headers, Outgoing, header};

/// On disk before it is confirmed.
const PERSISTENT: u8 = 2;

/// Whether a header is the broker's own, or would send a copy to further queues. A copy starts without them.
fn is_brokers(name: &str) -> bool {
    let prefixes = ["x-death", "x-first-death-", "x-last-death-"];
    ["x-delivery-count", "x-acquired-count", "CC", "BCC"].contains(&name)
        || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

fn table(properties: &BasicProperties) -> impl Iterator<Item = (&str, &AMQPValue)> {
    let headers = properties.headers().as_ref();
    let entries = headers.map(|headers| headers.inner().iter());
    entries
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str(), value))
}

/// A header as text, where it is a plain value.
fn text(value: &AMQPValue) -> Option<String> {
    Some(match value {
        AMQPValue::LongString(text) => text.to_string(),
        AMQPValue::ShortString(text) => text.to_string(),
        AMQPValue::Boolean(value) => value.to_string(),
        AMQPValue::ShortShortInt(value) => value.to_string(),
        AMQPValue::ShortShortUInt(value) => value.to_string(),
        AMQPValue::ShortInt(value) => value.to_string(),
        AMQPValue::ShortUInt(value) => value.to_string(),
        AMQPValue::LongInt(value) => value.to_string(),
        AMQPValue::LongUInt(value) => value.to_string(),
        AMQPValue::LongLongInt(value) => value.to_string(),
        AMQPValue::Timestamp(value) => value.to_string(),
        AMQPValue::Float(_)
        | AMQPValue::Double(_)
        | AMQPValue::DecimalValue(_)
        | AMQPValue::FieldArray(_)
        | AMQPValue::FieldTable(_)
        | AMQPValue::ByteArray(_)
        | AMQPValue::Void => return None,
    })
}

/// The headers that a producer or this runtime wrote.
pub(super) fn headers(properties: &BasicProperties) -> Headers {
    let own = table(properties).filter(|(name, _)| !is_brokers(name));
    own.filter_map(|(name, value)| Some((name.to_owned(), text(value)?)))
        .collect()
}

/// How often it was handed out before on this hop. A classic queue says only that it was.
pub(super) fn handed_out_before(properties: &BasicProperties, redelivered: bool) -> u32 {
    let count = table(properties).find(|(name, _)| *name == "x-delivery-count");
    let count = count.and_then(|(_, value)| text(value)?.parse().ok());
    count.unwrap_or(u32::from(redelivered))
}

/// The properties of a copy of `delivery` with other headers. A header that did not change keeps its type.
pub(super) fn copy(
    original: &BasicProperties,
    delivery: &Delivery,
    headers: &Headers,
) -> Result<BasicProperties, BrokerError> {
    let before: BTreeMap<&str, &AMQPValue> = table(original).collect();
    let mut all = BTreeMap::new();
    for (name, value) in &before {
        // What is no plain value cannot be among `headers`, and is carried along.
        if !is_brokers(name) && text(value).is_none() {
            all.insert(short(name)?, (*value).clone());
        }
    }
    for (name, value) in headers {
        let same = before
            .get(name.as_str())
            .filter(|before| text(before).as_ref() == Some(value));
        let typed = same.map_or_else(|| long(value), |before| (*before).clone());
        all.insert(short(name)?, typed);
    }
    let mut properties = BasicProperties::default()
        .with_headers(FieldTable::from(all))
        .with_delivery_mode(PERSISTENT)
        .with_message_id(short(&delivery.id)?);
    // All but its time to live, which was for its first way, and its user, who is not us.
    macro_rules! keep {
        ($($read:ident $write:ident),+) => {$(
            if let Some(value) = original.$read() {
                properties = properties.$write(value.clone());
            }
        )+};
    }
    keep!(content_type with_content_type, content_encoding with_content_encoding,
        correlation_id with_correlation_id, reply_to with_reply_to, kind with_type, app_id with_app_id);
    if let Some(priority) = original.priority() {
        properties = properties.with_priority(*priority);
    }
    if let Some(timestamp) = original.timestamp() {
        properties = properties.with_timestamp(*timestamp);
    }
    Ok(properties)
}

/// The properties of a new message.
pub(super) fn fresh(message: &Outgoing) -> Result<BasicProperties, BrokerError> {
    let mut all = BTreeMap::new();
    for (name, value) in &message.headers {
        all.insert(short(name)?, long(value));
    }
    let properties = BasicProperties::default()
        .with_delivery_mode(PERSISTENT)
        .with_message_id(short(&message.id)?)
        .with_headers(FieldTable::from(all));
    // The broker's own metric of a queue's age reads it, in seconds.
    let published_at = message
        .headers
        .get(header::PUBLISHED_AT)
        .and_then(|at| at.parse::<u64>().ok());
    Ok(match published_at {
        Some(millis) => properties.with_timestamp(millis / 1000),
        None => properties,
    })
}

fn long(text: &str) -> AMQPValue {
    AMQPValue::LongString(LongString::from(text))
}

/// A name, of which AMQP takes 255 bytes.
pub(super) fn short(text: &str) -> Result<ShortString, BrokerError> {
    ShortString::try_new(text).map_err(|error| BrokerError::Refused(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delivery::{Place, Receipt};

    fn delivery() -> Delivery {
        Delivery {
            id: "m1".to_owned(),
            body: Vec::new(),
            headers: Headers::new(),
            handed_out_before: 0,
            received_at: std::time::Instant::now(),
            locked_until: None,
            from: Place::Work,
            receipt: Receipt {
                tag: 1,
                token: String::new(),
            },
        }
    }

    #[test]
    fn a_copy_keeps_what_is_not_ours_and_leaves_what_is_the_brokers() {
        let mut table = FieldTable::default();
        table.insert("x-delivery-count".into(), AMQPValue::LongLongInt(3));
        table.insert("x-death".into(), AMQPValue::FieldArray(Vec::new().into()));
        table.insert("CC".into(), AMQPValue::FieldArray(Vec::new().into()));
        table.insert("tenant".into(), AMQPValue::LongInt(7));
        table.insert(
            "nested".into(),
            AMQPValue::FieldTable(FieldTable::default()),
        );
        let original = BasicProperties::default()
            .with_headers(table)
            .with_content_type("application/json".into())
            .with_type("order.captured".into())
            .with_expiration("100".into())
            .with_user_id("orders".into());
        assert_eq!(handed_out_before(&original, true), 3);
        let mut read = headers(&original);
        assert_eq!(read.keys().collect::<Vec<_>>(), ["tenant"]);
        read.insert(header::ATTEMPT.to_owned(), "4".to_owned());
        let copy = copy(&original, &delivery(), &read).expect("properties");
        let written: BTreeMap<_, _> = super::table(&copy).collect();
        assert_eq!(
            written.keys().copied().collect::<Vec<_>>(),
            ["nested", "tenant", "x-attempt"]
        );
        assert_eq!(written.get("tenant"), Some(&&AMQPValue::LongInt(7)));
        assert_eq!(
            copy.content_type().as_ref().map(ShortString::as_str),
            Some("application/json")
        );
        let kind = copy.kind().as_ref().map(ShortString::as_str);
        assert_eq!(kind, Some("order.captured"));
        // Another user may not publish in that name, and a retry must not end before its wait.
        assert_eq!((copy.user_id(), copy.expiration()), (&None, &None));
        assert_eq!(headers(&copy), read);
    }
}
