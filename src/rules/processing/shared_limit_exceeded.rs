//! See `shared_limit_exceeded.md`.

use std::collections::BTreeMap;

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK706",
    "shared-limit-exceeded",
    Level::Error,
    include_str!("shared_limit_exceeded.md"),
    Check::Workspace(check),
);

/// More places than these say nothing more; the note has the sum over all of them.
const MOST_LABELS: usize = 12;

fn check(all: &[Analysis<'_>], out: &mut Vec<Diagnostic>) {
    let mut limits: BTreeMap<&str, Vec<&Analysis<'_>>> = BTreeMap::new();
    for analysis in all {
        if let Some(name) = analysis.contract.flow_control.shared_limit.name.get() {
            limits.entry(name.as_str()).or_default().push(analysis);
        }
    }
    out.extend(limits.iter().filter_map(|(name, users)| exceeded(name, users)));
}

/// The finding for one limit, at the contract with which the sum passes it.
fn exceeded(name: &str, users: &[&Analysis<'_>]) -> Option<Diagnostic> {
    let stated = |user: &Analysis<'_>| user.contract.flow_control.shared_limit.connections.get().copied();
    let limit = users.iter().filter_map(|user| stated(user)).min()?;
    let workers = |user: &Analysis<'_>| u64::from(user.capacity.workers);
    let total: u64 = users.iter().map(|user| workers(user)).sum();
    let mut sum = 0;
    let over = users.iter().find(|user| {
        sum += workers(user);
        sum > u64::from(limit)
    })?;
    let place = |user: &Analysis<'_>| user.contract.flow_control.shared_limit.name.span();
    let what = match users.len() {
        1 => format!("{total} workers share the {limit} connections of `{name}`"),
        count => format!("{total} workers of {count} contracts share the {limit} connections of `{name}`"),
    };
    let mut finding = Diagnostic::new(RULE.code, place(over), what).at(format!(
        "{} workers of `{}`",
        workers(over),
        over.contract.name()
    ));
    let others = users.iter().filter(|user| !std::ptr::eq(**user, *over));
    for user in others.take(MOST_LABELS) {
        finding =
            finding.label(place(user), format!("{} workers of `{}`", workers(user), user.contract.name()));
    }
    let shown: Vec<String> = users.iter().take(MOST_LABELS).map(|user| workers(user).to_string()).collect();
    let more = users.len().saturating_sub(MOST_LABELS);
    let more = if more > 0 { format!(" + {more} contracts more") } else { String::new() };
    finding = finding.note(format!("workers = {}{more} = {total}, of {limit}", shown.join(" + ")));
    let differing =
        users.iter().find_map(|user| Some((*user, stated(user).filter(|other| *other != limit)?)));
    if let Some((user, other)) = differing {
        let span = user.contract.flow_control.shared_limit.connections.span();
        finding = finding.label(span, format!("{other} here, {limit} elsewhere")).note(format!(
            "the contracts do not agree on `{name}`: {limit} and {other} connections; the smaller one counts"
        ));
    }
    Some(finding.help(format!(
        "take away {} workers in all, or raise the limit of `{name}`",
        total.saturating_sub(u64::from(limit))
    )))
}
