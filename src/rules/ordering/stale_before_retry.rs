//! See `stale_before_retry.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::OnRetry;
use crate::rules::{Check, Rule};
use crate::units::trim;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK507",
    "stale-before-retry",
    Level::Error,
    include_str!("stale_before_retry.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let max_age = &contract.staleness.max_age;
    let blocks = contract.order().is_some_and(|order| order.on_retry.get() == Some(&OnRetry::BlockKey));
    let (Some(limit), Some(p99)) = (max_age.get(), analysis.timing.p99) else { return };
    let classes = analysis.retries.classes.iter().map(|class| (class.until_last_try(p99.value), class));
    let Some((needs, class)) = classes.max_by_key(|(needs, _)| *needs) else { return };
    if blocks || *limit >= needs {
        return;
    }
    let shown = analysis.written(*limit, max_age.span());
    let text = format!(
        "a message is too old after {shown}, but its last retry can come {} after it was sent",
        needs.need()
    );
    let factor = class.waits.jitter_factor();
    let by = if factor == 1.0 { String::new() } else { format!(" × {}", trim(factor)) };
    let waits = class.waits.plain_total(class.retries());
    let tries = class.retries() + 1;
    let p99_shown = analysis.written(p99.value, p99.span);
    let mut finding = Diagnostic::new(RULE.code, max_age.span(), text)
        .at("rejects the message that a retry was meant to save")
        .label(class.max_retries.span, format!("retries of `{}`", class.name))
        .label(p99.span, "each try may take this long")
        .note(format!(
            "last try of `{}` = {waits}{by} waits + {tries} × {p99_shown} = {}",
            class.name,
            needs.need()
        ))
        .help(format!(
            "raise `max_age` to {}, or let the retry block its key with `ordering.on_retry: block-key`",
            needs.round_proposal()
        ));
    if let Some(order) = contract.order() {
        finding = finding.label(order.on_retry.span(), "newer messages of the key go on meanwhile");
    }
    out.push(finding);
}
