//! The first five minutes of a new user, played with the real binary in an empty folder, to the letter.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

const SESSION: &str = include_str!("../cases/session.txt");
const CONTRACT: &str = "queues/payment-capture.queue.yaml";

#[test]
fn the_first_five_minutes() {
    let folder = tempfile::tempdir().expect("a folder");
    // The root of a repository, so that nothing above it is looked at.
    std::fs::create_dir(folder.path().join(".git")).expect("a folder");
    let mut played = String::new();
    for line in SESSION.lines() {
        if let Some(arguments) = line.strip_prefix("$ ackord ") {
            played += &format!("{line}\n{}", run(folder.path(), arguments));
        } else if let Some(words) = line.strip_prefix("$ replace ") {
            let (old, new) = words.split_once(' ').expect("two words");
            let path = folder.path().join(CONTRACT);
            let text = std::fs::read_to_string(&path).expect("a contract");
            assert!(text.contains(&format!("ttl: {old}")), "{text}");
            let text = text.replace(&format!("ttl: {old}"), &format!("ttl: {new}"));
            std::fs::write(&path, text).expect("a contract");
            played += &format!("{line}\n");
        }
    }
    assert_eq!(played, SESSION);
}

/// What a terminal shows of a run: both streams as they come, then the exit code.
fn run(folder: &Path, arguments: &str) -> String {
    let shown = folder.join("terminal");
    let screen = File::create(&shown).expect("a file");
    let status = Command::new(env!("CARGO_BIN_EXE_ackord"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(screen.try_clone().expect("a handle"))
        .stderr(screen)
        .status()
        .expect("ackord runs");
    let text = std::fs::read_to_string(&shown).expect("what was shown");
    std::fs::remove_file(&shown).expect("a file");
    format!("{text}[exit {}]\n", status.code().expect("an exit code"))
}
