//! Failures of the program itself: a file that cannot be read, a flag that makes no sense, our own
//! bug. A finding about a contract is never one of these.

use std::error::Error;
use std::fmt;

use miette::{Diagnostic, ReportHandler};

use super::text::printable;

/// Why the program could not do what it was asked to do.
#[derive(Debug)]
pub struct Failure {
    code: &'static str,
    message: String,
    help: Option<String>,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl Failure {
    /// A failure of the kind `code`, such as `input::missing`, and what happened in one sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, cause: None }
    }

    /// What to do: a command, where there is one.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// What led to it.
    pub fn cause(mut self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.message))
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

impl Diagnostic for Failure {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as _)
    }
}

/// How a failure is told: `error: …`, then a `cause: …` for each that led to it, then `help: …`;
/// a line each, without a line end after the last.
pub fn text(failure: &dyn Diagnostic) -> String {
    let mut lines = vec![format!("error: {}", printable(&failure.to_string()))];
    let causes = std::iter::successors(failure.source(), |cause| (*cause).source());
    // A cause that causes itself would never end.
    lines.extend(causes.take(MOST_CAUSES).map(|cause| format!("cause: {}", printable(&cause.to_string()))));
    lines.extend(failure.help().map(|help| format!("help: {}", printable(&help.to_string()))));
    lines.join("\n")
}

const MOST_CAUSES: usize = 16;

/// Makes [`text`] the way in which every `miette::Report` of the process shows itself. The first
/// call counts; another is harmless.
pub fn install() {
    let _ = miette::set_hook(Box::new(|_| Box::new(Handler)));
}

#[derive(Debug)]
struct Handler;

impl ReportHandler for Handler {
    fn debug(&self, failure: &dyn Diagnostic, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(failure))
    }

    fn display(&self, failure: &(dyn Error + 'static), f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&failure.to_string()))
    }
}
