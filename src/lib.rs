//! Ackord: a compiler and linter for queue contracts.

pub mod diagnostic;
pub mod source;
pub mod syntax;
