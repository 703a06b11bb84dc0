//! The parts of a SARIF log, as far as we fill them in. The names are SARIF's own.

use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Serialize)]
pub(super) struct Log<'a> {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: [Run<'a>; 1],
}

/// What stands once in a log is put together as it is written; results, which are many, have types.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run<'a> {
    pub tool: Value,
    pub invocations: [Value; 1],
    pub column_kind: &'static str,
    pub results: Vec<Outcome<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome<'a> {
    pub rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_index: Option<usize>,
    pub level: &'static str,
    pub message: Message,
    pub locations: [Place; 1],
    pub partial_fingerprints: Prints<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<Mend<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Message {
    pub text: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Prints<'a> {
    #[serde(rename = "ackord/v1")]
    pub ackord: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    pub physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Physical {
    pub artifact_location: Artifact,
    pub region: Region,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Artifact {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub start_line: usize,
    pub start_column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Mend<'a> {
    pub description: Message,
    pub artifact_changes: Vec<Change<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change<'a> {
    pub artifact_location: Artifact,
    pub replacements: Vec<Replacement<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement<'a> {
    pub deleted_region: Region,
    pub inserted_content: Content<'a>,
}

#[derive(Debug, Serialize)]
pub(super) struct Content<'a> {
    pub text: &'a str,
}
