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
pub mod config;
pub mod cli;
