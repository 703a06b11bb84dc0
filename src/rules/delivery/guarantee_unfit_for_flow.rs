//! See `guarantee_unfit_for_flow.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::Flow;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK103",
    "guarantee-unfit-for-flow",
    Level::Error,
    include_str!("guarantee_unfit_for_flow.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let (guarantee, flow) = (contract.delivery.guarantee.span(), contract.flow.span());
    match contract.flow() {
        Some(kind) if contract.at_most_once() && contract.must_not_lose() => out.push(
            Diagnostic::new(RULE.code, guarantee, format!("`at-most-once` loses messages, which no {} flow can", kind.word()))
                .at("a message in hand is gone when its consumer dies")
                .label(flow, loss_of(kind))
                .help(format!("write `at-least-once`{}", repeats_of(kind))),
        ),
        Some(Flow::Telemetry) if contract.at_least_once() && !contract.delivery.reason.given() => out.push(
            Diagnostic::new(RULE.code, guarantee, "`at-least-once` is more than telemetry usually needs")
                .level(Level::Note)
                .at("each reading is confirmed, stored and acknowledged")
                .label(flow, "the next reading replaces a lost one")
                .help("write `at-most-once` with an `acceptable_loss`, or say in `reason` why no reading may be lost"),
        ),
        _ => {}
    }
}

/// What a lost message is in this flow.
fn loss_of(flow: Flow) -> &'static str {
    match flow {
        Flow::Audit => "a gap in the record is the failure itself",
        Flow::Money | Flow::Notification | Flow::Telemetry | Flow::Task => {
            "a lost message is money that nobody books"
        }
    }
}

/// What becomes of the messages that then come twice.
fn repeats_of(flow: Flow) -> &'static str {
    match flow {
        Flow::Audit => "; a record that stands there twice is no gap",
        Flow::Money | Flow::Notification | Flow::Telemetry | Flow::Task => {
            ", and let `idempotency` answer what comes twice"
        }
    }
}
