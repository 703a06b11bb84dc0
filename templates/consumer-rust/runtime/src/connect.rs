//! Finds the broker and the store that two addresses name.

use std::path::Path;
use std::sync::Arc;

use crate::broker::embedded::Embedded;
use crate::broker::{Broker, BrokerError};
use crate::contract::Contract;
use crate::store::sqlite::Sqlite;
use crate::store::{Store, StoreError};

/// Opens the broker at `url`, for the queue of `contract`.
///
/// # Errors
///
/// If it cannot be reached, or this build does not have it.
pub async fn broker(url: &str, contract: &Contract) -> Result<Arc<dyn Broker>, BrokerError> {
    if let Some(file) = url.strip_prefix("embedded:") {
        let queue = Embedded::open(Path::new(file), contract.processing.lock).await?;
        return Ok(Arc::new(queue));
    }
    #[cfg(feature = "rabbitmq")]
    if url.starts_with("amqp://") || url.starts_with("amqps://") {
        let management = std::env::var("RABBITMQ_MANAGEMENT_URL").ok();
        let queue = crate::broker::rabbitmq::Rabbitmq::new(url, management, contract);
        return Ok(Arc::new(queue));
    }
    #[cfg(feature = "postgres-queue")]
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        let queue = crate::broker::postgres::Postgres::open(url, contract)?;
        return Ok(Arc::new(queue));
    }
    Err(BrokerError::Refused(unknown(
        "BROKER_URL",
        url,
        "embedded:FILE, and amqp://… or postgres://… with their feature",
    )))
}

/// Opens the store at `url`.
///
/// # Errors
///
/// If it cannot be reached, or this build does not have it.
pub async fn store(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    if let Some(file) = url.strip_prefix("sqlite:") {
        return Ok(Arc::new(Sqlite::open(Path::new(file)).await?));
    }
    Err(StoreError::Refused(unknown(
        "STORE_URL",
        url,
        "sqlite:FILE",
    )))
}

/// Says what the address may be. Its scheme alone is shown: the rest may hold a password.
fn unknown(variable: &str, url: &str, known: &str) -> String {
    let scheme = url.split(':').next().unwrap_or_default();
    format!("this build has nothing for {variable}={scheme}:…; it has {known} (see the features)")
}
