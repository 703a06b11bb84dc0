//! See `undecided_dead_letter.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::failures::{classes, dead_lettered};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK407",
    "undecided-dead-letter",
    Level::Warning,
    include_str!("undecided_dead_letter.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    if analysis.contract.at_most_once() {
        return;
    }
    for (entry, class) in classes(analysis.contract).filter(|(_, class)| !class.resolution.given()) {
        let Some(sent) = dead_lettered(class) else { continue };
        out.push(
            Diagnostic::new(
                RULE.code,
                entry.key,
                format!("`{}` does not say what is done about its dead letters", entry.name),
            )
            .at("no `resolution`")
            .label(sent, "they come from here")
            .help("write `resolution: replay`, `repair` or `discard`"),
        );
    }
}
