//! The objects that `json` and `jsonl` write. Their shape is a promise: a change that takes away
//! or renames raises [`SCHEMA_VERSION`].

use std::fmt::Write as _;

use serde::Serialize;

use super::place;
use super::summary::Counts;
use super::text::acts;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Label, Level};
use crate::lint::Report;
use crate::rules;
use crate::source::{Location, Sources, Span};

/// The version of the shape.
pub(super) const SCHEMA_VERSION: u32 = 1;

#[derive(Debug, Serialize)]
pub(super) struct Finding<'a> {
    code: &'static str,
    name: Option<&'static str>,
    level: &'static str,
    message: &'a str,
    file: &'a str,
    range: Range,
    label: &'a str,
    items: &'a [&'static str],
    related: Vec<Related<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
    fix: Option<Mend<'a>>,
}

#[derive(Debug, Serialize)]
struct Range {
    start: Point,
    end: Point,
}

/// A place; `offset` counts bytes from 0, `line` and `column` (in characters) from 1.
#[derive(Debug, Serialize)]
struct Point {
    line: usize,
    column: usize,
    offset: u32,
}

#[derive(Debug, Serialize)]
struct Related<'a> {
    file: &'a str,
    range: Range,
    label: &'a str,
}

#[derive(Debug, Serialize)]
struct Mend<'a> {
    title: &'a str,
    applicability: &'static str,
    edits: Vec<Replacement<'a>>,
}

#[derive(Debug, Serialize)]
struct Replacement<'a> {
    range: Range,
    text: &'a str,
}

/// The figures of the summary line.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    contracts: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    fixable: Fixable,
    /// Findings beyond the most that are reported of one file.
    not_shown: usize,
    suppressed: usize,
}

#[derive(Debug, Serialize)]
struct Fixable {
    safe: usize,
    #[serde(rename = "unsafe")]
    risky: usize,
}

impl<'a> Finding<'a> {
    pub fn new(sources: &'a Sources, finding: &'a Diagnostic) -> Self {
        let Diagnostic { code, items, level, message, primary, labels, notes, help, fix } = finding;
        Self {
            code: code.0,
            name: rules::find(code.0).map(|rule| rule.name),
            level: level.unwrap_or(Level::Error).word(),
            message,
            file: sources.name(primary.span),
            range: range(sources, primary.span),
            label: &primary.text,
            items,
            related: labels.iter().map(|label| related(sources, label)).collect(),
            notes,
            help: help.as_deref(),
            fix: fix.as_ref().map(|fix| mend(sources, fix)),
        }
    }
}

impl Summary {
    pub fn new(report: &Report) -> Self {
        let Counts { errors, warnings, notes, safe, risky, .. } = Counts::of(report);
        let fixable = Fixable { safe, risky };
        Self {
            contracts: report.contracts.len(),
            errors,
            warnings,
            notes,
            fixable,
            not_shown: report.cut,
            suppressed: report.suppressed,
        }
    }
}

fn range(sources: &Sources, span: Span) -> Range {
    let place::Extent { start, end } = place::extent(sources, span);
    let span = place::within(sources, span);
    let point = |Location { line, column }, offset| Point { line, column, offset };
    Range { start: point(start, span.start), end: point(end, span.end) }
}

fn related<'a>(sources: &'a Sources, label: &'a Label) -> Related<'a> {
    Related { file: sources.name(label.span), range: range(sources, label.span), label: &label.text }
}

fn mend<'a>(sources: &Sources, fix: &'a Fix) -> Mend<'a> {
    let applicability = match fix.applicability {
        Applicability::Safe => "safe",
        Applicability::Unsafe => "unsafe",
    };
    let edits =
        fix.edits.iter().map(|edit| Replacement { range: range(sources, edit.span), text: &edit.text });
    Mend { title: &fix.title, applicability, edits: edits.collect() }
}

/// JSON with an escape for every character that acts on a terminal or a build log, so that a reader
/// of the JSON gets the exact text and a reader of the bytes gets nothing but text.
///
/// Such characters stand only inside strings: JSON's own syntax is plain ASCII without `#`.
fn escaped(json: String) -> String {
    let mut out = String::new();
    let mut hashes = 0;
    let mut copied = 0;
    for (at, character) in json.char_indices() {
        let opens = character == '[' && hashes >= 2;
        hashes = if character == '#' { hashes + 1 } else { 0 };
        if opens || (acts(character) && character != '\n') {
            out.push_str(json.get(copied..at).unwrap_or(""));
            copied = at + character.len_utf8();
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    if copied == 0 {
        return json;
    }
    out.push_str(json.get(copied..).unwrap_or(""));
    out
}

/// The JSON of `value` on one line.
pub(super) fn line(value: &impl Serialize) -> String {
    // Every value here is made of strings and numbers, which cannot fail to be written.
    escaped(serde_json::to_string(value).unwrap_or_default()) + "\n"
}

/// The JSON of `value`, indented.
pub(super) fn page(value: &impl Serialize) -> String {
    escaped(serde_json::to_string_pretty(value).unwrap_or_default()) + "\n"
}
