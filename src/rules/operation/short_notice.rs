//! See `short_notice.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK903",
    "short-notice",
    Level::Warning,
    include_str!("short_notice.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let notice = &analysis.contract.message.schema_version.breaking_notice;
    let least = analysis.policy.breaking_notice;
    let Some(given) = notice.get().filter(|given| **given < least) else { return };
    let given = analysis.written(*given, notice.span());
    out.push(
        Diagnostic::new(
            RULE.code,
            notice.span(),
            format!("a breaking change is announced {given} ahead, less than the {least} that are owed"),
        )
        .at("too short to answer")
        .help(format!("raise `breaking_notice` to {least}"))
        .replace(
            Applicability::Unsafe,
            notice.span(),
            least.to_string(),
            format!("breaking_notice: {given} -> {least}"),
        ),
    );
}
