//! See `replay_wider_than_failure.md`.

use std::collections::BTreeMap;

use crate::analysis::{Address, Analysis};
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{BrokerKind, Contract, ReplayTarget, Strategy};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK914",
    "replay-wider-than-failure",
    Level::Warning,
    include_str!("replay_wider_than_failure.md"),
    Check::Workspace(check),
);

/// Subscribers beyond these are only counted.
const MOST_SHOWN: usize = 8;

/// The contracts of one topic that a second delivery of everything harms: the first few, and how many.
#[derive(Default)]
struct Harmed<'a> {
    first: Vec<(Address<'a>, &'a Contract, &'static str)>,
    count: usize,
}

fn check(all: &[Analysis<'_>], out: &mut Vec<Diagnostic>) {
    let mut topics: BTreeMap<(BrokerKind, &str), Harmed<'_>> = BTreeMap::new();
    for contract in all.iter().map(|analysis| analysis.contract) {
        if let (Some(address), Some(how)) = (Address::of(contract), harm(contract)) {
            let harmed = topics.entry((address.kind, address.name)).or_default();
            harmed.count += 1;
            // One more than is shown, because the replaying contract itself may be among them.
            if harmed.first.len() <= MOST_SHOWN {
                harmed.first.push((address, contract, how));
            }
        }
    }
    for contract in all.iter().map(|analysis| analysis.contract) {
        if contract.replay.to.get() == Some(&ReplayTarget::Topic) {
            let address = Address::of(contract);
            let harmed =
                address.and_then(|address| Some((address, topics.get(&(address.kind, address.name))?)));
            out.extend(harmed.and_then(|(address, harmed)| finding(contract, &address, harmed)));
        }
    }
}

/// What a replay does to a subscriber that did not ask for it.
fn harm(contract: &Contract) -> Option<&'static str> {
    match contract.idempotency.strategy.get() {
        // The broker's own window is long over when a day is replayed.
        None | Some(Strategy::None | Strategy::BrokerWindow) => {
            Some("has no dedupe, and handles all of it again")
        }
        Some(Strategy::DedupeTable | Strategy::StateGuard | Strategy::UniqueIndex | Strategy::Natural) => {
            contract.order().map(|_| "gets old messages after newer ones of their key")
        }
    }
}

fn finding(contract: &Contract, address: &Address<'_>, harmed: &Harmed<'_>) -> Option<Diagnostic> {
    let others = || harmed.first.iter().filter(|(other, ..)| other.group != address.group);
    let itself = harm(contract).is_some();
    let count = harmed.count - usize::from(itself);
    let (_, first, how) = others().next()?;
    let more = match count {
        0 | 1 => String::new(),
        2 => ", and another subscriber is harmed too".to_owned(),
        count => format!(", and {} other subscribers are harmed too", count - 1),
    };
    let mut finding = Diagnostic::new(
        RULE.code,
        contract.replay.to.span(),
        format!(
            "a replay to the topic `{}` also reaches `{}`, which {how}{more}",
            address.name,
            first.name()
        ),
    )
    .at("every subscriber gets it");
    for (_, other, how) in others().take(MOST_SHOWN) {
        finding = finding.label(other.place(), format!("`{}` {how}", other.name()));
    }
    let to = contract.replay.to.span();
    Some(finding.help("write `to: this-consumer`").replace(
        Applicability::Unsafe,
        to,
        "this-consumer",
        "to: topic -> this-consumer",
    ))
}
