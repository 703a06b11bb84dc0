//! Ackord: a compiler and linter for queue contracts.

pub mod analysis;
pub mod brokers;
pub mod cli;
pub mod config;
pub mod diagnostic;
pub mod emit;
pub mod fix;
pub mod lint;
pub mod model;
pub mod policy;
pub mod report;
pub mod resolve;
pub mod rules;
pub mod source;
pub mod syntax;
pub mod units;

/// The JSON Schema (draft-07) of a contract, from the types that read it.
pub fn schema() -> serde_json::Value {
    let mut schema = syntax::schema::<model::Contract>();
    if let Some(root) = schema.as_object_mut() {
        root.insert("$id".to_owned(), "https://ackord.dev/schema/ackord.v1.json".into());
        root.insert("title".to_owned(), "Ackord queue contract, v1".into());
    }
    schema
}
