//! An output folder: everything in it is reached through a handle of the folder itself, step by step and
//! never through a link, so that nothing outside can be read or written, whatever is swapped meanwhile.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, Permissions};

use crate::cli::discover::{Place, plain};
use crate::cli::output::shown;
use crate::cli::stop::Stop;
use crate::emit::lock::{self, OnDisk};
use crate::report::text::printable;

/// A lock or a file that is compared line by line is not larger.
const LARGEST: u64 = 16 * 1024 * 1024;

/// What a step leads to.
enum Step<T> {
    /// Nothing is there.
    Absent,
    /// Something else is there.
    Other,
    /// It is there.
    There(T),
}

/// An output folder that is there.
#[derive(Debug)]
pub(super) struct Folder {
    root: Dir,
    name: String,
    // Runs over one folder come one after the other, for as long as this is open.
    _turn: Option<File>,
}

impl Folder {
    /// Opens a folder, or makes it; nothing where it is missing and `make` is not wanted.
    pub(super) fn open(place: &Place, out: &Path, make: bool) -> Result<Option<Self>, Stop> {
        let name = shown(out).trim_end_matches('/').to_owned();
        let name = if name.is_empty() { "/".to_owned() } else { name };
        let failed = |error| Stop::io(out, "cannot be opened", error);
        let path = plain(&place.here, out);
        let root = match path.strip_prefix(&place.root) {
            Ok(below) => {
                let root = Dir::open_ambient_dir(&place.root, ambient_authority()).map_err(failed)?;
                let parts: Vec<String> =
                    below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
                walk(root, parts.iter().map(String::as_str), make).map_err(failed)?
            }
            Err(_) => elsewhere(&path, make).map_err(failed)?,
        };
        let root = match root {
            Step::There(root) => root,
            Step::Absent => return Ok(None),
            Step::Other => {
                let message = format!("`{name}` is no folder, or a link leads to it");
                return Err(Stop::with_help(message, "name the folder itself with --out"));
            }
        };
        let turn = root.try_clone().map(Dir::into_std_file).ok();
        // Where a system cannot lock a folder, it cannot be waited for.
        let _ = turn.as_ref().map(|turn| if make { turn.lock() } else { turn.lock_shared() });
        Ok(Some(Self { root, name, _turn: turn }))
    }

    /// A path in it as the user reads it.
    pub(super) fn shown(&self, path: &str) -> String {
        format!("{}/{}", self.name, printable(path))
    }

    /// What is found under a path.
    pub(super) fn look(&self, path: &str) -> Result<OnDisk, Stop> {
        let looked = self.open_file(path).and_then(|step| match step {
            Step::Absent => Ok(OnDisk::Absent),
            Step::Other => Ok(OnDisk::Other),
            Step::There(mut file) => hash(&mut file).map(OnDisk::File),
        });
        looked.map_err(|error| self.unread(path, error))
    }

    /// The text of a file; nothing where it is no text that somebody could compare.
    pub(super) fn text(&self, path: &str) -> Result<Option<String>, Stop> {
        let text = self.open_file(path).and_then(|step| match step {
            Step::Absent => Ok(Some(String::new())),
            Step::Other => Ok(None),
            Step::There(file) => text(file),
        });
        text.map_err(|error| self.unread(path, error))
    }

    /// The text of a file of our own, if it is there.
    pub(super) fn own(&self, name: &str) -> Result<Option<String>, Stop> {
        if self.look(name)? == OnDisk::Absent {
            return Ok(None);
        }
        match self.text(name)? {
            Some(text) => Ok(Some(text)),
            None => Err(Stop::new(format!("`{}` is no file of text that ackord wrote", self.shown(name)))),
        }
    }

    /// Writes a file whole or not at all, if `expected` is still what is there.
    pub(super) fn write(&self, path: &str, text: &[u8], expected: &OnDisk) -> Result<(), Stop> {
        self.unchanged(path, expected)?;
        let written = self.prepare(path, text).and_then(|()| self.place(path));
        written.map_err(|error| {
            // The file may not even exist; the first error is the one to tell.
            let _ = self.root.remove_file(lock::TEMPORARY);
            Stop::io(Path::new(&self.shown(path)), "cannot be written", error)
        })
    }

    /// Writes a file of our own, which nobody else has business with.
    pub(super) fn write_own(&self, name: &str, text: &str) -> Result<(), Stop> {
        let there = self.look(name)?;
        self.write(name, text.as_bytes(), &there)
    }

    /// Gives a file of our own another name, in one step.
    pub(super) fn rename_own(&self, from: &str, to: &str) -> Result<(), Stop> {
        let renamed = self.root.rename(from, &self.root, to);
        renamed.map_err(|error| Stop::io(Path::new(&self.shown(to)), "cannot be written", error))
    }

    /// Removes what a run that was killed was about to rename.
    pub(super) fn sweep(&self) -> Result<(), Stop> {
        match self.root.remove_file(lock::TEMPORARY) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Stop::io(Path::new(&self.shown(lock::TEMPORARY)), "cannot be removed", error))
            }
            _ => Ok(()),
        }
    }

    /// Removes a file, if `expected` is still what is there, and the folders that are empty then.
    pub(super) fn remove(&self, path: &str, expected: &OnDisk) -> Result<(), Stop> {
        self.unchanged(path, expected)?;
        let (folders, name) = split(path);
        let parent = self.parent(&folders, false);
        let removed = parent.and_then(|parent| match parent {
            Step::There(parent) if matches!(expected, OnDisk::File(_)) => parent.remove_file(name),
            Step::There(_) | Step::Absent | Step::Other => Ok(()),
        });
        removed.map_err(|error| Stop::io(Path::new(&self.shown(path)), "cannot be removed", error))?;
        for depth in (1..=folders.len()).rev() {
            let Some((last, above)) = folders.get(..depth).and_then(<[&str]>::split_last) else { break };
            // A folder that holds something is not removed, and neither is one above it.
            match self.parent(above, false) {
                Ok(Step::There(above)) if above.remove_dir(last).is_ok() => {}
                Ok(Step::Absent) => {}
                _ => break,
            }
        }
        Ok(())
    }

    fn unchanged(&self, path: &str, expected: &OnDisk) -> Result<(), Stop> {
        if self.look(path)? == *expected {
            return Ok(());
        }
        let message = format!("`{}` was changed by somebody else meanwhile", self.shown(path));
        Err(Stop::with_help(message, "run the command again"))
    }

    /// A new file that is whole, under a name of ours in the root: one that a killed run leaves behind is
    /// found there.
    fn prepare(&self, path: &str, text: &[u8]) -> io::Result<()> {
        let _ = self.root.remove_file(lock::TEMPORARY);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        let mut file = self.root.open_with(lock::TEMPORARY, &options)?;
        file.write_all(text)?;
        if let Some(permissions) = self.permissions(path)? {
            file.set_permissions(permissions)?;
        }
        file.sync_all()
    }

    fn permissions(&self, path: &str) -> io::Result<Option<Permissions>> {
        Ok(match self.open_file(path)? {
            Step::There(file) => Some(file.metadata()?.permissions()),
            Step::Absent | Step::Other => None,
        })
    }

    fn place(&self, path: &str) -> io::Result<()> {
        let (folders, name) = split(path);
        match self.parent(&folders, true)? {
            Step::There(parent) => self.root.rename(lock::TEMPORARY, &parent, name),
            Step::Absent | Step::Other => {
                Err(io::Error::new(io::ErrorKind::NotADirectory, "a folder on the way is none"))
            }
        }
    }

    fn parent(&self, folders: &[&str], make: bool) -> io::Result<Step<Dir>> {
        walk(self.root.try_clone()?, folders.iter().copied(), make)
    }

    fn open_file(&self, path: &str) -> io::Result<Step<cap_std::fs::File>> {
        let (folders, name) = split(path);
        let parent = match self.parent(&folders, false)? {
            Step::There(parent) => parent,
            Step::Absent => return Ok(Step::Absent),
            Step::Other => return Ok(Step::Other),
        };
        match parent.symlink_metadata(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Step::Absent),
            Err(error) => return Err(error),
            Ok(there) if !there.is_file() => return Ok(Step::Other),
            Ok(_) => {}
        }
        let mut options = OpenOptions::new();
        // A pipe that was put there this moment is not waited for.
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = parent.open_with(name, &options)?;
        Ok(if file.metadata()?.is_file() { Step::There(file) } else { Step::Other })
    }

    fn unread(&self, path: &str, error: io::Error) -> Stop {
        Stop::io(Path::new(&self.shown(path)), "cannot be read", error)
    }
}

fn split(path: &str) -> (Vec<&str>, &str) {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    (parts, name)
}

/// Goes down from one folder to the next, each a folder itself and no link.
fn walk<'a>(from: Dir, parts: impl Iterator<Item = &'a str>, make: bool) -> io::Result<Step<Dir>> {
    let mut folder = from;
    for part in parts {
        if make {
            match folder.create_dir(part) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        match folder.symlink_metadata(part) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Step::Absent),
            Err(error) => return Err(error),
            Ok(there) if !there.is_dir() => return Ok(Step::Other),
            Ok(_) => {}
        }
        folder = folder.open_dir_nofollow(part)?;
    }
    Ok(Step::There(folder))
}

/// A folder outside the workspace, which only the user can have named.
fn elsewhere(path: &Path, make: bool) -> io::Result<Step<Dir>> {
    match path.symlink_metadata() {
        Ok(there) if !there.is_dir() => return Ok(Step::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !make => return Ok(Step::Absent),
        Err(error) if error.kind() == io::ErrorKind::NotFound => std::fs::create_dir_all(path)?,
        Err(error) => return Err(error),
        Ok(_) => {}
    }
    Dir::open_ambient_dir(path, ambient_authority()).map(Step::There)
}

/// What a file holds, if it is a text of a sensible size.
fn text(file: cap_std::fs::File) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8(bytes).ok().filter(|_| (read as u64) < LARGEST))
}

/// The hash of a file, piece by piece: what is in its place may be large.
fn hash(file: &mut impl Read) -> io::Result<String> {
    let mut hasher = lock::Hasher::default();
    let mut piece = vec![0; 64 * 1024];
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok(hasher.finish());
        }
        hasher.add(piece.get(..read).unwrap_or_default());
    }
}
