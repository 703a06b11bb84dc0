//! See `unreconciled_effect.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Contract, Effect, EffectKind, Flow, Mark, Strategy};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK212",
    "unreconciled-effect",
    Level::Error,
    include_str!("unreconciled_effect.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let idempotency = &contract.idempotency;
    // A guard is judged by its own rule, and an effect that is the same when repeated needs no answer.
    let table = idempotency.strategy.get() == Some(&Strategy::DedupeTable);
    let index = idempotency.strategy.get() == Some(&Strategy::UniqueIndex);
    if !contract.at_least_once() || !(table || index) {
        return;
    }
    let level = if contract.is(Flow::Money) { Level::Error } else { Level::Warning };
    let unanswered =
        external(contract).filter(|effect| !effect.idempotency_key.given() && !effect.reconcile.given());
    let mut findings: Vec<Diagnostic> = unanswered.map(unknown_outcome).collect();
    if table {
        findings.extend(unanswered_key(contract));
        findings.extend(impossible_transaction(contract));
    }
    out.extend(findings.into_iter().map(|finding| finding.level(level)));
}

fn external(contract: &Contract) -> impl Iterator<Item = &Effect> {
    contract
        .effects()
        .map(|(effect, _)| effect)
        .filter(|effect| effect.kind.get() == Some(&EffectKind::External))
}

fn name(effect: &Effect) -> &str {
    effect.name.get().map_or("the effect", |name| name.as_str())
}

fn unknown_outcome(effect: &Effect) -> Diagnostic {
    let text =
        format!("`{}` happens elsewhere, and after a crash nobody can tell whether it did", name(effect));
    Diagnostic::new(RULE.code, effect.kind.span(), text)
        .at("outside of every transaction of ours")
        .help("pass the key on with `idempotency_key`, or say with `reconcile` how the other side is asked what became of it")
}

fn unanswered_key(contract: &Contract) -> Option<Diagnostic> {
    let idempotency = &contract.idempotency;
    if idempotency.mark.get() != Some(&Mark::BeforeEffect) || idempotency.in_flight.given() {
        return None;
    }
    let text =
        "a redelivery that finds its key without a result has no answer: the effect may have happened or not";
    let finding = Diagnostic::new(RULE.code, idempotency.mark.span(), text)
        .at("a crash behind this leaves a key without a result")
        .help("add `in_flight: reconcile`, or `in_flight: retry-later` where another consumer may still be at work");
    Some(
        external(contract)
            .fold(finding, |finding, effect| finding.label(effect.name.span(), "may have happened already")),
    )
}

fn impossible_transaction(contract: &Contract) -> Option<Diagnostic> {
    let mark = &contract.idempotency.mark;
    let first = external(contract).next().filter(|_| mark.get() == Some(&Mark::WithEffect))?;
    let text = format!(
        "`mark: with-effect` cannot hold for `{}`, which no transaction of ours includes",
        name(first)
    );
    let finding = Diagnostic::new(RULE.code, mark.span(), text)
        .at("a crash before the commit leaves the effect and no key")
        .help("write `mark: before-effect` with `in_flight: reconcile`");
    Some(
        external(contract)
            .fold(finding, |finding, effect| finding.label(effect.kind.span(), "happens elsewhere")),
    )
}
