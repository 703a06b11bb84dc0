//! See `abrupt_shutdown.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::OnShutdown;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK109",
    "abrupt-shutdown",
    Level::Warning,
    include_str!("abrupt_shutdown.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let processing = &analysis.contract.processing;
    let grace = &processing.shutdown_grace;
    let (Some(given), Some(work)) = (grace.get().copied(), analysis.timing.work) else { return };
    if given >= work.value || processing.on_shutdown.get() == Some(&OnShutdown::Abandon) {
        return;
    }
    let need = work.value.need();
    let (given, wanted) = (analysis.written(given, grace.span()), analysis.written(need, work.span));
    let message = format!("a shutdown waits {given}, but a message is worked on for up to {wanted}");
    let mut finding = Diagnostic::new(RULE.code, grace.span(), message)
        .at(format!("killed up to {} too early", (need - grace.get().copied().unwrap_or_default()).need()))
        .help(format!(
            "raise `shutdown_grace` to {wanted}, or write `on_shutdown: abandon` if a repeat is meant"
        ))
        .replace(
            Applicability::Unsafe,
            grace.span(),
            wanted.clone(),
            format!("shutdown_grace: {given} -> {wanted}"),
        );
    if analysis.timing.work_is_limited {
        finding = finding.label(work.span, "the longest that one delivery is worked on");
    } else if let Some(p99) = analysis.timing.p99 {
        finding = finding.label(p99.span, "99 % of messages are handled in this time");
        if let Some(inside) = analysis.timing.in_process {
            finding = finding.label(inside.span, "tried again inside the delivery").note(format!(
                "work = {} × {} + {} of waits = {}",
                inside.tries,
                analysis.written(p99.value, p99.span),
                inside.waits,
                work.value,
            ));
        }
    }
    out.push(finding);
}
