//! See `stale_within_slo.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::Against;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK510",
    "stale-within-slo",
    Level::Warning,
    include_str!("stale_within_slo.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let staleness = &analysis.contract.staleness;
    let (Some(limit), Some(objective)) = (staleness.max_age.get(), analysis.latency.objective) else {
        return;
    };
    if staleness.against.get() != Some(&Against::Now) || *limit > objective.value {
        return;
    }
    let span = staleness.max_age.span();
    let text = format!(
        "a message is rejected at an age of {}, while the objective calls {} on time",
        analysis.written(*limit, span),
        analysis.written(objective.value, objective.span),
    );
    out.push(
        Diagnostic::new(RULE.code, span, text)
            .at("too old within the objective")
            .label(objective.span, "5 % of messages may take longer")
            .label(staleness.against.span(), "the age counts from when it was sent")
            .help("raise `max_age` well above the objective, or compare with `against: newest-of-key`"),
    );
}
