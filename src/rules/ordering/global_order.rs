//! See `global_order.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK502", "global-order", Level::Error, include_str!("global_order.md"), Check::Contract(check));

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some(order) = contract.order().filter(|order| !order.key.given()) else { return };
    let help = match contract.message.business_id.get() {
        Some(business) => format!(
            "add `key` with what must stay in order, such as `key: {business}`, or write `ordering: none`"
        ),
        None => "add `key` with the field whose equal values must stay in order, or write `ordering: none`"
            .to_owned(),
    };
    out.push(
        Diagnostic::new(
            RULE.code,
            contract.ordering.key(),
            "`ordering` without a `key` puts every message behind every other one",
        )
        .at("names no key")
        .label(order.by.span(), "holds all messages in one line")
        .note("one message that waits for its retry stops all that come after it")
        .help(help),
    );
}
