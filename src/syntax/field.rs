//! What a model is made of: values that know where they stand, and whether they were written at all.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::bridge::missing;
use crate::source::{FileId, Span};

/// A value of a mapping: absent, written but wrong (and reported), or good.
///
/// Its parts are private so that a [`Section`] behind it may have fields of any name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<T, const REQUIRED: bool> {
    value: Option<T>,
    span: Span,
    key: Span,
}

/// A field that a contract must have.
pub type Req<T> = Field<T, true>;
/// A field that a contract may have.
pub type Opt<T> = Field<T, false>;

impl<T, const R: bool> Field<T, R> {
    /// A good value with its place and that of its key.
    pub fn new(value: T, span: Span, key: Span) -> Self {
        Self { value: Some(value), span, key }
    }

    /// The value, if it is there and good.
    pub fn get(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The value, if it is there and good, to complete it.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.as_mut()
    }

    /// Whether it is written, even if it is wrong.
    pub fn given(&self) -> bool {
        self.value.is_some() || self.span != Span::default() || self.key != Span::default()
    }

    /// The place of the value; the default span if it is not written.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The place of its key; empty for an element of a list.
    pub fn key(&self) -> Span {
        self.key
    }
}

impl<T, const R: bool> Default for Field<T, R> {
    fn default() -> Self {
        Self { value: None, span: Span::default(), key: Span::default() }
    }
}

/// A mapping of the model with an empty value, so that absent sections can be looked through.
pub trait Section: Sized + 'static {
    /// The section that nobody wrote.
    fn empty() -> &'static Self;
}

impl<T: Section, const R: bool> Deref for Field<T, R> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.value {
            Some(value) => value,
            None => T::empty(),
        }
    }
}

/// Makes [`Section`]s of types that have a `Default`.
#[allow(unused_macros, reason = "the model uses it")]
macro_rules! sections {
    ($($name:ty),+ $(,)?) => {$(
        impl $crate::syntax::Section for $name {
            fn empty() -> &'static Self {
                static EMPTY: ::std::sync::LazyLock<$name> = ::std::sync::LazyLock::new(Default::default);
                &EMPTY
            }
        }
    )+};
}
#[allow(unused_imports, reason = "the model uses it")]
pub(crate) use sections;

/// A list that keeps its good elements; the others are reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List<T>(Vec<Req<T>>);

impl<T> List<T> {
    /// The good elements with their places.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&T, Span)> {
        self.0.iter().filter_map(|field| Some((field.get()?, field.span())))
    }

    /// How many good elements there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no good element.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first good element.
    pub fn first(&self) -> Option<&T> {
        self.0.first().and_then(Field::get)
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> FromIterator<Req<T>> for List<T> {
    fn from_iter<I: IntoIterator<Item = Req<T>>>(fields: I) -> Self {
        Self(fields.into_iter().filter(|field| field.value.is_some()).collect())
    }
}

impl<T: 'static> List<T> {
    const EMPTY: &'static Self = &Self(Vec::new());
}

impl<T: 'static> Section for List<T> {
    fn empty() -> &'static Self {
        Self::EMPTY
    }
}

/// One entry of a [`Map`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<T> {
    /// The name that the user chose.
    pub name: String,
    /// Where the name stands.
    pub key: Span,
    /// What stands behind it.
    pub value: Req<T>,
}

/// A mapping with names that the user chooses, in the user's order. Entries with a wrong value stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map<T>(Vec<Entry<T>>);

impl<T> Map<T> {
    /// The entries in the order of the file.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry<T>> {
        self.0.iter()
    }

    /// The entry of that name.
    pub fn named(&self, name: &str) -> Option<&Entry<T>> {
        self.0.iter().find(|entry| entry.name == name)
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> FromIterator<Entry<T>> for Map<T> {
    fn from_iter<I: IntoIterator<Item = Entry<T>>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<T: 'static> Map<T> {
    const EMPTY: &'static Self = &Self(Vec::new());
}

impl<T: 'static> Section for Map<T> {
    fn empty() -> &'static Self {
        Self::EMPTY
    }
}

/// By this name the bridge knows that a value is wanted together with its places.
pub(super) const FIELD: &str = "$field";

/// Two places of one file as serde can carry them.
pub(super) fn pack(key: Span, value: Span) -> (u128, u32) {
    let words = [key.start, key.end, value.start, value.end];
    (words.iter().fold(0, |packed, word| packed << 32 | u128::from(*word)), value.file.0)
}

fn unpack(packed: u128, file: u32) -> (Span, Span) {
    #[allow(clippy::cast_possible_truncation, reason = "the mask leaves 32 bits")]
    let word = |index: u32| (packed >> (96 - 32 * index) & u128::from(u32::MAX)) as u32;
    let file = FileId(file);
    (Span { file, start: word(0), end: word(1) }, Span { file, start: word(2), end: word(3) })
}

struct FieldVisitor<T, const R: bool>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const R: bool> Visitor<'de> for FieldVisitor<T, R> {
    type Value = Field<T, R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Field::default())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_newtype_struct(FIELD, self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let packed = parts.next_element()?.unwrap_or_default();
        let file = parts.next_element()?.unwrap_or_default();
        let (key, span) = unpack(packed, file);
        // An error of the value is reported where it happens; here it only means that there is none.
        let value = parts.next_element::<T>().unwrap_or(None);
        Ok(Field { value, span, key })
    }
}

impl<'de, T: Deserialize<'de>, const R: bool> Deserialize<'de> for Field<T, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = FieldVisitor(PhantomData);
        if !R {
            return deserializer.deserialize_option(visitor);
        }
        // A missing key comes here as an error that has noted the key's name. Only that one is
        // swallowed: behind serde's own buffering others would be lost in silence.
        let mark = missing::count();
        match deserializer.deserialize_newtype_struct(FIELD, visitor) {
            Err(_) if missing::count() > mark => Ok(Field::default()),
            result => result,
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Req<T>>::deserialize(deserializer)?.into_iter().collect())
    }
}

struct MapVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for MapVisitor<T> {
    type Value = Map<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Map<T>, A::Error> {
        let mut entries = Vec::new();
        while let Some(name) = access.next_key::<Req<String>>()? {
            let value = access.next_value::<Req<T>>()?;
            if let Field { value: Some(text), span, .. } = name {
                entries.push(Entry { name: text, key: span, value });
            }
        }
        Ok(Map(entries))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Map<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MapVisitor(PhantomData))
    }
}
