//! See `publish_without_outbox.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{BrokerKind, Outbox};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK107",
    "publish-without-outbox",
    Level::Warning,
    include_str!("publish_without_outbox.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let producer = &contract.producer;
    let outbox = &producer.outbox;
    let none = matches!(outbox.get(), Some(Outbox::None)) || !outbox.given();
    // A queue that is a table is its own outbox: the row is inserted with the business change.
    let is_a_table = contract.is_on(BrokerKind::Postgres) || contract.is_on(BrokerKind::Embedded);
    // Without confirms there is a worse hole, which AK106 reports.
    if !contract.at_least_once()
        || !contract.must_not_lose()
        || producer.confirms.get() != Some(&true)
        || !none
        || is_a_table
    {
        return;
    }
    let finding = if outbox.given() {
        Diagnostic::new(
            RULE.code,
            outbox.span(),
            "`outbox: none` leaves a message in memory until it is confirmed",
        )
    } else {
        Diagnostic::new(
            RULE.code,
            producer.key(),
            "`producer` does not say what holds a message until it is confirmed",
        )
    };
    out.push(
        finding
            .at("a producer that dies before the confirm has committed what it never sent")
            .label(producer.confirms.span(), "says that the broker has it, when the producer still lives")
            .help("add `outbox: TABLE`: the row is written in the transaction of the business change and removed once confirmed"),
    );
}
