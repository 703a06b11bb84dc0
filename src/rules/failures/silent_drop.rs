//! See `silent_drop.md`.

use super::{classes, dropped};
use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{Contract, FailureClass, LogStyle};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK310", "silent-drop", Level::Error, include_str!("silent_drop.md"), Check::Contract(check));

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    for (entry, class) in classes(analysis.contract) {
        let Some(place) = dropped(class).filter(|_| !explained(analysis.contract, class)) else { continue };
        let mut finding = Diagnostic::new(
            RULE.code,
            place,
            format!("`{}` drops messages, and nobody learns of it", entry.name),
        )
        .at("neither a log line nor a reason")
        .help("write `log: structured`, and as `reason` why the message may go");
        let log = &class.log;
        if log.get() == Some(&LogStyle::None) {
            finding = finding.label(log.span(), "switched off here").replace(
                Applicability::Safe,
                log.span(),
                "structured",
                "log: none -> structured",
            );
        }
        out.push(finding);
    }
}

/// Whether a log line or a reason stands beside the drop; a class may leave the log to the contract.
fn explained(contract: &Contract, class: &FailureClass) -> bool {
    let log = if class.log.given() { &class.log } else { &contract.log };
    class.reason.given() || log.get() == Some(&LogStyle::Structured)
}
