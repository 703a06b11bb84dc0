//! See `missing_evidence.md`.

use crate::analysis::{Analysis, evidence};
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{Evidence, Flow};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK909",
    "missing-evidence",
    Level::Warning,
    include_str!("missing_evidence.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some(Evidence::List(_)) = contract.evidence.get().filter(|_| contract.is(Flow::Money)) else {
        return;
    };
    let wanted = evidence::wanted(contract);
    let possible = evidence::possible(contract);
    let missing: Vec<String> = possible
        .iter()
        .filter(|proof| !wanted.contains(proof))
        .map(|proof| format!("`{}`", proof.word()))
        .collect();
    if missing.is_empty() {
        return;
    }
    let span = contract.evidence.span();
    let count = match missing.len() {
        1 => "a proof".to_owned(),
        count => format!("{count} proofs"),
    };
    let finding = Diagnostic::new(
        RULE.code,
        span,
        format!("`evidence` leaves out {count} that this contract's sections allow: {}", missing.join(", ")),
    )
    .at(format!("{} of {}", possible.len() - missing.len(), possible.len()))
    .help("write `evidence: all`");
    // From the key on, because `all` may not stand where the list of a block begins. A comment in the
    // list would be lost.
    let whole = contract.evidence.key().to(span);
    out.push(match analysis.sources.slice(whole).contains('#') {
        true => finding,
        false => finding.replace(Applicability::Unsafe, whole, "evidence: all", "evidence: all"),
    });
}
