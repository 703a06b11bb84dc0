//! Ackord: a compiler and linter for queue contracts.
//!
//! ```text
//! bytes ── source ── syntax ── model ── resolve ── analysis ── rules ── lint ──┬── report   for people and programs
//!                    a tree    what it  defaults   every       findings Report ├── fix      the text, mended
//!                    with      says     by broker  derived              │      └── emit     files, only from Clean
//!                    places                        quantity             └── Clean
//! ```
//!
//! A module imports only from those above it in this list. Only `cli` touches files, environment,
//! clock and streams; everything else is a function of its arguments.

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
pub mod init;
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
