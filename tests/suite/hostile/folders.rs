//! Files that are no files, names that are no names.

use std::path::Path;

use super::{Outcome, ackord};
use crate::patch::read;

const GOOD: &str = "examples/payment-capture/payment-capture.queue.yaml";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn good(self, name: &str) -> Self {
        std::fs::write(self.path().join(name), read(GOOD)).unwrap();
        self
    }

    fn check(&self, more: &[&str]) -> Outcome {
        ackord(self.path(), &[&["check"], more].concat(), b"").held(&format!("{more:?}"), 0)
    }
}

#[test]
fn a_folder_with_the_name_of_a_contract_is_a_folder() {
    let folder = Folder::new().good("good.queue.yaml");
    std::fs::create_dir(folder.path().join("x.queue.yaml")).unwrap();
    assert_eq!(folder.check(&[]).code, Some(0));
    std::fs::write(folder.path().join("x.queue.yaml/inner.queue.yaml"), "[").unwrap();
    assert_eq!(folder.check(&[]).code, Some(1));
    assert_eq!(folder.check(&["x.queue.yaml"]).code, Some(1));
    assert_eq!(folder.check(&["good.queue.yaml"]).code, Some(0));
}

#[test]
fn an_empty_file_is_a_finding() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("empty.queue.yaml"), "").unwrap();
    let run = folder.check(&[]).found("an empty file");
    assert!(run.out.contains("AK004"), "{}", run.out);
}

#[test]
#[cfg(unix)]
fn links_in_circles_end() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new().good("good.queue.yaml");
    symlink(".", folder.path().join("here")).unwrap();
    symlink("..", folder.path().join("up")).unwrap();
    symlink("b.queue.yaml", folder.path().join("a.queue.yaml")).unwrap();
    symlink("a.queue.yaml", folder.path().join("b.queue.yaml")).unwrap();
    symlink("c.queue.yaml", folder.path().join("c.queue.yaml")).unwrap();
    symlink("missing", folder.path().join("d.queue.yaml")).unwrap();
    assert_eq!(folder.check(&[]).code, Some(0));
    for name in ["a.queue.yaml", "c.queue.yaml", "d.queue.yaml"] {
        assert_eq!(folder.check(&[name]).code, Some(2), "{name}");
    }
}

/// A pipe that nobody writes to and a device without an end: refused, not waited for.
#[test]
#[cfg(unix)]
fn pipes_and_devices_are_not_read_for_ever() {
    let folder = Folder::new().good("good.queue.yaml");
    let pipe = folder.path().join("pipe.queue.yaml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("NOT TESTED: there is no mkfifo here");
        return;
    }
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.queue.yaml")).unwrap();
    assert_eq!(folder.check(&[]).code, Some(0));
    assert_eq!(folder.check(&["zero.queue.yaml"]).found("a device").code, Some(1));
    folder.check(&["pipe.queue.yaml"]);
    for command in [&["inspect", "pipe.queue.yaml"][..], &["inspect", "zero.queue.yaml"]] {
        ackord(folder.path(), command, b"").held("inspect", 0);
    }
    // The same behind a contract's own reference.
    let text = "message: {schema: {file: pipe.queue.yaml}}\n";
    std::fs::write(folder.path().join("refers.queue.yaml"), text).unwrap();
    assert_eq!(folder.check(&["refers.queue.yaml"]).code, Some(1));
}

#[test]
#[cfg(unix)]
fn unreadable_is_a_finding_and_a_name_is_data() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let names: [&[u8]; 12] = [
        b"\x1b[31mred",
        b"a\nb",
        b"a\r::error::x",
        b"\xff\xfe",
        b"::error::x",
        b"##[error]x",
        b"-rf",
        b"a b'\"$(id)`id`",
        b"\xe2\x80\xaegpj",
        b"%0A::error::x",
        b"\xc2\x9b2J",
        b"\t",
    ];
    for name in names {
        let folder = Folder::new();
        let file = [name, b".queue.yaml"].concat();
        std::fs::write(folder.path().join(OsStr::from_bytes(&file)), "queue: [").unwrap();
        for format in ["full", "concise", "json", "jsonl", "sarif"] {
            assert_eq!(folder.check(&["--output-format", format]).code, Some(1), "{name:?}");
        }
        let github = ackord(folder.path(), &["check", "--output-format", "github"], b"");
        let github = github.held("github", usize::MAX).found("github");
        let lines = github.out.lines().filter(|line| line.starts_with("::")).count();
        assert_eq!(lines, github.out.lines().count(), "{}", github.out);
        folder.check(&["--diff"]);
        folder.check(&["--fix"]);
    }
}

#[test]
fn ten_thousand_files_are_read_and_no_more() {
    let folder = Folder::new();
    for number in 0..=10_000 {
        std::fs::write(folder.path().join(format!("{number}.queue.yaml")), "x-a: 1\n").unwrap();
    }
    let run = folder.check(&["--output-format", "concise"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("10000") || run.err.contains("10,000"), "{}", run.err);
}
