//! `json`: one object with all findings and the summary.

use serde::Serialize;

use super::wire::{self, Finding, SCHEMA_VERSION, Summary};
use crate::lint::Report;

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema_version: u32,
    version: &'static str,
    findings: Vec<Finding<'a>>,
    summary: Summary,
}

/// The findings of `report`.
pub(super) fn render(report: &Report) -> String {
    wire::page(&Document {
        schema_version: SCHEMA_VERSION,
        version: env!("CARGO_PKG_VERSION"),
        findings: report.findings.iter().map(|finding| Finding::new(&report.sources, finding)).collect(),
        summary: Summary::new(report),
    })
}
