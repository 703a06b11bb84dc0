//! Runs the linter over texts and shows what it found, for every test that reads cases.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ackord::diagnostic::Diagnostic;
use ackord::lint::{Date, Inputs, Report, Settings, run};
use ackord::source::{SourceFile, Sources};

use crate::patch::Files;

/// The settings of a user who has none, on a day that cases can count on.
pub fn settings() -> Settings {
    Settings { today: Date { year: 2026, month: 11, day: 30 }, ..Settings::default() }
}

/// What the linter says; a panic is a failure like any other, so that the other cases still run.
///
/// # Errors
/// Says that the linter panicked.
pub fn judge(files: &Files, settings: &Settings) -> Result<Report, String> {
    let mut sources = Sources::default();
    for (name, text) in &files.contracts {
        sources.add(SourceFile::new(name, text));
    }
    let referenced = files.beside.iter().map(|(path, text)| (path.clone(), Some(text.clone()))).collect();
    let inputs = Inputs { sources, referenced, ..Inputs::default() };
    catch_unwind(AssertUnwindSafe(|| run(inputs, settings))).map_err(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        format!("the linter panicked: {}", words.unwrap_or("without a word"))
    })
}

/// The codes of the findings, sorted, each as often as it was found.
pub fn codes(report: &Report) -> Vec<&str> {
    let mut codes: Vec<&str> = report.findings.iter().map(|finding| finding.code.0).collect();
    codes.sort_unstable();
    codes
}

/// Everything that a finding says, as a user reads it.
pub fn words(finding: &Diagnostic) -> String {
    let mut words = vec![finding.message.as_str(), finding.primary.text.as_str()];
    words.extend(finding.labels.iter().map(|label| label.text.as_str()));
    words.extend(finding.notes.iter().map(String::as_str));
    words.extend(finding.help.as_deref());
    words.join("\n")
}

/// The findings for a person who looks for the reason of a failed test.
pub fn show(report: &Report) -> String {
    if report.findings.is_empty() {
        return "  (no findings)\n".to_owned();
    }
    let mut out = String::new();
    for finding in &report.findings {
        let span = finding.primary.span;
        let place = report.sources.locate(span.file, span.start);
        let level = finding.level.map_or("level unset", |level| level.word());
        let code = finding.code;
        let name = report.sources.name(span);
        writeln!(out, "  {code} {level} at {name}:{}:{}: {}", place.line, place.column, finding.message)
            .unwrap();
        writeln!(out, "      at `{}`: {}", report.sources.slice(span), finding.primary.text).unwrap();
        for label in &finding.labels {
            writeln!(out, "      label `{}`: {}", report.sources.slice(label.span), label.text).unwrap();
        }
        for note in &finding.notes {
            writeln!(out, "      note: {note}").unwrap();
        }
        if let Some(help) = &finding.help {
            writeln!(out, "      help: {help}").unwrap();
        }
        if let Some(fix) = &finding.fix {
            writeln!(out, "      fix ({:?}): {}", fix.applicability, fix.title).unwrap();
        }
    }
    out
}

/// The same files with the fix of `finding` made.
pub fn mended(files: &Files, finding: &Diagnostic) -> Option<Files> {
    let mut edits = finding.fix.as_ref()?.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.span.start, edit.span.end)));
    let mut files = files.clone();
    for edit in edits {
        let (_, text) = &mut files.contracts[edit.span.file.0 as usize];
        text.replace_range(edit.span.range(), &edit.text);
    }
    Some(files)
}

/// The texts of the files, for a failure's message.
pub fn texts(files: &Files) -> String {
    files.contracts.iter().map(|(name, text)| format!("  -- {name}\n{}", indented(text))).collect()
}

/// `text`, each line two blanks further in.
pub fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// Fails with all of `failures` at once, if there are any.
pub fn none_of(failures: &[String], of: &str) {
    assert!(failures.is_empty(), "{} failures of {of}:\n\n{}", failures.len(), failures.join("\n\n"));
}
