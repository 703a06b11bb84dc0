//! `jsonl`: an object on each line, the findings first and the summary last. A stream without
//! the summary was cut off.

use serde::Serialize;

use super::wire::{self, Finding, SCHEMA_VERSION, Summary};
use crate::lint::Report;

#[derive(Debug, Serialize)]
struct Line<T> {
    schema_version: u32,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    value: T,
}

/// The findings of `report`.
pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        out.push_str(&line("finding", Finding::new(&report.sources, finding)));
    }
    out.push_str(&line("summary", Summary::new(report)));
    out
}

fn line(kind: &'static str, value: impl Serialize) -> String {
    wire::line(&Line { schema_version: SCHEMA_VERSION, kind, value })
}
