//! The formats of `ackord::report`.

// A missing field or line fails a test just as it should.
#![allow(clippy::indexing_slicing)]

mod failure;
mod first_minutes;
mod formats;
mod full;
mod hostile;
mod runner;
mod sarif;
mod speed;
mod text;

use ackord::diagnostic::{Code, Diagnostic, Level};
use ackord::lint::Report;
use ackord::report::{Format, Options, render};
use ackord::source::{FileId, SourceFile, Sources, Span};

const PLAIN: Options = Options { color: false };
const COLOR: Options = Options { color: true };

/// A report over one source.
fn report(name: &str, text: &str, findings: Vec<Diagnostic>) -> Report {
    let mut sources = Sources::default();
    sources.add(SourceFile::new(name, text));
    Report { sources, findings, contracts: vec![Box::default()], ..Report::default() }
}

/// The place of the `nth` (from 0) `needle` in the first source.
fn nth(text: &str, needle: &str, nth: usize) -> Span {
    let (start, found) = text.match_indices(needle).nth(nth).expect("the needle is in the text");
    Span::new(FileId(0), start, start + found.len())
}

/// An error of AK201 at `span`.
fn error(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(Code("AK201"), span, message).level(Level::Error)
}

fn full(report: &Report) -> String {
    render(Format::Full, report, &PLAIN)
}
