//! See `unowned_contract.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};
use crate::syntax::Opt;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK911",
    "unowned-contract",
    Level::Warning,
    include_str!("unowned_contract.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let owners = &analysis.contract.owners;
    if owners.get().is_none() {
        return;
    }
    // A value that could not be read is reported where it stands.
    let named = |party: &Opt<String>| party.get().map_or(party.given(), |name| !name.trim().is_empty());
    let parties =
        [("producer", &owners.producer), ("consumer", &owners.consumer), ("operations", &owners.operations)];
    let missing: Vec<String> =
        parties.iter().filter(|(_, party)| !named(party)).map(|(name, _)| format!("`{name}`")).collect();
    if missing.is_empty() {
        return;
    }
    let missing = missing.join(" and ");
    out.push(
        Diagnostic::new(
            RULE.code,
            owners.key(),
            format!("the contract has no {missing}, so a change of it is not reviewed by all who bear it"),
        )
        .at("a party is missing")
        .help(format!("name {missing} in `owners`; one team may be named more than once")),
    );
}
