//! See `unowned_dead_letter.md`.

use super::section;
use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK402",
    "unowned-dead-letter",
    Level::Error,
    include_str!("unowned_dead_letter.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some(section) = section(contract) else { return };
    let owner = &section.owner;
    let nobody = owner.get().is_some_and(|owner| owner.trim().is_empty());
    if owner.given() && !nobody {
        return;
    }
    let place = if owner.given() { owner.span() } else { contract.dead_letter.key() };
    let help = match contract.owners.consumer.get() {
        Some(team) => format!("name the team that decides on each message: `owner: {team}`, if it is theirs"),
        None => "name the team that decides on each message as `owner`".to_owned(),
    };
    out.push(
        Diagnostic::new(
            RULE.code,
            place,
            format!("the dead letters of `{}` belong to nobody", contract.name()),
        )
        .at("no `owner`")
        .label(section.triage_within.span(), "a deadline that nobody has")
        .help(help),
    );
}
