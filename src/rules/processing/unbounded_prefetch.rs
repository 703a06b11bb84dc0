//! See `unbounded_prefetch.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::Broker;
use crate::resolve::{Origin, Prefetch};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK705",
    "unbounded-prefetch",
    Level::Error,
    include_str!("unbounded_prefetch.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    // Without acknowledgements nothing is held, and the broker's limit does not apply.
    let Some(prefetch) = analysis.resolved.prefetch.filter(|_| !contract.at_most_once()) else { return };
    let (Prefetch::Unlimited, Some(broker)) = (prefetch.value, contract.broker.get().map(Broker::kind))
    else {
        return;
    };
    let title = broker.title();
    let concurrency = analysis.resolved.concurrency;
    let usual = concurrency.value.max(1);
    let finding = match prefetch.origin {
        Origin::Broker(fact) => Diagnostic::new(
            RULE.code,
            prefetch.span,
            format!("a consumer fetches all that waits: nothing sets a prefetch, and {title} has no limit by default"),
        )
        .at(format!("`{}` has no limit by default", fact.setting))
        .help(format!("write `processing.prefetch: {usual}` and set it in the consumer")),
        Origin::Written | Origin::Derived => Diagnostic::new(
            RULE.code,
            prefetch.span,
            format!("`prefetch: 0` means no limit on {title}: one consumer fetches all that waits"),
        )
        .at("as many as there are")
        .help(format!("write `prefetch: {usual}`, as many as one consumer handles at once"))
        .replace(Applicability::Unsafe, prefetch.span, usual.to_string(), format!("prefetch: 0 -> {usual}")),
    };
    out.push(finding.label(concurrency.span, "handled at once"));
}
