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

/// A sum as it stands in a note: values that a label explains stand alone, others with their name.
/// `written` shows a value as the user wrote it.
pub fn in_note(terms: &[Term], written: impl Fn(Duration, Span) -> String) -> String {
    let show = |term: &Term| {
        let value = match term.span.start < term.span.end {
            true if matches!(term.origin, Origin::Written) => written(term.value, term.span),
            _ => shown(term).to_string(),
        };
        let labelled = term.span.start < term.span.end && matches!(term.origin, Origin::Written);
        let value = format!("{}{value}{}", times(term), by(term));
        let aside = match term.origin {
            Origin::Broker(fact) => format!(" (the default of {})", fact.broker.title()),
            Origin::Written | Origin::Derived => String::new(),
        };
        if labelled { value } else { format!("{value} {}{aside}", term.name) }
    };
    terms.iter().map(show).collect::<Vec<_>>().join(" + ")
}

/// A sum as it stands in a table: every value behind its name.
pub fn in_table(terms: &[Term], written: impl Fn(Duration, Span) -> String) -> String {
    let show = |term: &Term| {
        let value = match term.name {
            // The wait is shown as the user wrote it, and needs no name behind a count.
            "cap" => written(term.value, term.span),
            // Explained in a row of its own.
            "crashes" => "crashes".to_owned(),
            name => format!("{name} {}", shown(term)),
        };
        format!("{}{value}{}", times(term), by(term))
    };
    terms.iter().map(show).collect::<Vec<_>>().join(" + ")
}

fn times(term: &Term) -> String {
    if term.count == 1 { String::new() } else { format!("{} × ", term.count) }
}

fn by(term: &Term) -> String {
    if term.factor == 1.0 { String::new() } else { format!(" × {}", crate::units::trim(term.factor)) }
}

/// A value that came out of a division is shown up to the second, like the sum that it goes into.
fn shown(term: &Term) -> Duration {
    let divided = matches!(term.name, "replaying it" | "drain");
    if divided { term.value.ceil_to(Duration::from_secs(1)) } else { term.value }
}
