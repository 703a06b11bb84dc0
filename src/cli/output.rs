//! The two streams, colour, and files that are written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::panic::Location;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::args::Color;
use super::stop::Stop;
use crate::report::text::printable;

/// Standard output for results and standard error for everything said about the run.
#[derive(Debug)]
pub struct Streams {
    color: bool,
    // Findings may come by the thousand, so they are collected and written in large pieces.
    results: io::BufWriter<io::Stdout>,
    closed: bool,
}

impl Streams {
    pub(super) fn new() -> Self {
        Self { color: false, results: io::BufWriter::with_capacity(64 * 1024, io::stdout()), closed: false }
    }

    pub(super) fn choose_color(&mut self, choice: Option<Color>) {
        self.color = colored(choice, |name| std::env::var_os(name), io::stdout().is_terminal());
    }

    /// Whether results on standard output are coloured.
    pub(super) fn color(&self) -> bool {
        self.color
    }

    /// Writes a result as it is.
    pub(super) fn result(&mut self, text: &str) -> Result<(), Stop> {
        let outcome = self.results.write_all(text.as_bytes());
        self.arrived(outcome)
    }

    /// Sends off what was written.
    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        let outcome = self.results.flush();
        self.arrived(outcome)
    }

    /// A reader that went away (`ackord rules | head -1`) has what it wants: the run goes on in silence,
    /// and its exit code still tells what it found.
    fn arrived(&mut self, outcome: io::Result<()>) -> Result<(), Stop> {
        match outcome {
            Ok(()) => Ok(()),
            Err(_) if self.closed => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => {
                self.closed = true;
                Err(Stop::io(Path::new("standard output"), "cannot be written", error))
            }
        }
    }

    /// Says something about the run, on standard error, after the results that came before it.
    pub(super) fn tell(&mut self, text: &str) {
        // Where nobody listens on standard error there is nobody left to tell.
        let _ = self.results.flush();
        let mut stderr = io::stderr().lock();
        let _ = writeln!(stderr, "{text}").and_then(|()| stderr.flush());
    }

    /// Asks something on standard error, on a line that the answer is written behind.
    pub(super) fn ask(&mut self, text: &str) {
        let mut stderr = io::stderr().lock();
        let _ = write!(stderr, "{text}").and_then(|()| stderr.flush());
    }
}

/// `--color` > `NO_COLOR` > `CLICOLOR_FORCE` and `FORCE_COLOR` > whether a terminal is listening.
fn colored(choice: Option<Color>, env: impl Fn(&str) -> Option<OsString>, terminal: bool) -> bool {
    let set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
    let forced = |name: &str| env(name).is_some_and(|value| !value.is_empty() && value != "0");
    match choice {
        Some(Color::Always) => true,
        Some(Color::Never) => false,
        Some(Color::Auto) | None if set("NO_COLOR") => false,
        Some(Color::Auto) | None if forced("CLICOLOR_FORCE") || forced("FORCE_COLOR") => true,
        Some(Color::Auto) | None => terminal && env("TERM").is_none_or(|term| term != "dumb"),
    }
}

/// A path as it may stand in a message: with `/`, and without characters that steer a terminal.
pub(super) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy().replace('\\', "/"))
}

/// The one line that an error of our own is worth. It holds nothing of what the contracts say.
pub fn own_bug(place: Option<&Location<'_>>) {
    // Threads that fail over the same bug have one thing to say.
    static SAID: AtomicBool = AtomicBool::new(false);
    if SAID.swap(true, Ordering::Relaxed) {
        return;
    }
    let place = place.map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(
        io::stderr(),
        "error: ackord {version} has a bug{place}; report it with this line and the command"
    );
}

/// Replaces a file in one step: whoever looks sees the old text or the new one, never half of it.
///
/// `expected` is what the file held when it was read; a file that has changed since is left alone. A link
/// is followed as long as it stays below `root`. `name` is how the user knows the file.
pub(super) fn replace(
    root: &Path,
    path: &Path,
    name: &str,
    expected: &[u8],
    text: &[u8],
) -> Result<(), Stop> {
    let failed = |error| Stop::io(Path::new(name), "cannot be written", error);
    let refused = |why: &str| Err(Stop::new(format!("`{}` {why}; it is left as it was", printable(name))));
    let target = path.canonicalize().map_err(failed)?;
    let link = path.symlink_metadata().map_err(failed)?.is_symlink();
    if link && !root.canonicalize().is_ok_and(|root| target.starts_with(root)) {
        return refused("is a link that leaves the workspace");
    }
    let metadata = target.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return refused("is not a regular file");
    }
    if metadata.permissions().readonly() {
        return refused("is read-only");
    }
    if fs::read(&target).map_err(failed)? != expected {
        return refused("was changed by somebody else meanwhile");
    }
    write_beside(&target, text, Some(metadata.permissions())).map_err(failed)
}

/// Writes a file that the user named, whole or not at all; what is no regular file (a pipe, `/dev/null`)
/// is written to directly.
pub(super) fn write(path: &Path, text: &[u8]) -> Result<(), Stop> {
    let failed = |error| Stop::io(path, "cannot be written", error);
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => {
            File::options().write(true).open(path).and_then(|mut file| file.write_all(text)).map_err(failed)
        }
        Ok(metadata) => {
            let target = path.canonicalize().map_err(failed)?;
            write_beside(&target, text, Some(metadata.permissions())).map_err(failed)
        }
        Err(_) => write_beside(path, text, None).map_err(failed),
    }
}

/// Writes a file below a folder, making the folders in between. Neither the path nor a link on the way
/// may leave it.
pub(super) fn below(folder: &Path, path: &str, text: &[u8]) -> Result<(), Stop> {
    let failed = |error| Stop::io(&folder.join(path), "cannot be written", error);
    let outside = || Stop::new(format!("`{}` would be written outside `{}`", printable(path), shown(folder)));
    let parts: Vec<Component<'_>> = Path::new(path).components().collect();
    if parts.is_empty() || !parts.iter().all(|part| matches!(part, Component::Normal(_))) {
        return Err(outside());
    }
    fs::create_dir_all(folder).map_err(failed)?;
    let limit = folder.canonicalize().map_err(failed)?;
    let mut inside = limit.clone();
    for part in parts.iter().take(parts.len() - 1) {
        inside.push(part);
        match fs::create_dir(&inside) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            _ => {}
        }
        if !inside.canonicalize().map_err(failed)?.starts_with(&limit) {
            return Err(outside());
        }
    }
    let target = limit.join(path);
    match target.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => {
            Err(Stop::new(format!("`{}` is not a regular file", shown(&folder.join(path)))))
        }
        Ok(metadata) => write_beside(&target, text, Some(metadata.permissions())).map_err(failed),
        Err(_) => write_beside(&target, text, None).map_err(failed),
    }
}

/// A value as JSON for people and programs: indented, with a line end.
pub(super) fn json(value: &impl serde::Serialize) -> Result<String, Stop> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n")
        .map_err(|error| Stop::io(Path::new("the result"), "cannot be written", error.into()))
}

fn write_beside(target: &Path, text: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let temporary = beside(target)?;
    let written = (|| {
        // `create_new` never follows a link and never opens what somebody else put there.
        let mut file = File::options().write(true).create_new(true).open(&temporary)?;
        file.write_all(text)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()?;
        fs::rename(&temporary, target)
    })();
    if written.is_err() {
        // The file may not even exist; the first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A name in the folder of `target` that is short, hidden, and different for each process.
fn beside(target: &Path) -> io::Result<PathBuf> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if target.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a folder"));
    }
    let process = std::process::id();
    let free =
        (0..100).map(|n| folder.join(format!(".ackord-{process}-{n}.tmp"))).find(|path| !path.exists());
    free.ok_or_else(|| io::Error::new(io::ErrorKind::AlreadyExists, "old temporary files are in the way"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(choice: Option<Color>, env: &[(&str, &str)], terminal: bool) -> bool {
        let get =
            |name: &str| env.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
        colored(choice, get, terminal)
    }

    #[test]
    fn the_flag_beats_the_environment_which_beats_the_terminal() {
        assert!(decide(Some(Color::Always), &[("NO_COLOR", "1")], false));
        assert!(!decide(Some(Color::Never), &[("FORCE_COLOR", "1")], true));
        assert!(!decide(None, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true));
        assert!(decide(None, &[("CLICOLOR_FORCE", "1")], false));
        assert!(decide(Some(Color::Auto), &[("FORCE_COLOR", "1"), ("TERM", "dumb")], false));
        assert!(!decide(None, &[("FORCE_COLOR", "0")], false));
        assert!(decide(None, &[("NO_COLOR", "")], true));
        assert!(!decide(None, &[("TERM", "dumb")], true));
        assert!(!decide(None, &[], false));
    }

    /// What is left in a folder after a write: names, to see that no temporary file stays.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_only_as_it_was_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("q.yaml");
        fs::write(&path, "old").expect("a file");
        assert!(replace(folder.path(), &path, "q", b"older", b"new").is_err());
        assert_eq!(fs::read(&path).expect("a file"), b"old");
        assert!(replace(folder.path(), &path, "q", b"old", b"new").is_ok());
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        assert!(replace(folder.path(), &folder.path().join("missing"), "q", b"", b"new").is_err());
        assert_eq!(names(folder.path()), ["q.yaml"]);
    }

    #[test]
    #[cfg(unix)]
    fn permissions_are_kept_and_links_do_not_lead_out() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("root");
        fs::create_dir(&root).expect("a folder");
        let (inside, outside) = (root.join("q.yaml"), outer.path().join("secret"));
        fs::write(&inside, "old").expect("a file");
        fs::write(&outside, "old").expect("a file");
        fs::set_permissions(&inside, fs::Permissions::from_mode(0o640)).expect("permissions");
        symlink(&outside, root.join("out.yaml")).expect("a link");
        symlink("q.yaml", root.join("in.yaml")).expect("a link");
        assert!(replace(&root, &root.join("out.yaml"), "q", b"old", b"new").is_err());
        assert_eq!(fs::read(&outside).expect("a file"), b"old");
        assert!(replace(&root, &root.join("in.yaml"), "q", b"old", b"new").is_ok());
        assert_eq!(fs::read(&inside).expect("a file"), b"new");
        assert!(root.join("in.yaml").symlink_metadata().expect("a link").is_symlink());
        assert_eq!(inside.metadata().expect("a file").permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&inside, fs::Permissions::from_mode(0o440)).expect("permissions");
        assert!(replace(&root, &inside, "q", b"new", b"newer").is_err());
        assert_eq!(names(&root), ["in.yaml", "out.yaml", "q.yaml"]);
    }

    #[test]
    fn written_files_stay_below_their_folder() {
        let outer = tempfile::tempdir().expect("a folder");
        let out = outer.path().join("out");
        for outside in ["", "../x", "a/../../x", "/tmp/x", "a/..", "."] {
            assert!(below(&out, outside, b"x").is_err(), "{outside}");
        }
        assert!(below(&out, "a/b/c.md", b"1").is_ok() && below(&out, "a/b/c.md", b"2").is_ok());
        assert_eq!(fs::read(out.join("a/b/c.md")).expect("a file"), b"2");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path(), out.join("up")).expect("a link");
            std::os::unix::fs::symlink(outer.path().join("x"), out.join("file")).expect("a link");
            assert!(below(&out, "up/x", b"x").is_err() && below(&out, "file", b"x").is_err());
        }
        assert_eq!(names(outer.path()), ["out"]);
        assert_eq!(names(&out.join("a/b")), ["c.md"]);
    }
}
