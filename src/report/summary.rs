//! The last line of a run: what was judged and what came out.

use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::lint::Report;

/// How many findings there are of each kind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    /// Findings with a safe fix.
    pub safe: usize,
    /// Findings with an unsafe fix.
    pub risky: usize,
}

impl Counts {
    pub fn of(report: &Report) -> Self {
        let mended = |how: Applicability| {
            let fits =
                |finding: &&Diagnostic| finding.fix.as_ref().is_some_and(|fix| fix.applicability == how);
            report.findings.iter().filter(fits).count()
        };
        Self {
            errors: report.count(Level::Error),
            warnings: report.count(Level::Warning),
            notes: report.count(Level::Note),
            safe: mended(Applicability::Safe),
            risky: mended(Applicability::Unsafe),
        }
    }
}

/// `checked 2 contracts: 1 error (1 fixable with --fix), 1 suppressed; why: ackord explain AK201`,
/// without a line end.
pub fn summary(report: &Report) -> String {
    told(report, "fixable")
}

/// The same after `--fix`, where what can still be mended is more of it.
pub fn summary_of_rest(report: &Report) -> String {
    told(report, "more")
}

fn told(report: &Report, fixable: &str) -> String {
    let counts = Counts::of(report);
    let levels = [(counts.errors, "error"), (counts.warnings, "warning"), (counts.notes, "note")];
    let found: Vec<String> =
        levels.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| plural(count, word)).collect();
    let mut out = format!("checked {}: ", plural(report.contracts.len(), "contract"));
    out.push_str(&if found.is_empty() { "no findings".to_owned() } else { found.join(", ") });
    match (counts.safe, counts.risky) {
        (0, 0) => {}
        (safe, 0) => out.push_str(&format!(" ({safe} fixable with --fix)")),
        (0, risky) => out.push_str(&format!(" ({risky} {fixable} with --unsafe-fixes)")),
        (safe, risky) => {
            out.push_str(&format!(" ({safe} fixable with --fix, {risky} more with --unsafe-fixes)"));
        }
    }
    if report.cut > 0 {
        out.push_str(&format!(", {} not shown", report.cut));
    }
    if report.suppressed > 0 {
        out.push_str(&format!(", {} suppressed", report.suppressed));
    }
    if let Some(worst) = worst(report) {
        out.push_str(&format!("; why: ackord explain {}", worst.code));
    }
    out
}

/// The first of the findings that matter most.
fn worst(report: &Report) -> Option<&Diagnostic> {
    let level = report.findings.iter().filter_map(|finding| finding.level).max();
    report.findings.iter().find(|finding| finding.level == level)
}

pub(super) fn plural(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
