//! Texts and places in them.
//!
//! Everything inside the crate speaks of byte ranges; [`Sources::locate`] turns one into a line
//! and a column, and only `report` and `lsp` call it.

use std::sync::OnceLock;

/// Which source of a run a [`Span`] belongs to: an index into [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// A range of bytes in one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The source that the range belongs to.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { file, start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The range as an index into the source's text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest range that holds both; they belong to one source.
    pub fn to(self, other: Self) -> Self {
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One text of a run.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The path as shown to the user, with `/`, relative to the working directory.
    /// It is the user's text: whoever prints it escapes it.
    pub name: String,
    /// What the file says.
    pub text: String,
    lines: Vec<u32>,
    /// How many characters come before each [`STRIDE`]th byte; counted when it is first asked for.
    characters: OnceLock<Vec<usize>>,
}

/// Characters of a line are counted from its start as far as this; in a longer one, which may be a
/// megabyte, from a place near by.
const STRIDE: usize = 4_096;

impl SourceFile {
    /// A source, with its line index.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let starts = text.match_indices('\n').map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX));
        let lines = std::iter::once(0).chain(starts).collect();
        Self { name: name.into(), text, lines, characters: OnceLock::new() }
    }

    /// The line that `offset` stands in, from 0.
    pub fn line_of(&self, offset: u32) -> usize {
        self.lines.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The bytes of line `line` (from 0), without its line end.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let end = self.text.len();
        let start = self.lines.get(line).map_or(end, |at| *at as usize);
        let next = self.lines.get(line + 1).map_or(end, |at| *at as usize);
        let text = self.text.get(start..next).unwrap_or("");
        start..start + text.trim_end_matches(['\n', '\r']).len()
    }

    /// How many characters lie between two offsets of one line.
    fn characters(&self, start: usize, end: usize) -> usize {
        if end.saturating_sub(start) <= STRIDE {
            return characters(self.text.as_bytes().get(start..end));
        }
        self.characters_before(end).saturating_sub(self.characters_before(start))
    }

    fn characters_before(&self, offset: usize) -> usize {
        let bytes = self.text.as_bytes();
        let known = self.characters.get_or_init(|| {
            let mut sum = 0;
            let pieces = bytes.chunks(STRIDE).map(|piece| {
                sum += characters(Some(piece));
                sum
            });
            std::iter::once(0).chain(pieces).collect()
        });
        let at = offset / STRIDE;
        known.get(at).copied().unwrap_or(0) + characters(bytes.get(at * STRIDE..offset))
    }

    /// How many lines the text has.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The text of `span`; empty where it does not fall on the text's characters.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }
}

/// How many characters begin in `bytes`: all that do not go on with one.
fn characters(bytes: Option<&[u8]>) -> usize {
    bytes.unwrap_or_default().iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

/// A line and a column, both from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// All texts of a run.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a text and says by which id it goes from now on.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX))
    }

    /// The source behind an id that came from [`Sources::add`].
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The name of the source that `span` belongs to.
    pub fn name(&self, span: Span) -> &str {
        self.get(span.file).map_or("", |file| file.name.as_str())
    }

    /// The text of `span`.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).map_or("", |file| file.slice(span))
    }

    /// Where `offset` of a source stands, for a person.
    pub fn locate(&self, file: FileId, offset: u32) -> Location {
        let Some(source) = self.get(file) else { return Location { line: 1, column: 1 } };
        let line = source.line_of(offset);
        let start = source.line_range(line).start;
        Location { line: line + 1, column: source.characters(start, offset as usize) + 1 }
    }

    /// Every source with its id, in the order of [`Sources::add`].
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(u32::try_from(at).unwrap_or(u32::MAX)), file))
    }

    /// How many sources there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_however_long_the_line_is() {
        // Three bytes a character, so that the places where counting begins fall into characters.
        let line = "€".repeat(20_000);
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("q.yaml", format!("{line}\n{line}\nend")));
        for (line, column) in [(1, 1), (1, 2), (1, 1_367), (1, 20_000), (2, 1), (2, 1_366), (2, 13_654)] {
            let offset: u32 = (line - 1) * 60_001 + (column - 1) * 3;
            let (line, column) = (line as usize, column as usize);
            let place = sources.locate(file, offset);
            assert_eq!(place, Location { line, column }, "offset {offset}");
        }
        assert_eq!(sources.locate(file, 120_004), Location { line: 3, column: 3 });
    }
}
