//! See `dropped_after_retries.md`.

use super::{classes, dropped};
use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{Action, Against, Contract, Flow};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK320",
    "dropped-after-retries",
    Level::Error,
    include_str!("dropped_after_retries.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    if !contract.at_least_once() {
        return;
    }
    let grave = contract.is(Flow::Money) || contract.is(Flow::Audit);
    for (entry, class) in classes(contract) {
        let name = entry.name.as_str();
        let Some(place) = dropped(class).filter(|_| matches!(name, "transient" | "poison" | "unknown"))
        else {
            continue;
        };
        let retried = class.action.get() == Some(&Action::Retry);
        if retried && name == "transient" && !grave && class.reason.given() && too_old_for_triage(contract) {
            continue;
        }
        let when = if retried { "after its last retry" } else { "at its first failure" };
        let field = if retried { "then" } else { "action" };
        let mut finding =
            Diagnostic::new(RULE.code, place, format!("`{name}` throws the message away {when}"))
                .at("its effect never happens")
                .label(contract.delivery.guarantee.span(), "though this is promised")
                .label(class.max_retries.span(), "so many tries, and then nothing")
                .help(format!("write `{field}: dead-letter`; only a `business` outcome may go"))
                .level(if grave { Level::Error } else { Level::Warning });
        // Where nothing is ready for dead letters, one word would only be the next finding.
        let ready = contract.dead_letter.queue.given() && class.resolution.given();
        if ready && (name != "poison" || class.attach.given()) {
            let title = format!("{field}: drop -> dead-letter");
            finding = finding.replace(Applicability::Unsafe, place, "dead-letter", title);
        }
        out.push(finding);
    }
}

/// Whether a dead letter is too old to be applied before anybody has looked at it, so that keeping it
/// would help nobody.
fn too_old_for_triage(contract: &Contract) -> bool {
    let staleness = &contract.staleness;
    let triage = contract.dead_letter.triage_within.get();
    staleness.against.get() == Some(&Against::Now)
        && staleness.max_age.get().zip(triage).is_some_and(|(age, triage)| age < triage)
}
