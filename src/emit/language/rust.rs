//! Names, literals and comments of Rust.

use crate::report::text::printable;
use crate::units::Duration;

/// `text` as a string literal that is exactly `text`.
pub(in crate::emit) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            ' '..='~' => out.push(character),
            _ if character.is_alphanumeric() => out.push(character),
            // Controls, and what changes the direction of a line: rustc refuses some of them raw.
            _ => out.extend(character.escape_unicode()),
        }
    }
    out.push('"');
    out
}

/// `text` within a comment, on one line. Brackets and angles mean something to rustdoc.
pub(in crate::emit) fn comment(text: &str) -> String {
    let line = printable(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut out = String::with_capacity(line.len());
    for character in line.chars() {
        if matches!(character, '[' | ']' | '<' | '>' | '`' | '*' | '_' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// `text` as a whole line of a comment, where nobody formats it.
pub(in crate::emit) fn line(text: &str) -> String {
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `text` as code within a comment: what a machine knows by that name.
pub(in crate::emit) fn code(text: &str) -> String {
    let line = printable(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    if line.contains('`') || line.is_empty() { comment(&line) } else { format!("`{line}`") }
}

/// A name for a value, from whatever somebody called it.
pub(in crate::emit) fn snake(name: &str) -> String {
    let joined = words(name).join("_");
    let safe = if joined.is_empty() || joined.starts_with(|c: char| c.is_ascii_digit()) {
        format!("field_{joined}").trim_end_matches('_').to_owned()
    } else {
        joined
    };
    if KEYWORDS.contains(&safe.as_str()) { format!("{safe}_") } else { safe }
}

/// A name for a type or a variant.
pub(in crate::emit) fn camel(name: &str) -> String {
    let capital = |word: &String| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    let joined: String = words(name).iter().map(capital).collect();
    if joined.is_empty() || joined.starts_with(|c: char| c.is_ascii_digit()) || joined == "Self" {
        format!("Class{joined}")
    } else {
        joined
    }
}

/// The words in a name, in small letters: `orderId`, `order-id` and `order.id` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut small) = (String::new(), false);
    for character in name.chars() {
        if character.is_ascii_uppercase() && small {
            words.push(std::mem::take(&mut word));
        }
        if character.is_ascii_alphanumeric() {
            word.push(character.to_ascii_lowercase());
        } else {
            words.push(std::mem::take(&mut word));
        }
        small = character.is_ascii_lowercase() || character.is_ascii_digit();
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Names that no two share: a number behind each that was taken.
pub(in crate::emit) fn distinct(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let mut free = name.clone();
        let mut number = 2;
        while taken.contains(&free) {
            free = format!("{name}_{number}");
            number += 1;
        }
        taken.push(free);
    }
    taken
}

/// A whole number with its groups, as clippy wants it.
pub(in crate::emit) fn number(value: u64) -> String {
    let digits = value.to_string();
    if digits.len() < 6 {
        return digits;
    }
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}

/// A length of time.
pub(in crate::emit) fn duration(time: Duration) -> String {
    let millis = time.as_millis();
    if millis.is_multiple_of(1000) {
        format!("Duration::from_secs({})", number(millis / 1000))
    } else {
        format!("Duration::from_millis({})", number(millis))
    }
}

/// A floating-point number.
pub(in crate::emit) fn float(value: f64) -> String {
    format!("{value:?}")
}

/// The reserved words, of this edition and for later ones.
const KEYWORDS: [&str; 53] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "raw", "ref", "return", "safe",
    "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof", "union", "unsafe",
    "unsized", "use", "virtual", "where", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_holds_what_it_was_given() {
        assert_eq!(string("a\"b\\c\n"), r#""a\"b\\c\n""#);
        assert_eq!(string("é{}\u{202e}\0"), "\"é{}\\u{202e}\\u{0}\"");
    }

    #[test]
    fn a_comment_ends_with_its_line() {
        assert_eq!(comment("a\n*/ fn x() {}\r//!"), "a \\*/ fn x() {} //!");
    }

    #[test]
    fn any_name_becomes_one() {
        assert_eq!(snake("paymentIntent-id.v2"), "payment_intent_id_v2");
        assert_eq!(snake("type"), "type_");
        assert_eq!(snake("2nd"), "field_2nd");
        assert_eq!(snake("→"), "field");
        assert_eq!(camel("http-503"), "Http503");
        assert_eq!(camel("503"), "Class503");
        assert_eq!(distinct(["a", "a", "a_2"].map(str::to_owned)), ["a", "a_2", "a_2_2"]);
    }

    #[test]
    fn figures_are_what_clippy_wants() {
        assert_eq!(number(86400), "86400");
        assert_eq!(number(1_296_000), "1_296_000");
        assert_eq!(duration(Duration::from_millis(1500)), "Duration::from_millis(1500)");
        assert_eq!(duration(Duration::from_secs(300)), "Duration::from_secs(300)");
    }
}
