//! See `batch_breaks_order.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::BatchFailure;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK506",
    "batch-breaks-order",
    Level::Error,
    include_str!("batch_breaks_order.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some(order) = contract.order().filter(|_| contract.at_least_once()) else { return };
    let batch = &contract.processing.batch;
    let Some(size) = batch.size.get().filter(|size| **size > 1) else { return };
    let on_failure = &batch.on_failure;
    let (span, at) = match on_failure.get() {
        Some(BatchFailure::Stop) => return,
        Some(BatchFailure::Item) => (on_failure.span(), "the rest of the batch goes on"),
        Some(BatchFailure::All) => {
            (on_failure.span(), "all of them come again, those behind it handled already")
        }
        None if on_failure.given() => return,
        None => (contract.processing.batch.key(), "has no `on_failure`"),
    };
    let text = format!(
        "a batch of {size} does not stop at a message that fails, so later messages of its key take effect first"
    );
    let finding = Diagnostic::new(RULE.code, span, text)
        .at(at)
        .label(order.key.span(), "must stay in order")
        .label(batch.size.span(), "taken together")
        .help("write `on_failure: stop`, which gives back the failed message and all behind it");
    out.push(match on_failure.get() {
        Some(_) => finding.replace(Applicability::Unsafe, span, "stop", "on_failure: stop"),
        None => finding,
    });
}
