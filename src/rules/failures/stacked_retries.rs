//! See `stacked_retries.md`.

use super::classes;
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Action, BackoffChoice, FailureClass};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK312",
    "stacked-retries",
    Level::Error,
    include_str!("stacked_retries.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    if analysis.contract.at_most_once() {
        return;
    }
    for (entry, class) in classes(analysis.contract) {
        let Some(own) = retries(class) else { continue };
        let layers: Vec<_> = class
            .layers
            .iter()
            .filter_map(|layer| Some((layer, u128::from(*layer.value.get()?))))
            .filter(|(_, retries)| *retries > 0)
            .collect();
        let Some((first, _)) = layers.first() else { continue };
        let all =
            layers.iter().fold(own + 1, |product, (_, retries)| product.saturating_mul(retries + 1)) - 1;
        let factors: Vec<String> =
            layers.iter().map(|(_, retries)| format!("{} attempts", retries + 1)).collect();
        let message = format!("one message of `{}` is tried again {all} times, not {own}", entry.name);
        let mut finding = Diagnostic::new(RULE.code, first.value.span(), message)
            .at(format!("`{}` retries inside each delivery", first.name))
            .label(class.max_retries.span(), "what the contract promises")
            .note(format!("{} × {} attempts − 1 = {all} redeliveries", factors.join(" × "), own + 1))
            .help("let one layer retry, the queue, and set the others to 0");
        for (layer, _) in layers.iter().skip(1) {
            finding = finding.label(layer.value.span(), format!("`{}` does so too", layer.name));
        }
        out.push(finding);
    }
}

/// The contract's own retries; nothing where their number is not known.
fn retries(class: &FailureClass) -> Option<u128> {
    match (class.action.get()?, class.backoff.get()) {
        (Action::DeadLetter | Action::Drop, _) => Some(0),
        (Action::Retry, Some(BackoffChoice::Mapping(backoff))) if !backoff.steps.is_empty() => {
            Some(backoff.steps.len() as u128)
        }
        (Action::Retry, _) => class.max_retries.get().map(|retries| u128::from(*retries)),
    }
}
