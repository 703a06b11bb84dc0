//! Values and documents in JSON, which has no comments.

use std::fmt::Write as _;

use serde_json::Value;

/// `value` on many lines, its first field beside the brace: the first line says what a file is. What acts
/// on a terminal or reads backwards is written as its number.
pub(in crate::emit) fn document(value: &Value) -> String {
    // The alternate form of a value is its pretty one.
    let text = format!("{value:#}").replacen("{\n  ", "{ ", 1);
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let plain = matches!(character, ' '..='~' | '\n') || character.is_alphanumeric();
        if plain {
            out.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

/// `text` as a string of JSON that is read back as exactly `text`. What acts instead of being seen, and
/// what a build log would obey behind a first hash, is written by its number.
pub(in crate::emit) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '#' if out.ends_with('#') => out.push_str("\\u0023"),
            ' '..='~' => out.push(character),
            _ if character.is_alphanumeric() => out.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["plain", "\"},{\"x\":1", "a\nb\u{7f}\u{202e}\u{feff}\u{85}", "é 中文 🙂"] {
            let value = serde_json::json!({"first": text, "second": [text]});
            let document = document(&value);
            assert!(document.starts_with("{ \"first\": "), "{document}");
            assert!(!document.contains(['\u{7f}', '\u{202e}', '\u{feff}', '\u{85}']), "{document}");
            assert_eq!(serde_json::from_str::<Value>(&document).expect("JSON"), value);
        }
    }

    #[test]
    fn a_string_is_read_back_as_it_was() {
        for text in
            ["", "a\"b\\c", "\0\u{1b}\n", "\u{2028}\u{202e}\u{feff}", "## é 中 🙂", "{{ x }}</script>"]
        {
            let written = quoted(text);
            assert_eq!(serde_json::from_str::<String>(&written).ok().as_deref(), Some(text));
            assert!(!written.contains("##") && !written.chars().any(char::is_control), "{written}");
        }
    }
}
