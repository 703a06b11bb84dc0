//! The part of a source line that is shown, and where labels stand in it.
//!
//! A line of a contract may be a megabyte long; only a window around its label is read at all.

use std::ops::Range;

use super::text::{CUT, Escaper, acts};

/// About how many columns of a source line are shown.
const COLUMNS: usize = 160;

/// How many columns before the label are shown of a line that is cut.
const LEAD: usize = 48;

/// What is shown of a line.
#[derive(Debug)]
pub(super) struct Window {
    /// The visible text.
    pub text: String,
    /// Offset of each shown character in the line, and of its visible form in `text`; the last
    /// entry is the end.
    stops: Vec<(usize, usize)>,
}

impl Window {
    /// The window of `line` around `focus`, a range of its bytes.
    pub fn around(line: &str, focus: Range<usize>) -> Self {
        let shown = shown(line, &focus);
        let mut window = Self { text: String::new(), stops: Vec::with_capacity(COLUMNS) };
        if shown.start > 0 {
            window.text.push(CUT);
        }
        let mut escaper = Escaper::within_line();
        for (at, character) in line.get(shown.clone()).unwrap_or("").char_indices() {
            window.stops.push((shown.start + at, window.text.len()));
            if character == '\t' {
                // The renderer knows the tab stops and writes blanks instead.
                escaper = Escaper::within_line();
                window.text.push('\t');
            } else {
                escaper.push(character, &mut window.text);
            }
        }
        window.stops.push((shown.end, window.text.len()));
        if shown.end < line.len() {
            window.text.push(CUT);
        }
        window
    }

    /// Where a range of the line's bytes stands in the window; what was cut off is at the cut.
    pub fn place(&self, range: Range<usize>) -> Range<usize> {
        let first = self.stops.first().copied().unwrap_or_default();
        let last = self.stops.last().copied().unwrap_or_default();
        let inside = |offset: usize| {
            let at = self.stops.partition_point(|(line, _)| *line < offset);
            self.stops.get(at).map_or(last.1, |(_, text)| *text)
        };
        let start = if range.start < first.0 { 0 } else { inside(range.start) };
        let end = if range.end > last.0 { self.text.len() } else { inside(range.end) };
        start..end.max(start + 1)
    }
}

/// The bytes of `line` that fit around `focus`.
fn shown(line: &str, focus: &Range<usize>) -> Range<usize> {
    // Every character takes a column here, even those without width: they take bytes.
    let anchor = line.floor_char_boundary(focus.start);
    let (before, after) = line.split_at_checked(anchor).unwrap_or((line, ""));
    let back = |columns: usize| take(before.chars().rev(), columns);
    let (mut lead, used) = back(LEAD);
    let (tail, follow) = take(after.chars(), COLUMNS - used);
    if tail == after.len() {
        (lead, _) = back(COLUMNS.saturating_sub(follow));
    }
    anchor - lead..anchor + tail
}

/// How many bytes of `characters` fit into `columns`, and how many columns these take.
fn take(characters: impl Iterator<Item = char>, columns: usize) -> (usize, usize) {
    let (mut bytes, mut used) = (0, 0);
    for character in characters {
        let width = width(character);
        if used + width > columns {
            break;
        }
        used += width;
        bytes += character.len_utf8();
    }
    (bytes, used)
}

/// About how many columns a character takes in its visible form, never less than one. The renderer
/// measures for itself; this only keeps the window's size.
fn width(character: char) -> usize {
    match character {
        '\t' => 4,
        '\0'..='\u{7f}' => 1,
        _ if acts(character) => 8,
        '\u{1100}'.. => 2,
        _ => 1,
    }
}
