use super::*;
use crate::emit::Owner;
use std::collections::BTreeSet;

fn entry(path: &str, text: &str, spec: &str, target: &str) -> Entry {
    Entry {
        path: path.to_owned(),
        sha256: hash(text.as_bytes()),
        spec: spec.to_owned(),
        target: target.to_owned(),
    }
}

fn lock(entries: &[Entry]) -> Lock {
    Lock(entries.iter().map(|entry| (entry.path.clone(), entry.clone())).collect())
}

fn file(text: &str) -> OnDisk {
    OnDisk::File(hash(text.as_bytes()))
}

fn disk(there: &[(&str, OnDisk)]) -> Disk {
    Disk(there.iter().map(|(path, there)| ((*path).to_owned(), there.clone())).collect())
}

fn scope() -> Scope {
    let only = |word: &str| BTreeSet::from([word.to_owned()]);
    Scope { specs: only("a.queue.yaml"), targets: only("runbook"), ..Scope::default() }
}

fn ours(path: &str, text: &str) -> Entry {
    entry(path, text, "a.queue.yaml", "runbook")
}

fn wanted(text: &str, owner: Owner) -> Wanted {
    Wanted { entry: ours("a/f", text), owner }
}

#[test]
fn a_hash_is_sha256() {
    // The example of FIPS 180-2, appendix B.1.
    assert_eq!(hash(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#[test]
fn every_case_of_a_generated_file() {
    use Fate::{Blocked, Changed, Edited, Foreign, Forgotten, New, Stale, StaleEdited, Unchanged};
    let (new, old, mine) = (|| file("new"), || file("old"), || file("mine"));
    // Listed with, wanted, on disk: what becomes of it, and with which text the lock lists it then.
    let cases = [
        (None, Some("new"), OnDisk::Absent, Some(New), Some("new")),
        (None, Some("new"), new(), Some(Unchanged), Some("new")),
        (None, Some("new"), mine(), Some(Foreign), Some("new")),
        (None, Some("new"), OnDisk::Other, Some(Blocked), Some("new")),
        (Some("old"), Some("new"), OnDisk::Absent, Some(New), Some("new")),
        (Some("old"), Some("new"), old(), Some(Changed), Some("new")),
        (Some("old"), Some("new"), new(), Some(Unchanged), Some("new")),
        (Some("old"), Some("new"), mine(), Some(Edited), Some("new")),
        (Some("old"), Some("new"), OnDisk::Other, Some(Blocked), Some("new")),
        (Some("new"), Some("new"), new(), Some(Unchanged), Some("new")),
        (Some("new"), Some("new"), mine(), Some(Edited), Some("new")),
        (Some("old"), None, OnDisk::Absent, Some(Forgotten), None),
        (Some("old"), None, old(), Some(Stale), None),
        (Some("old"), None, mine(), Some(StaleEdited), Some("old")),
        (Some("old"), None, OnDisk::Other, Some(StaleEdited), Some("old")),
        (None, None, mine(), None, None),
    ];
    for (listed, want, there, fate, then) in cases {
        let case = format!("{listed:?} {want:?} {there:?}");
        let before = lock(&listed.map(|text| ours("a/f", text)).into_iter().collect::<Vec<_>>());
        let wanted: Vec<_> = want.into_iter().map(|text| wanted(text, Owner::Generated)).collect();
        let plan = plan(&before, &scope(), &wanted, &disk(&[("a/f", there)]), Options::default());
        assert_eq!(plan.fates.get("a/f").copied(), fate, "{case}");
        assert_eq!(plan.fates.len(), usize::from(fate.is_some()), "{case}");
        assert_eq!(
            plan.next,
            lock(&then.map(|text| ours("a/f", text)).into_iter().collect::<Vec<_>>()),
            "{case}"
        );
    }
}

#[test]
fn every_case_of_a_file_of_yours() {
    use Fate::{Beside, Blocked, Foreign, Unchanged, YoursKept, YoursNew};
    let absent = || OnDisk::Absent;
    // On disk, its fresh copy on disk, whether one is asked for: the fates of both.
    let cases = [
        (absent(), absent(), false, YoursNew, None),
        (absent(), absent(), true, YoursNew, None),
        (file("new"), absent(), true, YoursKept, None),
        (file("mine"), absent(), false, YoursKept, None),
        (OnDisk::Other, absent(), false, YoursKept, None),
        (file("mine"), absent(), true, YoursKept, Some(Beside)),
        (file("mine"), file("new"), true, YoursKept, Some(Unchanged)),
        (file("mine"), file("mine too"), true, YoursKept, Some(Foreign)),
        (file("mine"), OnDisk::Other, true, YoursKept, Some(Blocked)),
    ];
    for (there, copy, asked, fate, beside) in cases {
        let case = format!("{there:?} {copy:?} {asked}");
        let there = disk(&[("a/f", there), ("a/f.new", copy)]);
        // Whether the file was generated once makes no difference.
        for before in [lock(&[]), lock(&[ours("a/f", "old")])] {
            let plan = plan(
                &before,
                &scope(),
                &[wanted("new", Owner::Yours)],
                &there,
                Options { force: false, beside: asked },
            );
            assert_eq!(plan.fates.get("a/f"), Some(&fate), "{case}");
            assert_eq!(plan.fates.get("a/f.new"), beside.as_ref(), "{case}");
            assert_eq!(plan.next, lock(&[]), "{case}");
        }
    }
}

#[test]
fn what_other_runs_wrote_stays() {
    let others = [
        entry("b/f", "b", "b.queue.yaml", "runbook"),
        entry("c/f", "c", "a.queue.yaml", "alerts"),
        entry("d/f", "d", "b.queue.yaml", "alerts"),
    ];
    let plan = plan(&lock(&others), &scope(), &[], &disk(&[("b/f", file("b"))]), Options::default());
    assert!(plan.fates.is_empty());
    assert_eq!(plan.next, lock(&others));
}

#[test]
fn only_edits_and_strangers_yield_to_force_and_nothing_writes_over_a_link() {
    use Fate::*;
    let all = [
        (New, true, false, false),
        (Changed, true, false, false),
        (Unchanged, false, false, false),
        (Edited, true, true, false),
        (Foreign, true, true, false),
        (Blocked, false, true, true),
        (Taken, false, true, true),
        (Stale, false, false, false),
        (Forgotten, false, false, false),
        (StaleEdited, false, false, false),
        (YoursNew, true, false, false),
        (YoursKept, false, false, false),
        (Beside, true, false, false),
    ];
    for (fate, writes, refuses, forced) in all {
        assert_eq!((fate.writes(), fate.refuses(false), fate.refuses(true)), (writes, refuses, forced));
    }
}

#[test]
fn a_killed_run_is_settled_file_by_file() {
    let before = lock(&[ours("changed", "1"), ours("removed", "1"), ours("other", "1")]);
    let after = lock(&[ours("changed", "2"), ours("new", "2"), ours("other", "1")]);
    let at_start = disk(&[("changed", file("1")), ("removed", file("1")), ("other", file("1"))]);
    assert_eq!(before.settle(&after, &at_start), before);
    let half = disk(&[("changed", file("2")), ("removed", file("1")), ("other", file("1"))]);
    let expected = lock(&[ours("changed", "2"), ours("removed", "1"), ours("other", "1")]);
    assert_eq!(before.settle(&after, &half), expected);
    let at_end = disk(&[("changed", file("2")), ("new", file("2")), ("other", file("1"))]);
    assert_eq!(before.settle(&after, &at_end), after);
    // An edit after the kill stays an edit, and a stranger a stranger.
    let edited = disk(&[("changed", file("mine")), ("new", file("mine")), ("removed", file("mine"))]);
    assert_eq!(before.settle(&after, &edited), before);
}

#[test]
fn a_lock_reads_back_as_it_was_written_in_the_order_of_paths() {
    let two = lock(&[ours("b", "1"), entry("a", "2", "../q \" \t.yaml", "alerts")]);
    let text = two.print();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(text.starts_with("{\"format\":1,") && text.ends_with("}\n"));
    let begins = |at: usize, with: &str| lines.get(at).is_some_and(|line| line.starts_with(with));
    assert!(begins(1, "{\"path\":\"a\",\"sha256\":\"") && begins(2, "{\"path\":\"b\""));
    assert_eq!(Lock::parse(&text), Ok(two));
    assert_eq!(Lock::parse("{\"format\":1}\n"), Ok(Lock::default()));
}

#[test]
fn a_lock_that_is_none_says_where() {
    let line = |path: &str| {
        format!("{{\"path\":\"{path}\",\"sha256\":\"{}\",\"spec\":\"q\",\"target\":\"t\"}}\n", "0".repeat(64))
    };
    let whole = |rest: &str| Lock::parse(&format!("{{\"format\":1}}\n{rest}"));
    assert!(whole(&line("a/b")).is_ok());
    for none in ["", "\n", "x", "{}", "{\"format\":0}", "{\"format\":\"1\"}", "<<<<<<< ours\n"] {
        assert_eq!(Lock::parse(none), Err(Broken::Line(1)), "{none}");
    }
    assert_eq!(Lock::parse("{\"format\":2,\"new\":[]}\nwhatever"), Err(Broken::Newer(2)));
    assert_eq!(whole(&format!("{}=======\n", line("a"))), Err(Broken::Line(3)));
    assert_eq!(whole(&line("a").replace("000", "00")), Err(Broken::Line(2)));
    assert_eq!(whole(&line("a").replace('0', "A")), Err(Broken::Line(2)));
    assert_eq!(whole(&line("a").replace("\"spec\"", "\"x\":1,\"spec\"")), Err(Broken::Line(2)));
    assert_eq!(whole(&(line("a") + &line("a"))), Err(Broken::Twice(3)));
    for outside in [
        "",
        "/etc/passwd",
        "../x",
        "a/../../x",
        "a//b",
        "./a",
        "a/",
        "c:/x",
        "a\\\\b",
        NAME,
        JOURNAL,
        "Ackord.Lock.tmp",
        "ackord.lock/x",
    ] {
        assert_eq!(whole(&line(outside)), Err(Broken::Outside(2)), "{outside}");
    }
}

#[test]
fn two_paths_that_cannot_both_be_there() {
    assert_eq!(clash(["a/b", "c", "A/b"]), Some(("a/b", "A/b")));
    assert_eq!(clash(["a", "a"]), Some(("a", "a")));
    assert_eq!(clash(["a/b/c", "x", "A/b"]), Some(("A/b", "a/b/c")));
    assert_eq!(clash(["a", "b", "ab/c", "a.b/c"]), None);
}

#[test]
fn names_that_some_system_cannot_have() {
    for (path, part) in [
        ("con/runbook.md", "con"),
        ("a/NUL.md", "NUL.md"),
        ("com1.x/a", "com1.x"),
        ("a/lpt9", "lpt9"),
        ("a./b", "a."),
        ("a/b ", "b "),
    ] {
        assert_eq!(unportable(path), Some(part), "{path}");
    }
    for path in ["console/a", "com/a", "com10/x", "communication/b.md", ".gitignore", "a.con/b"] {
        assert_eq!(unportable(path), None, "{path}");
    }
}

/// The fates of a run that wants nothing, over a folder as it was generated.
fn leftovers(entries: &[Entry], scope: &Scope) -> Vec<(String, Fate)> {
    let there = entries.iter().map(|entry| (entry.path.clone(), OnDisk::File(entry.sha256.clone())));
    plan(&lock(entries), scope, &[], &Disk(there.collect()), Options::default()).fates.into_iter().collect()
}

#[test]
fn a_contract_that_is_gone_and_a_target_that_nobody_names_leave_nothing() {
    let entries = [
        entry("a/runbook.md", "1", "a.queue.yaml", "runbook"),
        entry("b/runbook.md", "2", "b.queue.yaml", "runbook"),
        entry("a/alerts.yml", "3", "a.queue.yaml", "alerts"),
        entry("b/alerts.yml", "4", "b.queue.yaml", "alerts"),
    ];
    let stale = |scope: &Scope| -> Vec<String> {
        let fates = leftovers(&entries, scope);
        assert!(fates.iter().all(|(_, fate)| *fate == Fate::Stale));
        fates.into_iter().map(|(path, _)| path).collect()
    };
    assert_eq!(stale(&scope()), ["a/runbook.md"]);
    let gone = Scope { gone: BTreeSet::from(["b.queue.yaml".to_owned()]), ..scope() };
    assert_eq!(stale(&gone), ["a/runbook.md", "b/runbook.md"]);
    assert_eq!(stale(&Scope { whole: true, ..scope() }), ["a/alerts.yml", "a/runbook.md"]);
}

#[test]
fn what_a_folder_has_once_stays_while_a_contract_uses_its_target() {
    let once = entry("runtime/lib.rs", "1", "", "consumer");
    let (a, b) =
        (entry("a/m.rs", "2", "a.queue.yaml", "consumer"), entry("b/m.rs", "3", "b.queue.yaml", "consumer"));
    let whole = Scope { whole: true, ..scope() };
    assert_eq!(leftovers(&[a.clone(), b.clone(), once.clone()], &scope()), []);
    assert_eq!(leftovers(&[a.clone(), b, once.clone()], &whole), [("a/m.rs".to_owned(), Fate::Stale)]);
    let last = leftovers(&[a.clone(), once.clone()], &whole);
    assert_eq!(last, [("a/m.rs".to_owned(), Fate::Stale), ("runtime/lib.rs".to_owned(), Fate::Stale)]);
    // The target was run, and no longer has the file.
    let run = Scope { specs: BTreeSet::new(), targets: BTreeSet::from(["consumer".to_owned()]), ..scope() };
    assert_eq!(leftovers(&[a, once], &run), [("runtime/lib.rs".to_owned(), Fate::Stale)]);
}

#[test]
fn a_file_moves_between_contracts_only_if_its_own_is_gone_or_part_of_the_run() {
    let listed = [entry("a/f", "old", "twin.queue.yaml", "runbook")];
    let there = disk(&[("a/f", file("old"))]);
    let with = |scope: &Scope, force| {
        let options = Options { force, beside: false };
        let plan = plan(&lock(&listed), scope, &[wanted("new", Owner::Generated)], &there, options);
        plan.fates.get("a/f").copied()
    };
    let twin = BTreeSet::from(["twin.queue.yaml".to_owned()]);
    assert_eq!(with(&scope(), false), Some(Fate::Taken));
    assert_eq!(with(&scope(), true), Some(Fate::Taken));
    assert_eq!(with(&Scope { gone: twin.clone(), ..scope() }, false), Some(Fate::Changed));
    let both = Scope { specs: &scope().specs | &twin, ..scope() };
    assert_eq!(with(&both, false), Some(Fate::Changed));
}

#[test]
fn force_gives_up_what_is_no_longer_generated_and_was_edited() {
    let before = lock(&[ours("a/f", "old")]);
    let there = disk(&[("a/f", file("mine"))]);
    let forced = plan(&before, &scope(), &[], &there, Options { force: true, beside: false });
    assert_eq!((forced.fates.get("a/f"), forced.next), (Some(&Fate::StaleEdited), lock(&[])));
}
