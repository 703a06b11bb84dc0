//! Comments that speak to Ackord: `# ackord: ignore[AK201] until 2027-03-31 -- reason`.

use super::tree::Tree;
use crate::source::Span;

/// A comment that asks for silence. Whether it may have it is not decided here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppression {
    /// The whole comment.
    pub comment: Span,
    /// The line it speaks of, from 0: its own if something precedes it there, else the next one
    /// that says something.
    pub target_line: usize,
    /// The codes, names or items that it names, each with its place.
    pub items: Vec<(String, Span)>,
    /// The day after which it says nothing any more.
    pub until: Option<(String, Span)>,
    /// Why.
    pub reason: Option<String>,
    /// Whether it speaks of the whole file.
    pub whole_file: bool,
    /// Why it cannot be read, where it cannot.
    pub malformed: Option<String>,
}

/// The comments of a text that begin with `ackord:`.
pub fn suppressions(tree: &Tree<'_>, text: &str) -> Vec<Suppression> {
    let _ = (tree, text);
    Vec::new()
}
