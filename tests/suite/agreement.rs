//! The published schema and the reader are made from the same declarations. Here somebody else's
//! validator holds them against each other: on what we wrote ourselves, and on thousands of
//! contracts that a walk over the schema makes, as they are and with one thing changed.

mod differences;
mod documents;
mod mutations;

use std::collections::BTreeMap;

use ackord::diagnostic::Diagnostic;
use ackord::lint::{Inputs, Settings, run};
use ackord::model::Contract;
use ackord::source::{FileId, SourceFile, Sources};
use ackord::syntax::{Limits, load, parse};
use serde::Deserialize;
use serde_json::Value;

use crate::dice::Dice;
use crate::examples::{each_alone, good};
use crate::judge::{none_of, settings};

use differences::{Side, TABLE, reasons};
use documents::Walk;
use mutations::mutate;

/// So many contracts are made by the walk; each is judged as it is and with one thing changed.
const CONTRACTS: usize = 900;
/// So many changed ones follow from each.
const CHANGES: usize = 3;

struct Judges {
    schema: jsonschema::Validator,
}

/// What one contract came to.
#[derive(PartialEq, Eq)]
enum Verdict {
    BothAccept,
    BothRefuse,
    /// They differ, and the table says why.
    Explained(Vec<&'static str>),
}

impl Judges {
    fn new() -> Self {
        Self { schema: jsonschema::draft7::new(&ackord::schema()).expect("the schema is a schema") }
    }

    /// Holds the verdicts on `value`, written as `text`, against each other.
    fn compare(&self, value: &Value, text: &str) -> Result<Verdict, String> {
        let findings = findings(text);
        let errors: Vec<String>;
        let side = match (self.schema.is_valid(value), findings.is_empty()) {
            (true, true) => return Ok(Verdict::BothAccept),
            (false, false) => return Ok(Verdict::BothRefuse),
            (true, false) => {
                errors = Vec::new();
                Side::Reader(&findings)
            }
            (false, true) => {
                let all = self.schema.iter_errors(value);
                errors = all.map(|error| format!("{} at {}", error, error.instance_path())).collect();
                Side::Schema(&errors)
            }
        };
        if let Some(reasons) = reasons(&side) {
            return Ok(Verdict::Explained(reasons));
        }
        let said: Vec<String> =
            findings.iter().map(|found| format!("{}: {}", found.code, found.message)).collect();
        let (errors, said) = (errors.join("\n    "), said.join("\n    "));
        Err(format!("the schema says\n    {errors}\n  the reader says\n    {said}\n  of\n{text:.3000}"))
    }

    /// Both spellings of one value: the block style of `serde_yaml`, and JSON.
    fn both(&self, value: &Value, counts: &mut BTreeMap<&'static str, usize>) -> Result<(), String> {
        let yaml = serde_yaml::to_string(value).expect("YAML");
        let json = serde_json::to_string_pretty(value).expect("JSON");
        for text in [yaml, json] {
            let names = match self.compare(value, &text)? {
                Verdict::BothAccept => vec!["accepted"],
                Verdict::BothRefuse => vec!["refused"],
                Verdict::Explained(reasons) => reasons,
            };
            names.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
        }
        Ok(())
    }
}

/// What the reader says about the shape of a text.
fn findings(text: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let tree = parse(FileId(0), text, &Limits::default(), &mut found);
    for document in tree.documents() {
        load::<Contract>(&tree, document, &mut found);
    }
    found
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
            failures.extend(judges.schema.iter_errors(&value).filter_map(|error| {
                let said = format!("{error} at {}", error.instance_path());
                let meant = reasons(&Side::Schema(std::slice::from_ref(&said))).is_some();
                (!meant).then(|| format!("{name}: {said}"))
            }));
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
    failures.truncate(40);
    none_of(&failures, "the agreement of schema and reader");
    // Thousands of both kinds, and no field that was never written.
    assert!(counts["accepted"] >= 2_000 && counts["refused"] >= 2_000, "{counts:?}");
    assert_eq!(walk.unvisited(), [""; 0], "these fields were never written");
    for difference in TABLE {
        assert!(counts.contains_key(difference.reason), "no contract shows it: {}", difference.reason);
    }
}

/// The whole linter says of a contract's shape what its reader says.
#[test]
fn the_linter_says_what_its_reader_says() {
    let shape = (1..=10).map(|number| format!("AK{number:03}")).collect();
    let settings = Settings { selected: shape, ..settings() };
    let schema = ackord::schema();
    let mut walk = Walk::new(&schema);
    let mut dice = Dice::new(11);
    for _ in 0..150 {
        let text = serde_yaml::to_string(&mutate(&walk.document(&mut dice), &mut dice)).expect("YAML");
        let mut sources = Sources::default();
        sources.add(SourceFile::new("made.queue.yaml", &text));
        let linted = run(Inputs { sources, ..Inputs::default() }, &settings).findings;
        assert_eq!(linted.is_empty(), findings(&text).is_empty(), "{linted:?} of\n{text}");
    }
}
