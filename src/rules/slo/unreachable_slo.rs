//! See `unreachable_slo.md`.

use crate::analysis::Analysis;
use crate::analysis::latency::rounded;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};
use crate::units::trim;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK605",
    "unreachable-slo",
    Level::Error,
    include_str!("unreachable_slo.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let latency = &analysis.latency;
    let (Some(objective), Some(service)) = (latency.objective, latency.p95_service) else { return };
    let promised = analysis.written(objective.value, objective.span);
    if service > objective.value {
        let handling = shown(analysis);
        let finding = Diagnostic::new(
            RULE.code,
            objective.span,
            format!("the p95 objective of {promised} cannot be met: handling alone takes {handling} at p95"),
        )
        .at(format!("below the {handling} of handling"))
        .help(format!("make handling faster, or raise the objective above {}", rounded(service)));
        out.push(with_figures(analysis, finding));
        return;
    }
    let Some(total) = latency.p95_with_queueing.filter(|total| *total > objective.value) else { return };
    let wait = rounded(total - service);
    let busy = analysis.capacity.utilisation.map_or(0.0, |share| (share * 1000.0).round() / 10.0);
    let mut finding = Diagnostic::new(
        RULE.code,
        objective.span,
        format!("the p95 objective of {promised} is hardly met: at {} % load a message first waits for a free worker", trim(busy)),
    )
    .at(format!("about {} with the wait", rounded(total)))
    .level(Level::Warning);
    if let Some(load) = analysis.capacity.load {
        finding = finding.label(
            load.span,
            format!("{} % of what {} workers can do", trim(busy), analysis.capacity.workers),
        );
    }
    let finding = finding
        .note(format!("p95 = handling {} + wait {wait} = about {}", shown(analysis), rounded(total)))
        .help(format!("add workers, or raise the objective above {}", rounded(total)));
    out.push(with_figures(analysis, finding));
}

/// The p95 of handling: as written, else as the estimate that it is.
fn shown(analysis: &Analysis<'_>) -> String {
    let field = &analysis.contract.processing.duration.p95;
    match (field.get(), analysis.latency.p95_service) {
        (Some(written), _) => analysis.written(*written, field.span()),
        (None, Some(estimate)) => format!("about {}", rounded(estimate)),
        (None, None) => String::new(),
    }
}

/// The labels and the note that say where the p95 of handling comes from.
fn with_figures(analysis: &Analysis<'_>, finding: Diagnostic) -> Diagnostic {
    let duration = &analysis.contract.processing.duration;
    if analysis.latency.p95_written {
        return finding.label(duration.p95.span(), "the p95 of handling");
    }
    let (name, middle) = match duration.mean.given() {
        true => ("mean", &duration.mean),
        false => ("p50", &duration.p50),
    };
    let value = |field: &crate::syntax::Opt<crate::units::Duration>| {
        field.get().map_or_else(String::new, |value| analysis.written(*value, field.span()))
    };
    let estimate = format!(
        "p95 of handling = {}, of a lognormal distribution with {name} {} and p99 {}",
        shown(analysis),
        value(middle),
        value(&duration.p99)
    );
    finding.label(middle.span(), name).label(duration.p99.span(), "p99").note(estimate)
}
