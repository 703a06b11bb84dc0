//! What only the management interface shows: policies and bindings. It is asked once, at the start.

use std::time::Duration;

use serde_json::Value as Json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::broker::{BrokerError, Effective, Reading};
use crate::contract::Contract;

/// So long an answer may take.
const ANSWER: Duration = Duration::from_secs(10);

/// `settings` with what the interface at `address` adds to them.
pub(super) async fn complete(
    mut settings: Effective,
    address: &str,
    vhost: &str,
    contract: &Contract,
) -> Result<Effective, BrokerError> {
    let place = Place::of(address)?;
    let (vhost, queue) = (part(vhost), part(contract.queue));
    let found = place.get(&format!("/api/queues/{vhost}/{queue}")).await?;
    let (arguments, policy) = (
        field(&found, "arguments"),
        field(&found, "effective_policy_definition"),
    );
    let number = |set: &Json, name: &str| field(set, name).as_u64();
    // Where an argument and a policy limit the same thing, the lower one holds.
    let least = |argument: &str, key: &str| {
        let both = [number(arguments, argument), number(policy, key)];
        both.into_iter().flatten().min()
    };
    if let Some(limit) = least("x-delivery-limit", "delivery-limit") {
        settings.delivery_limit = Reading::Is(u32::try_from(limit).unwrap_or(u32::MAX));
    }
    let kept = least("x-message-ttl", "message-ttl").map(Duration::from_millis);
    settings.retention = kept.map_or(Reading::Unset, Reading::Is);
    settings.lock = match least("x-consumer-timeout", "consumer-timeout") {
        Some(time) => Reading::Is(Duration::from_millis(time)),
        None => Reading::Unreadable("the timeout of the whole node holds".to_owned()),
    };
    let exchange = text(
        arguments,
        "x-dead-letter-exchange",
        policy,
        "dead-letter-exchange",
    );
    let key = text(
        arguments,
        "x-dead-letter-routing-key",
        policy,
        "dead-letter-routing-key",
    );
    settings.dead_letter_queue = match (exchange, contract.dead_letter_queue) {
        (Some(exchange), Some(wanted)) => {
            let bound = place.destinations(&vhost, exchange, key).await?;
            match bound
                .iter()
                .find(|queue| *queue == wanted)
                .or(bound.first())
            {
                Some(queue) => Reading::Is(queue.clone()),
                None => Reading::Unset,
            }
        }
        (_, None) | (None, _) => Reading::Unset,
    };
    Ok(settings)
}

/// An argument as a text; a policy stands in only where there is none.
fn text<'a>(arguments: &'a Json, argument: &str, policy: &'a Json, key: &str) -> Option<&'a str> {
    field(arguments, argument)
        .as_str()
        .or(field(policy, key).as_str())
}

/// A field, or null where there is none. An empty list stands for an empty object in some answers.
fn field<'a>(json: &'a Json, name: &str) -> &'a Json {
    json.get(name).unwrap_or(&Json::Null)
}

/// Where the interface is, and who asks.
struct Place {
    host: String,
    /// The header that says who asks, with the end of its line.
    who: String,
}

impl Place {
    /// From `http://USER:PASSWORD@HOST:PORT`.
    fn of(address: &str) -> Result<Self, BrokerError> {
        // The address may hold a password, so it is not shown.
        let wrong = || {
            let wanted = "RABBITMQ_MANAGEMENT_URL is not http://USER:PASSWORD@HOST:PORT";
            BrokerError::Refused(wanted.to_owned())
        };
        let rest = address.strip_prefix("http://").ok_or_else(wrong)?;
        let rest = rest.split('/').next().unwrap_or_default();
        let (who, host) = rest.rsplit_once('@').ok_or_else(wrong)?;
        if !host.contains(':') {
            return Err(wrong());
        }
        Ok(Self {
            host: host.to_owned(),
            who: format!("Authorization: Basic {}\r\n", base64(&plain(who))),
        })
    }

    async fn get(&self, path: &str) -> Result<Json, BrokerError> {
        let answer = tokio::time::timeout(ANSWER, self.ask(path)).await;
        let away = |reason: String| BrokerError::Unavailable(format!("management: {reason}"));
        let answer = answer.map_err(|_| away(format!("no answer within {ANSWER:?}")))?;
        let answer = answer.map_err(|error| away(error.to_string()))?;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        if head.split(' ').nth(1) != Some("200") {
            let status = head.lines().next().unwrap_or_default();
            return Err(BrokerError::Refused(format!(
                "management: {path}: {status}"
            )));
        }
        serde_json::from_str(body).map_err(|error| away(error.to_string()))
    }

    /// Version 1.0: the end of the answer is the end of the connection.
    async fn ask(&self, path: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(&self.host).await?;
        let request = format!(
            "GET {path} HTTP/1.0\r\nHost: {}\r\n{}\r\n",
            self.host, self.who
        );
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }

    /// The queues that a message reaches by an exchange and a key; without a key, by any.
    async fn destinations(
        &self,
        vhost: &str,
        exchange: &str,
        key: Option<&str>,
    ) -> Result<Vec<String>, BrokerError> {
        if exchange.is_empty() {
            // The exchange without a name leads to the queue that the key names.
            return Ok(key.map(str::to_owned).into_iter().collect());
        }
        let path = format!("/api/exchanges/{vhost}/{}/bindings/source", part(exchange));
        let bindings = match self.get(&path).await {
            Err(BrokerError::Refused(_)) => return Ok(Vec::new()),
            bindings => bindings?,
        };
        let fits = |binding: &&Json| {
            let bound = field(binding, "routing_key").as_str();
            field(binding, "destination_type") == "queue" && (key.is_none() || bound == key)
        };
        let all = bindings.as_array().into_iter().flatten().filter(fits);
        let queues = all.filter_map(|binding| field(binding, "destination").as_str());
        Ok(queues.map(str::to_owned).collect())
    }
}

/// A name as a part of a path.
fn part(name: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(byte).collect()
}

/// What stands in an address, without its escapes.
fn plain(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut digit = || char::from(bytes.next()?).to_digit(16);
        let escaped = if byte == b'%' {
            digit().zip(digit())
        } else {
            None
        };
        let escaped = escaped.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        out.push(escaped.unwrap_or(byte));
    }
    out
}

/// Base 64 of RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for place in 0..4 {
            let digit = usize::try_from(bits >> (18 - 6 * place) & 63).unwrap_or_default();
            let digit = DIGITS.get(digit).copied().map_or('=', char::from);
            out.push(if place > group.len() { '=' } else { digit });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_standard() {
        for (text, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(text.as_bytes()), coded);
        }
        assert_eq!(plain("a%40b%"), b"a@b%");
        assert_eq!(part("a/b é"), "a%2Fb%20%C3%A9");
    }

    #[test]
    fn an_address_without_a_user_is_refused_and_not_shown() {
        for address in ["https://u:secret@h:1", "http://h:1", "http://u:secret@h"] {
            let refused = Place::of(address).err().map(|error| error.to_string());
            assert!(
                refused.is_some_and(|text| !text.contains("secret")),
                "{address}"
            );
        }
    }
}
