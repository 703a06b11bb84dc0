//! Names that end up in other languages, restricted so that they are safe there.

use std::fmt;

use crate::diagnostic::Code;
use crate::syntax::{Problem, Scalar};

/// A name made of one pattern, kept as text.
macro_rules! names {
    ($($(#[doc = $doc:literal])+ $name:ident, $longest:literal, $pattern:literal, $expected:literal, $ok:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The name as written.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Scalar for $name {
            const EXPECTED: &'static str = $expected;

            fn parse(text: &str) -> Result<Self, Problem> {
                let ok: fn(&str) -> bool = $ok;
                if text.len() <= $longest && ok(text) {
                    return Ok(Self(text.to_owned()));
                }
                Err(Problem {
                    code: Code("AK005"),
                    message: if text.len() > $longest {
                        format!("a name of {} characters is longer than {}", text.chars().count(), $longest)
                    } else {
                        format!("`{text}` is not {}", $expected)
                    },
                    help: likely(text).filter(|name| name.len() <= $longest && ok(name)).map(|name| format!("write `{name}`")),
                    replacement: None,
                })
            }

            fn schema() -> serde_json::Value {
                serde_json::json!({"type": "string", "pattern": $pattern, "maxLength": $longest})
            }
        }

        crate::syntax::scalar!($name);
    )+};
}

/// A name that the text was most likely meant to be: in lower case, with `-` for what a name cannot have.
fn likely(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-");
    (!name.is_empty() && name != text).then_some(name)
}

/// Parts of lower-case letters and digits, joined by one of `separators`.
fn parts(text: &str, separators: &[char]) -> bool {
    text.split(separators)
        .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
}

/// A letter or underscore, then letters, digits and underscores.
fn identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

names! {
    /// The name of a queue: lower-case letters, digits and `.`, `_`, `-` between them.
    Slug, 100, r"^[a-z0-9]+([._-][a-z0-9]+)*$",
    "a name of lower-case letters and digits with `.`, `_` or `-` between them",
    |text| parts(text, &['.', '_', '-']);

    /// A table, column or index of a database, with its schema before a dot where it has one.
    Identifier, 120, r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?$",
    "a name of letters, digits and `_`",
    |text| text.split('.').count() <= 2 && text.split('.').all(identifier);

    /// The name of a field of the message.
    FieldName, 120, r"^[A-Za-z_][A-Za-z0-9_.-]*$",
    "a field name of letters, digits, `_`, `.` and `-`",
    |text| text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'));

    /// A word for a kind of failure: `timeout`, `http-503`, `card-declined`.
    FailureWord, 60, r"^[a-z0-9]+(-[a-z0-9]+)*$",
    "a word of lower-case letters and digits with `-` between them",
    |text| parts(text, &['-']);

    /// The version of a contract: `1.4.0`.
    ContractVersion, 40, r"^[0-9]+\.[0-9]+\.[0-9]+$",
    "a version of three numbers such as 1.0.0",
    |text| text.split('.').count() == 3 && text.split('.').all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
}

/// The version of the contract language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LanguageVersion {
    /// The language that this crate reads.
    V1,
}

impl Scalar for LanguageVersion {
    const EXPECTED: &'static str = "the version of the contract language, v1";

    fn parse(text: &str) -> Result<Self, Problem> {
        match text {
            "v1" => Ok(Self::V1),
            _ => Err(Problem {
                code: Code("AK010"),
                message: format!("`{text}` is not a version of the contract language that this ackord reads"),
                help: Some("write v1, or update ackord if the contract is newer".to_owned()),
                replacement: None,
            }),
        }
    }

    fn schema() -> serde_json::Value {
        serde_json::json!({"const": "v1"})
    }
}

crate::syntax::scalar!(LanguageVersion);
