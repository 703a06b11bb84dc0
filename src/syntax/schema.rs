//! The same types as JSON Schema: the wrappers do not show, and every object is closed.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::field::{Field, List, Map};

/// The draft-07 schema of `T`.
pub fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft07().with_transform(close);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// No object has other keys than its own and those that start with `x-`.
fn close(schema: &mut Schema) {
    schemars::transform::transform_subschemas(&mut close, schema);
    let Some(object) = schema.as_object_mut() else { return };
    truth(object);
    limit(object);
    if object.contains_key("properties") {
        object.insert("additionalProperties".to_owned(), false.into());
        object.insert("patternProperties".to_owned(), serde_json::json!({"^x-": true}));
    }
}

/// The reader refuses an integer that its type cannot hold, and `uint32` is a word of our own.
fn limit(object: &mut serde_json::Map<String, Value>) {
    let most = match object.get("format").and_then(Value::as_str) {
        Some("uint32") => u64::from(u32::MAX),
        Some("uint64") => u64::MAX,
        _ => return,
    };
    object.remove("format");
    object.entry("maximum").or_insert_with(|| most.into());
}

/// Words `true` and `false` of an enum are written without quotes: they are booleans to a schema.
fn truth(object: &mut serde_json::Map<String, Value>) {
    let boolean = |value: &Value| value.as_str().and_then(|word| word.parse::<bool>().ok());
    let mut words: Vec<&mut Value> = Vec::new();
    for (key, value) in object.iter_mut() {
        match (key.as_str(), value) {
            ("const", value) => words.push(value),
            ("enum", Value::Array(values)) => words.extend(values),
            _ => {}
        }
    }
    let mut changed = false;
    for word in words {
        if let Some(truth) = boolean(word) {
            *word = truth.into();
            changed = true;
        }
    }
    if changed {
        // The values say their types themselves.
        object.remove("type");
    }
}

impl<T: JsonSchema, const R: bool> JsonSchema for Field<T, R> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }

    fn _schemars_private_is_option() -> bool {
        !R
    }
}

impl<T: JsonSchema> JsonSchema for List<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("ListOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "array", "items": generator.subschema_for::<T>()})
    }
}

impl<T: JsonSchema> JsonSchema for Map<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("MapOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "propertyNames": {"not": {"pattern": "^x-"}},
            "additionalProperties": generator.subschema_for::<T>(),
        })
    }
}
