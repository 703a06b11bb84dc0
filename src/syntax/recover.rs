//! All syntax errors of a text in one run.
//!
//! The parser stops at the first one. So the damaged lines are overwritten with spaces, which keeps
//! every place where it was, and the text is read again, a few times at most. What the blanked
//! lines said is unknown, so a document that has one is marked as damaged.

use std::borrow::Cow;
use std::ops::Range;

use super::Limits;
use super::build::{Built, End, build};
use super::tree::Tree;
use super::words::{self, Cause};
use crate::diagnostic::Diagnostic;
use crate::source::FileId;

/// So many syntax errors of one text are told.
const MOST_ROUNDS: usize = 10;

/// Reads `text` and whatever can be read beside its syntax errors.
pub(super) fn read<'s>(file: FileId, text: &'s str, limits: &Limits) -> (Tree<'s>, Vec<Diagnostic>) {
    let mut built = build(file, text, limits, |scalar| scalar);
    let mut errors = Vec::new();
    let mut blanked: Vec<Range<usize>> = Vec::new();
    let mut patched = String::new();
    let mut rounds = 0;
    while let End::Broken(breach) = &built.end {
        let current = if patched.is_empty() { text } else { &patched };
        let mut cause = words::explain(file, current, breach);
        let damage = damage(current, breach.at, &cause);
        if rounds + 1 == MOST_ROUNDS {
            cause
                .finding
                .notes
                .push(format!("the file is not read past the first {MOST_ROUNDS} such places"));
        }
        // On a line that was mended before, the next error comes from the mending.
        let line = line_at(current, cause.culprit);
        let touched = |range: &Range<usize>| range.start <= line.end && range.end > line.start;
        if !blanked.iter().any(touched) {
            errors.push(cause.finding);
        }
        rounds += 1;
        let Some(damage) = damage.filter(|_| rounds < MOST_ROUNDS) else { break };
        patched = blank(current, &damage);
        blanked.extend(damage);
        built = build(file, &patched, limits, |scalar| Cow::Owned(scalar.into_owned()));
    }
    let Built { mut tree, mut found, .. } = built;
    mark_damaged(&mut tree, &mut blanked, text.len());
    errors.append(&mut found);
    (tree, errors)
}

/// A document reaches from its start to that of the next one.
fn mark_damaged(tree: &mut Tree<'_>, blanked: &mut [Range<usize>], len: usize) {
    blanked.sort_by_key(|range| (range.end, range.start));
    let starts: Vec<usize> = tree.documents.iter().map(|document| document.span.start as usize).collect();
    for (index, document) in tree.documents.iter_mut().enumerate() {
        let from = if index == 0 { 0 } else { document.span.start as usize };
        let to = starts.get(index + 1).copied().unwrap_or(len);
        let first = blanked.partition_point(|range| range.end <= from);
        document.damaged = blanked.get(first).is_some_and(|range| range.start < to);
    }
}

/// The bytes to set aside; `None` when nothing is left to set aside.
fn damage(text: &str, at: usize, cause: &Cause) -> Option<Vec<Range<usize>>> {
    if !cause.aside.is_empty() {
        return Some(cause.aside.clone());
    }
    let error_line = line_at(text, at);
    [
        with_children(text, line_at(text, cause.culprit)),
        error_line.clone(),
        last_written_line(text, error_line.start),
    ]
    .into_iter()
    .find(|range| text.get(range.clone()).is_some_and(|part| !part.trim().is_empty()))
    .map(|range| vec![range])
}

/// How many spaces a line begins with.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Every tab before the first character of a line.
pub(super) fn indentation_tabs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut leading = true;
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        let tab = leading && byte == b'\t';
        leading = byte == b'\n' || (leading && matches!(byte, b' ' | b'\t'));
        tab.then_some(at..at + 1)
    })
}

/// The line that `at` stands in, without its line end.
pub(super) fn line_at(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let before = bytes.get(..at.min(bytes.len())).unwrap_or(bytes);
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |line_end| line_end + 1);
    let rest = bytes.get(start..).unwrap_or(&[]);
    start..start + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}

/// The line and those below it that stand deeper or close its brackets: they belong to it, and
/// would be read as something else without it.
fn with_children(text: &str, line: Range<usize>) -> Range<usize> {
    let own = indent(text.get(line.clone()).unwrap_or(""));
    let mut end = line.end;
    // The first piece is the rest of the line itself: its line end.
    for (index, below) in text.get(line.end..).unwrap_or("").split_inclusive('\n').enumerate() {
        let content = below.trim();
        let closes = indent(below) == own && content.starts_with([']', '}']);
        if index > 0 && !content.is_empty() && indent(below) <= own && !closes {
            break;
        }
        end += below.len();
        if closes {
            break;
        }
    }
    line.start..end
}

/// The nearest line above `at` that is not blank.
fn last_written_line(text: &str, at: usize) -> Range<usize> {
    let above = text.get(..at).unwrap_or("").trim_end();
    line_at(text, above.len().saturating_sub(1))
}

/// The text with spaces in the place of the ranges; line ends stay.
fn blank(text: &str, ranges: &[Range<usize>]) -> String {
    let mut patched = String::with_capacity(text.len());
    let mut from = 0;
    for range in ranges {
        patched.push_str(text.get(from..range.start).unwrap_or(""));
        let part = text.get(range.clone()).unwrap_or("");
        for character in part.chars() {
            match character {
                '\n' | '\r' => patched.push(character),
                other => patched.extend(std::iter::repeat_n(' ', other.len_utf8())),
            }
        }
        from = range.end;
    }
    patched.push_str(text.get(from..).unwrap_or(""));
    patched
}
