//! Ackord: a compiler and linter for queue contracts.

pub mod analysis;
pub mod cli;
pub mod config;
pub mod diagnostic;
pub mod fix;
pub mod lint;
pub mod model;
pub mod policy;
pub mod report;
pub mod rules;
pub mod source;
pub mod syntax;
pub mod units;
