//! Reports: one file for each output format over [`Report`].
//!
//! Every format is a function from a report to text; whoever calls it decides where the bytes go.
//! Text that we did not write ourselves passes [`text`] on its way out, or, where a machine reads
//! the format, the escapes of that format.

mod concise;
pub mod failure;
pub mod figures;
mod full;
mod github;
pub mod inspect;
mod json;
mod jsonl;
mod paint;
mod place;
mod sarif;
mod summary;
pub mod text;
mod window;
mod wire;

use std::str::FromStr;

use crate::lint::Report;

pub use summary::{summary, summary_of_rest};

/// The most bytes that one finding takes in a format that people read.
pub const FINDING_LIMIT: usize = 4096;

/// How findings are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For people: the quoted lines with labels, the derivation and the help.
    #[default]
    Full,
    /// For people and editors: a line each.
    Concise,
    /// For programs: one object.
    Json,
    /// For programs that read as they go: an object on each line.
    JsonLines,
    /// For the log of a GitHub workflow, which turns it into annotations.
    Github,
    /// For code scanning: SARIF 2.1.0.
    Sarif,
}

impl Format {
    /// Every format, in the order in which the help lists them.
    pub const ALL: [Self; 6] =
        [Self::Full, Self::Concise, Self::Json, Self::JsonLines, Self::Github, Self::Sarif];

    /// The word that the user writes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::JsonLines => "jsonl",
            Self::Github => "github",
            Self::Sarif => "sarif",
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|format| format.name() == word).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("format `{}` is not one of {names}", text::clipped(word, 64))
        })
    }
}

/// What the caller knows about the place where the text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether the formats for people may use colour.
    pub color: bool,
}

/// The findings of `report` in `format`.
pub fn render(format: Format, report: &Report, options: &Options) -> String {
    let report = &*report.masked();
    match format {
        Format::Full => full::render(report, options),
        Format::Concise => concise::render(report, options),
        Format::Json => json::render(report),
        Format::JsonLines => jsonl::render(report),
        Format::Github => github::render(report),
        Format::Sarif => sarif::render(report),
    }
}
