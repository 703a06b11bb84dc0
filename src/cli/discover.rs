//! Which files a run reads.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;

use super::output::shown;
use super::stop::Stop;

/// More contracts than any repository has; beyond it the wrong folder was named.
const MOST_FILES: usize = 10_000;

/// Where a run takes place.
#[derive(Debug)]
pub(super) struct Place {
    /// The working directory, which names are relative to.
    pub here: PathBuf,
    /// The workspace: the nearest folder upwards that holds `.git`, else the folder that was started from.
    pub root: PathBuf,
    /// The folder from which the configuration is looked for upwards.
    pub start: PathBuf,
}

impl Place {
    /// The place of a run over `paths`: the working directory, or what the paths have in common where one
    /// of them lies elsewhere.
    pub(super) fn of(paths: &[PathBuf]) -> Result<Self, Stop> {
        let here =
            std::env::current_dir().map_err(|error| Stop::io(Path::new("."), "cannot be entered", error))?;
        let absolute: Vec<PathBuf> = paths.iter().map(|path| plain(&here, path)).collect();
        let start = match absolute.split_first() {
            Some((first, rest)) if absolute.iter().any(|path| !path.starts_with(&here)) => {
                let first = if first.is_dir() { first.clone() } else { parent(first) };
                rest.iter().fold(first, |common, path| common_folder(&common, path))
            }
            _ => here.clone(),
        };
        let root = start.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&start).to_owned();
        Ok(Self { here, root, start })
    }

    /// The name of a file as the user reads it: relative to the working directory, with `/`.
    pub(super) fn name(&self, path: &Path) -> String {
        let path = plain(&self.here, path);
        let common = common_folder(&self.here, &path);
        let (Ok(up), Ok(down)) = (self.here.strip_prefix(&common), path.strip_prefix(&common)) else {
            return path.to_string_lossy().replace('\\', "/");
        };
        let up = up.components().map(|_| "..".to_owned());
        let down = down.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
        up.chain(down).collect::<Vec<_>>().join("/")
    }
}

/// A file that a run reads.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// How the user reads it.
    pub name: String,
    /// Whether its findings are wanted; the others are read because rules look across files.
    pub focused: bool,
}

/// Finds the contracts that `paths` name and the rest of the workspace, by name.
pub(super) fn find(place: &Place, paths: &[PathBuf]) -> Result<Vec<Found>, Stop> {
    let mut files = Files { place, found: BTreeMap::new(), folder: None };
    let mut folders = Vec::new();
    for path in paths {
        let absolute = place.here.join(path);
        match absolute.metadata() {
            Ok(metadata) if metadata.is_dir() => folders.push((path, absolute)),
            Ok(_) => files.add(absolute, true)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Stop::with_help(
                    format!("`{}` does not exist", shown(path)),
                    "ackord check --show-files",
                ));
            }
            Err(error) => return Err(Stop::io(path, "cannot be read", error)),
        }
    }
    // The workspace is walked from its root, so that every ignore file on the way down counts and none
    // from above the root does. A common parent without a repository is no workspace.
    let workspace = place.start == place.here || place.root.join(".git").exists();
    if workspace && place.root.parent().is_some() {
        let inside =
            |path: &Path| folders.iter().any(|(_, folder)| path.starts_with(plain(&place.here, folder)));
        for path in walk(&place.root, &|folder| inside(folder))? {
            let focused = inside(&path);
            files.add(path, focused)?;
        }
    }
    for (path, folder) in &folders {
        // A folder that is ignored or lies elsewhere was named all the same.
        let folder = plain(&place.here, folder);
        if !files.any_below(&folder) {
            walk(&folder, &|_| true)?.into_iter().try_for_each(|file| files.add(file, true))?;
        }
        let _ = path;
    }
    Ok(files.finish())
}

struct Files<'a> {
    place: &'a Place,
    found: BTreeMap<PathBuf, Found>,
    /// The folder that was last asked for, and what it is really called.
    folder: Option<(PathBuf, PathBuf)>,
}

impl Files<'_> {
    fn add(&mut self, path: PathBuf, focused: bool) -> Result<(), Stop> {
        let key = self.identity(&path);
        let name = self.place.name(&path);
        let found = self.found.entry(key).or_insert(Found { path, name, focused });
        found.focused |= focused;
        if self.found.len() > MOST_FILES {
            let message = format!("`{}` holds more than {MOST_FILES} contracts", shown(&self.place.root));
            return Err(Stop::with_help(message, "list what should not be read in a .ignore file"));
        }
        Ok(())
    }

    /// The same for every way to name one file. The system follows each path from its first folder on,
    /// so that is asked once for each folder and not for each file.
    fn identity(&mut self, path: &Path) -> PathBuf {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return path.to_owned() };
        if path.is_symlink() {
            return path.canonicalize().unwrap_or_else(|_| path.to_owned());
        }
        if self.folder.as_ref().is_none_or(|(known, _)| known != folder) {
            let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            self.folder = Some((folder.to_owned(), real));
        }
        self.folder.as_ref().map_or_else(|| path.to_owned(), |(_, real)| real.join(name))
    }

    fn any_below(&self, folder: &Path) -> bool {
        self.found
            .values()
            .any(|found| found.focused && plain(&self.place.here, &found.path).starts_with(folder))
    }

    fn finish(self) -> Vec<Found> {
        let mut found: Vec<Found> = self.found.into_values().collect();
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }
}

/// The contracts below a folder. `wanted` says of which folders it matters that they cannot be read.
fn walk(root: &Path, wanted: &dyn Fn(&Path) -> bool) -> Result<BTreeSet<PathBuf>, Stop> {
    let mut walker = WalkBuilder::new(root);
    // Nothing above the root and nothing of the user's home decides what is read.
    walker.parents(false).git_global(false).require_git(false).follow_links(false);
    let limit = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let mut found = BTreeSet::new();
    for entry in walker.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => match culprit(&error) {
                Some(path) if !wanted(&path) => continue,
                Some(path) => {
                    return Err(Stop::new(format!("`{}` cannot be read: {}", shown(&path), reason(&error))));
                }
                None => continue,
            },
        };
        let path = entry.path();
        let Some(kind) = entry.file_type() else { continue };
        let linked =
            || path.canonicalize().is_ok_and(|target| target.starts_with(&limit) && target.is_file());
        if is_contract(path) && (kind.is_file() || kind.is_symlink() && linked()) {
            found.insert(path.to_owned());
        }
    }
    Ok(found)
}

fn culprit(error: &ignore::Error) -> Option<PathBuf> {
    if let ignore::Error::WithPath { path, .. } = error {
        return Some(path.clone());
    }
    if let ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } = error {
        return culprit(err);
    }
    None
}

fn reason(error: &ignore::Error) -> String {
    error.io_error().map_or_else(|| error.to_string(), std::string::ToString::to_string)
}

/// Whether a walk takes the file for a contract.
fn is_contract(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.ends_with(".queue.yaml") || name.ends_with(".queue.yml")
}

/// The path from the root of the file system, without `.` and `..`.
pub(super) fn plain(here: &Path, path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in here.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => plain.push(part),
        }
    }
    plain
}

fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_owned()
}

fn common_folder(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}
