//! The one place where foreign text becomes fit for a terminal or a build log.
//!
//! A name, a key or a line of a contract may hold bytes that move the cursor, turn the reading
//! direction around or start a workflow command. Such a character is shown as what it is.

use std::fmt::Write as _;

/// `text` on one line, with every character that acts instead of being seen made visible.
///
/// The result holds no control and no bidirectional control, does not begin with `::` and holds no
/// `##[`: a GitHub runner obeys the first at the start of a line and the second anywhere in it.
pub fn printable(text: &str) -> String {
    clipped(text, usize::MAX)
}

/// As [`printable`], cut to at most `limit` bytes with `…` at the cut.
pub fn clipped(text: &str, limit: usize) -> String {
    if text.len() <= limit && is_plain(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len().min(limit));
    let mut fits = 0;
    let mut escaper = Escaper::at_line_start();
    for character in text.chars() {
        escaper.push(character, &mut out);
        if out.len() > limit {
            out.truncate(fits);
            out.push(CUT);
            return out;
        }
        if out.len() + CUT.len_utf8() <= limit {
            fits = out.len();
        }
    }
    out
}

/// Whether `text` is ASCII in which nothing can act, as most text is.
fn is_plain(text: &str) -> bool {
    !text.trim_start().starts_with(':')
        && text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'#')
}

/// What stands where text was cut.
pub(super) const CUT: char = '…';

/// Whether `character` acts on its surroundings, or is nothing to the eye.
///
/// Zero-width joiners stay: scripts and emoji need them, and they move nothing.
#[inline]
pub(super) fn acts(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}' | '\u{ffff}'
        | '\u{e0000}'..='\u{e007f}')
}

/// Writes characters in their visible form, one after the other.
#[derive(Debug)]
pub(super) struct Escaper {
    /// How many `#` stand directly before.
    hashes: usize,
    /// Whether only white space came so far, where a `:` could begin a command.
    blank: bool,
}

impl Escaper {
    /// For text that may come to stand at the start of a line.
    pub(super) fn at_line_start() -> Self {
        Self { hashes: 0, blank: true }
    }

    /// For text that always has something of ours before it.
    pub(super) fn within_line() -> Self {
        Self { hashes: 0, blank: false }
    }

    /// Writes `character` to `out`.
    #[inline]
    pub(super) fn push(&mut self, character: char, out: &mut String) {
        if matches!(character, ' '..='~') && !matches!(character, '#' | '[' | ':') {
            self.hashes = 0;
            self.blank &= character == ' ';
            out.push(character);
            return;
        }
        let opens = (character == '[' && self.hashes >= 2) || (character == ':' && self.blank);
        self.hashes = if character == '#' { self.hashes + 1 } else { 0 };
        self.blank &= character.is_whitespace();
        if acts(character) {
            out.push_str(&visible(character));
        } else if opens {
            code_point(character, out);
        } else {
            out.push(character);
        }
    }
}

/// The visible form of a character that [`acts`]: the picture that Unicode has for the old
/// controls, the code point for the others.
fn visible(character: char) -> String {
    let picture = match character {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)),
        '\u{7f}' => Some('␡'),
        _ => None,
    };
    match picture {
        Some(picture) => picture.to_string(),
        None => {
            let mut out = String::new();
            code_point(character, &mut out);
            out
        }
    }
}

fn code_point(character: char, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
}
