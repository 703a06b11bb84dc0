//! Jobs for `ratios.py`, which measures each as a process: work without a program around it.
//!
//! `jobs` does nothing at all, which is the cheapest process there is; `jobs events FOLDER` is the
//! floor for everything that reads YAML; the others repeat one step of the linter on one file, so
//! that the cost of a step is the difference between two processes.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use ackord::lint::{self, Inputs, Report, Settings};
use ackord::report::{Format, Options, render};
use ackord::source::SourceFile;
use granit_parser::Parser;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo bench` runs every target with `--bench`; this one has nothing to say to it.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => Ok(()),
        ["events", folder] => events(Path::new(folder)),
        ["check", file, times] => {
            let text = fs::read_to_string(file)?;
            for _ in 0..times.parse::<usize>()? {
                black_box(check(&text));
            }
            Ok(())
        }
        ["render", file, times] => {
            let report = check(&fs::read_to_string(file)?);
            for _ in 0..times.parse::<usize>()? {
                black_box(render(Format::Full, &report, &Options::default()));
            }
            Ok(())
        }
        _ => Err("jobs [events FOLDER | check FILE TIMES | render FILE TIMES]".into()),
    }
}

/// Reads every file of the folder and takes its events, with nothing made of them.
fn events(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let text = fs::read_to_string(path)?;
        for event in Parser::new_from_str(&text) {
            black_box(event.map_err(|error| error.to_string())?);
        }
    }
    Ok(())
}

/// What an editor asks for at each key: everything about one document, from scratch.
fn check(text: &str) -> Report {
    let mut inputs = Inputs::default();
    inputs.sources.add(SourceFile::new("q.queue.yaml", text));
    lint::run(inputs, &Settings::default())
}
