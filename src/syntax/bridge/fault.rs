//! The error that travels through serde.

use std::fmt;

use serde::de::Error;

use super::missing;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::source::Span;
use crate::syntax::WRONG_TYPE;
use crate::syntax::scalar::{Problem, take_problem};

pub(super) type Outcome<T> = Result<T, Fault>;

/// Why a value could not be made.
#[derive(Debug)]
pub(super) enum Fault {
    /// It is reported already.
    Reported,
    /// This is to be reported.
    Found(Box<Diagnostic>),
    /// This is to be reported once it is known where it stands.
    Homeless(Box<Problem>),
}

impl Fault {
    pub(super) fn found(finding: Diagnostic) -> Self {
        Fault::Found(Box::new(finding))
    }

    /// Gives a homeless fault its place; the innermost place wins.
    #[inline(never)]
    pub(super) fn at(self, span: Span) -> Self {
        match self {
            Fault::Homeless(problem) => Fault::found(place(*problem, span)),
            Fault::Reported | Fault::Found(_) => self,
        }
    }

    /// The finding, unless it is reported already.
    pub(super) fn finding(self, span: Span) -> Option<Diagnostic> {
        match self {
            Fault::Reported => None,
            Fault::Found(finding) => Some(*finding),
            Fault::Homeless(problem) => Some(place(*problem, span)),
        }
    }
}

fn place(problem: Problem, span: Span) -> Diagnostic {
    let mut finding = Diagnostic::new(problem.code, span, problem.message);
    finding.help = problem.help;
    if let Some((text, applicability)) = problem.replacement {
        let title = format!("write `{text}`");
        finding.fix = Some(Fix { title, applicability, edits: vec![Edit { span, text }] });
    }
    finding
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Reported => f.write_str("reported"),
            Fault::Found(finding) => f.write_str(&finding.message),
            Fault::Homeless(problem) => f.write_str(&problem.message),
        }
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let problem = take_problem().unwrap_or_else(|| Problem::new(WRONG_TYPE, message.to_string()));
        Fault::Homeless(Box::new(problem))
    }

    fn missing_field(name: &'static str) -> Self {
        missing::note(name);
        Fault::Reported
    }
}
