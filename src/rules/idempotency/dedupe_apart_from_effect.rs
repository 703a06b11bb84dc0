//! See `dedupe_apart_from_effect.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{Contract, Effect, EffectKind, Engine, Flow, Mark, Strategy};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK210",
    "dedupe-apart-from-effect",
    Level::Error,
    include_str!("dedupe_apart_from_effect.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    if !contract.at_least_once() || contract.idempotency.strategy.get() != Some(&Strategy::DedupeTable) {
        return;
    }
    let level = if contract.is(Flow::Money) { Level::Error } else { Level::Warning };
    out.extend(
        marked_late(contract).into_iter().chain(other_store(contract)).map(|finding| finding.level(level)),
    );
}

fn marked_late(contract: &Contract) -> Option<Diagnostic> {
    let mark = &contract.idempotency.mark;
    if mark.get() != Some(&Mark::AfterEffect) {
        return None;
    }
    let external = contract.effects().any(|(effect, _)| effect.kind.get() != Some(&EffectKind::Database));
    let mut finding = Diagnostic::new(
        RULE.code,
        mark.span(),
        "`mark: after-effect` leaves a moment in which the effect has happened and its key is not there",
    )
    .at("a crash before this repeats the effect");
    for (effect, _) in contract.effects() {
        finding = finding.label(effect.name.span(), "happens before its key is written");
    }
    if external {
        return Some(finding.help("write `mark: before-effect` with `in_flight: reconcile`"));
    }
    if other_store(contract).is_some() {
        // One transaction cannot span both stores: to say that it does would be a false promise.
        return Some(
            finding.help("keep the keys in the database of the effect first, then write `mark: with-effect`"),
        );
    }
    let title = "mark: after-effect -> with-effect";
    Some(finding.help("write `mark: with-effect`: key and effect in one transaction").replace(
        Applicability::Unsafe,
        mark.span(),
        "with-effect",
        title,
    ))
}

fn other_store(contract: &Contract) -> Option<Diagnostic> {
    let engine = &contract.idempotency.store.engine;
    let kept_in = *engine.get()?;
    let apart: Vec<&Effect> = contract
        .effects()
        .map(|(effect, _)| effect)
        .filter(|effect| effect.kind.get() == Some(&EffectKind::Database) && is_apart(effect, kept_in))
        .collect();
    let name = apart.first()?.name.get()?;
    let text = format!(
        "keys are kept in {}, but `{name}` happens in another store, and no transaction spans both",
        kept_in.word()
    );
    let finding = Diagnostic::new(RULE.code, engine.span(), text)
        .at("written apart from the effect")
        .help("keep the keys in the database of the effect, and write both in one transaction");
    Some(apart.iter().fold(finding, |finding, effect| {
        let span = if effect.store.given() { effect.store.span() } else { effect.table.span() };
        finding.label(span, "the effect happens here")
    }))
}

/// Unsaid, an effect is in the store of the keys; but a table never is in Redis.
fn is_apart(effect: &Effect, kept_in: Engine) -> bool {
    match effect.store.get() {
        Some(store) => *store != kept_in,
        None => kept_in == Engine::Redis && effect.table.given(),
    }
}
