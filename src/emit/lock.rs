//! What was generated where, and what a run may do to it.
//!
//! `ackord.lock` lies at the root of an output folder and lists every generated file with its hash: a file
//! that is listed and has its hash is ours to replace or remove, everything else is somebody's work.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

mod names;
mod plan;

pub use names::{clash, is_inside, unportable};
pub use plan::{Disk, Fate, OnDisk, Options, Plan, Scope, Wanted, plan};

/// The lock's name.
pub const NAME: &str = "ackord.lock";
/// The lock as it will be: it is there while a run writes, and after a run that was killed.
pub const JOURNAL: &str = "ackord.lock.next";
/// A file on its way; it is renamed as soon as it is whole.
pub const TEMPORARY: &str = "ackord.lock.tmp";
/// What is appended to the name of a file of yours for a fresh copy beside it.
pub const BESIDE: &str = ".new";
/// The version of the lock's own format.
const FORMAT: u64 = 1;
const NOTE: &str = "written by ackord generate; do not edit";

/// One file that was generated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Where it is, below the output folder, with `/`.
    pub path: String,
    /// The hash of what was written.
    pub sha256: String,
    /// The contract that it comes from, as seen from the output folder; empty for what a folder has once.
    pub spec: String,
    /// The target that it belongs to.
    pub target: String,
}

/// The first line, as far as every format must have it.
#[derive(Deserialize)]
struct Head {
    format: u64,
}

/// All files that were generated below a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lock(BTreeMap<String, Entry>);

/// Why a lock cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// A line that is none of a lock's.
    Line(usize),
    /// A path that leaves the folder, in that line.
    Outside(usize),
    /// A path that was listed before, in that line.
    Twice(usize),
    /// It was written by a later version.
    Newer(u64),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line} is not what ackord writes"),
            Self::Outside(line) => write!(f, "line {line} names a file outside the folder"),
            Self::Twice(line) => write!(f, "line {line} names a file for the second time"),
            Self::Newer(format) => write!(f, "it has format {format}, and this ackord reads {FORMAT}"),
        }
    }
}

impl Lock {
    /// Reads a lock. It may come from anywhere, so that nothing in it is believed unseen.
    pub fn parse(text: &str) -> Result<Self, Broken> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let head = lines.next().and_then(|(_, line)| serde_json::from_str::<Head>(line).ok());
        match head.ok_or(Broken::Line(1))?.format {
            FORMAT => {}
            newer if newer > FORMAT => return Err(Broken::Newer(newer)),
            _ => return Err(Broken::Line(1)),
        }
        let mut all = BTreeMap::new();
        for (at, line) in lines {
            let entry: Entry = serde_json::from_str(line).map_err(|_| Broken::Line(at))?;
            let hex = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
            if entry.sha256.len() != 64 || !entry.sha256.bytes().all(hex) {
                return Err(Broken::Line(at));
            }
            if !is_inside(&entry.path) {
                return Err(Broken::Outside(at));
            }
            if all.insert(entry.path.clone(), entry).is_some() {
                return Err(Broken::Twice(at));
            }
        }
        Ok(Self(all))
    }

    /// The text of the lock: a line for each file, by path, so that two branches merge line by line.
    pub fn print(&self) -> String {
        let mut text = format!("{{\"format\":{FORMAT},\"note\":\"{NOTE}\"}}\n");
        for entry in self.0.values() {
            // A structure of strings can always be written.
            text.push_str(&serde_json::to_string(entry).unwrap_or_default());
            text.push('\n');
        }
        text
    }

    /// The files that it lists, by path.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.0.values()
    }

    /// The truth after a run that was killed: `journal` is what it was about to make of `self`, and each
    /// file on disk is in the state before or after.
    pub fn settle(&self, journal: &Self, disk: &Disk) -> Self {
        let paths: BTreeSet<&String> = self.0.keys().chain(journal.0.keys()).collect();
        let settled = paths.into_iter().filter_map(|path| {
            let (before, after) = (self.0.get(path), journal.0.get(path));
            let entry = match (disk.get(path), after) {
                (OnDisk::File(hash), Some(after)) if after.sha256 == *hash => Some(after),
                // It was removed already.
                (OnDisk::Absent, None) => None,
                _ => before,
            };
            entry.map(|entry| (path.clone(), entry.clone()))
        });
        Self(settled.collect())
    }
}

/// The hash of a text, as the lock has it.
pub fn hash(text: &[u8]) -> String {
    let mut hasher = Hasher::default();
    hasher.add(text);
    hasher.finish()
}

/// The same, piece by piece.
#[derive(Debug, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// What comes next.
    pub fn add(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The hash of all pieces.
    pub fn finish(self) -> String {
        self.0.finalize().iter().fold(String::new(), |mut hex, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}

#[cfg(test)]
mod tests;
