//! How serde walks lists, mappings and fields. Each step reports its own mistakes at once, so that
//! whoever catches an error needs no place to put it.

use serde::de::value::{BorrowedStrDeserializer, U32Deserializer};
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess};

use super::fault::{Fault, Outcome};
use super::mapping::Pair;
use super::{Reader, Role};
use crate::source::Span;
use crate::syntax::field::pack;
use crate::syntax::tree::{Kind, NodeId};

/// The elements of a list.
pub(super) struct Items<'c, 't> {
    list: Reader<'c, 't>,
    rest: std::slice::Iter<'t, NodeId>,
}

impl<'c, 't> Items<'c, 't> {
    #[inline(never)]
    pub(super) fn new(list: Reader<'c, 't>) -> Outcome<Self> {
        match list.node().kind {
            Kind::List(_) => Ok(Self { list, rest: list.context.tree.items(list.id).iter() }),
            Kind::Scalar { .. } | Kind::Mapping { .. } | Kind::Alias(_) | Kind::Lost => Err(list.no_list()),
        }
    }
}

impl<'t> SeqAccess<'t> for Items<'_, 't> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Outcome<Option<S::Value>> {
        let Some(id) = self.rest.next() else { return Ok(None) };
        let role = match self.list.role {
            Role::Value(key) | Role::Element(key) => Role::Element(key),
            role @ (Role::Root | Role::Key) => role,
        };
        let item = self.list.child(*id, Span { file: self.list.key.file, ..Span::default() }, role);
        seed.deserialize(item).map(Some).map_err(|fault| item.caught(fault))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// Fields of a struct, already checked.
    Fields,
    /// Names that the user chose.
    Names,
    /// Free JSON.
    Free,
}

/// The keys and values of a mapping.
pub(super) struct Pairs<'c, 't> {
    mapping: Reader<'c, 't>,
    rest: std::vec::IntoIter<Pair>,
    value: Option<Reader<'c, 't>>,
    keys: Keys,
}

impl<'c, 't> Pairs<'c, 't> {
    pub(super) fn fields(mapping: Reader<'c, 't>, pairs: Vec<Pair>) -> Self {
        Self { mapping, rest: pairs.into_iter(), value: None, keys: Keys::Fields }
    }

    pub(super) fn named(mapping: Reader<'c, 't>, pairs: Vec<Pair>) -> Self {
        Self { mapping, rest: pairs.into_iter(), value: None, keys: Keys::Names }
    }

    pub(super) fn free(mapping: Reader<'c, 't>, pairs: Vec<Pair>) -> Self {
        Self { mapping, rest: pairs.into_iter(), value: None, keys: Keys::Free }
    }

    /// The next key that may stand here, with its text.
    #[inline(never)]
    fn advance(&mut self) -> Option<(Reader<'c, 't>, &'t str)> {
        loop {
            let pair = self.rest.next()?;
            let tree = self.mapping.context.tree;
            let span = tree.node(pair.key).span;
            let reached = Reader { via: pair.via.or(self.mapping.via), ..self.mapping };
            let key = reached.child(pair.key, span, Role::Key);
            let Some(name) = tree.text(pair.key) else {
                key.say(key.no_text_key());
                continue;
            };
            if self.keys == Keys::Names && name.starts_with("x-") {
                key.say(self.mapping.reserved_name(name, span));
                continue;
            }
            self.value = Some(reached.child(pair.value, span, Role::Value(name)));
            return Some((key, name));
        }
    }
}

impl<'t> MapAccess<'t> for Pairs<'_, 't> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Outcome<Option<S::Value>> {
        let Some((key, name)) = self.advance() else { return Ok(None) };
        if self.keys == Keys::Fields {
            return seed.deserialize(BorrowedStrDeserializer::<Fault>::new(name)).map(Some);
        }
        seed.deserialize(key).map(Some).map_err(|fault| key.caught(fault))
    }

    fn next_value_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Outcome<S::Value> {
        let Some(value) = self.value.take() else { return Err(Fault::Reported) };
        seed.deserialize(value).map_err(|fault| value.caught(fault))
    }
}

/// A value together with its places: see `field::FieldVisitor` for the other end.
pub(super) struct FieldAccess<'c, 't> {
    value: Reader<'c, 't>,
    step: u8,
}

impl<'c, 't> FieldAccess<'c, 't> {
    pub(super) fn new(value: Reader<'c, 't>) -> Self {
        Self { value, step: 0 }
    }
}

impl<'t> SeqAccess<'t> for FieldAccess<'_, 't> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Outcome<Option<S::Value>> {
        self.step += 1;
        let value = self.value;
        let (places, file) = pack(value.key, value.place());
        match self.step {
            1 => seed.deserialize(IntoDeserializer::<Fault>::into_deserializer(places)),
            2 => seed.deserialize(U32Deserializer::<Fault>::new(file)),
            _ if value.has_no_value() => Err(Fault::Reported),
            _ => seed.deserialize(value).map_err(|fault| value.caught(fault)),
        }
        .map(Some)
    }
}

impl Reader<'_, '_> {
    /// Reports the fault; who gets the rest needs to know only that there was one.
    #[inline(never)]
    pub(super) fn caught(&self, fault: Fault) -> Fault {
        self.report(fault);
        Fault::Reported
    }

    /// The place of the value itself, also where it is reached through an alias.
    fn place(&self) -> Span {
        let span = self.span();
        if span.end > span.start || self.key.end == self.key.start { span } else { self.key }
    }
}
