//! What the target cannot keep yet. A consumer that silently keeps less than its contract says is worse than
//! none, so such a contract is refused, with everything that stands in the way.

use crate::analysis::Analysis;
use crate::emit::Failure;
use crate::emit::shared::in_words;
use crate::model::{
    Action, Broker, Contract, EffectKind, Engine, FailureClass, Failures, LargeBody, PostgresTable, Strategy,
    Wait,
};

/// Refuses a contract that asks for more than the consumer does.
pub(super) fn refuse(analysis: &Analysis<'_>) -> Result<(), Failure> {
    let found = found(analysis.contract);
    if found.is_empty() {
        return Ok(());
    }
    let name = analysis.contract.name();
    let message = format!("consumer-rust cannot keep all of `{name}` yet: {}", in_words(found));
    Err(Failure::new("emit::unsupported", message).help("generate the other targets of this contract alone"))
}

fn found(contract: &Contract) -> Vec<String> {
    let mut found = Vec::new();
    let mut note = |wrong: bool, what: &str| {
        if wrong {
            found.push(what.to_owned());
        }
    };
    match contract.broker.get() {
        Some(Broker::Rabbitmq(_) | Broker::Postgres(_) | Broker::Embedded(_)) => {}
        Some(other) => note(true, &format!("the broker {}", other.kind().word())),
        None => note(true, "no broker"),
    }
    if let Some(Broker::Postgres(broker)) = contract.broker.get() {
        note(broker.table.get() == Some(&PostgresTable::Pgmq), "the extension pgmq");
    }
    note(!contract.at_least_once(), "a guarantee other than at-least-once");
    let idempotency = &contract.idempotency;
    let strategy = idempotency.strategy.get();
    note(matches!(strategy, None | Some(Strategy::BrokerWindow | Strategy::None)), "an effect without a key");
    note(strategy == Some(&Strategy::UniqueIndex), "a unique index as the key");
    note(strategy == Some(&Strategy::StateGuard) && !idempotency.guard.given(), "a guard that is not stated");
    note(idempotency.store.engine.get() == Some(&Engine::Redis), "keys in Redis");
    let publishes = contract.effects().any(|(effect, _)| effect.kind.get() == Some(&EffectKind::Publish));
    note(publishes, "an effect that publishes");
    note(contract.order().is_some(), "ordering");
    note(contract.staleness.given(), "staleness");
    note(contract.flow_control.workers.given() || contract.flow_control.shed.given(), "adaptive workers");
    note(contract.emergency_bypass.given(), "an emergency bypass");
    note(contract.processing.batch.given(), "batches");
    note(contract.message.large_body.get() == Some(&LargeBody::ByReference), "bodies by reference");
    note(classes(contract).any(waits_inside), "retries that wait inside the process");
    found
}

fn classes(contract: &Contract) -> impl Iterator<Item = &FailureClass> {
    let classes = match contract.failures.get() {
        Some(Failures::Mapping(classes)) => Some(classes),
        Some(Failures::Standard) | None => None,
    };
    classes.into_iter().flat_map(|classes| classes.iter().filter_map(|entry| entry.value.get()))
}

fn waits_inside(class: &FailureClass) -> bool {
    let inside = matches!(class.wait.get(), Some(Wait::InProcess | Wait::Parked));
    class.action.get() == Some(&Action::Retry) && (inside || class.in_process.given())
}
