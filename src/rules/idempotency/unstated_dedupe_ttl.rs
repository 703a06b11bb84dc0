//! See `unstated_dedupe_ttl.md`.

use crate::analysis::{Analysis, bounds};
use crate::diagnostic::{Diagnostic, Level};
use crate::model::Strategy;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK218",
    "unstated-dedupe-ttl",
    Level::Warning,
    include_str!("unstated_dedupe_ttl.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let idempotency = &contract.idempotency;
    let table = idempotency.strategy.get() == Some(&Strategy::DedupeTable);
    if !contract.at_least_once() || !table || idempotency.ttl.given() {
        return;
    }
    let list = bounds::key(analysis);
    let longest = list
        .iter()
        .flat_map(|list| &list.entries)
        .filter_map(|bound| Some((bound.needs()?, bound)))
        .max_by_key(|(needs, _)| *needs);
    let finding = Diagnostic::new(RULE.code, contract.idempotency.key(), "`idempotency` does not say how long a key is kept, and a key that is gone lets its effect happen again")
        .at("has no `ttl`")
        .label(idempotency.strategy.span(), "a table of keys");
    out.push(match longest {
        Some((needs, bound)) => finding
            .note(format!("a key must outlive {}, by its `{}` bound", needs.need(), bound.id.id()))
            .help(format!("add `ttl: {}`, or `ttl: forever`", needs.round_proposal())),
        None => finding.help("add `ttl` with a duration such as 15d, or `ttl: forever`"),
    });
}
