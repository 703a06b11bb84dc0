//! See `exactly_once_delivery.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{Broker, Guarantee};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK101",
    "exactly-once-delivery",
    Level::Error,
    include_str!("exactly_once_delivery.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let guarantee = &analysis.contract.delivery.guarantee;
    let Some(Guarantee::ExactlyOnce(spelling)) = guarantee.get() else { return };
    let span = guarantee.span();
    let mut finding =
        Diagnostic::new(RULE.code, span, format!("`{spelling}` is a guarantee that no queue can keep"))
            .at("a consumer that dies between its effect and its ack gets the message again")
            .help("write at-least-once, and let `idempotency` make each effect happen once")
            .replace(
                Applicability::Safe,
                span,
                "at-least-once",
                format!("guarantee: {spelling} -> at-least-once"),
            );
    if let Some(broker) = analysis.contract.broker.get().map(Broker::kind) {
        finding = finding.note(broker.exactly_once_fine_print());
    }
    out.push(finding);
}
