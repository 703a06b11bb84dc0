//! See `late_alert.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK611", "late-alert", Level::Warning, include_str!("late_alert.md"), Check::Contract(check));

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let (Some(alert), Some(detection)) = (analysis.latency.alert, analysis.latency.detection) else { return };
    let found = |what: String| {
        let mut finding = Diagnostic::new(RULE.code, alert.span, what).at("exceeded that late");
        let mut sum = analysis.written(alert.value, alert.span);
        if let Some(held) = analysis.latency.sustained {
            finding = finding.label(held.span, "and held this long");
            sum = format!("{sum} + {}", analysis.written(held.value, held.span));
        }
        finding.note(format!("detection of a full stall = {sum} = {detection}"))
    };
    // A retention that does not even outlive the retries is AK309's.
    let worst =
        analysis.retries.worst_to_dead_letter.filter(|_| !contract.at_most_once()).unwrap_or_default();
    let kept = contract.retention.get().filter(|retention| **retention > worst);
    if let Some(retention) = kept.filter(|retention| detection > **retention) {
        let kept = analysis.written(*retention, contract.retention.span());
        out.push(
            found(format!(
                "a full stall pages somebody after {}, when the first messages are gone after {kept}",
                detection.need()
            ))
            .label(contract.retention.span(), "the queue keeps a message this long")
            .help(format!("lower `slo.alert.above`, or raise `retention` well above {}", detection.need())),
        );
        return;
    }
    let within = &contract.slo.repeat_page.within;
    if let Some(window) = within.get().filter(|window| detection.ratio(**window) > 0.5) {
        let shown = analysis.written(*window, within.span());
        out.push(
            found(format!("a stall is noticed only after {}, more than half of the {shown} in which a second page changes what is done", detection.need()))
                .level(Level::Note)
                .label(within.span(), "a second page counts within this time")
                .help("lower `slo.alert.above`, or raise `slo.repeat_page.within`"),
        );
    }
}
