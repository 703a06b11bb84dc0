//! See `breaking_evolution.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Evolution, SchemaVersion};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK902",
    "breaking-evolution",
    Level::Error,
    include_str!("breaking_evolution.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let version = &analysis.contract.message.schema_version;
    out.extend(unversioned(version).or_else(|| unaccepted(version)).or_else(|| drained(version)));
}

/// The shape changes, and no message says which shape it has.
fn unversioned(version: &SchemaVersion) -> Option<Diagnostic> {
    let word = match version.evolution.get()? {
        Evolution::Additive => return None,
        Evolution::Versioned => "versioned",
        Evolution::Drain => "drain",
    };
    if version.field.given() {
        return None;
    }
    Some(
        Diagnostic::new(
            RULE.code,
            version.evolution.span(),
            format!("the shape of messages changes (`evolution: {word}`), but no field of a message says which shape it has"),
        )
        .at("old and new look alike")
        .help("add a field to the message and name it in `schema_version.field`, or evolve by adding fields only"),
    )
}

/// The consumer does not understand what is still on its way.
fn unaccepted(version: &SchemaVersion) -> Option<Diagnostic> {
    let current = *version.current.get()?;
    let accepted = version.accepts.get()?;
    let accepts = |wanted: u32| accepted.iter().any(|(version, _)| *version == wanted);
    let at = version.accepts.span();
    if !accepts(current) {
        let fact = format!("`accepts` leaves out version {current}, which the producer sends");
        return Some(
            Diagnostic::new(RULE.code, at, fact)
                .at("every message is rejected")
                .label(version.current.span(), "sent")
                .level(Level::Error)
                .help(format!("add {current} to `accepts`")),
        );
    }
    let before = current.checked_sub(1).filter(|before| *before > 0 && !accepts(*before))?;
    Some(
        Diagnostic::new(
            RULE.code,
            at,
            format!("`accepts` leaves out version {before}, which messages still queued at the release have"),
        )
        .at(format!("no {before}"))
        .label(version.current.span(), "sent since the last release")
        .level(Level::Warning)
        .help(format!("add {before} to `accepts`, and keep its branch for a release or two")),
    )
}

/// Every release waits for an empty queue.
fn drained(version: &SchemaVersion) -> Option<Diagnostic> {
    if version.evolution.get() != Some(&Evolution::Drain) {
        return None;
    }
    Some(
        Diagnostic::new(
            RULE.code,
            version.evolution.span(),
            "`drain` makes every change of a message wait for an empty queue, and dead letters and replays bring old messages back",
        )
        .at("a last resort, not a habit")
        .level(Level::Warning)
        .help("write `evolution: additive`, or `versioned` where fields change their meaning"),
    )
}
