//! `ackord.toml`: which rules run, at which level, where, and the organisation's figures.
//!
//! Reading it is a function of its text; `cli` finds the file.

mod draw;
mod file;
pub mod select;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::diagnostic::Level;
use crate::lint::PathIgnore;
use crate::policy::Policy;
use crate::report;
use crate::rules::Rule;

pub use draw::draw;

/// The names under which the file is looked for.
pub const NAMES: [&str; 2] = ["ackord.toml", ".ackord.toml"];

/// What a configuration says, with rules by their codes.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The rules that run; nothing said: all.
    pub select: Option<BTreeSet<String>>,
    /// The rules that are off.
    pub ignore: BTreeSet<String>,
    /// The rules that are off below some paths; the globs are relative to the folder of the file.
    pub overrides: Vec<PathIgnore>,
    /// The levels that replace those of the rules.
    pub levels: BTreeMap<String, Level>,
    /// The rules that a contract cannot suppress, beside those that never can be.
    pub locked: BTreeSet<String>,
    /// The organisation's figures.
    pub policy: Policy,
    /// The least level that fails a run.
    pub fail_on: Option<Level>,
    /// Whether notes are shown.
    pub pedantic: Option<bool>,
    /// How findings are written.
    pub output_format: Option<report::Format>,
    /// What `ackord generate` writes where nothing else is said.
    pub generate: Generate,
}

/// What is generated where the command line does not say it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Generate {
    /// The folder to write below, relative to the folder of the file and never outside it.
    pub out: Option<String>,
    /// The targets by name; empty: nothing is said.
    pub targets: Vec<String>,
}

/// What is wrong with a configuration, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The bytes at fault.
    pub place: Range<usize>,
    /// The fact.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// Reads a configuration. All rules that it names are looked up in `registry`.
pub fn read(text: &str, registry: &[&'static Rule]) -> Result<Config, Vec<Problem>> {
    let file: file::File = toml::from_str(text).map_err(|error| vec![file::problem(&error, text)])?;
    let mut problems = Vec::new();
    let config = file.lower(registry, &mut problems);
    if problems.is_empty() { Ok(config) } else { Err(problems) }
}

/// The JSON Schema of the file (draft-07).
pub fn schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft07();
    let mut schema = settings.into_generator().into_root_schema_for::<file::File>();
    schema.insert("$id".to_owned(), "https://ackord.dev/schema/ackord-config.v1.json".into());
    schema.to_value()
}

#[cfg(test)]
mod tests;
