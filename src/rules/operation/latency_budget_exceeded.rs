//! See `latency_budget_exceeded.md`.

use crate::analysis::Analysis;
use crate::analysis::chains::Chains;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK907",
    "latency-budget-exceeded",
    Level::Warning,
    include_str!("latency_budget_exceeded.md"),
    Check::Workspace(check),
);

/// More stations than these are only counted.
const MOST_SHOWN: usize = 8;

fn check(all: &[Analysis<'_>], out: &mut Vec<Diagnostic>) {
    if all.iter().all(|analysis| analysis.contract.slo.end_to_end.get().is_none()) {
        return;
    }
    let chains = Chains::of(all);
    for (at, analysis) in all.iter().enumerate() {
        let limit = &analysis.contract.slo.end_to_end;
        let total = chains.total(at);
        if chains.next(at).is_none() || limit.get().is_none_or(|limit| total <= *limit) {
            continue;
        }
        let path: Vec<&Analysis<'_>> =
            chains.path(at).take(MOST_SHOWN + 1).filter_map(|at| all.get(at)).collect();
        out.extend(finding(analysis, &path, total));
    }
}

fn finding(
    first: &Analysis<'_>,
    path: &[&Analysis<'_>],
    total: crate::units::Duration,
) -> Option<Diagnostic> {
    let field = &first.contract.slo.end_to_end;
    let limit = first.written(*field.get()?, field.span());
    let name = first.contract.name();
    let what = format!(
        "the p95 objectives from `{name}` on add up to {total}, more than its end-to-end limit of {limit}"
    );
    let mut finding = Diagnostic::new(RULE.code, field.span(), what).at("less than the sum");
    let mut terms = Vec::new();
    for station in path.iter().take(MOST_SHOWN) {
        let name = station.contract.name();
        let Some(objective) = station.latency.objective else {
            terms.push(format!("{name} (no objective)"));
            continue;
        };
        let shown = station.written(objective.value, objective.span);
        finding = finding.label(objective.span, format!("`{name}`"));
        terms.push(format!("{shown} {name}"));
    }
    if path.len() > MOST_SHOWN {
        terms.push("…".to_owned());
    }
    Some(
        finding
            .note(format!("chain = {} = {total}", terms.join(" + ")))
            .help(format!("tighten the objectives on the way, or raise `end_to_end` to {}", total.need())),
    )
}
