//! See `literal_secret.md`.
//!
//! Credentials are looked for in the text itself, so that one in a comment, in a wrong field or in a
//! file that is not even YAML is found and masked too.

use std::borrow::Cow;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};
use crate::source::{FileId, Span};

mod scan;
#[cfg(test)]
mod tests;

/// The rule.
pub static RULE: Rule =
    Rule::new("AK916", "literal-secret", Level::Error, include_str!("literal_secret.md"), Check::Reading);

/// The places of all credentials in `text`, in its order. Takes time in proportion to the text.
pub fn find(text: &str) -> Vec<Range<usize>> {
    scan::scan(text).into_iter().map(|found| found.range).collect()
}

/// `text` with a `*` for each byte of a credential. White space stays, and so do all offsets, so that
/// places of the original are places of the result.
pub fn mask(text: &str) -> Cow<'_, str> {
    let secrets = find(text);
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut behind = 0;
    for secret in secrets {
        masked.push_str(text.get(behind..secret.start).unwrap_or(""));
        for character in text.get(secret.clone()).unwrap_or("").chars() {
            match character.is_ascii_whitespace() {
                true => masked.push(character),
                false => masked.extend(std::iter::repeat_n('*', character.len_utf8())),
            }
        }
        behind = secret.end;
    }
    masked.push_str(text.get(behind..).unwrap_or(""));
    Cow::Owned(masked)
}

/// A finding for each credential in the text of `file`.
pub fn findings(file: FileId, text: &str) -> impl Iterator<Item = Diagnostic> {
    scan::scan(text).into_iter().map(move |found| {
        // A private key goes over many lines, of which the first one is enough to point at.
        let secret = text.get(found.range.clone()).unwrap_or("");
        let line = secret.find(['\n', '\r']).unwrap_or(secret.len());
        let span = Span::new(file, found.range.start, found.range.start + line);
        let what = found.what;
        Diagnostic::new(
            RULE.code,
            span,
            format!("the contract holds {what}, which everybody who reads the repository can use"),
        )
        .at(format!("{what}, masked here"))
        .note("it stays in the history of the repository: whoever removes it must also revoke it")
        .help("revoke it, and name the place where the service finds its credential instead")
    })
}
