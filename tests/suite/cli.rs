//! The command line as a user meets it: exit codes, streams, files.

mod config;
mod discovery;
mod fixes;
mod hostile;
mod usage;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A repository in a temporary folder.
pub struct Repository {
    folder: tempfile::TempDir,
}

/// What a run came to.
pub struct Run {
    /// The exit code; none after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// A text that is always a finding: it is not UTF-8.
pub const BROKEN: &[u8] = b"# \xE9\n";

impl Repository {
    /// An empty repository.
    pub fn new() -> Self {
        let repository = Self { folder: tempfile::tempdir().expect("a folder") };
        std::fs::create_dir(repository.path(".git")).expect("a folder");
        repository
    }

    /// Where a file of the repository is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, with its folders.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("a file");
        self
    }

    /// What a file holds.
    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a text")
    }

    /// The command in the folder `folder`, with none of our variables in its environment.
    pub fn command(&self, folder: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ackord"));
        command.current_dir(self.path(folder)).args(arguments).stdin(Stdio::null());
        for name in ["ACKORD_OUTPUT_FORMAT", "SOURCE_DATE_EPOCH", "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"]
        {
            command.env_remove(name);
        }
        command
    }

    /// Runs the command in the root of the repository.
    pub fn run(&self, arguments: &[&str]) -> Run {
        finish(&mut self.command(".", arguments))
    }

    /// Runs the command with something on standard input.
    pub fn piped(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(".", arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        // A run that refuses its arguments does not wait for its input.
        let _ = child.stdin.take().expect("a pipe").write_all(input);
        read(child.wait_with_output().expect("an end"))
    }
}

/// Runs a prepared command.
pub fn finish(command: &mut Command) -> Run {
    read(command.output().expect("a process"))
}

fn read(output: std::process::Output) -> Run {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8 on both streams");
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

impl Run {
    /// Asserts the exit code and shows both streams where it is another.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    /// Asserts a failure that says `words` on standard error and nothing on standard output.
    #[track_caller]
    pub fn fails(self, words: &str) -> Self {
        let run = self.code(2);
        assert_eq!(run.out, "");
        assert!(run.err.contains(words), "{}", run.err);
        run
    }
}

/// Every file below a folder with its bytes, to compare before and after.
pub fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.clone(), std::fs::read(path).expect("a file")));
            }
        }
    }
    files.sort();
    files
}
