//! Every derived figure, recomputed by a program in another language that shares no code with this one.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use crate::patch::root;

fn oracle(arguments: &[&str]) -> std::io::Result<Output> {
    Command::new("python3").arg(root().join("tests/oracle/oracle.py")).args(arguments).output()
}

/// Whether there is a Python to ask. On a developer's machine its absence is said, where nobody can
/// overlook it; in CI it is a failure.
pub fn python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        assert!(
            std::env::var_os("CI").is_none_or(|value| value.is_empty()),
            "CI has no python3 to run the oracle"
        );
        // The macros would be captured, since the test passes.
        let words = "\n*** python3 is missing: THE ORACLE DID NOT RUN, no derived figure was checked ***\n\n";
        let _ = std::io::stderr().write_all(words.as_bytes());
    }
    found
}

fn succeeds(arguments: &[&str]) {
    let output = oracle(arguments).unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "oracle {}:\n{said}{errors}", arguments.join(" "));
}

/// Writes random contracts of one seed to a folder.
pub fn generate(count: usize, folder: &Path) {
    succeeds(&["generate", "--seed", "1", "--count", &count.to_string(), "--out", folder.to_str().unwrap()]);
}

#[test]
fn the_oracle_itself_agrees_with_published_figures() {
    if python() {
        succeeds(&["selftest"]);
    }
}

#[test]
fn inspect_agrees_with_the_oracle_on_200_contracts() {
    if python() {
        let folder = tempfile::tempdir().unwrap();
        generate(200, folder.path());
        let folder = folder.path().to_str().unwrap();
        succeeds(&["compare", "--ackord", env!("CARGO_BIN_EXE_ackord"), "--dir", folder]);
    }
}
