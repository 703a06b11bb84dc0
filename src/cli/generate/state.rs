//! What is there before a run: the lock, what a killed run left, and every file that they name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::Job;
use super::folder::Folder;
use crate::cli::discover::{Place, plain};
use crate::cli::stop::Stop;
use crate::emit::Owner;
use crate::emit::lock::{self, BESIDE, Disk, Entry, Lock, OnDisk, Options, Plan, Scope, Wanted};

/// Everything that a plan depends on.
#[derive(Debug)]
pub(super) struct State {
    pub(super) lock: Lock,
    /// Whether a run was killed.
    pub(super) journaled: bool,
    pub(super) disk: Disk,
    pub(super) wanted: Vec<Wanted>,
    stored: Option<String>,
    scope: Scope,
    texts: BTreeMap<String, String>,
}

impl State {
    pub(super) fn read(
        folder: Option<&Folder>,
        place: &Place,
        out: &Path,
        job: &Job<'_>,
    ) -> Result<Self, Stop> {
        let stored = text(folder, lock::NAME)?;
        let journal = text(folder, lock::JOURNAL)?;
        let before = parse(folder, lock::NAME, stored.as_deref())?;
        let after = parse(folder, lock::JOURNAL, journal.as_deref())?;
        let root = plain(&place.here, out);
        let wanted = wanted(job, place, &root);
        let listed = before.entries().chain(after.entries()).map(|entry| entry.path.clone());
        let wished = wanted.iter().map(|one| one.entry.path.clone());
        let copies = wanted.iter().filter(|one| one.owner == Owner::Yours);
        let copies = copies.map(|one| format!("{}{BESIDE}", one.entry.path));
        let mut disk = Disk::default();
        for path in listed.chain(wished).chain(copies).collect::<BTreeSet<String>>() {
            let there = folder.map_or(Ok(OnDisk::Absent), |folder| folder.look(&path))?;
            disk.0.insert(path, there);
        }
        let lock = if journal.is_some() { before.settle(&after, &disk) } else { before };
        let specs: BTreeSet<String> = wanted.iter().map(|one| one.entry.spec.clone()).collect();
        let missing = |entry: &&Entry| root.join(&entry.spec).symlink_metadata().is_err();
        let gone = lock.entries().filter(missing).map(|entry| entry.spec.clone()).collect();
        let named = job.args.files.iter().map(|file| spec(place, &root, file));
        let scope = Scope {
            specs: specs.into_iter().chain(named).filter(|spec| !spec.is_empty()).collect(),
            gone,
            targets: job.targets.names.iter().cloned().collect(),
            whole: job.targets.whole,
        };
        let texts = job.files.iter().map(|made| (made.file.path.clone(), made.file.text.clone())).collect();
        Ok(Self { lock, journaled: journal.is_some(), disk, wanted, stored, scope, texts })
    }

    pub(super) fn plan(&self, options: Options) -> Plan {
        lock::plan(&self.lock, &self.scope, &self.wanted, &self.disk, options)
    }

    /// Whether the lock on disk says `next` already.
    pub(super) fn is_settled(&self, next: &str) -> bool {
        !self.journaled && self.stored.as_deref() == Some(next)
    }

    /// What a path shall hold.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        let text = self.texts.get(path).or_else(|| self.texts.get(path.strip_suffix(BESIDE)?));
        text.map(String::as_str)
    }
}

fn text(folder: Option<&Folder>, name: &str) -> Result<Option<String>, Stop> {
    folder.map_or(Ok(None), |folder| folder.own(name))
}

fn parse(folder: Option<&Folder>, name: &str, text: Option<&str>) -> Result<Lock, Stop> {
    let parsed = text.map_or(Ok(Lock::default()), Lock::parse);
    parsed.map_err(|broken| {
        let name = folder.map_or_else(|| name.to_owned(), |folder| folder.shown(name));
        let help =
            "restore it from version control, or remove it: files that are as generated are then taken over";
        Stop::with_help(format!("`{name}` cannot be used: {broken}"), help)
    })
}

fn wanted(job: &Job<'_>, place: &Place, root: &Path) -> Vec<Wanted> {
    let one = |made: &super::Made| Wanted {
        entry: Entry {
            path: made.file.path.clone(),
            sha256: lock::hash(made.file.text.as_bytes()),
            spec: made
                .file
                .source
                .as_ref()
                .map_or_else(String::new, |name| spec(place, root, Path::new(name))),
            target: made.target.clone(),
        },
        owner: made.file.owner,
    };
    job.files.iter().map(one).collect()
}

/// A contract as seen from the output folder.
fn spec(place: &Place, root: &Path, file: &Path) -> String {
    let seen = Place { here: root.to_owned(), root: root.to_owned(), start: root.to_owned() };
    seen.name(&plain(&place.here, file))
}
