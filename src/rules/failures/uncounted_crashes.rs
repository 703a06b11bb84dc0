//! See `uncounted_crashes.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::Broker;
use crate::resolve::CrashLimit;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK317",
    "uncounted-crashes",
    Level::Warning,
    include_str!("uncounted_crashes.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    if contract.at_most_once() {
        return;
    }
    match analysis.resolved.crash_limit {
        CrashLimit::Uncounted(span) => out.push(
            Diagnostic::new(RULE.code, span, "a message that kills its consumer is delivered again without end")
                .at("deliveries after a crash are not counted")
                .note("a retry is counted by the handler that asks for it; a handler that is killed asks for nothing")
                .help("write `redelivery: {counted: true, max_retries: 5}`")
                .replace(Applicability::Unsafe, span, "true", "counted: false -> true"),
        ),
        CrashLimit::Unknown => {
            let Some(broker) = contract.broker.get().map(Broker::kind) else { return };
            out.push(
                Diagnostic::new(
                    RULE.code,
                    contract.broker_kind_place(),
                    format!("{} ends no series of crashes that is not limited elsewhere", broker.title()),
                )
                .at("no limit of its own is known")
                .label(contract.redelivery.key(), "names no `max_retries`")
                .note("the queue is managed elsewhere, so what nobody wrote has the broker's default")
                .help("write the queue's own limit as `broker.delivery_limit`, or let the consumer count: `redelivery: {counted: true, max_retries: 5}`"),
            );
        }
        CrashLimit::Redeliveries(_) | CrashLimit::Classes => {}
    }
}
