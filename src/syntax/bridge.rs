//! Tree -> typed values through serde, reporting instead of stopping.
//!
//! # How a type of the model is written
//!
//! A mapping. Every field is a `Req` or an `Opt`; lists are `List`, mappings with names that the
//! user chooses are `Map`. A bare `T` or `Option<T>` would end its struct at the first mistake.
//!
//! ```text
//! /// How the work on a message runs.            (doc comments are published in the schema)
//! #[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! struct Processing { lock: Opt<Lock>, consumers: Opt<u32>, tries: Req<List<Try>>, by_name: Opt<Map<Try>> }
//! sections!(Processing, Lock);                  // contract.processing.lock.timeout.get()
//! ```
//!
//! Words:
//!
//! ```text
//! #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
//! #[serde(rename_all = "kebab-case")]
//! enum Guarantee { AtLeastOnce, AtMostOnce }
//! ```
//!
//! A mapping whose key `kind` says which one it is: the name carries `#kind`. `schemars` is told the
//! same in its own words; serde's `tag` would lose every place.
//!
//! ```text
//! #[derive(Debug, Clone, Deserialize, JsonSchema)]
//! #[serde(rename = "Broker#kind", rename_all = "kebab-case")]
//! #[schemars(rename = "Broker", tag = "kind")]
//! enum Broker { Kafka(Kafka), Sqs { fifo: Opt<bool> }, Memory }
//! ```
//!
//! A choice by shape: the name carries `#?`; the variants `Scalar`, `Mapping` and `List` take that
//! shape, every other one is a word (a word goes before `Scalar`). Words `true` and `false` are the
//! booleans.
//!
//! ```text
//! #[derive(Debug, Clone, Deserialize, JsonSchema)]
//! #[serde(rename = "Outbox#?", rename_all = "kebab-case")]
//! #[schemars(rename = "Outbox")]
//! enum Outbox {
//!     None,
//!     #[schemars(untagged)]
//!     Scalar(TableName),
//!     #[schemars(untagged)]
//!     Mapping(OutboxTable),
//! }
//! ```
//!
//! One scalar with a notation of its own: implement `Scalar` and declare it with `scalar!(Duration)`.
//!
//! Serde's `flatten`, `untagged` and `tag` are not for the model: they buffer, and lose the places.

mod access;
mod choice;
mod context;
mod fault;
mod mapping;
pub(super) mod missing;
mod value;

use serde::Deserialize;
use serde::de::{Deserializer, Visitor};

use self::access::{FieldAccess, Items, Pairs};
use self::context::Context;
use self::fault::{Fault, Outcome};
use super::MISSING_FIELD;
use super::field::FIELD;
use super::scalar::RAW;
use super::tree::{Document, Kind, Node, NodeId, Style, Tree};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Reads a document into `T`. Every mistake goes to `out`, behind what was found in the same file so far;
/// what is right is in the result, which is
/// `None` only where the document as a whole cannot be a `T`.
pub fn load<'t, T: Deserialize<'t>>(
    tree: &'t Tree<'t>,
    document: &Document,
    out: &mut Vec<Diagnostic>,
) -> Option<T> {
    let context = Context::new(tree, document.damaged, out.len());
    let reader = Reader {
        context: &context,
        id: document.root,
        key: Span::default(),
        role: Role::Root,
        tag: None,
        via: None,
    };
    missing::forget();
    let value = if reader.has_no_value() {
        None
    } else {
        T::deserialize(reader).map_err(|fault| reader.report(fault)).ok()
    };
    out.append(&mut context.into_findings());
    value
}

/// What a node is to the one that holds it.
#[derive(Clone, Copy)]
enum Role<'t> {
    Root,
    /// The value of this key.
    Value(&'t str),
    /// An element of the list behind this key.
    Element(&'t str),
    /// A key that the user chose.
    Key,
}

/// A node that is about to be read.
#[derive(Clone, Copy)]
struct Reader<'c, 't> {
    context: &'c Context<'t>,
    id: NodeId,
    /// Its key; empty for the root and for elements of a list.
    key: Span,
    role: Role<'t>,
    /// The key and the word that already chose the variant: it is no field of its own.
    tag: Option<(&'static str, &'t str)>,
    /// The alias or merge through which it was reached.
    via: Option<Span>,
}

impl<'c, 't> Reader<'c, 't> {
    fn node(&self) -> &'t Node<'t> {
        self.context.tree.node(self.id)
    }

    fn span(&self) -> Span {
        self.node().span
    }

    fn child(&self, id: NodeId, key: Span, role: Role<'t>) -> Self {
        Self { id, key, role, tag: None, ..*self }
    }

    /// The anchored node, if this one is an alias.
    fn resolve(mut self) -> Outcome<Self> {
        match self.node().kind {
            Kind::Alias(target) => {
                self.via = self.via.or(Some(self.span()));
                self.id = target;
                Ok(self)
            }
            Kind::Lost => Err(Fault::Reported),
            Kind::Scalar { .. } | Kind::List(_) | Kind::Mapping { .. } => Ok(self),
        }
    }

    fn scalar(&self) -> Option<(&'t str, Style)> {
        match &self.node().kind {
            Kind::Scalar { text, style } => Some((text, *style)),
            Kind::List(_) | Kind::Mapping { .. } | Kind::Alias(_) | Kind::Lost => None,
        }
    }

    #[inline(never)]
    fn say(&self, mut finding: Diagnostic) {
        if let Some(via) = self.via {
            finding = finding.label(via, "reached through this alias");
        }
        self.context.say(finding);
    }

    #[inline(never)]
    fn report(&self, fault: Fault) {
        if let Some(finding) = fault.finding(self.span()) {
            self.say(finding);
        }
    }

    /// Says which required fields of this mapping were missing since `mark`.
    #[inline(never)]
    fn report_missing(&self, mark: usize) {
        for name in missing::take(mark) {
            if self.context.damaged {
                continue;
            }
            let message = match self.role {
                Role::Root => format!("`{name}` is missing"),
                Role::Value(_) | Role::Element(_) | Role::Key => {
                    format!("`{name}` is missing in {}", self.subject())
                }
            };
            let finding = Diagnostic::new(MISSING_FIELD, self.heading(), message)
                .at(format!("`{name}` belongs here"))
                .help(format!("add `{name}`"));
            self.say(finding);
        }
    }

    /// The place that stands for the whole mapping: its key, or its first one.
    fn heading(&self) -> Span {
        if self.key.end > self.key.start {
            return self.key;
        }
        let first = self.context.tree.pairs(self.id).first();
        first.map_or(self.span(), |(key, _)| self.context.tree.node(*key).span)
    }

    /// The node by name, as the beginning of a sentence.
    fn subject(&self) -> String {
        match self.role {
            Role::Root => "the document".to_owned(),
            Role::Value(key) => format!("`{}`", value::shown(key)),
            Role::Element(key) => format!("an element of `{}`", value::shown(key)),
            Role::Key => "a key".to_owned(),
        }
    }
}

/// Integers differ only in their range.
macro_rules! integers {
    ($($method:ident $visit:ident $type:ty;)*) => {$(
        fn $method<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
            let reader = self.resolve()?;
            let number = reader.integer(<$type>::MIN as i128, <$type>::MAX as i128)?;
            let number = <$type>::try_from(number).map_err(|_| Fault::Reported)?;
            visitor.$visit(number).map_err(|fault: Fault| fault.at(reader.span()))
        }
    )*};
}

/// The generic halves are short on purpose: they are compiled once for each type of the model.
impl<'t> Deserializer<'t> for Reader<'_, 't> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        let reader = self.resolve()?;
        match &reader.node().kind {
            Kind::Mapping { .. } => visitor.visit_map(Pairs::free(reader, reader.entries()?)),
            Kind::List(_) => visitor.visit_seq(Items::new(reader)?),
            Kind::Scalar { text, style } => match value::generic(text, *style) {
                value::Generic::Null => visitor.visit_unit(),
                value::Generic::Bool(truth) => visitor.visit_bool(truth),
                value::Generic::Signed(number) => visitor.visit_i64(number),
                value::Generic::Unsigned(number) => visitor.visit_u64(number),
                value::Generic::Float(number) => visitor.visit_f64(number),
                value::Generic::Text => visitor.visit_borrowed_str(reader.string()?),
            },
            Kind::Alias(_) | Kind::Lost => Err(Fault::Reported),
        }
        .map_err(|fault: Fault| fault.at(reader.span()))
    }

    fn deserialize_bool<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        visitor.visit_bool(self.resolve()?.boolean()?)
    }

    integers! {
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
    }

    fn deserialize_f32<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        visitor.visit_f64(self.resolve()?.number()?)
    }

    fn deserialize_char<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        let reader = self.resolve()?;
        visitor.visit_borrowed_str(reader.string()?).map_err(|fault: Fault| fault.at(reader.span()))
    }

    fn deserialize_string<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'t>>(self, _: &'static str, visitor: V) -> Outcome<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(self, name: &'static str, visitor: V) -> Outcome<V::Value> {
        match name {
            FIELD => visitor.visit_seq(FieldAccess::new(self)),
            RAW => {
                let reader = self.resolve()?;
                let text = reader.raw(&visitor)?;
                let result = visitor.visit_borrowed_str(text);
                reader.judge_raw(text, result.as_ref().err())?;
                result.map_err(|fault: Fault| fault.at(reader.span()))
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        visitor.visit_seq(Items::new(self.resolve()?)?)
    }

    fn deserialize_tuple<V: Visitor<'t>>(self, _: usize, visitor: V) -> Outcome<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'t>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Outcome<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        let reader = self.resolve()?;
        visitor.visit_map(Pairs::named(reader, reader.entries()?))
    }

    fn deserialize_struct<V: Visitor<'t>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Outcome<V::Value> {
        self.structure(fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'t>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Outcome<V::Value> {
        let choice = self.choose(name, variants)?;
        let span = choice.span();
        visitor.visit_enum(choice).map_err(|fault: Fault| fault.at(span))
    }

    fn deserialize_ignored_any<V: Visitor<'t>>(self, visitor: V) -> Outcome<V::Value> {
        visitor.visit_unit()
    }
}
