//! Comments that speak to Ackord: `# ackord: ignore[AK201] until 2027-03-31 -- reason`.

use super::tree::Tree;
use crate::source::{FileId, Span};

/// An `ignore-file` speaks only from the first lines, where a reader sees it.
const HEAD_LINES: usize = 20;

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
    let mut found = Vec::new();
    // The comments come in the order of the text, so its lines are counted once.
    let (mut counted, mut line) = (0, 0);
    for comment in tree.comments() {
        let body = comment.text.trim_start();
        let Some(request) = body.strip_prefix("ackord:") else { continue };
        let at = comment.span.start as usize;
        line += text.get(counted..at).unwrap_or("").matches('\n').count();
        counted = at.max(counted);
        let end = comment.span.end as usize;
        let from = end.saturating_sub(request.trim_end_matches('\r').len());
        let mut suppression =
            Words { file: comment.span.file, rest: request.trim_end(), at: from }.read(comment.span);
        suppression.target_line = if suppression.whole_file { line } else { target(text, at, end, line) };
        if suppression.whole_file && line >= HEAD_LINES && suppression.malformed.is_none() {
            suppression.malformed = Some(format!(
                "`ignore-file` stands below the first {HEAD_LINES} lines, where it is not read"
            ));
        }
        found.push(suppression);
    }
    found
}

/// The line that a comment at `at..end` on line `line` speaks of.
fn target(text: &str, at: usize, end: usize, line: usize) -> usize {
    let before = text.get(..at).unwrap_or("");
    let own = before.rsplit('\n').next().unwrap_or("");
    if !own.trim_start_matches('\u{feff}').trim().is_empty() {
        return line;
    }
    let says = |below: &&str| !below.trim().is_empty() && !below.trim_start().starts_with('#');
    let below = text.get(end..).unwrap_or("").split('\n').skip(1);
    let blank = below.clone().take_while(|below| !says(below)).count();
    if below.count() > blank { line + 1 + blank } else { line }
}

/// What is left of a comment.
struct Words<'t> {
    file: FileId,
    rest: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    fn read(mut self, comment: Span) -> Suppression {
        let mut suppression = Suppression {
            comment,
            target_line: 0,
            items: Vec::new(),
            until: None,
            reason: None,
            whole_file: false,
            malformed: None,
        };
        suppression.malformed = self.fill(&mut suppression).err();
        suppression
    }

    fn fill(&mut self, into: &mut Suppression) -> Result<(), String> {
        let form = "`ackord: ignore[CODE] -- reason`";
        self.skip_blanks();
        if self.take("ignore-file") {
            into.whole_file = true;
        } else if !self.take("ignore") {
            return Err(format!("`{}` is not a request that Ackord knows; it takes {form}", self.word()));
        }
        if !self.take("[") {
            return Err(format!("`ignore` names no code in brackets; it takes {form}"));
        }
        let Some(list) = self.rest.find(']').and_then(|end| self.rest.get(..end)) else {
            return Err(format!("the list of codes has no `]`; it takes {form}"));
        };
        for item in list.split(',') {
            let start = self.at + (item.len() - item.trim_start().len());
            let name = item.trim();
            if name.is_empty() {
                self.advance(item.len() + 1);
                return Err(format!("a code is missing in `[{list}]`; it takes {form}"));
            }
            into.items.push((name.to_owned(), Span::new(self.file, start, start + name.len())));
            self.advance(item.len() + 1);
        }
        self.skip_blanks();
        if self.take("until ") {
            self.skip_blanks();
            let day = self.word();
            into.until = Some((day.to_owned(), Span::new(self.file, self.at, self.at + day.len())));
            self.advance(day.len());
            self.skip_blanks();
            if !is_day(day) {
                return Err(format!("`{day}` is not a day; a day is written 2027-03-31"));
            }
        }
        if self.rest.is_empty() {
            return Ok(());
        }
        if !self.take("--") {
            return Err(format!("`{}` stands where `-- reason` was expected", self.word()));
        }
        let reason = self.rest.trim();
        into.reason = (!reason.is_empty()).then(|| reason.to_owned());
        Ok(())
    }

    fn advance(&mut self, bytes: usize) {
        let bytes = bytes.min(self.rest.len());
        self.rest = self.rest.get(bytes..).unwrap_or("");
        self.at += bytes;
    }

    fn skip_blanks(&mut self) {
        self.advance(self.rest.len() - self.rest.trim_start().len());
    }

    fn take(&mut self, prefix: &str) -> bool {
        let there = self.rest.starts_with(prefix);
        if there {
            self.advance(prefix.len());
        }
        there
    }

    fn word(&self) -> &'t str {
        self.rest.split_whitespace().next().unwrap_or("")
    }
}

/// Whether the text has the form of a day: `2027-03-31`. Whether there is such a day is not asked.
fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}
