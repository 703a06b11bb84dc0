//! Why a run ended before it could do what was asked: exit code 2.

use std::fmt;
use std::io;
use std::path::Path;

use super::output::{Streams, shown};
use crate::report::text::printable;

/// The end of a run.
#[derive(Debug)]
pub enum Stop {
    /// A failure of the program or its surroundings, which has no place in a text.
    Failure(miette::Report),
    /// A message that is drawn already, because it has a place in a text.
    Drawn(String),
}

impl Stop {
    /// Says why on standard error, and with which code the process ends.
    pub fn report(self, streams: &mut Streams) -> u8 {
        match self {
            Self::Failure(report) => streams.tell(&format!("{report:?}")),
            Self::Drawn(text) => streams.tell(text.trim_end()),
        }
        super::FAILURE
    }

    /// A failure of which `message` says everything.
    pub fn new(message: impl Into<String>) -> Self {
        Failure { message: message.into(), help: None, cause: None }.into()
    }

    /// A failure that has a way out.
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure { message: message.into(), help: Some(help.into()), cause: None }.into()
    }

    /// A failure of reading or writing `path`.
    pub fn io(path: &Path, what: &str, cause: io::Error) -> Self {
        Failure { message: format!("`{}` {what}", shown(path)), help: None, cause: Some(cause) }.into()
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure.into())
    }
}

/// A failure with what led to it and a way out.
#[derive(Debug)]
struct Failure {
    message: String,
    help: Option<String>,
    cause: Option<io::Error>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.message))
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as _)
    }
}

impl miette::Diagnostic for Failure {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(printable(help)) as _)
    }
}
