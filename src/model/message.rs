//! `message`: what one message carries.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;

use super::FieldName;
use crate::diagnostic::Code;
use crate::source::Span;
use crate::syntax::{List, Map, Opt, Problem, Scalar};
use crate::units::{Duration, Size};

/// What one message carries, and how its shape may change.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Message {
    /// The name of the message type.
    pub name: Opt<String>,
    /// What the message means.
    pub description: Opt<String>,
    /// The field that names one event: status look-up and replay select by it.
    pub event_id: Opt<FieldName>,
    /// The field that names one business act: carried through message, logs, rows and metrics.
    pub business_id: Opt<FieldName>,
    /// The fields with their types.
    pub fields: Opt<Map<FieldType>>,
    /// A JSON Schema of the message, instead of `fields`.
    pub schema: Opt<MessageSchema>,
    /// Messages as they occur.
    pub examples: Opt<List<Example>>,
    /// How the shape of the message may change.
    pub schema_version: Opt<SchemaVersion>,
    /// The largest message that the producer sends.
    pub max_size: Opt<Size>,
    /// The largest message that the consumer accepts.
    pub consumer_max_size: Opt<Size>,
    /// Whether a large body travels in the message or by reference.
    pub large_body: Opt<LargeBody>,
    // The fields that the JSON Schema behind `schema` declares, once it is read.
    #[serde(skip)]
    #[schemars(skip)]
    #[allow(missing_docs)]
    pub in_schema: Map<FieldType>,
}

/// Where the JSON Schema of the message is.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct MessageSchema {
    /// A file inside the workspace, relative to the contract.
    pub file: crate::syntax::Req<String>,
}

/// A message as it occurs.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Example(pub serde_json::Value);

impl JsonSchema for Example {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Example".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"description": "A message as it occurs.", "not": {"type": "null"}})
    }
}

/// How the shape of the message may change.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct SchemaVersion {
    /// The version that the producer sends.
    pub current: Opt<u32>,
    /// The versions that the consumer understands.
    pub accepts: Opt<List<u32>>,
    /// The field that carries the version.
    pub field: Opt<FieldName>,
    /// How the shape evolves.
    pub evolution: Opt<Evolution>,
    /// How long ahead a breaking change is announced.
    pub breaking_notice: Opt<Duration>,
    /// What the consumer does with fields that it does not know.
    pub unknown_fields: Opt<UnknownFields>,
}

/// How the shape of messages evolves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Evolution {
    /// Fields are only added.
    Additive,
    /// Each message says its version, and the consumer keeps a branch for each.
    Versioned,
    /// The queue is drained before a release.
    Drain,
}

/// What the consumer does with fields that it does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownFields {
    /// They are ignored, and a mismatch is logged.
    Ignore,
    /// The message is rejected.
    Reject,
}

/// Where a large body travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LargeBody {
    /// In the message.
    Embedded,
    /// In a store of its own; the message says where.
    ByReference,
}

/// The type of a field: `string`, `optional integer`, `list of uuid`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldType {
    /// Whether the field may be absent.
    pub optional: bool,
    /// Whether it is a list.
    pub list: bool,
    /// The type of the value or of the list's elements.
    pub base: BaseType,
}

/// The type of a single value in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BaseType {
    String,
    Integer,
    Number,
    Boolean,
    Timestamp,
    Uuid,
    Decimal,
    Object,
}

impl BaseType {
    const ALL: [(&'static str, Self); 8] = [
        ("string", Self::String),
        ("integer", Self::Integer),
        ("number", Self::Number),
        ("boolean", Self::Boolean),
        ("timestamp", Self::Timestamp),
        ("uuid", Self::Uuid),
        ("decimal", Self::Decimal),
        ("object", Self::Object),
    ];
}

impl Scalar for FieldType {
    const EXPECTED: &'static str = "a type such as string or optional integer";

    fn parse(text: &str) -> Result<Self, Problem> {
        let (optional, rest) = strip(text, "optional ");
        let (list, rest) = strip(rest, "list of ");
        match BaseType::ALL.iter().find(|(word, _)| *word == rest) {
            Some((_, base)) => Ok(Self { optional, list, base: *base }),
            None => Err(Problem {
                code: Code("AK008"),
                message: format!("`{text}` is not a type of a field"),
                help: Some(format!(
                    "types: {}; before them `optional` and `list of`",
                    BaseType::ALL.map(|(word, _)| word).join(", ")
                )),
                replacement: None,
            }),
        }
    }

    fn schema() -> serde_json::Value {
        let words = BaseType::ALL.map(|(word, _)| word).join("|");
        serde_json::json!({"type": "string", "pattern": format!("^(optional )?(list of )?({words})$")})
    }
}

crate::syntax::scalar!(FieldType);

fn strip<'t>(text: &'t str, prefix: &str) -> (bool, &'t str) {
    text.strip_prefix(prefix).map_or((false, text), |rest| (true, rest))
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = BaseType::ALL.iter().find(|(_, base)| *base == self.base).map_or("", |(word, _)| word);
        write!(
            f,
            "{}{}{word}",
            if self.optional { "optional " } else { "" },
            if self.list { "list of " } else { "" }
        )
    }
}

impl Message {
    /// The fields of the message, from the contract or from its JSON Schema.
    pub fn known(&self) -> &Map<FieldType> {
        if self.fields.is_empty() { &self.in_schema } else { &self.fields }
    }

    /// Whether the fields of the message are known, so that a missing one can be told.
    pub fn fields_known(&self) -> bool {
        !self.known().is_empty()
    }

    /// The type of the field `name`, where it is declared.
    pub fn field(&self, name: &str) -> Option<&FieldType> {
        self.known().named(name)?.value.get()
    }

    /// Where the fields are declared, for a sentence.
    pub fn declared_in(&self) -> &'static str {
        if self.fields.is_empty() { "the schema of the message" } else { "`message.fields`" }
    }

    /// Where the fields are declared, to point at.
    pub fn declared_at(&self) -> Span {
        if self.fields.is_empty() { self.schema.file.span() } else { self.fields.key() }
    }
}

impl FieldType {
    /// The type that a property of a JSON Schema has.
    pub fn of_property(property: &serde_json::Value, optional: bool) -> Self {
        let text = |value: &serde_json::Value, key: &str| {
            value.get(key).and_then(|word| word.as_str().map(str::to_owned))
        };
        let list = text(property, "type").as_deref() == Some("array");
        let value = if list { property.get("items").unwrap_or(property) } else { property };
        let base = match (text(value, "type").as_deref(), text(value, "format").as_deref()) {
            (Some("integer"), _) => BaseType::Integer,
            (Some("number"), _) => BaseType::Number,
            (Some("boolean"), _) => BaseType::Boolean,
            (Some("object") | None, _) => BaseType::Object,
            (_, Some("uuid")) => BaseType::Uuid,
            (_, Some("date-time")) => BaseType::Timestamp,
            _ => BaseType::String,
        };
        Self { optional, list, base }
    }
}
