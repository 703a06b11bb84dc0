//! The same contracts give the same bytes, whatever the machine is like.

use std::process::Command;

use crate::dice::Dice;
use crate::patch::{files_below, root};

/// Every example and base, good and broken, in an order of its own for each `seed`.
fn contracts(seed: u64) -> Vec<String> {
    let all = files_below("examples").into_iter().chain(files_below("tests/bases"));
    let mut paths: Vec<String> = all.map(|path| path.to_string_lossy().replace('\\', "/")).collect();
    paths.retain(|path| path.ends_with(".queue.yaml"));
    let mut dice = Dice::new(seed);
    for at in (1..paths.len()).rev() {
        paths.swap(at, dice.below(at + 1));
    }
    paths
}

fn run(format: &str, seed: u64, surroundings: &[(&str, &str)]) -> (Option<i32>, Vec<u8>, Vec<u8>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ackord"));
    command.args(["check", "--isolated", "--pedantic", "--today", "2026-11-30", "--output-format", format]);
    command.args(contracts(seed)).current_dir(root());
    for name in ["ACKORD_OUTPUT_FORMAT", "SOURCE_DATE_EPOCH", "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
        command.env_remove(name);
    }
    let output = command.envs(surroundings.iter().copied()).output().expect("a process");
    (output.status.code(), output.stdout, output.stderr)
}

#[test]
fn the_surroundings_change_no_byte() {
    const SURROUNDINGS: [&[(&str, &str)]; 7] = [
        &[("RAYON_NUM_THREADS", "1")],
        &[("RAYON_NUM_THREADS", "2")],
        &[("RAYON_NUM_THREADS", "8"), ("HOME", "/nonexistent")],
        &[("TZ", "Pacific/Kiritimati"), ("LANG", "tr_TR.UTF-8"), ("LC_ALL", "tr_TR.UTF-8")],
        &[("TZ", "America/Los_Angeles"), ("LANG", "C"), ("LC_ALL", "C"), ("RAYON_NUM_THREADS", "3")],
        &[("COLUMNS", "40"), ("LINES", "5"), ("TERM", "dumb")],
        &[
            ("RUST_LOG", "trace"),
            ("RUST_BACKTRACE", "full"),
            ("USER", "somebody"),
            ("TMPDIR", "/nonexistent"),
        ],
    ];
    for format in ["full", "concise", "json", "jsonl", "github", "sarif"] {
        let first = run(format, 0, &[]);
        assert_eq!(first.0, Some(1));
        assert!(!first.1.is_empty());
        for (seed, surroundings) in (1..).zip(SURROUNDINGS) {
            let other = run(format, seed, surroundings);
            assert!(first == other, "{format} differs under {surroundings:?}");
        }
    }
}

/// The fixes and what `inspect` shows are bytes like any other.
#[test]
fn the_place_changes_no_byte() {
    let copies = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let outputs = copies.each_ref().map(|copy| {
        std::fs::create_dir(copy.path().join(".git")).unwrap();
        let paths = contracts(1);
        for path in &paths {
            let to = copy.path().join(path);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(root().join(path), to).unwrap();
        }
        let diff = [&["check", "--diff", "--unsafe-fixes"][..], &["check", "--output-format", "json"]];
        let inspect: Vec<[&str; 2]> = paths.iter().map(|path| ["inspect", path]).collect();
        let all = diff.into_iter().chain(inspect.iter().map(<[&str; 2]>::as_slice));
        let output = |arguments: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_ackord"));
            let output = command.args(arguments).current_dir(copy.path()).env_remove("NO_COLOR").output();
            let output = output.expect("a process");
            (output.status.code(), output.stdout, output.stderr)
        };
        all.map(output).collect::<Vec<_>>()
    });
    assert!(outputs[0] == outputs[1], "the folder shows in what is written");
}
