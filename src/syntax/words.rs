//! A syntax error in words that say what stands there and what was expected.

#![allow(clippy::wildcard_enum_match_arm, reason = "the parser's list of errors is long and open")]

mod causes;

use std::ops::Range;

use granit_parser::ErrorKind;

use super::BROKEN_YAML;
use super::build::Breach;
use super::recover::{indent, line_at};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// A syntax error and the place that is to blame, which may stand before the place where it shows.
pub(super) struct Cause {
    pub(super) finding: Diagnostic,
    pub(super) culprit: usize,
    /// What to set aside, where it is not the culprit's line.
    pub(super) aside: Vec<Range<usize>>,
}

/// The error of a text that the parser gave up on.
pub(super) fn explain(file: FileId, text: &str, breach: &Breach) -> Cause {
    let site = Site { file, text, breach, at: breach.at.min(text.len()) };
    site.conflict()
        .or_else(|| site.tab())
        .or_else(|| site.unclosed_quote())
        .or_else(|| site.unclosed_bracket())
        .unwrap_or_else(|| site.other())
}

struct Site<'a> {
    file: FileId,
    text: &'a str,
    breach: &'a Breach,
    at: usize,
}

impl Site<'_> {
    fn cause(&self, at: usize, message: String, here: &str, help: &str) -> Cause {
        let finding = Diagnostic::new(BROKEN_YAML, self.place(at), message).at(here).help(help);
        Cause { finding, culprit: at, aside: Vec::new() }
    }

    /// The word or the character at `at`; empty at the end of a line.
    fn place(&self, at: usize) -> Span {
        let one = self.character(at).map_or(0, char::len_utf8);
        let length = self.bare_word(at).map_or(one, str::len);
        Span::new(self.file, at, at + length)
    }

    fn character(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next().filter(|character| !matches!(character, '\n' | '\r'))
    }

    fn line(&self, at: usize) -> &str {
        self.text.get(line_at(self.text, at)).unwrap_or("").trim_end()
    }

    /// The letters at `at`, up to a blank or the end of a key.
    fn bare_word(&self, at: usize) -> Option<&str> {
        let rest = self.text.get(at..)?;
        let end = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
        let length = rest.find(end).unwrap_or(rest.len()).min(40);
        rest.get(..length).filter(|word| !word.is_empty())
    }

    /// What stands at `at`, for a sentence.
    fn word(&self, at: usize) -> String {
        match (self.bare_word(at), self.character(at)) {
            (Some(word), _) => format!("`{word}`"),
            (None, Some(character)) => format!("`{character}`"),
            (None, None) => "the end of the line".to_owned(),
        }
    }

    fn other(&self) -> Cause {
        let (at, found) = (self.at, self.word(self.at));
        match self.breach.kind {
            ErrorKind::MappingValueNotAllowed => self.colon(),
            ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => self.cause(
                at,
                format!("{found} stands where a key with `:` was expected"),
                "no `:` follows",
                "write `key: value`, or indent the line under the value above",
            ),
            ErrorKind::ExpectedBlockMappingKey
            | ErrorKind::ExpectedBlockSequenceEntry
            | ErrorKind::InvalidIndentation
            | ErrorKind::ExpectedDocumentStart => self.misplaced(),
            ErrorKind::MisplacedFlowCollectionEnd => self.cause(
                at,
                format!("{found} closes a bracket that was not opened"),
                "unexpected",
                "remove it",
            ),
            ErrorKind::UnexpectedCharacter { character } => self.cause(
                at,
                format!("`{character}` cannot begin a text without quotes"),
                "unexpected",
                "put the text in quotes",
            ),
            ErrorKind::MissingAnchorOrAliasName => self.cause(
                at,
                format!("{found} is an anchor or alias without a name"),
                "a name was expected",
                "name it, or put the text in quotes",
            ),
            ErrorKind::InvalidTrailingSingleQuotedScalar => self.cause(
                at,
                format!("{found} follows the quote that ends the text"),
                "unexpected",
                "write two quotes `''` for one inside the text",
            ),
            ErrorKind::InvalidTrailingDoubleQuotedScalar => self.cause(
                at,
                format!("{found} follows the quote that ends the text"),
                "unexpected",
                "write `\\\"` for a quote inside the text",
            ),
            ErrorKind::UnknownQuotedScalarEscape
            | ErrorKind::InvalidQuotedScalarHexEscape
            | ErrorKind::InvalidUnicodeEscape
            | ErrorKind::InvalidLowSurrogateHexEscape
            | ErrorKind::InvalidLowSurrogate
            | ErrorKind::MissingLowSurrogate
            | ErrorKind::UnpairedLowSurrogate => self.escape(),
            ErrorKind::InvalidBlockScalarHeader | ErrorKind::ZeroBlockScalarIndent => self.cause(
                at,
                format!("{found} is followed by something on its line; its text begins on the next one"),
                "the text begins below",
                "move the text to the next line",
            ),
            ErrorKind::BlockSequenceEntryNotAllowed | ErrorKind::MappingKeyNotAllowed => self.cause(
                at,
                format!("{found} begins a value on the line of its key"),
                "a line of its own was expected",
                "move it to the next line, indented",
            ),
            ErrorKind::BomInsideDocument => self.cause(
                at,
                "a byte order mark stands inside the text".to_owned(),
                "U+FEFF, which is not visible",
                "remove it",
            ),
            ErrorKind::CommentInterceptedScalar => self.cause(
                at,
                "a comment stands between two lines of one text".to_owned(),
                "the text goes on below",
                "put the text in quotes, or move the comment",
            ),
            ErrorKind::CommentNotSeparated => self.cause(
                at,
                "`#` follows a value without a space".to_owned(),
                "a space was expected",
                "put a space before it",
            ),
            ErrorKind::TabNotAllowed | ErrorKind::TabInPlainScalar => self.cause(
                at,
                "a tab stands where a space was expected".to_owned(),
                "near here",
                "write spaces",
            ),
            _ if self.line(at).starts_with('%') => self.cause(
                at,
                "the line begins with `%`, which is a directive".to_owned(),
                "unexpected",
                "remove the line",
            ),
            _ => self.cause(
                at,
                format!("{found} cannot stand here"),
                "a value was expected",
                "put the text in quotes, or write a value",
            ),
        }
    }

    /// A `:` where no key can end.
    fn colon(&self) -> Cause {
        let line = line_at(self.text, self.at);
        let before = self.text.get(line.start..self.at).unwrap_or("");
        if before.starts_with("--- ") {
            let message = "a mapping begins on the line of `---`".to_owned();
            return self.cause(
                line.start + 4,
                message,
                "a line of its own was expected",
                "move it to the next line",
            );
        }
        if before.contains(": ") {
            let message = "the line has a second `:`, and a value with `: ` needs quotes".to_owned();
            return self.cause(self.at, message, "unexpected", "put the value in quotes");
        }
        let above = self.text.get(..line.start).unwrap_or("").trim_end();
        let above_line = line_at(self.text, above.len().saturating_sub(1));
        let above_text = self.text.get(above_line.clone()).unwrap_or("");
        let start = line.start + (before.len() - before.trim_start().len());
        if indent(above_text) < indent(before) {
            let message = format!(
                "{} is indented deeper than the line above, which has a value already",
                self.word(start)
            );
            return self.cause(
                start,
                message,
                "too deep",
                "indent it like the line above, or remove the value there",
            );
        }
        let content = above_text.trim();
        let at = above_line.start + indent(above_text);
        let (message, help) = if content.contains(':') {
            (format!("`{}` has no space after `:`", clip(content)), "put a space after the `:`")
        } else {
            (format!("`{}` stands where a key with `:` was expected", clip(content)), "write `key: value`")
        };
        let mut cause = self.cause(at, message, "this line", help);
        cause.finding.primary.span = Span::new(self.file, at, at + content.len());
        cause
    }

    /// Something that stands in no level that is open.
    fn misplaced(&self) -> Cause {
        let (at, found) = (self.at, self.word(self.at));
        // The parser may point at the `:` behind the key that is out of place.
        let line = line_at(self.text, at);
        let start = line.start + indent(self.line(at));
        let lead = self.text.get(start..at).unwrap_or("");
        let element = self.character(start) == Some('-');
        let inside = if element { lead.get(1..).unwrap_or("").trim_start() } else { lead };
        let breaks =
            inside.contains([' ', ',', ']', '}']) || (self.character(at) != Some(':') && !inside.is_empty());
        if breaks {
            let message = format!("{found} follows a value that has ended");
            return self.cause(
                at,
                message,
                "unexpected",
                "begin a new line, or put the whole value in quotes",
            );
        }
        let column = indent(self.line(at));
        let word = self.word(start);
        match self.breach.column {
            Some(expected) if expected != column => {
                let message =
                    format!("{word} is indented by {}, as no line that it could belong to", spaces(column));
                self.cause(start, message, "out of line", "indent it like the lines it belongs to")
            }
            None => match self.directive() {
                Some(at) => self.cause(
                    at,
                    "the line begins with `%`, which is a directive".to_owned(),
                    "unexpected",
                    "remove the line",
                ),
                None => {
                    let message = format!("{word} is indented less than the first line of the document");
                    self.cause(start, message, "out of line", "indent it like the first line")
                }
            },
            Some(_) if element => {
                let message = "`-` begins an element of a list among the keys of a mapping".to_owned();
                self.cause(start, message, "a key was expected", "indent it under its key")
            }
            Some(_) => {
                let message = format!("{word} stands among the elements of a list without a `-`");
                self.cause(
                    start,
                    message,
                    "`-` was expected",
                    "indent it under the element above, or begin it with `-`",
                )
            }
        }
    }

    /// The nearest line above that begins with `%`.
    fn directive(&self) -> Option<usize> {
        let above = self.text.get(..self.at)?;
        match above.rfind("\n%") {
            Some(at) => Some(at + 1),
            None => above.starts_with('%').then_some(0),
        }
    }

    fn escape(&self) -> Cause {
        let rest = self.text.get(self.at..).unwrap_or("");
        let mut bytes = rest.bytes().enumerate();
        let mut at = self.at;
        while let Some((index, byte)) = bytes.next() {
            if byte == b'\\' {
                let known = b"0abt\tnvfre \"/\\N_LP\n\r";
                match bytes.next() {
                    Some((_, next)) if known.contains(&next) => {}
                    _ => {
                        at = self.at + index;
                        break;
                    }
                }
            }
        }
        let escape: String = self.text.get(at..).unwrap_or("").chars().take(2).collect();
        let message = format!("`{escape}` in double quotes is not an escape that YAML knows");
        let mut cause =
            self.cause(at, message, "this escape", "write `\\\\` for a backslash, or use single quotes");
        cause.finding.primary.span = Span::new(self.file, at, at + escape.len());
        cause
    }
}

fn spaces(count: usize) -> String {
    if count == 1 { "1 space".to_owned() } else { format!("{count} spaces") }
}

fn clip(text: &str) -> String {
    text.chars().take(60).collect()
}
