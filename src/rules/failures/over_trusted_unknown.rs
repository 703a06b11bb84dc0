//! See `over_trusted_unknown.md`.

use super::retrying;
use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK314",
    "over-trusted-unknown",
    Level::Warning,
    include_str!("over_trusted_unknown.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let most = analysis.policy.unknown_retries;
    for (entry, class, retries) in retrying(analysis).filter(|(entry, ..)| entry.name == "unknown") {
        let n = retries.max_retries;
        if !retries.limited || n.value <= most {
            continue;
        }
        let mut finding = Diagnostic::new(
            RULE.code,
            n.span,
            format!("`unknown` is retried {} times, more than {most}", n.value),
        )
        .at("nobody knows whether another try can help")
        .label(entry.key, "failures that no class names")
        .help(format!("allow {most} retries, and give the failure a class once it was seen"));
        if n.span == class.max_retries.span() {
            let title = format!("max_retries: {} -> {most}", n.value);
            finding = finding.replace(Applicability::Unsafe, n.span, most.to_string(), title);
        }
        out.push(finding);
    }
}
