//! From byte ranges to lines and columns that exist.

use crate::source::{Location, SourceFile, Sources, Span};

/// A range of a source, as lines and columns from 1; the end is after the last character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub start: Location,
    pub end: Location,
}

/// Where `span` stands.
pub(super) fn extent(sources: &Sources, span: Span) -> Extent {
    let span = within(sources, span);
    let start = sources.locate(span.file, span.start);
    let one_line = sources.get(span.file).is_none_or(|file| file.line_of(span.end) + 1 == start.line);
    let end = if one_line {
        // The line is not counted again from its start: it may be a megabyte long.
        let column = start.column + sources.slice(span).chars().count();
        Location { column, ..start }
    } else {
        sources.locate(span.file, span.end)
    };
    Extent { start, end }
}

/// `span` moved to characters that the text has: a finding may point past the end of a file that
/// was cut off, and no format may fail over that.
pub(super) fn within(sources: &Sources, span: Span) -> Span {
    let Some(file) = sources.get(span.file) else { return Span::new(span.file, 0, 0) };
    let start = boundary(file, span.start as usize);
    let end = boundary(file, span.end as usize);
    Span::new(span.file, start, end)
}

fn boundary(file: &SourceFile, offset: usize) -> usize {
    file.text.floor_char_boundary(offset)
}
