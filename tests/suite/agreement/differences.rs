//! Where schema and reader may differ, and why. Every other difference is a mistake of one of them.

use ackord::diagnostic::Diagnostic;
use serde_json::Value;

/// Who alone refuses a contract, and with which words.
pub enum Side<'a> {
    /// Only the reader does.
    ReaderRefuses(&'a [Diagnostic]),
    /// Only the schema does.
    SchemaRefuses(&'a [String]),
}

type Applies = fn(&Side<'_>, &Value) -> bool;

/// Each difference that is meant.
pub const TABLE: &[(Applies, &str)] = &[
    (
        |side, _| reader(side, |code, message| code == "AK005" && message.contains("is longer than 100 years")),
        "a pattern cannot compare a duration with 100 years",
    ),
    (
        |side, _| reader(side, |code, message| code == "AK005" && message.contains("is more than a pebibyte")),
        "a pattern cannot compare a size with a pebibyte",
    ),
    (
        |side, _| reader(side, |code, _| code == "AK007"),
        "a text without quotes that two versions of YAML read differently is no matter of JSON",
    ),
];

/// Whether the reader alone refuses, each time for this reason.
fn reader(side: &Side<'_>, is: fn(&str, &str) -> bool) -> bool {
    match side {
        Side::ReaderRefuses(findings) => findings.iter().all(|found| is(found.code.0, &found.message)),
        Side::SchemaRefuses(_) => false,
    }
}

/// Why the verdicts may differ, where they may.
pub fn reason(side: &Side<'_>, value: &Value) -> Option<&'static str> {
    TABLE.iter().find(|(applies, _)| applies(side, value)).map(|(_, reason)| *reason)
}
