//! See `forgetful_dedupe_store.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Eviction, Persistence, Store, Strategy};
use crate::rules::{Check, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK211",
    "forgetful-dedupe-store",
    Level::Error,
    include_str!("forgetful_dedupe_store.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let idempotency = &contract.idempotency;
    if !contract.at_least_once() || idempotency.strategy.get() != Some(&Strategy::DedupeTable) {
        return;
    }
    let mut reasons = reasons(&idempotency.store).into_iter();
    let Some(first) = reasons.next() else { return };
    let mut finding = Diagnostic::new(RULE.code, first.span, format!("the store of the keys {}, and each key that is gone lets its effect happen again", first.fact))
        .at(first.at)
        .help("keep the keys in the database of the effect; in Redis, in an instance of its own with `persistence: aof-always` and `eviction: noeviction`");
    for reason in reasons {
        finding = finding.label(reason.span, reason.at);
    }
    if idempotency.ttl.given() {
        finding = finding.label(idempotency.ttl.span(), "the contract counts on every key for this long");
    }
    out.push(finding);
}

/// A way in which a store loses keys before their time.
struct Reason {
    span: Span,
    fact: &'static str,
    at: &'static str,
}

fn reasons(store: &Store) -> Vec<Reason> {
    let evicts = store.eviction.get().is_some_and(|eviction| *eviction != Eviction::Noeviction);
    let persistence = match store.persistence.get() {
        Some(Persistence::None) => Some(("is not persisted", "a restart loses every key")),
        Some(Persistence::Rdb) => {
            Some(("is persisted by snapshots", "a crash loses every key since the last one"))
        }
        Some(Persistence::AofEverysec | Persistence::AofAlways) | None => None,
    };
    let shared = store.shared_with_cache.get() == Some(&true);
    let reason = |span, (fact, at)| Reason { span, fact, at };
    [
        evicts.then(|| {
            reason(store.eviction.span(), ("evicts keys when memory is full", "keys go before their time"))
        }),
        persistence.map(|words| reason(store.persistence.span(), words)),
        shared.then(|| {
            let words = ("is also a cache", "a flush or a full cache takes the keys with it");
            reason(store.shared_with_cache.span(), words)
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}
