//! See `retry_overtaken.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{
    Action, BackoffChoice, Broker, Contract, Failures, KafkaRetry, OnRetry, Order, OrderBy, RabbitDelay, Wait,
};
use crate::rules::{Check, Rule};
use crate::source::Span;
use crate::syntax::Opt;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK504",
    "retry-overtaken",
    Level::Error,
    include_str!("retry_overtaken.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some(order) = contract.order().filter(|_| contract.at_least_once()) else { return };
    // A check of what must come before postpones whatever overtakes a retry.
    if order.by.get() == Some(&OrderBy::DependencyCheck) {
        return;
    }
    match order.on_retry.get() {
        None if !order.on_retry.given() => out.push(unsaid(contract, order)),
        Some(OnRetry::BlockKey) => out.extend(reordering(contract).map(|way| broken_promise(order, way))),
        Some(OnRetry::ParkKey | OnRetry::MayReorder) | None => {}
    }
}

fn unsaid(contract: &Contract, order: &Order) -> Diagnostic {
    Diagnostic::new(RULE.code, contract.ordering.key(), "`ordering` does not say what later messages of a key do while one of it waits for its retry")
        .at("has no `on_retry`")
        .label(order.key.span(), "must stay in order")
        .help("add `on_retry: block-key` (they wait), `park-key` (they are set aside) or `may-reorder` (they may overtake)")
}

/// How a broker lets later messages overtake one that waits for its retry.
struct Way {
    span: Span,
    fact: &'static str,
    at: &'static str,
    help: &'static str,
    fix: Option<(&'static str, &'static str)>,
}

fn broken_promise(order: &Order, way: Way) -> Diagnostic {
    let finding = Diagnostic::new(RULE.code, way.span, way.fact)
        .at(way.at)
        .label(order.on_retry.span(), "promises that they wait")
        .help(way.help);
    match way.fix {
        Some((text, title)) => finding.replace(Applicability::Unsafe, way.span, text, title),
        None => finding,
    }
}

fn reordering(contract: &Contract) -> Option<Way> {
    kafka(contract).or_else(|| rabbitmq(contract)).or_else(|| sqs(contract)).or_else(|| pubsub(contract))
}

fn kafka(contract: &Contract) -> Option<Way> {
    let retry = &contract.kafka()?.retry;
    let topics = retry.get() == Some(&KafkaRetry::Topics) && waits_at_broker(contract);
    topics.then(|| Way {
        span: retry.span(),
        fact: "a retry goes through topics of its own, and later messages of its key overtake it",
        at: "its partition moves on",
        help: "write `retry: blocking`, or `ordering.on_retry: park-key`",
        fix: Some(("blocking", "retry: topics -> blocking")),
    })
}

fn rabbitmq(contract: &Contract) -> Option<Way> {
    let delay = &contract.rabbitmq().filter(|_| waits_at_broker(contract))?.delay;
    let at = match delay.get() {
        Some(RabbitDelay::TtlQueues) => "waits in a queue of its own",
        Some(RabbitDelay::Plugin) => "waits in an exchange",
        Some(RabbitDelay::Native) => "waits beside the queue",
        // Who sets up the queue elsewhere has not said how a retry waits.
        None if contract.broker.get().is_some_and(Broker::managed_elsewhere) => return None,
        None => "delays a retry in a queue of its own",
    };
    Some(Way {
        span: place(contract, delay),
        fact: "a retry waits outside of its queue, and later messages of its key overtake it",
        at,
        help: "let retries wait with `wait: parked` or `wait: in-process` in each class, or write `ordering.on_retry: park-key`",
        fix: None,
    })
}

fn sqs(contract: &Contract) -> Option<Way> {
    let fifo = &contract.sqs()?.fifo;
    (fifo.get() != Some(&true)).then(|| Way {
        span: place(contract, fifo),
        fact: "a standard queue of SQS delivers in no order, so later messages of a key overtake its retry",
        at: "keeps no order",
        help: "write `fifo: true`, with the key as the message group",
        fix: None,
    })
}

fn pubsub(contract: &Contract) -> Option<Way> {
    let Some(Broker::Pubsub(pubsub)) = contract.broker.get() else { return None };
    let ordering = &pubsub.message_ordering;
    (ordering.get() != Some(&true)).then(|| Way {
        span: place(contract, ordering),
        fact: "a subscription without message ordering delivers in no order, so later messages of a key overtake its retry",
        at: "keeps no order",
        help: "write `message_ordering: true`, and publish with the key as the ordering key",
        fix: None,
    })
}

/// The setting, or the broker whose nature it is where the setting is not written.
fn place<T>(contract: &Contract, field: &Opt<T>) -> Span {
    if field.given() { field.span() } else { contract.broker_kind_place() }
}

/// Whether a failure class gives a message back to the broker until its retry is due.
fn waits_at_broker(contract: &Contract) -> bool {
    match contract.failures.get() {
        None => false,
        Some(Failures::Standard) => true,
        Some(Failures::Mapping(classes)) => {
            classes.iter().filter_map(|entry| entry.value.get()).any(|class| {
                class.action.get() == Some(&Action::Retry)
                    && matches!(class.wait.get(), None | Some(Wait::Broker))
                    && matches!(class.backoff.get(), Some(BackoffChoice::Mapping(_)))
            })
        }
    }
}
