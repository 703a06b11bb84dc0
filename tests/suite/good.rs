//! Contracts that were written from the README and the schema alone, before any rule was run on them.
//!
//! A linter is judged by what it says of work that is right: each of them is clean, alone and beside all
//! others. `tests/good/VERDICTS.md` keeps what the rules said at first, and who was wrong.

use std::collections::{BTreeMap, BTreeSet};

use ackord::model::BrokerKind;
use serde::Deserialize;
use serde_json::Value;

use crate::examples::{clean, each_alone};
use crate::judge::none_of;
use crate::patch::{Files, read};
use crate::second_reader::merged;

/// So many contracts there are at least.
const LEAST: usize = 40;

/// Each broker has contracts of at least so many kinds of flow.
const LEAST_FLOWS: usize = 3;

/// Each kind of flow has contracts on at least so many brokers.
const LEAST_BROKERS: usize = 6;

const FLOWS: [&str; 5] = ["money", "notification", "telemetry", "audit", "task"];

/// Every document of the folder with the name of its file, as a reader that shares no code with ours sees it.
fn documents() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for files in each_alone("tests/good") {
        let (name, text) = &files.contracts[0];
        for document in serde_yaml::Deserializer::from_str(text) {
            let value = serde_yaml::Value::deserialize(document).and_then(merged);
            let value = value.unwrap_or_else(|error| panic!("{name}: {error}"));
            found.push((name.clone(), serde_json::to_value(value).unwrap()));
        }
    }
    found
}

#[test]
fn each_contract_alone_is_clean() {
    let failures: Vec<String> =
        each_alone("tests/good").iter().filter_map(|files| clean(files).err()).collect();
    none_of(&failures, "the good contracts");
}

#[test]
fn all_contracts_together_are_clean() {
    let mut all = Files::default();
    for files in each_alone("tests/good") {
        all.contracts.extend(files.contracts);
        all.beside = files.beside;
    }
    let failures: Vec<String> = clean(&all).err().into_iter().collect();
    none_of(&failures, "the good contracts together");
}

#[test]
fn the_schema_accepts_each_contract() {
    let schema: Value = serde_json::from_str(&read("schema/ackord.v1.json")).unwrap();
    let validator = jsonschema::draft7::new(&schema).unwrap();
    let mut failures = Vec::new();
    for (name, document) in documents() {
        for error in validator.iter_errors(&document) {
            failures.push(format!("{name}, {}: {error}", error.instance_path()));
        }
    }
    none_of(&failures, "the schema");
}

#[test]
fn the_contracts_are_many_and_of_every_kind() {
    let documents = documents();
    assert!(documents.len() >= LEAST, "{} contracts were found", documents.len());
    let mut flows: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut brokers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, document) in &documents {
        let flow = document["flow"].as_str().unwrap_or_else(|| panic!("{name}: no flow"));
        let kind = document["broker"]["kind"].as_str().unwrap_or_else(|| panic!("{name}: no broker"));
        flows.entry(kind).or_default().insert(flow);
        brokers.entry(flow).or_default().insert(kind);
    }
    let none = BTreeSet::new();
    let mut failures = Vec::new();
    for kind in BrokerKind::ALL {
        let of_it = flows.get(kind.word()).unwrap_or(&none);
        if of_it.len() < LEAST_FLOWS {
            failures.push(format!("{}: only {of_it:?}", kind.word()));
        }
    }
    for flow in FLOWS {
        let of_it = brokers.get(flow).unwrap_or(&none);
        if of_it.len() < LEAST_BROKERS {
            failures.push(format!("{flow}: only {of_it:?}"));
        }
    }
    none_of(&failures, "the coverage");
}

/// An editor or a checkout that makes all files alike would take away what they are there to show.
#[test]
fn the_contracts_are_written_in_different_styles() {
    let texts: Vec<String> =
        each_alone("tests/good").into_iter().map(|files| files.contracts[0].1.clone()).collect();
    let styles = [
        ("Windows line ends", "\r\n"),
        ("merge keys", "<<: *"),
        ("several documents", "\n---\n"),
        ("JSON", "{\n  \"ackord\""),
        ("quoted keys", "'ackord': "),
    ];
    for (style, sign) in styles {
        assert!(texts.iter().any(|text| text.contains(sign)), "no contract with {style}");
    }
}
