//! Where schema and reader may differ, and why. Every other difference is a mistake of one of them.

use ackord::diagnostic::Diagnostic;

/// Who alone refuses a contract, and with which words.
pub enum Side<'a> {
    /// Only the reader does.
    Reader(&'a [Diagnostic]),
    /// Only the schema does.
    Schema(&'a [String]),
}

/// One kind of difference that is meant.
pub struct Difference {
    /// Who refuses alone.
    who: Who,
    /// Whether it is this one, by what that one says.
    is: fn(&str) -> bool,
    pub reason: &'static str,
}

#[derive(PartialEq, Eq)]
enum Who {
    Reader,
    Schema,
}

pub const TABLE: &[Difference] = &[
    Difference {
        who: Who::Reader,
        is: |said| said.starts_with("AK005 ") && said.contains("is longer than 100 years"),
        reason: "a pattern cannot compare a duration with 100 years",
    },
    Difference {
        who: Who::Reader,
        is: |said| said.starts_with("AK005 ") && said.contains("is more than a pebibyte"),
        reason: "a pattern cannot compare a size with a pebibyte",
    },
    Difference {
        who: Who::Reader,
        is: |said| said.starts_with("AK007 "),
        reason: "a text without quotes that two versions of YAML read differently is no matter of JSON",
    },
    Difference {
        who: Who::Reader,
        is: |said| {
            said.starts_with("AK005 ") && said.contains("takes a whole number") && said.contains(".0`")
        },
        reason: "3.0 is an integer to JSON Schema and a number with a fraction to YAML",
    },
    Difference {
        who: Who::Schema,
        is: |said| said.starts_with("\"exactly-once\" "),
        reason: "that a broker delivers exactly once is AK101, which says why not, rather than an unknown word",
    },
];

/// Why the verdicts differ, where every word of the one who refuses has its reason.
pub fn reasons(side: &Side<'_>) -> Option<Vec<&'static str>> {
    let (who, said): (Who, Vec<String>) = match side {
        Side::Reader(found) => {
            (Who::Reader, found.iter().map(|found| format!("{} {}", found.code, found.message)).collect())
        }
        Side::Schema(errors) => (Who::Schema, errors.to_vec()),
    };
    let reason = |said: &String| {
        let difference = TABLE.iter().find(|difference| difference.who == who && (difference.is)(said));
        difference.map(|difference| difference.reason)
    };
    said.iter().map(reason).collect()
}
