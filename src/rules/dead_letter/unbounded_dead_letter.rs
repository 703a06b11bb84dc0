//! See `unbounded_dead_letter.md`.

use super::section;
use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{BrokerKind, Contract, FullAlert};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK406",
    "unbounded-dead-letter",
    Level::Warning,
    include_str!("unbounded_dead_letter.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some(section) = section(contract) else { return };
    let full = &section.full_alert;
    if !section.max_messages.given() {
        out.push(
            Diagnostic::new(
                RULE.code,
                contract.dead_letter.key(),
                format!("the dead letters of `{}` have no limit", contract.name()),
            )
            .at("no `max_messages`")
            .label(section.retention.span(), "what a bad release sends in this time is all kept")
            .help(if keeps_on(contract) {
                "write `max_messages: 100000`; this broker keeps what comes after it, but a page at 80% of it is emitted"
            } else {
                "write `max_messages: 100000`; a page at 80% of it is emitted with it"
            }),
        );
    } else if full.get() == Some(&FullAlert::None) {
        out.push(
            Diagnostic::new(
                RULE.code,
                full.span(),
                format!("the dead letters of `{}` fill up unnoticed", contract.name()),
            )
            .at("switched off")
            .label(section.max_messages.span(), "full here")
            .help("write `full_alert: 80%`, or leave the line out")
            .replace(Applicability::Unsafe, full.span(), "80%", "full_alert: none -> 80%"),
        );
    }
}

/// Whether the broker has no setting for a number of messages, so that the limit only pages.
fn keeps_on(contract: &Contract) -> bool {
    let unlimited =
        [BrokerKind::Kafka, BrokerKind::Sqs, BrokerKind::Pulsar, BrokerKind::Pubsub, BrokerKind::ServiceBus];
    unlimited.into_iter().any(|kind| contract.is_on(kind))
}
