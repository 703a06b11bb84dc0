//! Values and comments in YAML, as Prometheus reads it.

use super::markdown::on_one_line;

/// `text` as a double-quoted value on one line, in which nothing but the quotes and the backslash means
/// something.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in on_one_line(text).chars() {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        out.push(character);
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
        assert_eq!(quoted("\"\\\n- x"), "\"\\\"\\\\ - x\"");
        assert_eq!(comment("a\nb: c"), "a b: c");
    }
}
