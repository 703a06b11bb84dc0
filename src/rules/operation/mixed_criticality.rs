//! See `mixed_criticality.md`.

use std::collections::BTreeMap;

use crate::analysis::{Address, Analysis};
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{BrokerKind, Contract, Flow};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK906",
    "mixed-criticality",
    Level::Warning,
    include_str!("mixed_criticality.md"),
    Check::Workspace(check),
);

fn check(all: &[Analysis<'_>], out: &mut Vec<Diagnostic>) {
    let mut money: BTreeMap<(BrokerKind, &str), (&Contract, Address<'_>)> = BTreeMap::new();
    let of_flow =
        |flow| all.iter().map(|analysis| analysis.contract).filter(move |contract| contract.is(flow));
    for contract in of_flow(Flow::Money) {
        if let Some(address) = Address::of(contract) {
            money.entry((address.kind, address.name)).or_insert((contract, address));
        }
    }
    for contract in of_flow(Flow::Telemetry) {
        let Some(address) = Address::of(contract) else { continue };
        let Some((first, other)) = money.get(&(address.kind, address.name)) else { continue };
        // The same group as well is two contracts for one queue, which AK904 reports.
        if *other == address {
            continue;
        }
        let name = address.name;
        out.push(
            Diagnostic::new(
                RULE.code,
                contract.flow.span(),
                format!("telemetry of `{}` and money of `{}` share `{name}` on {}", contract.name(), first.name(), address.kind.title()),
            )
            .at("may be lost, in any number")
            .label(first.flow.span(), "must not be lost")
            .help("give each its own queue or topic, so that confirms, copies and retention are paid for where they matter"),
        );
    }
}
