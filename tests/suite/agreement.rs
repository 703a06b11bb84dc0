//! The published schema and the reader are made from the same declarations. Here somebody else's
//! validator holds them against each other: on what we wrote ourselves, and on thousands of
//! contracts that a walk over the schema makes, as they are and with one thing changed.

mod differences;
mod documents;
mod mutations;

use std::collections::BTreeMap;

use ackord::diagnostic::Diagnostic;
use ackord::lint::{Inputs, Settings, run};
use ackord::source::{SourceFile, Sources};
use serde::Deserialize;
use serde_json::Value;

use crate::dice::Dice;
use crate::examples::{each_alone, good};
use crate::judge::{none_of, settings};

use differences::{Side, reason};
use documents::Walk;
use mutations::mutate;

/// So many contracts are made by the walk; each is judged as it is and with one thing changed.
const CONTRACTS: usize = 1_500;
/// So many changed ones follow from each.
const CHANGES: usize = 3;

struct Judges {
    schema: jsonschema::Validator,
    settings: Settings,
}

/// What one contract came to.
#[derive(PartialEq, Eq)]
enum Verdict {
    BothAccept,
    BothRefuse,
    /// They differ, and the table says why.
    Explained(&'static str),
}

impl Judges {
    fn new() -> Self {
        let schema = jsonschema::draft7::new(&ackord::schema()).expect("the schema is a schema");
        let selected = (1..=10).map(|number| format!("AK{number:03}")).collect();
        Self { schema, settings: Settings { selected, ..settings() } }
    }

    /// What the reader says about the shape of a text.
    fn findings(&self, text: &str) -> Vec<Diagnostic> {
        let mut sources = Sources::default();
        sources.add(SourceFile::new("made.queue.yaml", text));
        run(Inputs { sources, ..Inputs::default() }, &self.settings).findings
    }

    /// Holds the verdicts on `value`, written as `text`, against each other.
    fn compare(&self, value: &Value, text: &str) -> Result<Verdict, String> {
        let errors: Vec<String> =
            self.schema.iter_errors(value).map(|error| format!("{} at {}", error, error.instance_path())).collect();
        let findings = self.findings(text);
        let side = match (errors.is_empty(), findings.is_empty()) {
            (true, true) => return Ok(Verdict::BothAccept),
            (false, false) => return Ok(Verdict::BothRefuse),
            (true, false) => Side::ReaderRefuses(&findings),
            (false, true) => Side::SchemaRefuses(&errors),
        };
        if let Some(reason) = reason(&side, value) {
            return Ok(Verdict::Explained(reason));
        }
        let said: Vec<String> = findings.iter().map(|found| format!("{}: {}", found.code, found.message)).collect();
        let (errors, said) = (errors.join("\n    "), said.join("\n    "));
        Err(format!("the schema says\n    {errors}\n  the reader says\n    {said}\n  of\n{text:.3000}"))
    }

    /// Both spellings of one value: the block style of `serde_yaml`, and JSON.
    fn both(&self, value: &Value, counts: &mut BTreeMap<&'static str, usize>) -> Result<(), String> {
        let yaml = serde_yaml::to_string(value).expect("YAML");
        let json = serde_json::to_string_pretty(value).expect("JSON");
        for text in [yaml, json] {
            let name = match self.compare(value, &text)? {
                Verdict::BothAccept => "accepted",
                Verdict::BothRefuse => "refused",
                Verdict::Explained(reason) => reason,
            };
            *counts.entry(name).or_default() += 1;
        }
        Ok(())
    }
}

#[test]
fn the_schema_accepts_every_contract_that_we_wrote() {
    let judges = Judges::new();
    let all = good().into_iter().chain(each_alone("examples/broken")).chain(each_alone("tests/bases"));
    let mut failures = Vec::new();
    let mut seen = 0;
    for (name, text) in all.flat_map(|files| files.contracts) {
        for document in serde_yaml::Deserializer::from_str(&text) {
            let mut value = serde_yaml::Value::deserialize(document).expect("YAML");
            value.apply_merge().expect("a merge");
            let value = serde_json::to_value(value).expect("JSON");
            failures.extend(judges.schema.iter_errors(&value).map(|error| format!("{name}: {error}")));
            seen += 1;
        }
    }
    none_of(&failures, "the schema");
    assert!(seen >= 25, "only {seen} contracts were read");
}

#[test]
fn schema_and_reader_agree() {
    let judges = Judges::new();
    let schema = ackord::schema();
    let mut walk = Walk::new(&schema);
    let mut dice = Dice::new(2026);
    let mut counts = BTreeMap::new();
    let mut failures = Vec::new();
    for _ in 0..CONTRACTS {
        let made = walk.document(&mut dice);
        let changed: Vec<Value> = (0..CHANGES).map(|_| mutate(&made, &mut dice)).collect();
        for value in std::iter::once(&made).chain(&changed) {
            failures.extend(judges.both(value, &mut counts).err());
        }
    }
    println!("{counts:#?}");
    failures.truncate(40);
    none_of(&failures, "the agreement of schema and reader");
    // Thousands of both kinds, and no field that was never written.
    assert!(counts["accepted"] >= 4_000 && counts["refused"] >= 4_000, "{counts:?}");
    assert_eq!(walk.unvisited(), [""; 0], "these fields were never written");
    for (_, reason) in differences::TABLE {
        assert!(counts.contains_key(reason), "no contract shows it any more: {reason}");
    }
}
