//! What every target says in one way.

use sha2::{Digest, Sha256};

use super::MARK;
use crate::analysis::Analysis;
use crate::model;
use crate::syntax::Opt;

/// The first line of every file. The name of the file alone: the folder that it lies in differs from one clone to the next.
pub(super) fn header(analysis: &Analysis<'_>) -> String {
    use std::fmt::Write as _;
    let source = analysis.sources.get(analysis.contract.place().file);
    let name = source.map_or("", |source| source.name.rsplit('/').next().unwrap_or(""));
    let hash = Sha256::digest(source.map_or("", |source| source.text.as_str()).as_bytes());
    let mut hex = String::new();
    for byte in hash {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    format!("{MARK}{name}; DO NOT EDIT. Contract sha256 {hex}.")
}

/// What the broker calls things.
pub(super) struct Names {
    /// The queue or the topic.
    pub(super) queue: String,
    /// The group of consumers.
    pub(super) group: String,
    /// The dead-letter queue.
    pub(super) dead_letters: Option<String>,
}

impl Names {
    pub(super) fn of(analysis: &Analysis<'_>) -> Self {
        let contract = analysis.contract;
        let common = contract.broker.get().map(model::Broker::common);
        let named =
            |field: fn(model::Common<'_>) -> &Opt<String>| common.and_then(|common| field(common).get());
        let queue = named(|common| common.queue).or(named(|common| common.topic));
        let queue = queue.map_or(contract.name(), String::as_str).to_owned();
        let group = named(|common| common.group).map_or(contract.name(), String::as_str).to_owned();
        let dead_letters = contract.dead_letter.queue.get().map(ToString::to_string);
        Self { queue, group, dead_letters }
    }
}

/// A field, or which one it is that says nothing.
pub(super) fn said(field: &Opt<String>, name: &str) -> String {
    field.get().map_or_else(|| format!("not stated (the contract has no {name})"), Clone::clone)
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn in_words<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let words: Vec<S> = words.into_iter().collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}
