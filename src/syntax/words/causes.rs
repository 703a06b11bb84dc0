//! Causes that show far from where they are: conflict markers, tabs, open quotes and brackets.

use std::ops::Range;

use granit_parser::ErrorKind;

use super::{Cause, Site};
use crate::source::Span;
use crate::syntax::recover::{indent, indentation_tabs, line_at};

impl Site<'_> {
    pub(super) fn conflict(&self) -> Option<Cause> {
        let mut start = 0;
        let mut markers = Vec::new();
        for line in self.text.split_inclusive('\n') {
            if ["<<<<<<< ", "=======", ">>>>>>> ", "||||||| "].iter().any(|marker| line.starts_with(marker)) {
                markers.push(start..start + line.trim_end().len());
            }
            start += line.len();
        }
        let first = markers
            .iter()
            .find(|marker| self.text.get(marker.start..).is_some_and(|rest| rest.starts_with("<<<<<<< ")))?;
        let message = "the file has the marker of a merge conflict".to_owned();
        let mut cause = self.cause(first.start, message, "unresolved", "resolve the conflict");
        cause.finding.primary.span = Span::new(self.file, first.start, first.end);
        cause.aside = markers;
        Some(cause)
    }

    pub(super) fn tab(&self) -> Option<Cause> {
        let about_tabs = matches!(
            self.breach.kind,
            ErrorKind::TabNotAllowed
                | ErrorKind::TabInBlockIndentation
                | ErrorKind::TabInIndentation
                | ErrorKind::TabInPlainScalar
                | ErrorKind::TabAtBlockScalarStart
        );
        let line = line_at(self.text, self.at);
        let tabs: Vec<Range<usize>> = indentation_tabs(self.text).collect();
        let first = tabs.iter().find(|tab| tab.start >= line.start)?;
        if !about_tabs && first.start >= line.end {
            return None;
        }
        let message = "the line is indented with a tab; YAML takes spaces only".to_owned();
        let mut cause = self.cause(first.start, message, "a tab", "indent with spaces");
        let lines = tabs.iter().filter(|tab| tab.start == 0 || self.starts_run(tab.start)).count();
        if lines > 1 {
            cause.finding.notes.push(format!("{lines} lines of the file are indented with tabs"));
        }
        // A space in the place of each tab keeps the levels, so that the rest can be read.
        cause.aside = tabs;
        Some(cause)
    }

    /// Whether the tab at `at` is the first one of its line.
    pub(super) fn starts_run(&self, at: usize) -> bool {
        let line = line_at(self.text, at);
        self.text.get(line.start..at).is_some_and(|before| !before.contains('\t'))
    }

    pub(super) fn unclosed_quote(&self) -> Option<Cause> {
        let start = match self.breach.kind {
            ErrorKind::UnclosedQuotedScalar => self.at,
            ErrorKind::InvalidQuotedScalarIndent
            | ErrorKind::DocumentIndicatorInQuotedScalar
            | ErrorKind::InvalidTrailingSingleQuotedScalar
            | ErrorKind::InvalidTrailingDoubleQuotedScalar
            | ErrorKind::UnknownQuotedScalarEscape => self.open_quote()?,
            _ => return None,
        };
        let (opened, shows) = (self.line(start), self.line(self.at));
        let elsewhere = line_at(self.text, start) != line_at(self.text, self.at);
        let outside = elsewhere && indent(shows) <= indent(opened);
        if !outside && self.breach.kind != ErrorKind::UnclosedQuotedScalar {
            return None;
        }
        let quote = self.character(start).unwrap_or('"');
        let message = format!("the quote `{quote}` opens a text, and none closes it");
        Some(self.cause(start, message, "opened here", &format!("close the text with `{quote}`")))
    }

    /// Where the quote stands that opened the text in which the parser was.
    pub(super) fn open_quote(&self) -> Option<usize> {
        let from = self.breach.last_good;
        self.text.get(from..)?.find(['"', '\'']).map(|at| from + at)
    }

    pub(super) fn unclosed_bracket(&self) -> Option<Cause> {
        let start = match self.breach.kind {
            ErrorKind::UnclosedFlowCollection { .. } | ErrorKind::MismatchedFlowCollectionEnd { .. } => {
                self.at
            }
            _ => self.breach.bracket?,
        };
        if let ErrorKind::MismatchedFlowCollectionEnd { open, close } = self.breach.kind {
            let message = format!("the bracket `{open}` is closed by `{close}`");
            let help = format!("close it with `{}`", closing(open));
            return Some(self.cause(self.at, message, "opened here", &help));
        }
        let outside = line_at(self.text, start) != line_at(self.text, self.at)
            && indent(self.line(self.at)) <= indent(self.line(start));
        let end = matches!(self.breach.kind, ErrorKind::UnclosedFlowCollection { .. })
            || self.at == self.text.len();
        if outside || end {
            let open = self.character(start).unwrap_or('[');
            let message = format!("the bracket `{open}` is not closed");
            let help = format!("close it with `{}`", closing(open));
            return Some(self.cause(start, message, "opened here", &help));
        }
        let open = self.character(start).unwrap_or('[');
        let found = self.word(self.at);
        let message = match self.breach.kind {
            ErrorKind::ExpectedFlowMappingSeparator
            | ErrorKind::ExpectedFlowSequenceSeparator
            | ErrorKind::InvalidColonPlacement => {
                format!("{found} stands where `,` or `{}` was expected", closing(open))
            }
            ErrorKind::UnexpectedEofImplicitFlowMapping
            | ErrorKind::UnexpectedEofFlowMapping
            | ErrorKind::UnexpectedEofFlowSequence => format!("{found} stands where a value was expected"),
            ErrorKind::BlockEntryInFlowCollection => "`-` begins a list inside brackets".to_owned(),
            _ => return None,
        };
        let mut cause = self.cause(
            self.at,
            message,
            "unexpected",
            &format!("mend the text in `{open}…{}`", closing(open)),
        );
        cause.finding = cause.finding.label(self.place(start), "in this bracket");
        cause.culprit = start;
        Some(cause)
    }
}

fn closing(open: char) -> char {
    if open == '{' { '}' } else { ']' }
}
