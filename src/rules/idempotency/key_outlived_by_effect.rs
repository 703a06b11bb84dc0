//! See `key_outlived_by_effect.md`.

use crate::analysis::{Analysis, term};
use crate::diagnostic::{Diagnostic, Level};
use crate::model::Flow;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK219",
    "key-outlived-by-effect",
    Level::Error,
    include_str!("key_outlived_by_effect.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some(terms) = analysis.retries.bound.as_deref().filter(|_| contract.at_least_once()) else { return };
    let needs = term::sum(terms);
    let level = if contract.is(Flow::Money) { Level::Error } else { Level::Warning };
    for (effect, _) in contract.effects() {
        let Some(valid) = effect.key_valid_for.get().filter(|valid| **valid < needs) else { continue };
        let span = effect.key_valid_for.span();
        let name = effect.name.get().map_or("the other side", |name| name.as_str());
        let text = format!(
            "`{name}` forgets its key after {}, but a redelivery can come {} after the first delivery",
            analysis.written(*valid, span),
            needs.need(),
        );
        let mut finding = Diagnostic::new(RULE.code, span, text)
            .at(format!("forgotten {} too early", (needs - *valid).need()))
            .level(level)
            .label(effect.idempotency_key.span(), "from then on a new act to the other side")
            .note(format!("longest redelivery = {} = {}", term::in_note(terms, |value, span| analysis.written(value, span)), needs.need()))
            .help("shorten the lock or the retries, so that the last redelivery comes while the key is still honoured");
        if let Some(redeliveries) = analysis.retries.redeliveries {
            finding = finding.label(redeliveries.span, "the most redeliveries");
        }
        for term in terms {
            finding = finding.label(
                term.span,
                if term.count > 1 {
                    "each delivery may hang this long"
                } else {
                    "the last one is worked on this long"
                },
            );
        }
        out.push(finding);
    }
}
