//! Values and comments in YAML, as Prometheus reads it.

use std::fmt::Write as _;

use super::markdown::on_one_line;

/// `text` as a double-quoted value on one line that is read back as exactly `text`. What acts instead of
/// being seen, and what a build log would obey behind a first hash, is written by its number.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '#' if out.ends_with('#') => out.push_str("\\U00000023"),
            ' '..='~' => out.push(character),
            _ if character.is_alphanumeric() => out.push(character),
            // Writing to a string cannot fail.
            _ => {
                let _ = write!(out, "\\U{:08x}", u32::from(character));
            }
        }
    }
    out.push('"');
    out
}

/// `text` behind a `#`: a comment ends only with its line.
pub(super) fn comment(text: &str) -> String {
    on_one_line(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_value_is_escaped() {
        assert_eq!(quoted("a: [b] # c"), "\"a: [b] # c\"");
        assert_eq!(quoted("\"\\\n- x"), "\"\\\"\\\\\\U0000000a- x\"");
        assert_eq!(quoted("a##b\u{202e}é"), "\"a#\\U00000023b\\U0000202eé\"");
        assert_eq!(comment("a\nb: c"), "a b: c");
    }
}
