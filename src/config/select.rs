//! Which rules a word stands for: `AK201`, `unjittered-backoff`, `AK2`, `AK016:evidence`, `ALL`.

use std::collections::BTreeSet;

use crate::rules::Rule;
use crate::syntax::nearest::{nearest, one_of};

/// A word that stands for no rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The fact.
    pub message: String,
    /// The nearest rules.
    pub help: String,
}

/// The codes (and for an item `CODE:item`) that `word` stands for.
pub fn expand(word: &str, registry: &[&'static Rule]) -> Result<BTreeSet<String>, Unknown> {
    let word = word.trim();
    let (rule, item) = word.split_once(':').map_or((word, None), |(rule, item)| (rule, Some(item)));
    let codes = |found: &dyn Fn(&Rule) -> bool| -> BTreeSet<String> {
        registry.iter().filter(|rule| found(rule)).map(|rule| rule.code.to_string()).collect()
    };
    let exact = codes(&|known| known.code.0.eq_ignore_ascii_case(rule) || known.name == rule);
    if let (Some(item), Some(code)) = (item, exact.first()) {
        let kebab = !item.is_empty()
            && item.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'));
        if kebab {
            return Ok(BTreeSet::from([format!("{code}:{item}")]));
        }
    } else if item.is_none() {
        let prefix = rule.to_ascii_uppercase();
        let found = if rule == "ALL" {
            codes(&|_| true)
        } else if !exact.is_empty() {
            exact
        } else if prefix.len() > 1 && prefix.starts_with("AK") {
            codes(&|known| known.code.0.starts_with(&prefix))
        } else {
            BTreeSet::new()
        };
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let words = registry.iter().flat_map(|rule| [rule.code.0, rule.name]);
    let help = suggestion(rule, words, "ackord rules");
    Err(Unknown { message: format!("`{word}` is no rule, prefix or item"), help })
}

/// A help that names the nearest words, or else where all of them stand.
pub fn suggestion<'a>(word: &str, words: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    let near = nearest(word, words);
    match near.get(..near.len().min(3)).unwrap_or_default() {
        [] => otherwise.to_owned(),
        some => format!("write {}", one_of(some)),
    }
}
