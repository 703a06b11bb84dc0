//! See `endless_handler.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Contract, SqsRuntime};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK709",
    "endless-handler",
    Level::Warning,
    include_str!("endless_handler.md"),
    Check::Contract(check),
);

/// Whether the contract says how messages are worked on, but nothing ends a handler. A lock that is
/// merely tight is not worth a word then.
pub fn endless(contract: &Contract) -> bool {
    // Lambda ends a function at the function's own timeout, whether the contract knows it or not.
    let lambda = contract.sqs().is_some_and(|sqs| sqs.runtime.get() == Some(&SqsRuntime::Lambda));
    contract.processing.get().is_some() && !contract.processing.handler_timeout.given() && !lambda
}

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let processing = &contract.processing;
    if !endless(contract) {
        return;
    }
    let lock = analysis.timing.lock;
    let follows = match (lock, analysis.timing.renewed) {
        _ if contract.at_most_once() => "takes its worker for ever".to_owned(),
        (_, true) => match processing.lock.renew_for.get() {
            Some(most) => {
                let most = analysis.written(*most, processing.lock.renew_for.span());
                format!("holds its message for as long as the lock is renewed, {most}")
            }
            None => "holds its message for ever, because its lock is renewed".to_owned(),
        },
        (Some(lock), false) => {
            let held = if lock.is_written() {
                analysis.written(lock.value, lock.span)
            } else {
                lock.value.to_string()
            };
            format!("works on its message beside the next consumer, which gets it after {held}")
        }
        (None, false) => "takes its worker for ever".to_owned(),
    };
    let mut finding = Diagnostic::new(
        RULE.code,
        processing.key(),
        format!("no `handler_timeout`: a handler that hangs {follows}"),
    )
    .at("nothing ends a handler")
    .label(processing.lock.renewed.span(), "renewed for as long as the process lives");
    if let Some(lock) = lock.filter(|_| !analysis.timing.renewed && !contract.at_most_once()) {
        finding = finding.label(lock.span, "a second consumer gets it then");
    }
    out.push(finding.help(proposal(analysis)));
}

/// A limit above p99 and below the lock, where both are known and there is room between them.
fn proposal(analysis: &Analysis<'_>) -> String {
    let Some(p99) = analysis.timing.p99 else {
        return "write the longest that a handler may take as `handler_timeout`".to_owned();
    };
    let shown = analysis.written(p99.value, p99.span);
    let least = p99.value * 3;
    match analysis.timing.lock.filter(|lock| lock.is_written() && !analysis.timing.renewed) {
        Some(lock) if lock.value <= least => {
            let lock = analysis.written(lock.value, lock.span);
            format!("write a `handler_timeout` above the p99 of {shown} and below the lock of {lock}")
        }
        _ => format!("write `handler_timeout: {}`, three times the p99 of {shown}", least.need()),
    }
}
