//! See `dead_letter_cycle.md`.

use std::collections::BTreeMap;

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Contract, Trigger};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK409",
    "dead-letter-cycle",
    Level::Error,
    include_str!("dead_letter_cycle.md"),
    Check::Workspace(check),
);

fn check(analyses: &[Analysis<'_>], out: &mut Vec<Diagnostic>) {
    // A route with a client's reject is left out: a circle that needs one goes round only while a
    // consumer asks for it, which its own figures show.
    let silent: Vec<&Contract> =
        analyses.iter().map(|analysis| analysis.contract).filter(|one| is_silent(one)).collect();
    let next = routes(&silent);
    out.extend(cycles(&next).into_iter().filter_map(|cycle| {
        let members: Vec<&Contract> = cycle.iter().filter_map(|at| silent.get(*at).copied()).collect();
        finding(&members)
    }));
}

/// Whether the contract routes dead letters on without any consumer's reject.
fn is_silent(contract: &Contract) -> bool {
    let triggers = &contract.dead_letter.triggers;
    let rejects = triggers.iter().any(|(trigger, _)| *trigger == Trigger::Reject);
    contract.dead_letter.queue.get().is_some() && !triggers.is_empty() && !rejects
}

/// For each contract the one whose queue its dead letters go to.
fn routes(contracts: &[&Contract]) -> Vec<Option<usize>> {
    let mut by_name = BTreeMap::new();
    for (at, contract) in contracts.iter().enumerate() {
        let physical = contract.broker.get().and_then(|broker| broker.common().queue.get());
        for name in
            contract.queue.get().map(|name| name.as_str()).into_iter().chain(physical.map(String::as_str))
        {
            by_name.entry(name).or_insert(at);
        }
    }
    let target = |contract: &&Contract| by_name.get(contract.dead_letter.queue.get()?.as_str()).copied();
    contracts.iter().map(target).collect()
}

/// The cycles of a graph in which each node has at most one successor, each of them once.
fn cycles(next: &[Option<usize>]) -> Vec<Vec<usize>> {
    // Every node remembers the walk that came by first; a walk that meets itself closes a cycle.
    let mut seen: Vec<Option<usize>> = vec![None; next.len()];
    let mut found = Vec::new();
    for start in 0..next.len() {
        let mut path = Vec::new();
        let mut here = Some(start);
        while let Some(at) = here {
            match seen.get_mut(at) {
                Some(mark @ None) => *mark = Some(start),
                Some(Some(walk)) if *walk == start => {
                    found.push(path.iter().copied().skip_while(|node| *node != at).collect());
                    break;
                }
                Some(Some(_)) | None => break,
            }
            path.push(at);
            here = next.get(at).copied().flatten();
        }
    }
    found
}

/// One finding at the contract whose name sorts first, with every route as a label.
fn finding(members: &[&Contract]) -> Option<Diagnostic> {
    let (first_at, first) = members.iter().enumerate().min_by_key(|(_, contract)| contract.name())?;
    let around: Vec<&Contract> = members.iter().cycle().skip(first_at).take(members.len()).copied().collect();
    let names: Vec<&str> = around.iter().map(|contract| contract.name()).chain([first.name()]).collect();
    let mut finding = Diagnostic::new(
        RULE.code,
        first.dead_letter.queue.span(),
        format!("the dead letters of `{}` come back to it: {}", first.name(), names.join(" -> ")),
    )
    .at("the circle begins here")
    .note("no consumer rejects anything on the way: the broker carries messages round for ever, or drops them without a word")
    .help("let the last queue of the circle dead-letter to one that nothing leaves by itself");
    for contract in around.iter().skip(1) {
        finding =
            finding.label(contract.dead_letter.queue.span(), format!("`{}` sends it on", contract.name()));
    }
    for contract in &around {
        finding = finding.label(contract.dead_letter.triggers.span(), "without `reject`");
    }
    Some(finding)
}
