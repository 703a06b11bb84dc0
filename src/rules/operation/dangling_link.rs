//! See `dangling_link.md`.

use std::collections::BTreeSet;

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{Contract, Slug};
use crate::rules::{Check, Rule};
use crate::source::Span;
use crate::syntax::List;
use crate::syntax::nearest::nearest;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK905",
    "dangling-link",
    Level::Warning,
    include_str!("dangling_link.md"),
    Check::Workspace(check),
);

/// In a larger workspace a name is not compared with all others: each comparison costs time.
const MOST_COMPARED: usize = 500;

fn check(all: &[Analysis<'_>], out: &mut Vec<Diagnostic>) {
    let contracts = || all.iter().map(|analysis| analysis.contract);
    let queues = contracts().filter_map(|contract| contract.queue.get());
    let dead_letters = contracts().filter_map(|contract| contract.dead_letter.queue.get());
    let known: BTreeSet<&str> = queues.chain(dead_letters).map(Slug::as_str).collect();
    for contract in contracts() {
        let external = contract.links.external.get().into_iter().flat_map(List::iter);
        let external: BTreeSet<&str> = external.map(|(name, _)| name.as_str()).collect();
        let nothing = |name: &Slug| !known.contains(name.as_str()) && !external.contains(name.as_str());
        for (name, span, what) in routes(contract) {
            if nothing(name) {
                out.push(finding(name, span, what, &known));
            }
        }
    }
}

/// Every queue that the contract sends to, with what makes it do so.
fn routes(contract: &Contract) -> impl Iterator<Item = (&Slug, Span, &'static str)> {
    let links = contract.links.produces.get().into_iter().flat_map(List::iter);
    let shed = &contract.flow_control.shed.to;
    links
        .map(|(name, span)| (name, span, "handling a message publishes to"))
        .chain(shed.get().map(|name| (name, shed.span(), "a long backlog is shed to")))
}

fn finding(name: &Slug, span: Span, what: &str, known: &BTreeSet<&str>) -> Diagnostic {
    let finding = Diagnostic::new(
        RULE.code,
        span,
        format!("{what} `{name}`, which no contract of the workspace describes"),
    )
    .at("leads nowhere");
    let near =
        if known.len() <= MOST_COMPARED { nearest(name.as_str(), known.iter().copied()) } else { Vec::new() };
    match near.first() {
        Some(near) => finding
            .help(format!("write `{near}` if that is meant, or list `{name}` in `links.external`"))
            .replace(Applicability::Unsafe, span, *near, format!("{name} -> {near}")),
        None => finding.help(format!("write the contract of `{name}`, or list it in `links.external`")),
    }
}
