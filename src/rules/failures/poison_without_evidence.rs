//! See `poison_without_evidence.md`.

use super::{classes, dead_lettered};
use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::Attachment;
use crate::rules::{Check, Rule};
use crate::source::Span;
use crate::syntax::{List, Opt};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK313",
    "poison-without-evidence",
    Level::Warning,
    include_str!("poison_without_evidence.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    if analysis.contract.at_most_once() {
        return;
    }
    for (entry, class) in classes(analysis.contract).filter(|(entry, _)| entry.name == "poison") {
        let Some(sent) = dead_lettered(class) else { continue };
        let attach = &class.attach;
        if attach.given() && attach.get().is_none() {
            continue;
        }
        let lacks = |wanted| attach.iter().all(|(attached, _)| *attached != wanted);
        let missing = match (lacks(Attachment::Payload), lacks(Attachment::Error)) {
            (true, true) => "payload and error",
            (true, false) => "payload",
            (false, true) => "error",
            (false, false) => continue,
        };
        let place = if attach.given() { attach.span() } else { entry.key };
        let mut finding = Diagnostic::new(
            RULE.code,
            place,
            format!("`poison` reaches the dead letters without its {missing}"),
        )
        .at("whoever opens it has to guess")
        .label(sent, "sent there here")
        .help("write `attach: [payload, error]`");
        if let Some((span, text)) = completed(analysis, attach, missing) {
            finding = finding.replace(Applicability::Unsafe, span, text, format!("attach: {missing} too"));
        }
        out.push(finding);
    }
}

/// The list's last entry with the missing one behind it, in the style of the list.
fn completed(
    analysis: &Analysis<'_>,
    attach: &Opt<List<Attachment>>,
    missing: &str,
) -> Option<(Span, String)> {
    let (_, last) = attach.iter().next_back()?;
    let text = analysis.sources.slice(last);
    if analysis.sources.slice(attach.span()).starts_with('[') {
        return Some((last, format!("{text}, {missing}")));
    }
    let source = analysis.sources.get(last.file)?;
    let line = source.line_range(source.line_of(attach.span().start));
    let indent = (attach.span().start as usize).checked_sub(line.start)?;
    Some((last, format!("{text}\n{}- {missing}", " ".repeat(indent))))
}
