//! See `contradictory_fields.md`.
//!
//! Each contradiction is a function; they stand in files by what they are about.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::rules::{Check, Rule};
use crate::source::Span;
use crate::syntax::Field;

mod failures;
mod guarantee;
mod sections;
mod times;
mod twice;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK015",
    "contradictory-fields",
    Level::Error,
    include_str!("contradictory_fields.md"),
    Check::Contract(check),
);

/// One contradiction: what it finds in a contract.
type Contradiction = fn(&Analysis<'_>) -> Vec<Diagnostic>;

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let all: [&[Contradiction]; 5] = [guarantee::ALL, failures::ALL, times::ALL, sections::ALL, twice::ALL];
    out.extend(all.into_iter().flatten().flat_map(|contradiction| contradiction(analysis)));
}

/// A contradiction at `span`.
fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(RULE.code, span, message)
}

/// The names and places of the fields that are written.
fn written<const N: usize>(fields: [(&'static str, bool, Span); N]) -> Vec<(&'static str, Span)> {
    fields.into_iter().filter(|(_, given, _)| *given).map(|(name, _, span)| (name, span)).collect()
}

/// A field by its name and the place of its value, for [`written`].
fn field<T, const R: bool>(name: &'static str, field: &Field<T, R>) -> (&'static str, bool, Span) {
    (name, field.given(), field.span())
}

/// A section by its name and the place of its key, for [`written`].
fn section<T, const R: bool>(name: &'static str, field: &Field<T, R>) -> (&'static str, bool, Span) {
    (name, field.given(), field.key())
}

/// A list of names in a sentence: `a`, `b` and `c`.
fn named(fields: &[(&'static str, Span)]) -> String {
    let names: Vec<String> = fields.iter().map(|(name, _)| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
