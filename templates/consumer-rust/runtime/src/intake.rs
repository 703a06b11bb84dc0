//! From the bytes of a delivery to a message, with the names that logs, rows and metrics go by.

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::contract::Contract;
use crate::delivery::Delivery;
use crate::failure::{Error, word};

/// What a message is called in logs, rows and metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The event; the broker's id of the message where it does not say.
    pub event_id: String,
    /// The business act that it is about.
    pub business_id: Option<String>,
    /// The dedupe key.
    pub key: String,
}

/// A delivery that was read.
#[derive(Debug)]
pub struct Taken<M> {
    /// What the broker handed out.
    pub delivery: Delivery,
    /// What it is called.
    pub names: Names,
    /// The message, or why it is none.
    pub message: Result<M, Error>,
}

/// Reads a delivery. One that cannot be read still has names, so that it can be settled and found.
#[must_use]
pub fn take<M: DeserializeOwned>(contract: &Contract, delivery: Delivery) -> Taken<M> {
    let json: Result<Json, Error> = serde_json::from_slice(&delivery.body)
        .map_err(|error| Error::new(word::INVALID_PAYLOAD, error.to_string()));
    let names = names(contract, json.as_ref().unwrap_or(&Json::Null), &delivery.id);
    let message = json.and_then(|json| read(contract, json));
    Taken {
        delivery,
        names,
        message,
    }
}

fn read<M: DeserializeOwned>(contract: &Contract, json: Json) -> Result<M, Error> {
    if !json.is_object() {
        return Err(Error::new(
            word::INVALID_PAYLOAD,
            "the body is not a JSON object",
        ));
    }
    if let Some(versions) = contract.schema {
        let version = field(&json, versions.field).and_then(Json::as_u64);
        if !version.is_some_and(|version| versions.accepts.contains(&version)) {
            let text = format!("`{}` is not one of {:?}", versions.field, versions.accepts);
            return Err(Error::new(word::UNKNOWN_VERSION, text));
        }
    }
    for name in contract.key {
        if field(&json, name).is_none_or(Json::is_null) {
            let text = format!("`{name}`, of which the key is made, is not there");
            return Err(Error::new(word::MISSING_FIELD, text));
        }
    }
    serde_json::from_value(json).map_err(|error| {
        let text = error.to_string();
        let missing = text.starts_with("missing field");
        Error::new(
            if missing {
                word::MISSING_FIELD
            } else {
                word::SCHEMA_VIOLATION
            },
            text,
        )
    })
}

fn names(contract: &Contract, json: &Json, id: &str) -> Names {
    let named = |name: &str| field(json, name).map(text);
    let mut parts: Vec<String> = contract.key.iter().filter_map(|name| named(name)).collect();
    let key = match parts.len() {
        // Nothing that names the act: then every message is an act of its own.
        0 => id.to_owned(),
        1 => parts.remove(0),
        // An array, so that no two different lists of parts make the same key.
        _ => Json::from(parts).to_string(),
    };
    Names {
        event_id: contract
            .event_id
            .and_then(named)
            .unwrap_or_else(|| id.to_owned()),
        business_id: contract.business_id.and_then(named),
        key,
    }
}

/// The field `name`, which may be a path with dots.
#[must_use]
pub fn field<'a>(json: &'a Json, name: &str) -> Option<&'a Json> {
    json.get(name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        field(json.get(first)?, rest)
    })
}

/// A value as it is written in a key.
fn text(value: &Json) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
