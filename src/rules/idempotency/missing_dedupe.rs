//! See `missing_dedupe.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Contract, Flow, Strategy};
use crate::rules::{Check, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK206",
    "missing-dedupe",
    Level::Error,
    include_str!("missing_dedupe.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let Some((flow, level)) = contract.flow().and_then(|flow| Some((flow, level(flow)?))) else { return };
    let Some((span, at, lack)) = lack(contract).filter(|_| contract.at_least_once()) else { return };
    let message = format!("{lack}, so a {} message that comes again takes effect again", flow.word());
    let mut finding = Diagnostic::new(RULE.code, span, message).at(at).level(level).help(help(contract));
    if span != contract.delivery.guarantee.span() {
        finding = finding.label(contract.delivery.guarantee.span(), "a message can come again");
    }
    for (effect, _) in contract.effects() {
        finding = finding.label(effect.name.span(), "happens once for each delivery");
    }
    out.push(finding);
}

/// Audit records may repeat and telemetry replaces itself; of the others, money matters most.
fn level(flow: Flow) -> Option<Level> {
    match flow {
        Flow::Money => Some(Level::Error),
        Flow::Notification | Flow::Task => Some(Level::Warning),
        Flow::Audit | Flow::Telemetry => None,
    }
}

/// The place where the answer is missing, with words for it and for what it means.
fn lack(contract: &Contract) -> Option<(Span, &'static str, &'static str)> {
    if !contract.idempotency.given() {
        let span = contract.delivery.guarantee.span();
        return Some((span, "a message can come again", "nothing recognises a repeated message"));
    }
    let idempotency = contract.idempotency.get()?;
    let strategy = idempotency.strategy.get();
    if strategy == Some(&Strategy::None) {
        return Some((
            idempotency.strategy.span(),
            "none",
            "`strategy: none` recognises no repeated message",
        ));
    }
    // A guard has a key of its own, a natural effect needs none, and the broker's window takes its own id.
    let needs_key = match strategy {
        Some(Strategy::DedupeTable | Strategy::UniqueIndex) => true,
        None => !idempotency.strategy.given(),
        Some(Strategy::StateGuard | Strategy::Natural | Strategy::BrokerWindow | Strategy::None) => false,
    };
    let unnamed = idempotency.key.get().map_or(!idempotency.key.given(), crate::syntax::List::is_empty);
    (needs_key && unnamed).then(|| {
        (
            contract.idempotency.key(),
            "names no `key`",
            "`idempotency` without a `key` recognises no repeated message",
        )
    })
}

fn help(contract: &Contract) -> String {
    let key = contract.message.business_id.get().map_or("the business id", |name| name.as_str());
    format!(
        "add `idempotency: {{key: [{key}], strategy: dedupe-table}}` with `store`, `mark` and `ttl`; or the `natural` strategy with its `reason` if the effect stays the same when repeated"
    )
}
