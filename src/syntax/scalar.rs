//! Types that are written as one scalar with a notation of their own, such as `5m` or `256KiB`.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, Visitor};

use crate::diagnostic::{Applicability, Code};

/// What is wrong with the text of a scalar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The rule that it breaks.
    pub code: Code,
    /// The fact, beginning with the text at fault.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// What to write in its place, and how far that may be trusted.
    pub replacement: Option<(String, Applicability)>,
}

impl Problem {
    /// A problem of the rule `code`.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, replacement: None }
    }

    /// What to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What to write in its place.
    pub fn replace(mut self, text: impl Into<String>, applicability: Applicability) -> Self {
        self.replacement = Some((text.into(), applicability));
        self
    }
}

/// A type that is written as one scalar. Declare it with `scalar!(Name)` to use it in a model.
pub trait Scalar: Sized {
    /// What it is, with an article: `a duration such as 30s`.
    const EXPECTED: &'static str;

    /// Reads the text, plain or quoted.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    fn parse(text: &str) -> Result<Self, Problem>;

    /// Its JSON Schema, draft-07.
    fn schema() -> serde_json::Value;
}

/// By this name the bridge knows that the raw text is wanted.
pub(super) const RAW: &str = "$raw";

thread_local! {
    /// Serde carries only a message through `Error::custom`; the rest of a problem waits here.
    static WAITING: RefCell<Option<Problem>> = const { RefCell::new(None) };
}

/// The problem behind the `Error::custom` that is being made.
pub(super) fn take_problem() -> Option<Problem> {
    WAITING.with(|waiting| waiting.borrow_mut().take())
}

/// What `scalar!` makes of `Deserialize`.
///
/// # Errors
/// The problem that [`Scalar::parse`] found.
pub fn read<'de, T: Scalar, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(RAW, Text(PhantomData))
}

struct Text<T>(PhantomData<T>);

impl<T: Scalar> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::parse(text).map_err(|problem| {
            let message = problem.message.clone();
            WAITING.with(|waiting| *waiting.borrow_mut() = Some(problem));
            E::custom(message)
        })
    }
}

/// Makes types that are [`Scalar`] readable from a contract and visible in its schema.
#[allow(unused_macros, reason = "the units use it")]
macro_rules! scalar {
    ($($name:ident),+ $(,)?) => {$(
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::syntax::scalar::read(deserializer)
            }
        }

        impl ::schemars::JsonSchema for $name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                let schema = <$name as $crate::syntax::Scalar>::schema();
                ::schemars::Schema::try_from(schema).unwrap_or_default()
            }
        }
    )+};
}
#[allow(unused_imports, reason = "the units use it")]
pub(crate) use scalar;
