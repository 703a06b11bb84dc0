//! `sarif`: SARIF 2.1.0, for code scanning.

mod shape;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use self::shape::{
    Artifact, Change, Content, Log, Mend, Message, Outcome, Physical, Place, Prints, Region, Replacement, Run,
};
use super::place::{Extent, extent, within};
use super::summary::plural;
use super::text::printable;
use super::wire;
use crate::diagnostic::{Code, Diagnostic, Fix, Label, Level};
use crate::lint::Report;
use crate::rules;
use crate::source::{Sources, Span};

/// How many results GitHub shows of a run, by
/// <https://docs.github.com/en/code-security/code-scanning/troubleshooting-sarif-uploads/results-exceed-limit>.
const MOST_RESULTS: usize = 5_000;

/// How much of a line or a value goes into a fingerprint.
const FINGERPRINT_BYTES: usize = 1024;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The findings of `report`.
pub(super) fn render(report: &Report) -> String {
    let shown = shown(report);
    let codes: BTreeSet<Code> = shown.iter().map(|(_, finding)| finding.code).collect();
    let index: BTreeMap<Code, usize> = codes.iter().enumerate().map(|(at, code)| (*code, at)).collect();
    let prints = fingerprints(report);
    let results: Vec<Outcome<'_>> = shown
        .iter()
        .map(|(at, finding)| {
            let print = prints.get(*at).map_or("", String::as_str);
            outcome(&report.sources, finding, index.get(&finding.code).copied(), print)
        })
        .collect();
    let driver = json!({
        "name": "ackord",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": codes.into_iter().map(descriptor).collect::<Vec<_>>(),
    });
    let invocation = json!({
        "executionSuccessful": true,
        "toolExecutionNotifications": truncation(report.findings.len() + report.cut, results.len()),
    });
    wire::line(&Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: json!({ "driver": driver }),
            invocations: [invocation],
            column_kind: "unicodeCodePoints",
            results,
        }],
    })
}

/// The findings that fit, in their order; where some do not, those that matter less stay out.
fn shown(report: &Report) -> Vec<(usize, &Diagnostic)> {
    let mut shown: Vec<_> = report.findings.iter().enumerate().collect();
    shown.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.level));
    shown.truncate(MOST_RESULTS);
    shown.sort_by_key(|(at, _)| *at);
    shown
}

fn truncation(found: usize, shown: usize) -> Vec<Value> {
    if found == shown {
        return Vec::new();
    }
    let rest = plural(found - shown, "finding");
    let text =
        format!("{rest} of {found} left out: too many for one run; mend the first or check fewer files");
    vec![json!({ "level": "warning", "message": { "text": text } })]
}

/// A rule, as far as the registry knows it.
fn descriptor(code: Code) -> Value {
    let Some(rule) = rules::find(code.0) else { return json!({ "id": code.0 }) };
    json!({
        "id": code.0,
        "name": rule.name,
        "shortDescription": { "text": rule.summary() },
        "help": { "text": rule.explanation(), "markdown": rule.explanation() },
        "defaultConfiguration": { "level": rule.level.word() },
    })
}

fn outcome<'a>(
    sources: &'a Sources,
    finding: &'a Diagnostic,
    rule_index: Option<usize>,
    ackord: &'a str,
) -> Outcome<'a> {
    let mut lines = vec![printable(&finding.message)];
    lines.extend(finding.notes.iter().map(|note| printable(note)));
    lines.extend(finding.help.iter().map(|help| format!("help: {}", printable(help))));
    let related = finding.labels.iter().zip(1..);
    Outcome {
        rule_id: finding.code.0,
        rule_index,
        level: finding.level.unwrap_or(Level::Error).word(),
        message: message(&lines.join("\n")),
        locations: [place(sources, &finding.primary, None)],
        partial_fingerprints: Prints { ackord },
        related_locations: related.map(|(label, id)| place(sources, label, Some(id))).collect(),
        fixes: finding.fix.iter().filter(|fix| !fix.edits.is_empty()).map(|fix| mend(sources, fix)).collect(),
    }
}

fn place(sources: &Sources, label: &Label, id: Option<usize>) -> Place {
    let physical_location = Physical {
        artifact_location: artifact(sources.name(label.span)),
        region: region(sources, label.span),
    };
    let words = (!label.text.is_empty()).then(|| message(&printable(&label.text)));
    Place { id, physical_location, message: words }
}

fn mend<'a>(sources: &'a Sources, fix: &'a Fix) -> Mend<'a> {
    let mut changes: BTreeMap<&str, Vec<Replacement<'a>>> = BTreeMap::new();
    for edit in &fix.edits {
        changes.entry(sources.name(edit.span)).or_default().push(Replacement {
            deleted_region: region(sources, edit.span),
            inserted_content: Content { text: &edit.text },
        });
    }
    let changes = changes
        .into_iter()
        .map(|(name, replacements)| Change { artifact_location: artifact(name), replacements });
    Mend { description: message(&printable(&fix.title)), artifact_changes: changes.collect() }
}

fn region(sources: &Sources, span: Span) -> Region {
    let Extent { start, end } = extent(sources, span);
    Region { start_line: start.line, start_column: start.column, end_line: end.line, end_column: end.column }
}

/// A message of plain text. `[words](address)` would be a link in it, so a bracket that stands
/// before a parenthesis loses that meaning.
fn message(text: &str) -> Message {
    Message { text: text.replace("](", "\\](") }
}

/// A path relative to the root, or the `file` URI of one that is not.
fn artifact(name: &str) -> Artifact {
    let encoded = encoded(name);
    if name.starts_with('/') {
        Artifact { uri: format!("file://{encoded}"), uri_base_id: None }
    } else {
        Artifact { uri: encoded, uri_base_id: Some("%SRCROOT%") }
    }
}

/// A path with everything percent-encoded that a URI does not hold as it is, or reads as something
/// else than a path.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// What a finding is recognised by when lines around it come and go: its rule, its file, the value
/// and the line that it points at, and which of those that look the same it is.
fn fingerprints(report: &Report) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut prints = Vec::with_capacity(report.findings.len());
    for finding in &report.findings {
        let key = digest(&report.sources, finding);
        let occurrence = seen.entry(key.clone()).or_default();
        *occurrence += 1;
        prints.push(format!("{key}:{occurrence}"));
    }
    prints
}

fn digest(sources: &Sources, finding: &Diagnostic) -> String {
    let span = within(sources, finding.primary.span);
    let line = sources.get(span.file).map_or("", |file| {
        let line = file.line_range(file.line_of(span.start));
        file.text.get(line).unwrap_or("").trim()
    });
    let mut hash = Sha256::new();
    for part in [finding.code.0, sources.name(span), head(sources.slice(span)), head(line)] {
        hash.update(part.len().to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(FINGERPRINT_BYTES)).unwrap_or(text)
}
