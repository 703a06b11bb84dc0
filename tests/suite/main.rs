//! Everything that is tested from outside.

mod cli;
mod emit;
mod report;
