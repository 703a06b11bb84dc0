//! See `oversized_message.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK707",
    "oversized-message",
    Level::Error,
    include_str!("oversized_message.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let message = &analysis.contract.message;
    let (sent, taken) = (&message.max_size, &message.consumer_max_size);
    let (Some(most), Some(accepted)) = (sent.get(), taken.get()) else { return };
    if accepted >= most {
        return;
    }
    out.push(
        Diagnostic::new(
            RULE.code,
            taken.span(),
            format!("the consumer accepts {accepted}, but the producer sends messages of up to {most}"),
        )
        .at("smaller than what is sent")
        .label(sent.span(), "the producer sends as much")
        .help(format!("raise `consumer_max_size` to {most}, or let the producer send less"))
        .replace(
            Applicability::Unsafe,
            taken.span(),
            most.to_string(),
            format!("consumer_max_size: {accepted} -> {most}"),
        ),
    );
}
