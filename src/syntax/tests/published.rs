//! The schema says what the reader takes.

use super::*;
use serde_json::{Value, json};

fn validator() -> (Value, jsonschema::Validator) {
    let schema = schema::<Contract>();
    let validator = jsonschema::draft7::new(&schema).unwrap();
    (schema, validator)
}

#[test]
fn the_wrappers_do_not_show() {
    let (schema, _) = validator();
    assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
    assert_eq!(schema["required"], json!(["queue", "guarantee"]));
    assert_eq!(
        schema["properties"]["queue"],
        json!({"type": "string", "description": "The name of the queue."})
    );
    let order: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let declared = "queue version guarantee processing ordering evidence outbox ttl failures broker examples";
    assert_eq!(order, declared.split(' ').collect::<Vec<_>>());
}

#[test]
fn the_valid_contract_is_valid_and_others_are_not() {
    let (schema, validator) = validator();
    let base = json!({"queue": "q", "guarantee": "at-least-once"});
    let with = |key: &str, value: Value| {
        let mut contract = base.clone();
        contract[key] = value;
        validator.is_valid(&contract)
    };
    assert!(validator.is_valid(&base), "{schema:#}");
    for (key, value) in [
        ("x-note", json!([1])),
        ("processing", json!({"lock": {"timeout": "5m", "x-a": 1}, "key": ["a"]})),
        ("ordering", json!("none")),
        ("ordering", json!({"timeout": "5m"})),
        ("evidence", json!("all")),
        ("evidence", json!(["at-most-once"])),
        ("outbox", json!("orders")),
        ("ttl", json!("forever")),
        ("ttl", json!(false)),
        ("ttl", json!("5m")),
        ("failures", json!({"poison": {"max_retries": 1}})),
        ("broker", json!({"kind": "kafka", "group": "a", "x-b": 1})),
        ("broker", json!({"kind": "sqs"})),
        ("broker", json!({"kind": "memory"})),
    ] {
        assert!(with(key, value.clone()), "{key}: {value} {schema:#}");
    }
    for (key, value) in [
        ("note", json!(1)),
        ("queue", json!(null)),
        ("guarantee", json!("never")),
        ("processing", json!({"lock": {}})),
        ("processing", json!({"lock": {"timeout": "5"}})),
        ("processing", json!({"locks": 1})),
        ("processing", json!(null)),
        ("ordering", json!("some")),
        ("ordering", json!({"mapping": {"timeout": "5m"}})),
        ("ordering", json!({"timeout": "5m", "more": 1})),
        ("evidence", json!("none")),
        ("ttl", json!("false")),
        ("ttl", json!(true)),
        ("failures", json!({"x-poison": {"max_retries": 1}})),
        ("failures", json!({"poison": {"max_retries": 300}})),
        ("broker", json!({"kind": "kafka"})),
        ("broker", json!({"kind": "kafka", "group": "a", "fifo": true})),
        ("broker", json!({"kind": "memory", "group": "a"})),
        ("broker", json!({"group": "a"})),
    ] {
        assert!(!with(key, value.clone()), "{key}: {value} {schema:#}");
    }
}
