//! See `bypassed_dedupe.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Bypassed, Flow};
use crate::rules::{Check, Rule};
use crate::syntax::List;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK220",
    "bypassed-dedupe",
    Level::Error,
    include_str!("bypassed_dedupe.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    if !contract.is(Flow::Money) {
        return;
    }
    let bypass = &contract.emergency_bypass;
    let skips = bypass.skips.get().into_iter().flat_map(List::iter);
    let Some((_, span)) = skips.into_iter().find(|(skipped, _)| **skipped == Bypassed::Dedupe) else {
        return;
    };
    let switch = bypass.env.get().map_or("the bypass", |env| env.as_str());
    out.push(
        Diagnostic::new(RULE.code, span, format!("`{switch}` turns off the recognition of repeated messages, and each redelivery moves money again"))
            .at("skipped in an emergency, when redeliveries are most frequent")
            .label(contract.flow.span(), "an effect that happens twice is a loss")
            .help("take `dedupe` out of `skips`; a bypass may skip staleness or flow control"),
    );
}
