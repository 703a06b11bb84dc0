//! The one sentence that names the real guarantee, and who makes the effect happen once.

use crate::model::{Contract, Flow, Guarantee, Strategy};

/// The sentence with which every view of a contract opens.
pub fn sentence(contract: &Contract) -> String {
    match contract.delivery.guarantee.get() {
        Some(Guarantee::AtLeastOnce) => format!("Delivered at least once; {}.", once(contract)),
        Some(Guarantee::AtMostOnce) => at_most_once(contract),
        Some(Guarantee::ExactlyOnce(_)) | None => "No guarantee that a queue can keep is stated.".to_owned(),
    }
}

/// What makes the effect happen once.
fn once(contract: &Contract) -> String {
    let key = key(contract);
    match contract.idempotency.strategy.get() {
        Some(Strategy::DedupeTable | Strategy::UniqueIndex | Strategy::StateGuard) => {
            format!("the consumer makes each {key} take effect once")
        }
        Some(Strategy::Natural) => "an effect that is repeated changes nothing".to_owned(),
        Some(Strategy::BrokerWindow) => {
            "the broker drops a repeated send, and nothing stops a redelivery".to_owned()
        }
        Some(Strategy::None) | None if contract.is(Flow::Audit) => {
            "a duplicate is kept, a gap is not tolerated".to_owned()
        }
        Some(Strategy::None) | None => "nothing stops a repeated effect".to_owned(),
    }
}

/// The key in a sentence.
pub fn key(contract: &Contract) -> String {
    let fields: Vec<&str> = contract.idempotency.key_fields().map(|(field, _)| field.as_str()).collect();
    match (fields.as_slice(), contract.idempotency.guard.key.get()) {
        ([], Some(key)) => key.to_string(),
        ([], None) => "message".to_owned(),
        ([one], _) => (*one).to_owned(),
        (all, _) => format!("({})", all.join(", ")),
    }
}

fn at_most_once(contract: &Contract) -> String {
    let delivery = &contract.delivery;
    let loss = delivery.acceptable_loss.get().map_or_else(
        || "a message may be lost".to_owned(),
        |share| format!("up to {share} of messages may be lost"),
    );
    let fallback = delivery.fallback.to.get().map_or_else(String::new, |to| {
        let within =
            delivery.fallback.within.get().map_or_else(String::new, |time| format!(" within {time}"));
        format!(", and {to} serves instead{within}")
    });
    format!("Delivered at most once; {loss}{fallback}.")
}
