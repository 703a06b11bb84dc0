//! First contracts, and stubs of the sections that a contract lacks.
//!
//! There is one template for each flow, a whole contract with holes. A new contract is the template itself;
//! the stub of a section is that section of it, so that both always say the same.

mod complete;
mod insert;
mod page;
mod story;

pub use complete::{Completed, Left, complete};

use crate::lint::{self, Inputs, Report, Settings};
use crate::model::{BrokerKind, Flow, Slug};
use crate::source::SourceFile;
use crate::syntax::Scalar;

/// Why a contract could not be written although everything was asked for rightly: a bug of ours.
pub type Error = minijinja::Error;

/// Every flow, in the order in which it is offered.
pub const FLOWS: [Flow; 5] = [Flow::Money, Flow::Notification, Flow::Telemetry, Flow::Audit, Flow::Task];

/// What a queue may be called where its contract begins: the dead-letter queue needs four letters more.
const LONGEST_NAME: usize = 96;

/// A new contract, and what the linter says about it.
#[derive(Debug)]
pub struct Started {
    /// The text of the contract.
    pub text: String,
    /// How many of its lines are guesses that the user replaces.
    pub guesses: usize,
    /// The linter's report on it.
    pub report: Report,
}

/// Writes the contract of the queue `name`. `schema` is the way from its folder to the JSON Schema.
///
/// # Errors
/// Only if a template is broken, which a test rules out.
pub fn contract(name: &Slug, flow: Flow, broker: BrokerKind, schema: &str) -> Result<Started, Error> {
    let text = page::Page::new(name, flow, broker, schema).render()?;
    let mut inputs = Inputs::default();
    inputs.sources.add(SourceFile::new(format!("{name}.queue.yaml"), text.clone()));
    let report = lint::run(inputs, &Settings::default());
    Ok(Started { guesses: guesses(&text), text, report })
}

/// How many lines of a contract are marked as guesses.
pub fn guesses(text: &str) -> usize {
    text.lines()
        .filter(|line| {
            line.split_once("# guess").is_some_and(|(_, rest)| !rest.starts_with(char::is_alphanumeric))
        })
        .count()
}

/// The name of a queue, or why it cannot be one and what could be instead.
///
/// # Errors
/// Says what is wrong with the name.
pub fn name(text: &str) -> Result<Slug, Unfit> {
    let unfit = |why: String| Unfit { why, instead: slug(text) };
    if text.len() > LONGEST_NAME {
        return Err(unfit(format!("is longer than {LONGEST_NAME} letters")));
    }
    Slug::parse(text).map_err(|_| unfit(format!("is not {}", Slug::EXPECTED)))
}

/// Why a text cannot be the name of a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// The reason: `is longer than …`.
    pub why: String,
    /// The nearest name that could be.
    pub instead: String,
}

/// The nearest name: `Payment Capture` and `PaymentCapture` are `payment-capture`.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    let mut before = ' ';
    for letter in text.chars() {
        let begins_word =
            letter.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if (begins_word || !letter.is_ascii_alphanumeric()) && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        }
        before = letter;
        if slug.len() >= LONGEST_NAME {
            break;
        }
    }
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "payment-capture".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_the_nearest_slug() {
        for (text, wanted) in [
            ("Payment Capture", "payment-capture"),
            ("paymentCapture", "payment-capture"),
            ("..//payments//..", "payments"),
            ("refunds--2", "refunds-2"),
            ("Zahlung_\u{e4}", "zahlung"),
            ("\u{1F4B8}", "payment-capture"),
        ] {
            assert_eq!(slug(text), wanted);
            assert!(name(&slug(text)).is_ok(), "{text}");
        }
        assert!(name(&slug(&"a-".repeat(200))).is_ok());
        assert!(name(&"a".repeat(96)).is_ok() && name(&"a".repeat(97)).is_err());
    }

    #[test]
    fn a_guess_is_a_comment_of_that_word() {
        assert_eq!(guesses("a: 1   # guess\nb: 2   # guess: so\nc: 3   # guesses\nd: guess\n"), 2);
    }
}
