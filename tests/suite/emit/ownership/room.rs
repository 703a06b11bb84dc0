//! A disk that is full in the middle of a run.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Stdio};

use super::{BOTH, change, tour, tree};
use crate::cli::finish;

/// Whether a file system of a few pages can be mounted, in a place that only one process sees.
fn may_mount() -> bool {
    let mut tried = Command::new("unshare");
    tried.args(["-rm", "mount", "-t", "tmpfs", "tmpfs", "/tmp"]);
    tried.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs over a disk of each size from too small to large enough. On each, everything is old or new.
#[test]
fn a_full_disk_leaves_old_or_new_and_says_so() {
    if !may_mount() {
        assert!(std::env::var_os("CI").is_none(), "a tmpfs can be mounted in CI");
        eprintln!("NOT TESTED: a full disk, because nobody may mount one here");
        return;
    }
    let repository = tour();
    let program = env!("CARGO_BIN_EXE_ackord");
    let states = |name: &str| {
        finish(&mut repository.command(".", &[&BOTH[..7], &[name]].concat())).code(0);
        tree(&repository.path(name))
    };
    let old = states("old");
    let contract = repository.text(super::CONTRACT);
    change(&repository);
    let new = states("new");
    repository.file("old.queue.yaml", contract).file("new.queue.yaml", repository.text(super::CONTRACT));
    let (mut failed, mut whole) = (0, 0);
    for pages in (4..=124).step_by(8) {
        // The old files go in by a whole run, then a filler takes what the pages are too many.
        let script = format!(
            "set -e; mount -t tmpfs -o size=1m tmpfs out; cp old.queue.yaml {contract}; {generate}; \
             cp new.queue.yaml {contract}; head -c $((4096 * {pages})) /dev/zero > spare; \
             mv spare out/spare; dd if=/dev/zero of=out/filler bs=4096 2>/dev/null || true; rm out/spare; \
             set +e; {generate}; echo $? > code; rm -rf after; cp -r out after; rm out/filler; \
             {generate} --check > told; rm -f after/filler; {generate}; echo $? > mended; cp -r out mended.d; umount out",
            contract = super::CONTRACT,
            generate = format!("{program} {}", BOTH.join(" ")),
        );
        let _ = std::fs::remove_dir_all(repository.path("mended.d"));
        std::fs::create_dir_all(repository.path("out")).expect("a folder");
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", &script]).current_dir(repository.path("."));
        finish(&mut command).code(0);
        let code: i32 = repository.text("code").trim().parse().expect("a code");
        failed += usize::from(code == 2);
        whole += usize::from(code == 0);
        assert!(matches!(code, 0 | 2), "{code}");
        let bytes = |all: &[(std::path::PathBuf, Vec<u8>)], end: &str| {
            all.iter().find(|(path, _)| path.ends_with(Path::new(end))).map(|(_, bytes)| bytes.clone())
        };
        let after = tree(&repository.path("after"));
        for end in ["runbook.md", "rules.yml", "rules_test.yml"] {
            let there = bytes(&after, end);
            assert!(there == bytes(&old, end) || there == bytes(&new, end), "{pages} pages: {end}");
        }
        assert!(bytes(&after, "ackord.lock.tmp").is_none(), "{pages} pages: a file on its way is left");
        let told = repository.text("told");
        assert!(!told.contains("edited") && !told.contains("unlisted"), "{told}");
        assert_eq!(repository.text("mended").trim(), "0", "{pages} pages");
        let mended = tree(&repository.path("mended.d"));
        assert_eq!(mended.len(), new.len());
    }
    assert!(failed > 2 && whole > 0, "{failed} failed, {whole} were whole");
}

/// The same by a limit on the size of a file, which needs nobody's permission.
#[test]
fn a_file_that_cannot_be_written_whole_is_not_written() {
    let repository = tour();
    finish(&mut repository.command(".", BOTH)).code(0);
    let before = tree(&repository.path("out"));
    change(&repository);
    let script =
        format!("trap '' XFSZ; ulimit -f 4; exec {} {}", env!("CARGO_BIN_EXE_ackord"), BOTH.join(" "));
    let mut command = Command::new("bash");
    let run = finish(command.args(["-c", &script]).current_dir(repository.path(".")));
    let run = run.fails("cannot be written");
    assert!(run.err.contains("File too large"), "{}", run.err);
    let after = tree(&repository.path("out"));
    let generated = |all: &[(std::path::PathBuf, Vec<u8>)]| {
        all.iter().filter(|(path, _)| !path.ends_with("ackord.lock.next")).cloned().collect::<Vec<_>>()
    };
    assert!(generated(&after) == generated(&before));
    finish(&mut repository.command(".", BOTH)).code(0);
    finish(&mut repository.command(".", &[BOTH, &["--check"]].concat())).code(0);
}
