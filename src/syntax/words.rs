//! A syntax error in words that say what stands there and what was expected.

use granit_parser::ErrorKind;

use super::BROKEN_YAML;
use super::build::Breach;
use super::recover::indentation_tabs;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// Where the parser gave up, as an offset into the text.
pub(super) fn offset(text: &str, breach: &Breach) -> usize {
    breach.error.marker().byte_offset().unwrap_or(text.len()).min(text.len())
}

/// Where the quote that was never closed stands.
pub(super) fn open_quote(text: &str, breach: &Breach) -> Option<usize> {
    let rest = text.get(breach.last_good..)?;
    rest.find(['"', '\'']).map(|at| breach.last_good + at)
}

/// Whether the error is one that an unclosed bracket brings about.
pub(super) fn inside_brackets(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::UnexpectedEofFlowSequence
            | ErrorKind::UnexpectedEofFlowMapping
            | ErrorKind::UnexpectedEofImplicitFlowMapping
            | ErrorKind::UnclosedFlowCollection { .. }
            | ErrorKind::ExpectedFlowMappingSeparator
            | ErrorKind::ExpectedFlowSequenceSeparator
            | ErrorKind::InvalidFlowScalarIndent
            | ErrorKind::InvalidIndentation
            | ErrorKind::BlockEntryInFlowCollection
            | ErrorKind::InvalidColonPlacement
            | ErrorKind::UnexpectedEof
    )
}

/// The finding for a syntax error.
pub(super) fn explain(file: FileId, text: &str, breach: &Breach) -> Diagnostic {
    let at = offset(text, breach);
    let here = place(file, text, at);
    let say = |message: &str| Diagnostic::new(BROKEN_YAML, here, message.to_owned());
    match breach.error.kind() {
        _ => say(&format!("{:?}", breach.error.kind())),
    }
}

/// The character at `at`, or the last one of the text.
fn place(file: FileId, text: &str, at: usize) -> Span {
    let rest = text.get(at..).unwrap_or("");
    let length = rest.chars().next().filter(|c| !matches!(c, '\n' | '\r')).map_or(0, char::len_utf8);
    Span::new(file, at, at + length)
}
