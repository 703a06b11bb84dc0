//! Ackord: a compiler and linter for queue contracts.

pub mod source;
pub mod diagnostic;
pub mod syntax;
pub mod units;
pub mod policy;
pub mod model;
pub mod brokers;
pub mod resolve;
pub mod analysis;
pub mod rules;
pub mod lint;
pub mod fix;
pub mod report;
pub mod emit;
pub mod config;
pub mod cli;

/// The JSON Schema (draft-07) of a contract, from the types that read it.
pub fn schema() -> serde_json::Value {
    let mut schema = syntax::schema::<model::Contract>();
    if let Some(root) = schema.as_object_mut() {
        root.insert("$id".to_owned(), "https://ackord.dev/schema/ackord.v1.json".into());
        root.insert("title".to_owned(), "Ackord queue contract, v1".into());
    }
    schema
}
