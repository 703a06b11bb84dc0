//! One binary for all integration tests. Cases are files; a module here reads one kind of them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test stops at what it did not expect"
)]

mod architecture;
mod cli;
mod emit;
mod examples;
mod flows;
mod fresh;
mod init;
mod judge;
mod oracle;
mod patch;
mod report;
mod reports;
mod rules;
mod second_reader;
mod session;
