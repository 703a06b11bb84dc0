//! A small contract that uses every form that a type of the model may have, and what the parts of
//! `syntax` make of it. Expectations are written as the text that a finding points at.

#![allow(dead_code, reason = "some fields are there to be read from YAML only")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

mod findings;
mod hostile;
mod published;
mod repair;
mod silence;
mod values;

use schemars::JsonSchema;
use serde::Deserialize;

use super::*;
use crate::diagnostic::Applicability;

/// A number of seconds: `30s` or `5m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seconds(u64);

impl Scalar for Seconds {
    const EXPECTED: &'static str = "a duration such as 30s";

    fn parse(text: &str) -> Result<Self, Problem> {
        let number = |digits: &str| digits.parse::<u64>().ok();
        if let Some(seconds) = text.strip_suffix('s').and_then(number) {
            return Ok(Self(seconds));
        }
        if let Some(minutes) = text.strip_suffix('m').and_then(number) {
            return Ok(Self(minutes * 60));
        }
        let problem = Problem::new(Code("AK006"), format!("`{text}` has no unit")).help("write 30s");
        Err(problem.replace(format!("{text}s"), Applicability::Unsafe))
    }

    fn schema() -> serde_json::Value {
        serde_json::json!({"type": "string", "pattern": "^[0-9]+(s|m)$"})
    }
}

/// A name that may look like a number.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Name(String);

impl Scalar for Name {
    const EXPECTED: &'static str = "a name";

    fn parse(text: &str) -> Result<Self, Problem> {
        Ok(Self(text.to_owned()))
    }

    fn schema() -> serde_json::Value {
        serde_json::json!({"type": ["string", "number"]})
    }
}

scalar!(Seconds, Name);

/// What one queue promises.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
struct Contract {
    /// The name of the queue.
    queue: Req<String>,
    version: Opt<Name>,
    guarantee: Req<Guarantee>,
    processing: Opt<Processing>,
    ordering: Opt<Ordering>,
    evidence: Opt<Evidence>,
    outbox: Opt<Outbox>,
    ttl: Opt<Ttl>,
    failures: Opt<Map<Failure>>,
    broker: Opt<Broker>,
    examples: Opt<List<serde_json::Value>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Guarantee {
    AtLeastOnce,
    AtMostOnce,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
struct Processing {
    lock: Opt<Lock>,
    consumers: Opt<u32>,
    ordered: Opt<bool>,
    share: Opt<f64>,
    key: Opt<List<String>>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
struct Lock {
    timeout: Req<Seconds>,
    owner: Opt<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Ordering#?", rename_all = "kebab-case")]
#[schemars(rename = "Ordering")]
enum Ordering {
    None,
    #[schemars(untagged)]
    Mapping(Lock),
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Evidence#?", rename_all = "kebab-case")]
#[schemars(rename = "Evidence")]
enum Evidence {
    All,
    #[schemars(untagged)]
    List(List<Guarantee>),
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Outbox#?", rename_all = "kebab-case")]
#[schemars(rename = "Outbox")]
enum Outbox {
    None,
    #[schemars(untagged)]
    Scalar(Name),
    #[schemars(untagged)]
    Mapping(Lock),
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Ttl#?", rename_all = "kebab-case")]
#[schemars(rename = "Ttl")]
enum Ttl {
    Forever,
    #[serde(rename = "false")]
    Off,
    #[schemars(untagged)]
    Scalar(Seconds),
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
struct Failure {
    max_retries: Req<u8>,
    initial: Opt<Seconds>,
    cap: Opt<Seconds>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Broker#kind", rename_all = "kebab-case")]
#[schemars(rename = "Broker", tag = "kind")]
enum Broker {
    Kafka(Kafka),
    Sqs { fifo: Opt<bool> },
    Memory,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Kafka {
    group: Req<String>,
    partitions: Opt<u32>,
}

sections!(Contract, Processing, Lock, Failure);

/// Every form, nothing wrong.
const VALID: &str = "\
queue: invoices
version: '1.10'
guarantee: at-least-once
x-note: {any: [thing, 1]}
processing:
  lock: {timeout: 5m, owner: payments}
  consumers: 4
  ordered: true
  share: 0.5
  key: [a, \"b\"]
ordering: {timeout: 10s}
evidence: all
outbox: {timeout: 20s}
ttl: forever
failures:
  transient: &base
    max_retries: 5
    initial: 4s
    cap: 64s
  poison:
    <<: *base
    max_retries: 0
  unknown:
    <<: [{cap: 16s}, *base]
broker:
  kind: kafka
  group: billing
examples: [{flag: true, none: ~}, 5, text]
";

/// What one text gives: the contract of its first document, and all findings.
struct Checked {
    text: String,
    contract: Option<Contract>,
    found: Vec<Diagnostic>,
}

impl Checked {
    /// Code and text of each finding.
    fn brief(&self) -> Vec<String> {
        self.found.iter().map(|found| format!("{} {}", found.code, self.at(found.primary.span))).collect()
    }

    fn at(&self, span: crate::source::Span) -> &str {
        &self.text[span.range()]
    }

    /// The text with the fixes of all findings made.
    fn fixed(&self) -> String {
        let mut edits: Vec<_> =
            self.found.iter().flat_map(|found| found.fix.iter().flat_map(|fix| &fix.edits)).collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
        let mut text = self.text.clone();
        for edit in edits {
            text.replace_range(edit.span.range(), &edit.text);
        }
        text
    }
}

fn check(text: &str) -> Checked {
    let mut found = Vec::new();
    let tree = parse(FileId(3), text, &Limits::default(), &mut found);
    let mut contract = None;
    for (index, document) in tree.documents().iter().enumerate() {
        let loaded = load::<Contract>(&tree, document, &mut found);
        if index == 0 {
            contract = loaded;
        }
    }
    for finding in &found {
        let labels = finding.labels.iter().map(|label| label.span);
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        for span in labels.chain(edits).chain([finding.primary.span]) {
            assert_eq!(span.file, FileId(3), "{finding:#?}");
            assert!(text.get(span.range()).is_some(), "{finding:#?}");
        }
    }
    Checked { text: text.to_owned(), contract, found }
}
