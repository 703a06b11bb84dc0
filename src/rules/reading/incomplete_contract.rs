//! See `incomplete_contract.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Action, Contract, Failures, Flow, Then};
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
    let (message, help) = describe(&items, contract.name(), flow, analysis.sources.name(contract.place()));
    let mut finding = Diagnostic::new(RULE.code, contract.place(), message)
        .at("nothing says what happens there")
        .level(level)
        .label(contract.flow.span(), "decides what is expected")
        .help(help);
    finding.items = items;
    out.push(finding);
}

/// The message and the help about `items` that a contract in `file` lacks.
///
/// The linter asks again when it has taken out the items that are switched off.
pub fn describe(items: &[&'static str], contract: &str, flow: Flow, file: &str) -> (String, String) {
    let article = if flow == Flow::Audit { "an" } else { "a" };
    let message = format!(
        "`{contract}` does not say what {article} {} contract must: {}",
        flow.word(),
        items.join(", ")
    );
    let stubs = if items.len() == 1 { "a stub of it" } else { "a stub of each" };
    (message, format!("run `ackord init --complete {file}`, which writes {stubs}"))
}

/// The sections that the contract should have and has not, in the order in which they are written.
fn missing(contract: &Contract) -> Vec<&'static str> {
    let lossy = contract.at_most_once();
    let sections = [
        ("owners", contract.owners.given()),
        ("on_call", contract.on_call.given()),
        ("message", contract.message.given()),
        // What may be lost is neither confirmed nor retried nor kept.
        ("producer", contract.producer.given() || lossy),
        ("processing", contract.processing.given()),
        ("ordering", contract.ordering.given() || !contract.is(Flow::Money)),
        ("failures", contract.failures.given() || lossy),
        ("dead_letter", contract.dead_letter.given() || ends_in_dead_letters(contract) || lossy),
        ("slo", contract.slo.given()),
        ("evidence", contract.evidence.given()),
    ];
    sections.into_iter().filter(|(_, given)| !given).map(|(name, _)| name).collect()
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
