//! One binary for all integration tests. Cases are files; a module here reads one kind of them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test stops at what it did not expect"
)]

mod agreement;
mod architecture;
mod brokers;
mod cli;
mod determinism;
mod dice;
mod emit;
mod examples;
mod fixes;
mod flows;
mod fresh;
mod good;
mod hostile;
mod init;
mod judge;
mod oracle;
mod patch;
mod patterns;
mod pre_commit;
mod report;
mod reports;
mod rules;
mod scaffold;
mod second_reader;
mod servers;
mod session;
mod withstand;
