//! Reading contracts, and the files that contracts refer to.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

use super::discover::{Found, Place};
use super::output::shown;
use super::stop::Stop;
use crate::diagnostic::{Code, Diagnostic, Level};
use crate::lint::{self, Inputs};
use crate::source::{SourceFile, Span};

/// A contract of this size is no contract.
const LARGEST: u64 = 8 * 1024 * 1024;

/// Reads all files. One that cannot be read or decoded becomes a finding, never a gap.
pub(super) fn contracts(files: &[Found]) -> Inputs {
    let mut inputs = Inputs::default();
    let everything = files.iter().all(|file| file.focused);
    for file in files {
        let text = open(&file.path).and_then(whole).map_or_else(|error| Err(unreadable(&error)), decode);
        if text.is_err() && !file.focused {
            // It is somebody else's finding, and there is nothing in it to compare with.
            continue;
        }
        let id = add(&mut inputs, &file.name, text);
        if file.focused && !everything {
            inputs.focus.insert(id);
        }
    }
    inputs
}

/// Takes a text from `reader` under the name `name`.
pub(super) fn stream(name: &str, reader: impl Read) -> Inputs {
    let mut inputs = Inputs { focus: BTreeSet::new(), ..Inputs::default() };
    let text = bytes(reader).map_or_else(|error| Err(unreadable(&error)), decode);
    add(&mut inputs, name, text);
    inputs
}

/// Reads the one file that a command is about; here a file that is no text is a failure.
pub(super) fn one(place: &Place, path: &Path) -> Result<Inputs, Stop> {
    let file = open(&place.here.join(path)).map_err(|error| Stop::io(path, "cannot be read", error))?;
    let bytes = bytes(file).map_err(|error| Stop::io(path, "cannot be read", error))?;
    let text = decode(bytes).map_err(|refusal| {
        Stop::with_help(format!("`{}`: {}", shown(path), refusal.message), refusal.help)
    })?;
    let mut inputs = Inputs::default();
    inputs.sources.add(SourceFile::new(place.name(path), text));
    Ok(inputs)
}

/// Loads the files that the contracts refer to.
pub(super) fn references(place: &Place, inputs: &mut Inputs) {
    let mut all = std::collections::BTreeMap::new();
    for (_, source) in inputs.sources.iter() {
        let folder =
            place.here.join(Path::new(&source.name)).parent().map(Path::to_owned).unwrap_or_default();
        for path in lint::references(&source.text) {
            let text = referenced(&place.root, &folder, &path);
            all.insert(lint::referenced_by(&source.name, &path), text);
        }
    }
    inputs.referenced = all;
}

fn add(inputs: &mut Inputs, name: &str, text: Result<String, Refusal>) -> crate::source::FileId {
    match text {
        Ok(text) => inputs.sources.add(SourceFile::new(name, text)),
        Err(refusal) => {
            let id = inputs.sources.add(SourceFile::new(name, refusal.text));
            let span = Span::new(id, refusal.at, refusal.at);
            let finding = Diagnostic::new(Code(refusal.code), span, refusal.message).level(Level::Error);
            inputs.refused.push(finding.help(refusal.help));
            id
        }
    }
}

/// Why a file's bytes are no text, and what of it can be shown.
#[derive(Debug)]
struct Refusal {
    code: &'static str,
    message: String,
    help: String,
    text: String,
    at: usize,
}

impl Refusal {
    fn new(code: &'static str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: help.into(), text: String::new(), at: 0 }
    }
}

fn unreadable(error: &io::Error) -> Refusal {
    // The system's words without its number, which differs between systems.
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or_default().to_lowercase();
    Refusal::new("AK001", format!("the file cannot be read: {words}"), "check its permissions")
}

/// The bytes of a file, read at once: a buffer that grows as it goes costs a call for each step.
fn whole(file: File) -> io::Result<Vec<u8>> {
    let length = file.metadata().map_or(0, |metadata| metadata.len()).min(LARGEST);
    // The one byte more is how the end is noticed.
    read_into(Vec::with_capacity(usize::try_from(length).unwrap_or(0) + 1), file)
}

/// Opens a regular file. A pipe that nobody writes to would be waited for, and a device has no end; only
/// what the shell itself handed over by a descriptor is taken as it is.
fn open(path: &Path) -> io::Result<File> {
    let handed_over =
        ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder));
    if !handed_over && !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    File::open(path)
}

/// At most one byte more than is accepted.
fn bytes(reader: impl Read) -> io::Result<Vec<u8>> {
    read_into(Vec::new(), reader)
}

fn read_into(mut bytes: Vec<u8>, reader: impl Read) -> io::Result<Vec<u8>> {
    reader.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn decode(bytes: Vec<u8>) -> Result<String, Refusal> {
    if bytes.len() as u64 > LARGEST {
        let message = format!("the file is larger than {} MiB", LARGEST / (1024 * 1024));
        return Err(Refusal::new("AK009", message, "split it: one file may hold one contract"));
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(Refusal::new("AK001", "the file is UTF-16, not UTF-8", "save it as UTF-8"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(at).copied().unwrap_or_default();
        let message = format!("the byte 0x{byte:02X} is not UTF-8");
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        Refusal { text, at, ..Refusal::new("AK001", message, "save the file as UTF-8") }
    })
}

/// The text of a file that a contract in the folder `folder` refers to as `path`; nothing where there is
/// none, or where it lies outside the workspace `root`, on paper or behind a link.
fn referenced(root: &Path, folder: &Path, path: &str) -> Option<String> {
    let relative = Path::new(path);
    let steps =
        |part: Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir | Component::CurDir);
    // Written for one system, read on another: a backslash or a scheme is refused on all of them.
    if path.is_empty() || path.contains(['\\', ':', '\0']) || !relative.components().all(steps) {
        return None;
    }
    let root = root.canonicalize().ok()?;
    let folder = folder.canonicalize().ok()?;
    // On paper first: `..` must not leave the root even where it would come back.
    let mut depth = folder.strip_prefix(&root).ok()?.components().count();
    for part in relative.components() {
        match part {
            Component::ParentDir => depth = depth.checked_sub(1)?,
            Component::Normal(_) => depth += 1,
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    let target = folder.join(relative).canonicalize().ok()?;
    if !target.starts_with(&root) || !target.metadata().ok()?.is_file() {
        return None;
    }
    let bytes = bytes(open(&target).ok()?).ok()?;
    decode(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_utf8_of_a_sensible_size() {
        assert_eq!(decode(b"a: 1\r\n".to_vec()).ok().as_deref(), Some("a: 1\r\n"));
        assert!(decode(vec![b'a'; 8 * 1024 * 1024]).is_ok());
        let refusal =
            |bytes: Vec<u8>| decode(bytes).map_err(|refusal| (refusal.code, refusal.message, refusal.at));
        assert_eq!(
            refusal(vec![b'a'; 8 * 1024 * 1024 + 1]),
            Err(("AK009", "the file is larger than 8 MiB".into(), 0))
        );
        assert_eq!(
            refusal(b"\xFF\xFEa\0".to_vec()),
            Err(("AK001", "the file is UTF-16, not UTF-8".into(), 0))
        );
        assert_eq!(
            refusal(b"\xFE\xFF\0a".to_vec()),
            Err(("AK001", "the file is UTF-16, not UTF-8".into(), 0))
        );
        assert_eq!(refusal(b"ab\xE9c".to_vec()), Err(("AK001", "the byte 0xE9 is not UTF-8".into(), 2)));
    }

    #[test]
    fn references_stay_inside_the_workspace() {
        let outer = tempfile::tempdir().expect("a folder");
        let root = outer.path().join("repo");
        let queues = root.join("queues");
        std::fs::create_dir_all(&queues).expect("folders");
        std::fs::write(root.join("schema.json"), "{}").expect("a file");
        std::fs::write(outer.path().join("secret.json"), "secret").expect("a file");
        let read = |path: &str| referenced(&root, &queues, path);
        assert_eq!(read("../schema.json").as_deref(), Some("{}"));
        assert_eq!(read("./../schema.json").as_deref(), Some("{}"));
        let absolute = root.join("schema.json").to_string_lossy().into_owned();
        for outside in
            ["../../secret.json", "../../repo/schema.json", "file:../schema.json", "http://host/schema.json"]
        {
            assert_eq!(read(outside), None, "{outside}");
        }
        for odd in [absolute.as_str(), "", "..", "missing.json", "..\\schema.json", "%2e%2e/schema.json"] {
            assert_eq!(read(odd), None, "{odd}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path().join("secret.json"), queues.join("link.json"))
                .expect("a link");
            std::os::unix::fs::symlink(outer.path(), queues.join("up")).expect("a link");
            std::os::unix::fs::symlink("../schema.json", queues.join("inner.json")).expect("a link");
            assert_eq!(read("link.json"), None);
            assert_eq!(read("up/secret.json"), None);
            assert_eq!(read("inner.json").as_deref(), Some("{}"));
        }
    }
}
