//! What was generated where, and what a run may do to it.
//!
//! `ackord.lock` lies at the root of an output folder and lists every generated file with its hash: a file
//! that is listed and has its hash is ours to replace or remove, everything else is somebody's work.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Owner;

/// The lock's name.
pub const NAME: &str = "ackord.lock";
/// The lock as it will be: it is there while a run writes, and after a run that was killed.
pub const JOURNAL: &str = "ackord.lock.next";
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
    /// The contract that it comes from, as seen from the output folder.
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

    /// The files that it lists.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
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

/// Whether a path stays below the folder that it is joined to, on every system, and is no name of ours.
pub fn is_inside(path: &str) -> bool {
    let odd = |c: char| matches!(c, '\\' | ':') || c.is_control();
    !path.contains(odd)
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && ![NAME, JOURNAL].contains(&path.to_lowercase().as_str())
}

/// Two paths that are one file where the case of letters does not count, or the same path twice.
pub fn twins<'a>(paths: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, &'a str)> {
    let mut seen = BTreeMap::new();
    paths.into_iter().find_map(|path| seen.insert(path.to_lowercase(), path).map(|first| (first, path)))
}

/// The hash of a text, as the lock has it.
pub fn hash(text: &[u8]) -> String {
    Sha256::digest(text).iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// What is found under a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnDisk {
    /// Nothing.
    Absent,
    /// A regular file with this hash.
    File(String),
    /// A link, a folder, a pipe, or a path that leads through such a thing.
    Other,
}

/// What is found under the paths that a run is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disk(pub BTreeMap<String, OnDisk>);

impl Disk {
    /// What is under `path`.
    pub fn get(&self, path: &str) -> &OnDisk {
        self.0.get(path).unwrap_or(&OnDisk::Absent)
    }
}

/// A file that a run wants to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// What the lock will say of it.
    pub entry: Entry,
    /// Who changes it from now on.
    pub owner: Owner,
}

/// What a run answers for: files of other contracts and targets in the same folder are not its business.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The contracts, as in [`Entry::spec`].
    pub specs: BTreeSet<String>,
    /// The targets.
    pub targets: BTreeSet<String>,
}

impl Scope {
    fn holds(&self, entry: &Entry) -> bool {
        self.specs.contains(&entry.spec) && self.targets.contains(&entry.target)
    }
}

/// What is to be done about one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Nothing is there: it is written.
    New,
    /// It is as it was generated, and there is something newer: it is written.
    Changed,
    /// It is what it should be.
    Unchanged,
    /// It was changed by hand; only `--force` overwrites it.
    Edited,
    /// Somebody else wrote it; only `--force` overwrites it.
    Foreign,
    /// A link or a folder is in the way; nothing overwrites it.
    Blocked,
    /// No longer generated and unchanged: it is removed.
    Stale,
    /// No longer generated and gone: it is forgotten.
    Forgotten,
    /// No longer generated, but changed by hand: it is kept, and the lock keeps telling.
    StaleEdited,
    /// A file of yours that is not there yet: it is written.
    YoursNew,
    /// A file of yours: it is not touched.
    YoursKept,
    /// A fresh copy beside a file of yours: it is written.
    Beside,
}

impl Fate {
    /// Whether the file is written, if nothing speaks against the run.
    pub fn writes(self) -> bool {
        matches!(
            self,
            Self::New | Self::Changed | Self::Edited | Self::Foreign | Self::YoursNew | Self::Beside
        )
    }

    /// Whether the whole run is refused for its sake.
    pub fn refuses(self, force: bool) -> bool {
        match self {
            Self::Blocked => true,
            Self::Edited | Self::Foreign => !force,
            Self::New | Self::Changed | Self::Unchanged | Self::Stale | Self::Forgotten => false,
            Self::StaleEdited | Self::YoursNew | Self::YoursKept | Self::Beside => false,
        }
    }
}

/// What a run does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Each path that the run is about.
    pub fates: BTreeMap<String, Fate>,
    /// The lock afterwards.
    pub next: Lock,
}

/// Decides about every file. `beside` asks for a fresh copy beside each file of yours.
pub fn plan(lock: &Lock, scope: &Scope, wanted: &[Wanted], disk: &Disk, beside: bool) -> Plan {
    let mut fates = BTreeMap::new();
    let mut next = lock.0.clone();
    for file in wanted {
        let path = &file.entry.path;
        let there = disk.get(path);
        if file.owner == Owner::Yours {
            // What was generated before and is yours now is kept like any other file of yours.
            next.remove(path);
            if *there == OnDisk::Absent {
                fates.insert(path.clone(), Fate::YoursNew);
                continue;
            }
            fates.insert(path.clone(), Fate::YoursKept);
            if beside && *there != OnDisk::File(file.entry.sha256.clone()) {
                let copy = format!("{path}{BESIDE}");
                let fate = match fate(None, &file.entry, disk.get(&copy)) {
                    Fate::New => Fate::Beside,
                    other => other,
                };
                fates.insert(copy, fate);
            }
            continue;
        }
        fates.insert(path.clone(), fate(lock.0.get(path), &file.entry, there));
        next.insert(path.clone(), file.entry.clone());
    }
    for (path, entry) in lock.0.iter().filter(|(_, entry)| scope.holds(entry)) {
        if fates.contains_key(path) {
            continue;
        }
        let fate = match disk.get(path) {
            OnDisk::Absent => Fate::Forgotten,
            OnDisk::File(hash) if *hash == entry.sha256 => Fate::Stale,
            OnDisk::File(_) | OnDisk::Other => Fate::StaleEdited,
        };
        if fate != Fate::StaleEdited {
            next.remove(path);
        }
        fates.insert(path.clone(), fate);
    }
    Plan { fates, next: Lock(next) }
}

/// The fate of a generated file that was `listed` before and shall be like `wanted`.
fn fate(listed: Option<&Entry>, wanted: &Entry, there: &OnDisk) -> Fate {
    match (there, listed) {
        (OnDisk::Absent, _) => Fate::New,
        (OnDisk::Other, _) => Fate::Blocked,
        // Who wrote it does not matter: it is what it should be.
        (OnDisk::File(hash), _) if *hash == wanted.sha256 => Fate::Unchanged,
        (OnDisk::File(hash), Some(listed)) if *hash == listed.sha256 => Fate::Changed,
        (OnDisk::File(_), Some(_)) => Fate::Edited,
        (OnDisk::File(_), None) => Fate::Foreign,
    }
}

#[cfg(test)]
mod tests;
