//! Which proofs a consumer's tests can give: what `evidence: all` stands for.

use crate::model::{Contract, Evidence, Limiter, Outbox, Proof, Strategy};

/// Every proof whose sections the contract has, in the order of the language.
pub fn possible(contract: &Contract) -> Vec<Proof> {
    let again = contract.at_least_once();
    let recognised = contract.idempotency.strategy.get().is_some_and(|strategy| *strategy != Strategy::None);
    let changes = contract.effects().next().is_some();
    let outbox = contract.producer.outbox.get().is_some_and(|outbox| !matches!(outbox, Outbox::None));
    let adaptive = contract.flow_control.limiter.get() == Some(&Limiter::Adaptive);
    let promised = contract.slo.latency.p95.given() || contract.slo.end_to_end.given();
    let candidates = [
        (Proof::DuplicateDelivery, again && recognised),
        (Proof::ConcurrentConsumers, again && recognised && contract.processing.given()),
        (Proof::HandlerCrash, again && changes),
        (Proof::LostAcks, again && recognised),
        (Proof::FailureClasses, contract.failures.given()),
        (Proof::DeadLetterRedrive, contract.dead_letter.redrive.get() == Some(&true)),
        (Proof::OldMessageReplay, contract.replay.given()),
        (Proof::ProducerRestart, outbox),
        (Proof::Staleness, contract.staleness.given()),
        (Proof::CapacityAdjustment, adaptive),
        (Proof::EndToEnd, promised),
        (Proof::Reconciliation, again && changes),
    ];
    candidates.into_iter().filter_map(|(proof, possible)| possible.then_some(proof)).collect()
}

/// The proofs that the contract asks for; `all` is every possible one.
pub fn wanted(contract: &Contract) -> Vec<Proof> {
    match contract.evidence.get() {
        Some(Evidence::All) => possible(contract),
        Some(Evidence::List(proofs)) => proofs.iter().map(|(proof, _)| *proof).collect(),
        None => Vec::new(),
    }
}
