//! The JSON Schema of a message: what it declares, and whether the examples keep to it.

use serde_json::Value;

use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Contract, FieldType};
use crate::source::Span;
use crate::syntax::{Entry, Field};

/// So much is said about one example.
const MOST_FAULTS: usize = 3;

/// Reads the schema `text` into the contract, and judges the contract's examples by it.
pub(super) fn read(contract: &mut Contract, text: &str) -> Vec<Diagnostic> {
    let file = &contract.message.schema.file;
    let (span, name) = (file.span(), file.get().cloned().unwrap_or_default());
    let unusable = |why: String| {
        vec![
            Diagnostic::new(Code("AK014"), span, format!("`{name}` is not a JSON Schema: {why}"))
                .at("cannot be used")
                .help("name a file that holds the JSON Schema of one message"),
        ]
    };
    let schema: Value = match serde_json::from_str(text) {
        Ok(schema) => schema,
        Err(error) => return unusable(error.to_string()),
    };
    if let Some(message) = contract.message_mut() {
        message.in_schema = fields(&schema, span);
    }
    if contract.message.examples.is_empty() {
        return Vec::new();
    }
    // To build a validator costs more than all the rest, so it is built only where there is an example.
    // Patterns come from whoever wrote the schema, so they must not cost more than linear time.
    let options = jsonschema::options().with_pattern_options(jsonschema::PatternOptions::regex());
    let validator = match options.build(&schema) {
        Ok(validator) => validator,
        Err(error) => return unusable(error.to_string()),
    };
    let judge = |(example, place): (&crate::model::Example, Span)| {
        let faults = validator.iter_errors(&example.0).take(MOST_FAULTS);
        let faults: Vec<Diagnostic> = faults
            .map(|fault| {
                let path = fault.instance_path().to_string();
                let at = if path.is_empty() { String::new() } else { format!(" at `{path}`") };
                Diagnostic::new(
                    Code("AK015"),
                    place,
                    format!("the example does not keep to `{name}`{at}: {fault}"),
                )
                .at("an example of the message")
                .label(span, "the schema of the message")
                .help("mend the example, or the schema if the example is what is really sent")
            })
            .collect();
        faults
    };
    contract.message.examples.iter().flat_map(judge).collect()
}

/// The properties of a schema as fields of the message. Their places are that of the schema's name.
fn fields(schema: &Value, span: Span) -> crate::syntax::Map<FieldType> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let entry = |(name, property): (&String, &Value)| Entry {
        name: name.clone(),
        key: span,
        value: Field::new(FieldType::of_property(property, !required.contains(&name.as_str())), span, span),
    };
    properties.map(entry).collect()
}
