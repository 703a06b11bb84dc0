//! Before the first message: whether broker and store are set as the contract says.
//!
//! Much trouble in public is a setting that never took effect. So the settings in force are read from the
//! broker and compared; where one differs, the process ends before it has taken a message.

use std::fmt::Debug;

use tracing::warn;

use crate::broker::{Broker, BrokerError, Reading};
use crate::contract::Contract;
use crate::store::{Store, StoreError};

/// Why a consumer does not start.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Settings differ from the contract, one line for each.
    #[error("{}", .0.join("\n"))]
    Differs(Vec<String>),
    /// The broker did not say.
    #[error(transparent)]
    Broker(#[from] BrokerError),
    /// The store did not say.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Compares what is in force with what the contract says.
///
/// # Errors
///
/// All differences at once.
pub async fn assert(
    contract: &Contract,
    broker: &dyn Broker,
    store: &dyn Store,
) -> Result<(), Refusal> {
    let effective = broker.effective().await?;
    let dead_letters = contract.dead_letter_queue.map(str::to_owned);
    let found = [
        differs(
            "delivery limit",
            contract.delivery_limit,
            &effective.delivery_limit,
        ),
        differs(
            "dead-letter queue",
            dead_letters,
            &effective.dead_letter_queue,
        ),
        differs("lock", Some(contract.processing.lock), &effective.lock),
        differs("retention", contract.retention, &effective.retention),
        differs("durable", Some(true), &effective.durable),
    ];
    let mut found: Vec<String> = found.into_iter().flatten().collect();
    let tables = [contract.tables.dedupe, contract.tables.status];
    for concern in store.concerns(&tables).await? {
        found.push(format!("store: {concern}"));
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(Refusal::Differs(found))
    }
}

/// What is wrong with one setting, with both values. What the contract leaves open may be anything.
fn differs<T: PartialEq + Debug>(
    name: &str,
    wanted: Option<T>,
    found: &Reading<T>,
) -> Option<String> {
    let wanted = wanted?;
    match found {
        Reading::NotNeeded => None,
        Reading::Unreadable(reason) => {
            warn!(
                setting = name,
                reason, "cannot be read, so it is not compared with the contract"
            );
            None
        }
        Reading::Is(value) if *value == wanted => None,
        Reading::Is(value) => Some(format!(
            "{name}: the contract says {wanted:?}, the broker has {value:?}"
        )),
        Reading::Unset => Some(format!(
            "{name}: the contract says {wanted:?}, the broker has none"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_both_values() {
        assert_eq!(differs("limit", Some(5), &Reading::Is(5)), None);
        assert_eq!(differs("limit", None, &Reading::Is(5)), None);
        assert_eq!(
            differs("limit", Some(5), &Reading::Is(20)).as_deref(),
            Some("limit: the contract says 5, the broker has 20")
        );
        assert_eq!(
            differs("limit", Some(5), &Reading::Unset).as_deref(),
            Some("limit: the contract says 5, the broker has none")
        );
    }
}
