//! Nothing outside the output folder is read into it, changed or removed, whatever links lie in the way.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use super::{BOTH, CONTRACT, Repository, change, run, tour, tree};

/// Puts a link to `target` in the place of `path`, where a folder or a file may be.
fn plant(repository: &Repository, path: &str, target: &Path) {
    let at = repository.path(path);
    let _ = std::fs::remove_file(&at);
    let _ = std::fs::remove_dir_all(&at);
    std::fs::create_dir_all(at.parent().expect("a parent")).expect("folders");
    symlink(target, at).expect("a link");
}

/// A folder that nobody may touch, with files under the names that a run would write.
fn victim() -> tempfile::TempDir {
    let victim = tempfile::tempdir().expect("a folder");
    for name in [
        "runbook.md",
        "rules.yml",
        "rules_test.yml",
        "alerts/rules.yml",
        "payment-capture/runbook.md",
        "ackord.lock",
    ] {
        let path = victim.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, "mine").expect("a file");
    }
    victim
}

#[test]
fn a_planted_link_is_never_followed() {
    let places = [
        "out",
        "out/ackord.lock",
        "out/ackord.lock.next",
        "out/ackord.lock.tmp",
        "out/payment-capture",
        "out/payment-capture/alerts",
        "out/payment-capture/alerts/rules.yml",
        "out/payment-capture/runbook.md",
    ];
    let mut cases = 0;
    for place in places {
        for into in ["", "runbook.md", "nothing", "payment-capture"] {
            for generated in [false, true] {
                let (repository, victim) = (tour(), victim());
                if generated {
                    run(&repository, BOTH, &[]).code(0);
                    change(&repository);
                }
                plant(&repository, place, &victim.path().join(into));
                let before = tree(victim.path());
                for more in [&["--check"][..], &["--diff"], &[], &["--force"], &["--force-scaffold"]] {
                    let run = run(&repository, BOTH, more);
                    // Only what no run ever opens, the place of a file on its way, is no reason to stop.
                    let harmless = place == "out/ackord.lock.tmp";
                    assert!(harmless || run.code != Some(0), "{place} {into} {more:?}: {}", run.err);
                    assert!(matches!(run.code, Some(0..=2)), "{place} {into} {more:?}: {}", run.err);
                    assert!(!run.out.contains("mine"), "{}", run.out);
                    assert!(tree(victim.path()) == before, "{place} {into} {more:?}");
                    cases += 1;
                }
            }
        }
    }
    assert_eq!(cases, places.len() * 4 * 2 * 5);
}

#[test]
fn a_link_that_is_swapped_in_during_the_run_is_not_followed() {
    const RUNS: usize = 40;
    let (repository, victim) = (tour(), victim());
    run(&repository, BOTH, &[]).code(0);
    let before = tree(victim.path());
    let (contract, changed) = {
        let first = repository.text(CONTRACT);
        change(&repository);
        (first, repository.text(CONTRACT))
    };
    let done = AtomicBool::new(false);
    let folder = repository.path("out/payment-capture");
    let (link, aside) = (repository.path("out/link"), repository.path("out/aside"));
    symlink(victim.path(), &link).expect("a link");
    let swaps = std::thread::scope(|scope| {
        let swapping = scope.spawn(|| {
            let mut swaps = 0;
            while !done.load(Ordering::Relaxed) {
                // The folder steps aside, and the link takes its name for a moment.
                if std::fs::rename(&folder, &aside).is_ok() {
                    let _ = std::fs::rename(&link, &folder);
                    std::thread::yield_now();
                    let _ = std::fs::rename(&folder, &link);
                    let _ = std::fs::rename(&aside, &folder);
                    swaps += 1;
                }
            }
            swaps
        });
        for round in 0..RUNS {
            repository.file(CONTRACT, if round % 2 == 0 { &contract } else { &changed });
            let mut command: Command = repository.command(".", BOTH);
            let end = command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("a process");
            assert!(matches!(end.code(), Some(0..=2)), "{end}");
        }
        done.store(true, Ordering::Relaxed);
        swapping.join().expect("a thread")
    });
    assert!(swaps >= 200, "{swaps} swaps");
    assert!(tree(victim.path()) == before);
}

#[test]
fn pipes_and_sockets_are_not_waited_for() {
    let repository = tour();
    run(&repository, BOTH, &[]).code(0);
    for path in [super::RUNBOOK, super::LOCK] {
        let at: PathBuf = repository.path(path);
        let text = std::fs::read(&at).expect("a file");
        std::fs::remove_file(&at).expect("a file");
        let made = Command::new("mkfifo").arg(&at).status().expect("mkfifo");
        assert!(made.success());
        assert_ne!(run(&repository, BOTH, &["--check"]).code, Some(0));
        assert_ne!(run(&repository, BOTH, &["--force"]).code, Some(0));
        std::fs::remove_file(&at).expect("a pipe");
        std::fs::write(&at, text).expect("a file");
    }
    run(&repository, BOTH, &["--check"]).code(0);
}
