//! See `dedupe_on_audit.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Flow, Strategy};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK214",
    "dedupe-on-audit",
    Level::Warning,
    include_str!("dedupe_on_audit.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let strategy = &contract.idempotency.strategy;
    let drops = match strategy.get() {
        Some(
            Strategy::DedupeTable | Strategy::StateGuard | Strategy::UniqueIndex | Strategy::BrokerWindow,
        ) => true,
        Some(Strategy::Natural | Strategy::None) | None => false,
    };
    if !contract.is(Flow::Audit) || !drops {
        return;
    }
    out.push(
        Diagnostic::new(RULE.code, strategy.span(), "an audit record that looks like a duplicate is dropped, and nobody can prove afterwards that it was none")
            .at("drops records")
            .label(contract.flow.span(), "must be complete; may repeat itself")
            .help("leave out `idempotency`, append every record, and let readers fold repeats by the event id"),
    );
}
