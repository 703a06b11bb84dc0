//! What a run does with each file: a function of the lock, the wish and what is on disk.

use std::collections::{BTreeMap, BTreeSet};

use super::{BESIDE, Entry, Lock};
use crate::emit::Owner;

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
    /// Contracts that the lock names and that are no longer there.
    pub gone: BTreeSet<String>,
    /// The targets.
    pub targets: BTreeSet<String>,
    /// Whether no other target is wanted either, because these are all that the configuration names.
    pub whole: bool,
}

impl Scope {
    /// Whether a contract's file belongs to this run.
    fn holds(&self, entry: &Entry) -> bool {
        !entry.spec.is_empty()
            && (self.specs.contains(&entry.spec) || self.gone.contains(&entry.spec))
            && (self.whole || self.targets.contains(&entry.target))
    }

    /// Whether what a folder has once belongs to this run. It stays while any contract uses its target.
    fn holds_once(&self, entry: &Entry, rest: &BTreeMap<String, Entry>) -> bool {
        let used = || rest.values().any(|one| !one.spec.is_empty() && one.target == entry.target);
        entry.spec.is_empty() && (self.targets.contains(&entry.target) || self.whole && !used())
    }

    /// Whether `listed` is the file of a contract that is still there and not part of this run.
    fn takes(&self, listed: &Entry, wanted: &Entry) -> bool {
        let specs = [&self.specs, &self.gone];
        listed.spec != wanted.spec
            && !listed.spec.is_empty()
            && !specs.iter().any(|specs| specs.contains(&listed.spec))
    }
}

/// What the user permits or asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Edited and unlisted files are overwritten, and an edited file that is no longer generated is given up.
    pub force: bool,
    /// A fresh copy is written beside each file of yours.
    pub beside: bool,
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
    /// Another contract that is still there gives the same file; nothing overwrites it.
    Taken,
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

    /// Whether the file is removed, or what is left of its folders.
    pub fn removes(self) -> bool {
        matches!(self, Self::Stale | Self::Forgotten)
    }

    /// Whether the whole run is refused for its sake.
    pub fn refuses(self, force: bool) -> bool {
        match self {
            Self::Blocked | Self::Taken => true,
            Self::Edited | Self::Foreign => !force,
            Self::New | Self::Changed | Self::Unchanged | Self::Stale | Self::Forgotten => false,
            Self::StaleEdited | Self::YoursNew | Self::YoursKept | Self::Beside => false,
        }
    }
}

/// What a run does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Each path that the run is about.
    pub fates: BTreeMap<String, Fate>,
    /// The lock afterwards.
    pub next: Lock,
}

/// Decides about every file.
pub fn plan(lock: &Lock, scope: &Scope, wanted: &[Wanted], disk: &Disk, options: Options) -> Plan {
    let mut plan = Plan { fates: BTreeMap::new(), next: lock.clone() };
    for file in wanted {
        match file.owner {
            Owner::Yours => plan.yours(&file.entry, disk, options.beside),
            Owner::Generated => plan.generated(&file.entry, lock, scope, disk),
        }
    }
    // What a folder has once comes last: whether it stays depends on which contracts do.
    for entry in lock.entries().filter(|entry| scope.holds(entry)) {
        plan.stale(entry, disk, options.force);
    }
    for entry in lock.entries() {
        if scope.holds_once(entry, &plan.next.0) {
            plan.stale(entry, disk, options.force);
        }
    }
    plan
}

impl Plan {
    /// Whether the run is refused.
    pub fn refused(&self, force: bool) -> bool {
        self.fates.values().any(|fate| fate.refuses(force))
    }

    fn yours(&mut self, entry: &Entry, disk: &Disk, beside: bool) {
        let there = disk.get(&entry.path);
        // What was generated before and is yours now is kept like any other file of yours.
        self.next.0.remove(&entry.path);
        if *there == OnDisk::Absent {
            self.fates.insert(entry.path.clone(), Fate::YoursNew);
            return;
        }
        self.fates.insert(entry.path.clone(), Fate::YoursKept);
        if beside && *there != OnDisk::File(entry.sha256.clone()) {
            let copy = format!("{}{BESIDE}", entry.path);
            let fate = fate(None, entry, disk.get(&copy));
            let fate = if fate == Fate::New { Fate::Beside } else { fate };
            self.fates.insert(copy, fate);
        }
    }

    fn generated(&mut self, entry: &Entry, lock: &Lock, scope: &Scope, disk: &Disk) {
        let listed = lock.0.get(&entry.path);
        let fate = match listed {
            Some(listed) if scope.takes(listed, entry) => Fate::Taken,
            _ => fate(listed, entry, disk.get(&entry.path)),
        };
        self.fates.insert(entry.path.clone(), fate);
        self.next.0.insert(entry.path.clone(), entry.clone());
    }

    /// A file that is no longer generated, unless something was decided about it already.
    fn stale(&mut self, entry: &Entry, disk: &Disk, force: bool) {
        if self.fates.contains_key(&entry.path) {
            return;
        }
        let fate = match disk.get(&entry.path) {
            OnDisk::Absent => Fate::Forgotten,
            OnDisk::File(hash) if *hash == entry.sha256 => Fate::Stale,
            OnDisk::File(_) | OnDisk::Other => Fate::StaleEdited,
        };
        if force || fate != Fate::StaleEdited {
            self.next.0.remove(&entry.path);
        }
        self.fates.insert(entry.path.clone(), fate);
    }
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
