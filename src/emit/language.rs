//! The only values that a template may print. Each knows how it is written in the target's language, so
//! that no text of a contract can become anything but text.

pub(super) mod json;
mod markdown;
pub(super) mod promql;
pub(super) mod rust;
mod shell;
pub(super) mod sql;
mod yaml;

use std::sync::Arc;

use minijinja::value::{Object, ObjectRepr};
use minijinja::{Error, ErrorKind, Output, Value};
use serde::{Serialize, Serializer};

use crate::units::trim;

pub(super) use shell::is_plain;

/// Text for people: anything may stand in it.
#[derive(Debug, Clone)]
pub(super) struct Lit(String);

/// A name that a machine knows: a queue, a table, a field, and the variable that stands for it in a
/// command where the name itself would mean something to a shell.
#[derive(Debug, Clone)]
pub(super) struct Ident {
    name: String,
    variable: &'static str,
}

/// Text within a comment.
#[derive(Debug, Clone)]
pub(super) struct Comment(String);

/// A value in YAML: anything may stand in it.
#[derive(Debug, Clone)]
pub(super) struct Scalar(String);

/// Text within a comment of YAML.
#[derive(Debug, Clone)]
pub(super) struct Remark(String);

/// A value in JSON.
#[derive(Debug, Clone)]
pub(super) enum Json {
    /// Anything may stand in it.
    Text(String),
    /// A number.
    Number(f64),
    /// None.
    Null,
}

/// Text that is in the target's language already: the outcome of a filter or of another template.
#[derive(Debug, Clone)]
pub(super) struct Done(String);

impl Lit {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl Ident {
    pub(super) fn new(name: impl Into<String>, variable: &'static str) -> Self {
        Self { name: name.into(), variable }
    }
}

impl Comment {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl Scalar {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl Remark {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl Json {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn count(number: u32) -> Self {
        Self::Number(f64::from(number))
    }

    fn written(&self) -> String {
        match self {
            Self::Text(text) => json::quoted(text),
            Self::Number(number) => trim(*number),
            Self::Null => "null".to_owned(),
        }
    }
}

impl Done {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

macro_rules! objects {
    ($($name:ident),+) => {$(
        impl Object for $name {
            fn repr(self: &Arc<Self>) -> ObjectRepr {
                ObjectRepr::Plain
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Value::from_object(self.clone()).serialize(serializer)
            }
        }
    )+};
}

objects!(Lit, Ident, Comment, Scalar, Remark, Json, Done);

/// Prints a typed value. Everything else is a raw hole, which is an error in the template.
pub(super) fn format(out: &mut Output<'_>, value: &Value) -> Result<(), Error> {
    let text = if let Some(text) = value.downcast_object_ref::<Done>() {
        text.0.clone()
    } else if let Some(text) = value.downcast_object_ref::<Lit>() {
        markdown::text(&text.0)
    } else if let Some(ident) = value.downcast_object_ref::<Ident>() {
        markdown::code(&ident.name)
    } else if let Some(text) = value.downcast_object_ref::<Comment>() {
        markdown::comment(&text.0)
    } else if let Some(text) = value.downcast_object_ref::<Scalar>() {
        yaml::quoted(&text.0)
    } else if let Some(text) = value.downcast_object_ref::<Remark>() {
        yaml::comment(&text.0)
    } else if let Some(value) = value.downcast_object_ref::<Json>() {
        value.written()
    } else {
        return Err(untyped("prints"));
    };
    out.write_str(&text).map_err(Error::from)
}

fn untyped(what: &str) -> Error {
    Error::new(
        ErrorKind::InvalidOperation,
        format!("a hole {what} a value without a type of the target's language"),
    )
}

fn plain(value: &Value) -> Result<&str, Error> {
    let lit = value.downcast_object_ref::<Lit>().map(|text| text.0.as_str());
    let ident = value.downcast_object_ref::<Ident>().map(|ident| ident.name.as_str());
    lit.or(ident).ok_or_else(|| untyped("formats"))
}

fn done(text: String) -> Value {
    Value::from_object(Done(text))
}

/// Text that somebody copies, such as a command.
pub(super) fn code(value: &Value) -> Result<Value, Error> {
    Ok(done(markdown::code(plain(value)?)))
}

/// An address that can be followed, where it is one.
pub(super) fn link(value: &Value) -> Result<Value, Error> {
    Ok(done(markdown::link(plain(value)?)))
}

/// A name inside the double quotes of a command.
pub(super) fn shell(value: &Value) -> Result<Value, Error> {
    let ident = value.downcast_object_ref::<Ident>().ok_or_else(|| untyped("puts into a command"))?;
    Ok(done(shell::quoted(&ident.name, ident.variable)))
}
