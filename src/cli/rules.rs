//! `ackord rules`: every rule in a line, or all of them for a program.

use serde::Serialize;

use super::CLEAN;
use super::args::{Rules, Shape};
use super::output::Streams;
use super::stop::Stop;
use crate::rules;

/// Grows when a field changes its meaning or goes.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct List {
    schema_version: u32,
    rules: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    code: &'static str,
    name: &'static str,
    level: &'static str,
    group: &'static str,
    suppressible: bool,
    summary: &'static str,
}

/// Runs the command.
pub(super) fn run(args: &Rules, streams: &mut Streams) -> Result<u8, Stop> {
    let rules =
        rules::GROUPS.iter().flat_map(|group| group.rules.iter().map(move |rule| (group.name, *rule)));
    let entries = rules.map(|(group, rule)| Entry {
        code: rule.code.0,
        name: rule.name,
        level: rule.level.word(),
        group,
        suppressible: rule.suppressible,
        summary: rule.summary(),
    });
    let text = match args.output_format {
        Shape::Json => {
            let list = List { schema_version: SCHEMA_VERSION, rules: entries.collect() };
            super::output::json(&list)?
        }
        Shape::Text => {
            entries.map(|rule| format!("{}  {:<7}  {}\n", rule.code, rule.level, rule.name)).collect()
        }
    };
    streams.result(&text)?;
    Ok(CLEAN)
}
