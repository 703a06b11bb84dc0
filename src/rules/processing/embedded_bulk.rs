//! See `embedded_bulk.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::LargeBody;
use crate::rules::{Check, Rule};
use crate::units::Size;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK708",
    "embedded-bulk",
    Level::Warning,
    include_str!("embedded_bulk.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let message = &analysis.contract.message;
    let Some(size) = message.max_size.get() else { return };
    let limit = analysis.policy.embedded_size;
    if size.bytes() <= limit || message.large_body.get() == Some(&LargeBody::ByReference) {
        return;
    }
    let limit = Size::from_bytes(limit);
    out.push(
        Diagnostic::new(
            RULE.code,
            message.max_size.span(),
            format!("messages carry bodies of up to {size} through the broker, more than {limit}"),
        )
        .at("a body that belongs elsewhere")
        .label(message.large_body.span(), "travels in the message")
        .help(format!(
            "keep bodies above {limit} in a store of their own, send the reference, and write `large_body: by-reference`"
        )),
    );
}
