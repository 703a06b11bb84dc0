//! The examples that a reader copies are clean, and the broken ones give what they say they give.

use std::path::Path;

use crate::judge::{codes, judge, none_of, settings, show};
use crate::patch::{Files, files_below, read};

/// As a contract, or as a file that a contract may refer to.
fn add(files: &mut Files, path: &Path) {
    let name = path.to_str().unwrap().replace('\\', "/");
    let text = read(path);
    if name.ends_with(".queue.yaml") {
        files.contracts.push((name, text));
    } else {
        files.beside.push((name, text));
    }
}

/// The contracts of a folder, each alone, with all other files beside it.
pub fn each_alone(folder: &str) -> Vec<Files> {
    let mut all = Files::default();
    for path in files_below(folder) {
        add(&mut all, &path);
    }
    let alone = |contract| Files { contracts: vec![contract], beside: all.beside.clone() };
    all.contracts.into_iter().map(alone).collect()
}

/// The contracts of `examples` that are meant to be copied.
pub fn good() -> Vec<Files> {
    let broken = |files: &Files| files.contracts[0].0.starts_with("examples/broken/");
    each_alone("examples").into_iter().filter(|files| !broken(files)).collect()
}

/// Whether nothing is said of the contracts.
///
/// # Errors
/// Says what is.
pub fn clean(files: &Files) -> Result<(), String> {
    let names: Vec<&str> = files.contracts.iter().map(|(name, _)| name.as_str()).collect();
    let report = judge(files, &settings()).map_err(|fault| format!("{names:?}: {fault}"))?;
    if report.findings.is_empty() { Ok(()) } else { Err(format!("{names:?}\n{}", show(&report))) }
}

#[test]
fn each_example_alone_is_clean() {
    let examples = good();
    assert!(examples.len() >= 10, "{} examples were found", examples.len());
    let failures: Vec<String> = examples.iter().filter_map(|files| clean(files).err()).collect();
    none_of(&failures, "the examples");
}

#[test]
fn all_examples_together_are_clean() {
    let mut all = Files::default();
    for files in good() {
        all.contracts.extend(files.contracts);
        all.beside = files.beside;
    }
    let failures: Vec<String> = clean(&all).err().into_iter().collect();
    none_of(&failures, "the examples together");
}

#[test]
fn each_base_alone_is_clean() {
    let bases = each_alone("tests/bases");
    assert!(bases.len() >= 9, "{} bases were found", bases.len());
    let failures: Vec<String> = bases.iter().filter_map(|files| clean(files).err()).collect();
    none_of(&failures, "the bases");
}

#[test]
fn each_broken_example_gives_exactly_what_it_says() {
    let broken = each_alone("examples/broken");
    assert!(broken.len() >= 6, "{} broken examples were found", broken.len());
    let mut failures = Vec::new();
    for files in &broken {
        let (name, text) = &files.contracts[0];
        let said = text.lines().find_map(|line| line.strip_prefix("# expect:")).unwrap_or_default();
        let mut wanted: Vec<&str> = said.split_whitespace().collect();
        wanted.sort_unstable();
        if wanted.is_empty() {
            failures.push(format!("{name}: no line `# expect: CODE …`"));
        }
        match judge(files, &settings()) {
            Ok(report) if codes(&report) == wanted => {}
            Ok(report) => failures.push(format!("{name}: expected {wanted:?}, found\n{}", show(&report))),
            Err(fault) => failures.push(format!("{name}: {fault}")),
        }
    }
    none_of(&failures, "the broken examples");
}
