//! Text, code and comments in Markdown, as CommonMark and GitHub read it.

use crate::report::text::printable;

use super::shell;

/// `text` as text: on one line, with nothing in it that means something to a reader of Markdown, and with
/// controls made visible.
pub(super) fn text(text: &str) -> String {
    let line = on_one_line(text);
    // GitHub notifies whoever is named like this, however it is escaped; only code is left alone.
    if mentions(&line) && !line.contains('`') && !has_delimiters(&line) {
        return format!("`{line}`");
    }
    let mut out = String::with_capacity(line.len() + 8);
    let mut before = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        let start = before.is_none();
        let acts = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '$' | '{' | '}' | '^' => true,
            // Within a word an underscore is only that, as in the names of fields.
            '_' => !(before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric)),
            '!' => next == Some('['),
            '#' => start || before == Some('{') || next.is_some_and(|c| c.is_ascii_digit() || c == '#'),
            ':' => start || next.is_some_and(|c| !c.is_whitespace()),
            // At the start of a line these would open a list, a rule or a heading; `www.` is a link.
            '-' | '+' | '=' => start,
            '.' | ')' => {
                let ends = next.is_none_or(char::is_whitespace);
                ends && opens_list(&out) || character == '.' && is_www(&out)
            }
            // Behind a brace these would open a tag of a template engine that the page passes through.
            '%' => before == Some('{'),
            '@' => true,
            _ => false,
        };
        if acts {
            out.push('\\');
        }
        out.push(character);
        before = Some(character);
    }
    out
}

/// Whether what came so far is a number at the start of a line.
fn opens_list(before: &str) -> bool {
    !before.is_empty() && before.len() <= 9 && before.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a dot behind what came so far would make an address of it.
fn is_www(before: &str) -> bool {
    let start = before.len().saturating_sub(3);
    before.get(start..).is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

/// Whether a site that knows people by `@name` would find one.
fn mentions(text: &str) -> bool {
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let named = characters.peek().is_some_and(|next| next.is_alphanumeric());
        if character == '@' && named && !before.is_alphanumeric() {
            return true;
        }
        before = character;
    }
    false
}

/// Whether a template engine or a table that the page passes through would act on it inside code, too.
fn has_delimiters(text: &str) -> bool {
    text.contains("{{") || text.contains("{%") || text.contains("{#") || text.contains('|')
}

/// `text` as code where that shows it unchanged, else as text.
pub(super) fn code(code: &str) -> String {
    let line = on_one_line(code);
    if line.is_empty() || line.contains('`') || has_delimiters(&line) {
        text(code)
    } else {
        format!("`{line}`")
    }
}

/// An address that shows itself and leads there; whatever is not plainly one stays text.
pub(super) fn link(address: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/?#=&%+,:".contains(&byte);
    let host = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    match host {
        Some(rest) if shell::is_plain(rest.get(..1).unwrap_or("")) && rest.bytes().all(plain) => {
            format!("<{address}>")
        }
        _ => text(address),
    }
}

/// Text inside `<!-- -->`, which it cannot end.
pub(super) fn comment(text: &str) -> String {
    on_one_line(text).replace('<', "&lt;").replace('>', "&gt;").replace("--", "-&#45;").replace('{', "&#123;")
}

/// Blanks and line ends become one blank, what acts instead of being seen becomes visible.
pub(super) fn on_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect();
    printable(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_means_nothing_stays_as_it_is() {
        for plain in [
            "payments-sre",
            "a redelivery neither charges nor books; it's 5 × 64s.",
            "payment_intent_id",
            "1.0.0: new",
        ] {
            assert_eq!(text(plain), plain);
        }
    }

    #[test]
    fn text_that_means_something_is_escaped() {
        for (given, written) in [
            ("*a* `b` <c> [d](e) ![f](g)", r"\*a\* \`b\` \<c\> \[d\](e) \!\[f\](g)"),
            ("a | b\n\n# c", r"a \| b # c"),
            ("# a", r"\# a"),
            ("- a", r"\- a"),
            ("--- ", r"\---"),
            ("12) a", r"12\) a"),
            ("1. a", r"1\. a"),
            ("1.", r"1\."),
            ("_a_ a_b", r"\_a\_ a_b"),
            ("see #12", r"see \#12"),
            ("${{ x }} {% y %}", r"\$\{\{ x \}\} \{\% y %\}"),
            ("https://x www.x", r"https\://x www\.x"),
            ("a&lt;b\u{202e}", r"a\&lt;b\\u\{202e\}"),
            ("ask @ann", "`ask @ann`"),
        ] {
            assert_eq!(text(given), written, "{given:?}");
        }
    }

    #[test]
    fn code_links_and_comments_hold_only_what_they_can() {
        assert_eq!(code("kubectl rollout undo deploy/x"), "`kubectl rollout undo deploy/x`");
        assert_eq!(code("a`b"), r"a\`b");
        assert_eq!(code("{{ x }}"), r"\{\{ x \}\}");
        assert_eq!(link("https://grafana.example/d/x?y=1"), "<https://grafana.example/d/x?y=1>");
        assert_eq!(link("javascript:alert(1)"), r"javascript\:alert(1)");
        assert_eq!(link("https://x> <b>"), r"https\://x\> \<b\>");
        assert_eq!(comment("{{ x }}"), "&#123;&#123; x }}");
        assert_eq!(comment("a --> b --- c"), "a -&#45;&gt; b -&#45;- c");
    }
}
