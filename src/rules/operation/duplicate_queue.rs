//! See `duplicate_queue.md`.

use std::collections::BTreeMap;

use crate::analysis::{Address, Analysis};
use crate::diagnostic::{Diagnostic, Level};
use crate::model::Contract;
use crate::rules::{Check, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK904",
    "duplicate-queue",
    Level::Error,
    include_str!("duplicate_queue.md"),
    Check::Workspace(check),
);

fn check(all: &[Analysis<'_>], out: &mut Vec<Diagnostic>) {
    let mut names: BTreeMap<&str, &Contract> = BTreeMap::new();
    let mut addresses: BTreeMap<Address<'_>, &Contract> = BTreeMap::new();
    for analysis in all {
        let contract = analysis.contract;
        let Some(name) = contract.queue.get() else { continue };
        let known = names.get(name.as_str()).copied();
        let address = Address::of(contract);
        let shared = address.and_then(|address| Some((address, addresses.get(&address).copied()?)));
        if let Some(first) = known {
            out.push(
                Diagnostic::new(
                    RULE.code,
                    contract.queue.span(),
                    format!("two contracts describe the queue `{name}`"),
                )
                .at("described again")
                .label(first.queue.span(), "described here first")
                .help("keep one of them, or give this one a name of its own"),
            );
        } else if let Some((address, first)) = shared {
            out.push(
                Diagnostic::new(RULE.code, place(contract), said(&address, first))
                    .at(format!("`{name}` reads it"))
                    .label(place(first), format!("`{}` reads it too", first.name()))
                    .help("keep one contract for it, or give this one a queue or a group of its own"),
            );
        }
        names.entry(name.as_str()).or_insert(contract);
        if let Some(address) = address {
            addresses.entry(address).or_insert(contract);
        }
    }
}

fn said(address: &Address<'_>, first: &Contract) -> String {
    let Address { kind, name, group } = address;
    let group = if group.is_empty() || *group == first.name() {
        String::new()
    } else {
        format!(" in the group `{group}`")
    };
    format!(
        "two contracts consume `{name}`{group} on {}, so each gets a part of the other's messages",
        kind.title()
    )
}

/// Where the broker's own name stands, else the queue's.
fn place(contract: &Contract) -> Span {
    let common = contract.broker.get().map(|broker| broker.common());
    let written =
        common.and_then(|common| [common.queue, common.topic].into_iter().find(|name| name.given()));
    written.map_or_else(|| contract.place(), |name| name.span())
}
