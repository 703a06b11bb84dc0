//! See `literal_secret.md`.
//!
//! Credentials are looked for in the text itself, so that one in a comment, in a wrong field or in a
//! file that is not even YAML is found too.

use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule, secrets};
use crate::source::{FileId, Span};

pub use crate::rules::secrets::{find, mask};

/// The rule.
pub static RULE: Rule =
    Rule::new("AK916", "literal-secret", Level::Error, include_str!("literal_secret.md"), Check::Reading);

/// A finding for each credential in the text of `file`.
pub fn findings(file: FileId, text: &str) -> impl Iterator<Item = Diagnostic> {
    secrets::scan(text).into_iter().map(move |found| {
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
