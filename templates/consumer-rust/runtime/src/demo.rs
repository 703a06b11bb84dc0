//! What a crash at the worst moment does to three consumers: one that acknowledges first, one that
//! acknowledges last, and this one. All three are this consumer's own code, in processes of their own, over
//! the same messages. Every figure is counted afterwards, in the queue, the store and outside.

mod column;
mod ledger;
pub mod worker;

use std::path::PathBuf;
use std::time::Duration;

use crate::act::Mode;
use crate::contract::Contract;
use crate::handler::Handler;
use crate::random;

use column::{Column, DemoError};

/// So many messages are published.
pub const MESSAGES: u64 = 500;
/// The process is killed at this one.
pub const KILLED_AT: u64 = 250;
/// What the contract's lock lasts here.
pub const LOCK: Duration = Duration::from_secs(2);

/// What the demonstration calls things, from the contract.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// The messages: "payments".
    pub messages: &'static str,
    /// When the process is killed.
    pub moment: &'static str,
    /// What the effect outside is counted as, where there is one.
    pub outside: Option<&'static str>,
    /// What the effect in the database is counted as.
    pub recorded: &'static str,
    /// What is counted for it.
    pub count: &'static str,
    /// The contract's lock as it is written.
    pub lock: &'static str,
    /// What became of the message that the process died with, for each of the three.
    pub verdicts: [&'static str; 3],
    /// Who was asked about it, and what the answer was.
    pub answered: (&'static str, &'static str),
    /// What was not done again.
    pub again: &'static str,
    /// The tables of its effects.
    pub tables: &'static [&'static str],
}

/// Runs it, and says whether the third column came out right.
///
/// # Errors
///
/// If a process, a file or a count fails: then nothing is known.
pub async fn run<H: Handler>(
    contract: &Contract,
    handler: &H,
    without_dedupe: bool,
) -> Result<bool, DemoError> {
    let folder = Folder::new()?;
    let last = if without_dedupe {
        Mode::WithoutDedupe
    } else {
        Mode::Reliable
    };
    print!("{}", ledger::opening(contract));
    let mut columns = Vec::new();
    for (name, mode) in [
        ("first", Mode::PopAndForget),
        ("second", Mode::WithoutDedupe),
        ("third", last),
    ] {
        columns.push(Column::run(contract, handler, mode, folder.0.join(name)).await?);
    }
    let (text, right) = ledger::closing(contract, &columns);
    print!("{text}");
    Ok(right)
}

/// A folder of our own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, DemoError> {
        let path = std::env::temp_dir().join(format!("ackord-demo-{}", random::name()));
        std::fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, which owns the place.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
