//! See `batch_settled_as_one.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::BatchFailure;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK108",
    "batch-settled-as-one",
    Level::Warning,
    include_str!("batch_settled_as_one.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let batch = &contract.processing.batch;
    let answer = &batch.on_failure;
    let Some(size) = batch.size.get().copied().filter(|size| *size > 1) else { return };
    let all = match answer.get() {
        Some(BatchFailure::All) => true,
        Some(BatchFailure::Item | BatchFailure::Stop) => false,
        // In an ordered queue the unsaid answer is a matter of order, which AK506 judges.
        None => !answer.given() && contract.order().is_none(),
    };
    if !contract.at_least_once() || !all {
        return;
    }
    let others = size - 1;
    let mut finding = Diagnostic::new(
        RULE.code,
        batch.size.span(),
        format!(
            "a batch of {size} is settled as one, so one failure repeats up to {others} {}",
            successes(others)
        ),
    )
    .at("delivered again together")
    .help("write `on_failure: item`, and let the consumer report which of them failed");
    if answer.given() {
        finding = finding.label(answer.span(), "all of them fail with one").replace(
            Applicability::Unsafe,
            answer.span(),
            "item",
            "on_failure: all -> item",
        );
    } else {
        finding = finding.label(batch.key(), "`on_failure` is unsaid: all of them fail with one");
    }
    out.push(finding);
}

fn successes(count: u32) -> &'static str {
    if count == 1 { "success" } else { "successes" }
}
