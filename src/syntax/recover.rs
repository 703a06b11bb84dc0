//! All syntax errors of a text in one run.
//!
//! The parser stops at the first one. So the damaged lines are overwritten with spaces, which keeps
//! every place where it was, and the text is read again, a few times at most. What the blanked
//! lines said is unknown, so a document that has one is marked as damaged.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::ErrorKind;

use super::build::{Breach, Built, End, build};
use super::tree::Tree;
use super::words;
use super::{BROKEN_YAML, Limits};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// So many syntax errors of one text are told.
const MOST_ROUNDS: usize = 10;

/// Reads `text` and whatever can be read beside its syntax errors.
pub(super) fn read<'s>(file: FileId, text: &'s str, limits: &Limits) -> (Tree<'s>, Vec<Diagnostic>) {
    let mut built = build(file, text, limits, |scalar| scalar);
    let mut errors = Vec::new();
    let mut blanked: Vec<Range<usize>> = Vec::new();
    let mut patched = String::new();
    while let End::Broken(breach) = &built.end {
        let current = if patched.is_empty() { text } else { &patched };
        errors.push(words::explain(file, current, breach));
        if errors.len() >= MOST_ROUNDS {
            break;
        }
        let Some(damage) = damage(current, breach) else { break };
        patched = blank(current, &damage);
        blanked.extend(damage);
        built = build(file, &patched, limits, |scalar| Cow::Owned(scalar.into_owned()));
    }
    let Built { mut tree, mut found, end } = built;
    mark_damaged(&mut tree, &blanked, text.len());
    if matches!(end, End::Broken(_)) && errors.len() >= MOST_ROUNDS {
        let end = Span::new(file, text.len(), text.len());
        let last = errors.last().map_or(end, |error| error.primary.span);
        if let Some(error) = errors.last_mut()
            && error.primary.span == last
        {
            error.notes.push(format!("the text is not read further after {MOST_ROUNDS} such places"));
        }
    }
    errors.append(&mut found);
    (tree, errors)
}

fn mark_damaged(tree: &mut Tree<'_>, blanked: &[Range<usize>], len: usize) {
    let mut from = 0;
    let count = tree.documents.len();
    for (index, document) in tree.documents.iter_mut().enumerate() {
        let end = if index + 1 == count { len } else { document.span.end as usize };
        document.damaged = blanked.iter().any(|range| range.start < end.max(from + 1) && range.end > from);
        from = end;
    }
}

/// The bytes to set aside; `None` when nothing is left to set aside.
fn damage(text: &str, breach: &Breach) -> Option<Vec<Range<usize>>> {
    let at = words::offset(text, breach);
    if tab_indented(breach.error.kind()) {
        let tabs: Vec<Range<usize>> = indentation_tabs(text).collect();
        if !tabs.is_empty() {
            return Some(tabs);
        }
    }
    let error_line = line_at(text, at);
    let opened = match breach.error.kind() {
        ErrorKind::UnclosedQuotedScalar | ErrorKind::DocumentIndicatorInQuotedScalar => {
            words::open_quote(text, breach)
        }
        kind if words::inside_brackets(kind) => breach.bracket,
        _ => None,
    };
    let range = match opened.map(|start| line_at(text, start)) {
        Some(first) if first.start < error_line.start => first.start..error_line.start,
        Some(first) => first,
        None => with_children(text, error_line.clone()),
    };
    [range, error_line.clone(), last_written_line(text, error_line.start)]
        .into_iter()
        .find(|range| text.get(range.clone()).is_some_and(|part| !part.trim().is_empty()))
        .map(|range| vec![range])
}

fn tab_indented(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
            | ErrorKind::TabAtBlockScalarStart
    )
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
fn line_at(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let before = bytes.get(..at.min(bytes.len())).unwrap_or(bytes);
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |line_end| line_end + 1);
    let rest = bytes.get(start..).unwrap_or(&[]);
    start..start + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}

/// The line and those below it that stand deeper: they belong to it, and would be read as
/// something else without it.
fn with_children(text: &str, line: Range<usize>) -> Range<usize> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let own = indent(text.get(line.clone()).unwrap_or(""));
    let mut end = line.end;
    for below in text.get(end..).unwrap_or("").split_inclusive('\n').skip(1) {
        if !below.trim().is_empty() && indent(below) <= own {
            break;
        }
        end += below.len();
    }
    line.start..end.max(line.end)
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
