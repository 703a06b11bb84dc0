//! The terms that a derived length of time is the sum of.

use crate::resolve::{Known, Origin};
use crate::source::Span;
use crate::units::Duration;

/// One term of a sum: `5 × cap 64s`.
#[derive(Debug, Clone, Copy)]
pub struct Term {
    /// How often it is added.
    pub count: u64,
    /// The factor that jitter adds, 1 where there is none.
    pub factor: f64,
    /// What it is called.
    pub name: &'static str,
    /// Its value.
    pub value: Duration,
    /// Where the value was written; empty where it was not.
    pub span: Span,
    /// Where the value came from.
    pub origin: Origin,
}

impl Term {
    /// A term from a value with its origin.
    pub fn known(name: &'static str, known: Known<Duration>) -> Self {
        Self { count: 1, factor: 1.0, name, value: known.value, span: known.span, origin: known.origin }
    }

    /// A term that was itself derived.
    pub fn derived(name: &'static str, value: Duration) -> Self {
        Self::known(name, Known::derived(value))
    }

    /// The term so many times.
    pub fn times(self, count: u64) -> Self {
        Self { count, ..self }
    }

    /// The term longer by a factor.
    pub fn by(self, factor: f64) -> Self {
        Self { factor, ..self }
    }

    /// What the term adds to the sum.
    pub fn total(&self) -> Duration {
        let each = if self.factor == 1.0 { self.value } else { self.value.scale(self.factor) };
        each * self.count
    }
}

/// The sum of terms.
pub fn sum(terms: &[Term]) -> Duration {
    terms.iter().map(Term::total).sum()
}
