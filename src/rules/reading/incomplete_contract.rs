//! See `incomplete_contract.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Action, Broker, Contract, Failures, Flow, PubsubSubscription, Then};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK016",
    "incomplete-contract",
    Level::Error,
    include_str!("incomplete_contract.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let (Some(flow), Some(_)) = (contract.flow(), contract.delivery.guarantee.get()) else { return };
    let items = missing(contract);
    if items.is_empty() {
        return;
    }
    let level = match (contract.at_most_once(), flow) {
        (true, _) => Level::Note,
        (false, Flow::Money) => Level::Error,
        (false, Flow::Notification | Flow::Telemetry | Flow::Audit | Flow::Task) => Level::Warning,
    };
    let article = if flow == Flow::Audit { "an" } else { "a" };
    let subject = format!("`{}` does not say what {article} {} contract must", contract.name(), flow.word());
    let file = analysis.sources.name(contract.place());
    let mut finding = Diagnostic::new(RULE.code, contract.place(), subject)
        .at("the contract is not complete")
        .level(level)
        .label(contract.flow.span(), "decides what is expected")
        .help(format!("run `ackord init --complete {file}`, which writes a stub of each"));
    list(&mut finding, items);
    out.push(finding);
}

/// Says of a finding of this rule that only `items` are missing, where others are not to be told.
pub fn list(finding: &mut Diagnostic, items: Vec<&'static str>) {
    let subject = finding.message.split_once(": ").map_or(finding.message.as_str(), |(subject, _)| subject);
    finding.message = format!("{subject}: {}", items.join(", "));
    finding.items = items;
}

/// The sections that the contract should have and has not, in the order in which they are written.
fn missing(contract: &Contract) -> Vec<&'static str> {
    let lossy = contract.at_most_once();
    let export = exported(contract);
    let sections = [
        ("owners", contract.owners.given()),
        ("on_call", contract.on_call.given() || pages(contract)),
        ("message", contract.message.given()),
        // What may be lost is neither confirmed nor retried nor kept.
        ("producer", contract.producer.given() || lossy),
        ("processing", contract.processing.given() || export),
        ("ordering", contract.ordering.given() || !contract.is(Flow::Money)),
        ("failures", contract.failures.given() || lossy || export),
        ("dead_letter", contract.dead_letter.given() || ends_in_dead_letters(contract) || lossy),
        ("slo", contract.slo.given()),
        ("evidence", contract.evidence.given() || export),
    ];
    sections.into_iter().filter(|(_, given)| !given).map(|(name, _)| name).collect()
}

/// Whether the provider itself writes the messages to where they belong: there is no handler that could
/// take long, tell failures apart or be tested.
fn exported(contract: &Contract) -> bool {
    matches!(contract.broker.get(), Some(Broker::Pubsub(pubsub))
        if pubsub.subscription.get() == Some(&PubsubSubscription::Export))
}

/// Whether something pages, so that AK607 asks for whom.
fn pages(contract: &Contract) -> bool {
    let dead_letter = &contract.dead_letter;
    contract.slo.alert.given() || (dead_letter.alert.given() && !dead_letter.on_call.given())
}

/// Whether a class of failures ends in the dead letters, so that AK401 asks for them.
fn ends_in_dead_letters(contract: &Contract) -> bool {
    match contract.failures.get() {
        None => false,
        Some(Failures::Standard) => true,
        Some(Failures::Mapping(classes)) => {
            classes.iter().filter_map(|entry| entry.value.get()).any(|class| {
                class.action.get() == Some(&Action::DeadLetter) || class.then.get() == Some(&Then::DeadLetter)
            })
        }
    }
}
