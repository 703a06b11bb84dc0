//! See `concurrency_breaks_order.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{Lanes, OrderBy};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK503",
    "concurrency-breaks-order",
    Level::Error,
    include_str!("concurrency_breaks_order.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let Some(order) = analysis.contract.order() else { return };
    let unit = match order.by.get() {
        Some(OrderBy::Partition) => "a partition",
        Some(OrderBy::SingleConsumer) => "the queue",
        // A check of what must come before does not mind who overtakes whom.
        Some(OrderBy::DependencyCheck) | None => return,
    };
    let concurrency = analysis.resolved.concurrency;
    if concurrency.value <= 1 || order.lanes.get() == Some(&Lanes::ByKey) {
        return;
    }
    let text = format!(
        "a consumer handles {} messages of {unit} at once, so a later one can take effect first",
        concurrency.value
    );
    let finding = Diagnostic::new(RULE.code, concurrency.span, text)
        .at("at once, whatever their key")
        .label(order.by.span(), "delivers in order")
        .label(order.key.span(), "must stay in order")
        .label(order.lanes.span(), "as they come")
        .help("write `ordering.lanes: by-key`, which keeps the messages of a key in one lane, or `concurrency: 1`");
    out.push(match order.lanes.get() {
        Some(Lanes::None) => {
            finding.replace(Applicability::Unsafe, order.lanes.span(), "by-key", "lanes: none -> by-key")
        }
        Some(Lanes::ByKey) | None => finding,
    });
}
