//! A run that is killed at any moment leaves files that are old or new, and a next run that knows.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{BOTH, change, out, run, tour};
use crate::dice::Dice;

const KILLS: usize = 200;

/// What is below the output folder, without what is ours alone.
fn files(repository: &crate::cli::Repository) -> BTreeMap<PathBuf, Vec<u8>> {
    let ours = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ackord.lock"))
    };
    out(repository).into_iter().filter(|(path, _)| !ours(path)).collect()
}

#[test]
#[cfg(unix)]
fn every_file_is_old_or_new_and_the_next_run_tells_and_mends() {
    let repository = tour();
    let old_contract = repository.text(super::CONTRACT);
    let begun = Instant::now();
    run(&repository, BOTH, &[]).code(0);
    // Only where to aim, never what to expect.
    let whole = begun.elapsed();
    let old = files(&repository);
    change(&repository);
    let new_contract = repository.text(super::CONTRACT);
    run(&repository, BOTH, &[]).code(0);
    let new = files(&repository);
    assert!(old.len() == 3 && new.iter().all(|(path, bytes)| old[path] != *bytes));
    let mut dice = Dice::new(7);
    let (mut killed, mut between, mut temporary) = (0, 0, 0);
    for round in 0..KILLS {
        // The contract alternates, so that each run has all files to write.
        let (contract, before, after) =
            if round % 2 == 0 { (&old_contract, &new, &old) } else { (&new_contract, &old, &new) };
        repository.file(super::CONTRACT, contract);
        let mut command = repository.command(".", BOTH);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process");
        if round % 4 == 0 {
            std::thread::sleep(whole.mul_f64(f64::from(u32::try_from(dice.below(1000)).unwrap()) / 1000.0));
        } else {
            // Most moments lie in the short time in which something is written.
            let journal = repository.path("out/ackord.lock.next");
            let since = Instant::now();
            while !journal.exists()
                && since.elapsed() < Duration::from_secs(10)
                && child.try_wait().unwrap().is_none()
            {
                std::hint::spin_loop();
            }
            let until = Instant::now() + Duration::from_micros(dice.below(4000) as u64);
            while Instant::now() < until {
                std::hint::spin_loop();
            }
        }
        // A process that ended already cannot be killed, and its run was whole.
        let _ = child.kill();
        killed += usize::from(child.wait().expect("an end").code().is_none());
        let journal = repository.path("out/ackord.lock.next").exists();
        temporary += usize::from(repository.path("out/ackord.lock.tmp").exists());
        let there = files(&repository);
        assert_eq!(there.len(), 3);
        for (path, bytes) in &there {
            assert!(*bytes == before[path] || *bytes == after[path], "{} is torn", path.display());
        }
        let fresh = there == *after;
        between += usize::from(!fresh && there != *before);
        // Looking is enough for one in ten; every run has to mend.
        if journal || round % 10 == 0 {
            let check = run(&repository, BOTH, &["--check"]);
            assert!(!check.out.contains("edited") && !check.out.contains("unlisted"), "{}", check.out);
            let outdated = there.iter().filter(|(path, bytes)| **bytes != after[*path]).count();
            assert_eq!(check.out.matches("outdated out/payment-capture/").count(), outdated, "{}", check.out);
            assert_eq!(check.code, Some(i32::from(!fresh || journal)), "{}", check.out);
            run(&repository, BOTH, &[]).code(0);
            assert!(files(&repository) == *after);
            assert_eq!(out(&repository).len(), 4, "something of ours is left");
        } else if !fresh {
            run(&repository, BOTH, &[]).code(0);
            assert!(files(&repository) == *after);
            assert_eq!(out(&repository).len(), 4, "something of ours is left");
        }
    }
    eprintln!("{killed} of {KILLS} runs were killed, {between} between two files, {temporary} within one");
    assert!(killed > KILLS / 4 && between > 0, "{killed} killed, {between} between two files");
}

#[test]
fn a_run_that_was_killed_before_two_more_is_not_forgotten() {
    let repository = tour();
    run(&repository, BOTH, &[]).code(0);
    let first = repository.text(super::LOCK);
    change(&repository);
    let old = repository.text(super::RUNBOOK);
    run(&repository, BOTH, &[]).code(0);
    // As if killed when one of three files was written.
    repository.file("out/ackord.lock.next", repository.text(super::LOCK)).file(super::LOCK, first);
    repository.file("out/ackord.lock.tmp", "half").file(super::RUNBOOK, old);
    // A run over part of it settles the rest.
    run(&repository, super::PAGE, &[]).code(0);
    assert_eq!(out(&repository).len(), 4);
    run(&repository, BOTH, &["--check"]).code(0);
}
