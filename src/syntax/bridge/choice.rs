//! Enums: words, a tag, or a choice by shape.

use std::fmt;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, MapAccess, VariantAccess, Visitor};

use super::fault::{Fault, Outcome};
use super::value::shown;
use super::{Reader, Role};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::source::Span;
use crate::syntax::nearest::{nearest, one_of};
use crate::syntax::reading::Reading;
use crate::syntax::tree::{Kind, Style};
use crate::syntax::{MISSING_FIELD, UNKNOWN_VALUE, YAML_SURPRISE};

const SCALAR: &str = "scalar";
const MAPPING: &str = "mapping";
const LIST: &str = "list";

/// A variant that was chosen, with the node that fills it.
pub(super) struct Choice<'c, 't> {
    body: Reader<'c, 't>,
    word: &'t str,
}

impl Choice<'_, '_> {
    pub(super) fn span(&self) -> Span {
        self.body.span()
    }
}

impl<'c, 't> Reader<'c, 't> {
    #[inline(never)]
    pub(super) fn choose(
        self,
        name: &'static str,
        variants: &'static [&'static str],
    ) -> Outcome<Choice<'c, 't>> {
        let reader = self.resolve()?;
        match name.split_once('#') {
            None => reader.by_word(variants),
            Some((_, "?")) => reader.by_shape(variants),
            Some((_, tag)) => reader.by_tag(tag, variants),
        }
    }

    fn by_word(self, variants: &'static [&'static str]) -> Outcome<Choice<'c, 't>> {
        let Some((text, _)) = self.scalar() else { return Err(self.expected(&one_of(variants))) };
        match variants.iter().find(|word| **word == text) {
            Some(word) => {
                self.judge_word(word);
                Ok(Choice { body: self, word })
            }
            None => Err(self.unknown_word(text, variants, &[])),
        }
    }

    fn by_shape(self, variants: &'static [&'static str]) -> Outcome<Choice<'c, 't>> {
        let (shapes, words): (Vec<&str>, Vec<&str>) =
            variants.iter().partition(|name| matches!(**name, SCALAR | MAPPING | LIST));
        let shape = match self.node().kind {
            Kind::Mapping { .. } => MAPPING,
            Kind::List(_) => LIST,
            Kind::Scalar { .. } | Kind::Alias(_) | Kind::Lost => SCALAR,
        };
        if let Some((text, _)) = self.scalar()
            && let Some(word) = variants.iter().find(|word| **word == text && words.contains(word))
        {
            self.judge_word(word);
            return Ok(Choice { body: self, word });
        }
        if let Some(word) = shapes.iter().find(|name| **name == shape) {
            return Ok(Choice { body: self, word });
        }
        let others: Vec<&str> = shapes
            .iter()
            .map(|name| match *name {
                MAPPING => "a mapping",
                LIST => "a list",
                _ => "a single value",
            })
            .collect();
        match self.scalar() {
            Some((text, _)) if !words.is_empty() => Err(self.unknown_word(text, &words, &others)),
            _ => {
                let words = words.iter().map(|word| format!("`{word}`"));
                let all: Vec<String> = words.chain(others.iter().map(|&other| other.to_owned())).collect();
                Err(self.expected(&all.join(" or ")))
            }
        }
    }

    fn by_tag(self, tag: &'static str, variants: &'static [&'static str]) -> Outcome<Choice<'c, 't>> {
        let Kind::Mapping { .. } = self.node().kind else {
            return Err(self.expected(&format!("a mapping with `{tag}`")));
        };
        let tree = self.context.tree;
        let pairs = self.entries()?;
        let Some(pair) = pairs.iter().find(|pair| tree.text(pair.key) == Some(tag)) else {
            if self.context.damaged {
                return Err(Fault::Reported);
            }
            let message = format!("`{tag}` is missing in {}", self.subject());
            let finding = Diagnostic::new(MISSING_FIELD, self.heading(), message)
                .at(format!("`{tag}` belongs here"))
                .help(format!("add `{tag}` with {}", one_of(variants)));
            return Err(Fault::found(finding));
        };
        let key = tree.node(pair.key).span;
        let value = Reader { via: pair.via.or(self.via), ..self.child(pair.value, key, Role::Value(tag)) };
        if value.has_no_value() {
            return Err(Fault::Reported);
        }
        let chosen = value.resolve()?.by_word(variants).map_err(|fault| value.caught(fault))?;
        Ok(Choice { body: Reader { tag: Some((tag, chosen.word)), ..self }, word: chosen.word })
    }

    /// A word that another reader of YAML takes for a boolean.
    fn judge_word(&self, word: &str) {
        if let Some((_, Style::Plain)) = self.scalar()
            && let Reading::OldBool(truth) = Reading::of(word)
        {
            let message = format!("`{word}` without quotes is the boolean {truth} to a YAML 1.1 reader");
            let quoted = format!("\"{word}\"");
            let title = format!("{word} -> {quoted}");
            let finding = Diagnostic::new(YAML_SURPRISE, self.span(), message)
                .at("read in two ways")
                .help(format!("write `{quoted}`"))
                .replace(Applicability::Safe, self.span(), quoted, title);
            self.say(finding);
        }
    }

    fn unknown_word(&self, text: &str, words: &[&str], others: &[&str]) -> Fault {
        let message = format!("`{}` is not a value of {}", shown(text), self.subject());
        let mut allowed = one_of(words);
        for other in others {
            allowed = format!("{allowed}, or {other}");
        }
        let finding = Diagnostic::new(UNKNOWN_VALUE, self.span(), message).at("unknown value");
        Fault::found(match nearest(text, words.iter().copied()).as_slice() {
            [] => finding.help(format!("write {allowed}")),
            [near] => finding.note(format!("allowed: {allowed}")).help(format!("write `{near}`")).replace(
                Applicability::Safe,
                self.span(),
                *near,
                format!("{} -> {near}", shown(text)),
            ),
            several => finding.note(format!("allowed: {allowed}")).help(format!("write {}", one_of(several))),
        })
    }
}

impl<'c, 't> EnumAccess<'t> for Choice<'c, 't> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'t>>(self, seed: S) -> Outcome<(S::Value, Self)> {
        let value = seed.deserialize(BorrowedStrDeserializer::<Fault>::new(self.word))?;
        Ok((value, self))
    }
}

impl<'t> VariantAccess<'t> for Choice<'_, 't> {
    type Error = Fault;

    fn unit_variant(self) -> Outcome<()> {
        if self.body.tag.is_some() { self.body.structure(&[], NoFields) } else { Ok(()) }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'t>>(self, seed: S) -> Outcome<S::Value> {
        seed.deserialize(self.body)
    }

    fn tuple_variant<V: Visitor<'t>>(self, _: usize, _: V) -> Outcome<V::Value> {
        Err(self.body.expected("a mapping"))
    }

    fn struct_variant<V: Visitor<'t>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Outcome<V::Value> {
        self.body.structure(fields, visitor)
    }
}

/// The body of a tagged variant that has nothing but its tag.
struct NoFields;

impl<'t> Visitor<'t> for NoFields {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no fields")
    }

    fn visit_map<A: MapAccess<'t>>(self, _: A) -> Result<(), A::Error> {
        Ok(())
    }
}
