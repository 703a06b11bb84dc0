//! Why a run ended before it could do what was asked: exit code 2.

use std::io;
use std::path::Path;

use super::output::{Streams, shown};
use crate::report::failure::Failure;

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
        Self::Failure(Failure::new("run::refused", message).into())
    }

    /// A failure that has a way out.
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Failure(Failure::new("run::refused", message).help(help).into())
    }

    /// A failure of reading or writing `path`.
    pub fn io(path: &Path, what: &str, cause: io::Error) -> Self {
        Self::Failure(Failure::new("run::io", format!("`{}` {what}", shown(path))).cause(cause).into())
    }
}
