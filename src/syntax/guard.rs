//! What is refused before it is parsed: too large a file, and characters that YAML does not allow.

use super::{HOSTILE_INPUT, Limits};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// Why the text is not read at all, where it is not.
pub(super) fn refuse(file: FileId, text: &str, limits: &Limits) -> Option<Diagnostic> {
    if text.len() > limits.file_bytes {
        let message =
            format!("the file has {} bytes, more than the {} that are read", text.len(), limits.file_bytes);
        return Some(Diagnostic::new(HOSTILE_INPUT, Span::new(file, 0, 0), message));
    }
    // A file without any such byte is the usual one: this scan is all that it pays. It goes by pieces
    // in which it does not stop, so that the compiler compares many bytes at once.
    let clean = |piece: &[u8]| !piece.iter().fold(false, |found, byte| found | suspect(*byte));
    if text.as_bytes().chunks(256).all(clean) {
        return None;
    }
    let mut hostile = text.char_indices().filter(|(_, c)| forbidden(*c));
    let (at, character) = hostile.next()?;
    let span = Span::new(file, at, at + character.len_utf8());
    let message = format!(
        "the text holds the control character U+{:04X}, which YAML does not allow",
        u32::from(character)
    );
    let finding = Diagnostic::new(HOSTILE_INPUT, span, message).at("here");
    let help = "remove it, or write it as an escape in double quotes";
    Some(match hostile.count() {
        0 => finding.help(help),
        more => finding.note(format!("{more} more such characters follow")).help(help),
    })
}

/// Whether the byte is a control character or can begin one in UTF-8.
fn suspect(byte: u8) -> bool {
    (byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')) || byte == 0x7f || byte == 0xc2 || byte == 0xef
}

fn forbidden(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        _ => character.is_control(),
    }
}
