//! A name that would be another place, another file or a device never becomes a path.

use super::{CONTRACT, Repository, run, tour, tree};

/// What a queue might be called by somebody who means harm.
fn hostile() -> Vec<String> {
    let names = [
        "..",
        "../x",
        "../../etc/passwd",
        "/etc/passwd",
        "a/../../x",
        "./x",
        "a//b",
        "a/b",
        "a/",
        "/",
        ".",
        "",
        "~",
        "~root",
        "$HOME",
        "`id`",
        "$(id)",
        "a;b",
        "a|b",
        "a&b",
        "a b",
        " a",
        "a ",
        "a.",
        ".a",
        "-rf",
        "--out",
        "a\\b",
        "..\\x",
        "C:",
        "C:\\x",
        "c:x",
        "\\\\host\\x",
        "a:stream",
        "a*",
        "a?",
        "a\"b",
        "a'b",
        "a<b",
        "a>b",
        "a\0b",
        "a\nb",
        "a\rb",
        "a\tb",
        "a\u{1b}[2Jb",
        "a\u{202e}b",
        "a\u{200b}b",
        "\u{feff}a",
        "a\u{301}",
        "ä",
        "ÄB",
        "A",
        "Payment-Capture",
        "PAYMENT-CAPTURE",
        "a%2e%2e",
        "a%00",
        "{queue}",
        "{{ queue }}",
        "a#b",
        "a@b",
    ];
    let mut names: Vec<String> = names.map(str::to_owned).to_vec();
    names.push("a".repeat(300));
    // A name of the language all the same, but none of a file on each system, or one of ours.
    names.extend(
        ["con", "nul", "aux", "prn", "com1", "lpt9", "nul.x", "ackord.lock", "ackord.lock.tmp"]
            .map(str::to_owned),
    );
    names
}

fn named(repository: &Repository, name: &str) {
    let text = super::tour().text(CONTRACT);
    let line = text.lines().find(|line| line.starts_with("queue:")).expect("the queue's line").to_owned();
    let quoted = serde_json::to_string(name).expect("JSON");
    repository.file(CONTRACT, text.replacen(&line, &format!("queue: {quoted}"), 1));
}

#[test]
fn hostile_names_are_refused_for_each_target() {
    let repository = tour();
    let targets = ackord::emit::targets().expect("targets");
    let names = hostile();
    assert!(names.len() >= 60, "{}", names.len());
    let before = |repository: &Repository| {
        tree(&repository.path("."))
            .into_iter()
            .filter(|(path, _)| !path.ends_with(CONTRACT))
            .collect::<Vec<_>>()
    };
    let there = before(&repository);
    let arguments = targets.iter().flat_map(|target| ["--target", target.name.as_str()]).collect::<Vec<_>>();
    for name in &names {
        named(&repository, name);
        // The language refuses most names (exit 1), and the emitter the rest (exit 2), before any target writes.
        for target in &targets {
            let one = ["generate", CONTRACT, "--target", target.name.as_str(), "--out", "out"];
            let run = repository.run(&one);
            assert!(matches!(run.code, Some(1 | 2)), "{name:?} {}: {:?} {}", target.name, run.code, run.err);
        }
        let all = run(
            &repository,
            &["generate", CONTRACT, "--out", "out"],
            &[&arguments[..], &["--force"]].concat(),
        );
        assert!(matches!(all.code, Some(1 | 2)), "{name:?}: {}", all.err);
        assert!(before(&repository) == there, "{name:?}");
    }
}

#[test]
fn a_device_and_a_name_of_ours_are_told_apart() {
    let repository = tour();
    let out = ["generate", CONTRACT, "--target", "runbook", "--out", "out"];
    named(&repository, "con");
    repository
        .run(&out)
        .fails("`con/runbook.md` cannot be on every system: `con` is no name of a file on some");
    named(&repository, "ackord.lock");
    let run = repository.run(&out).fails("would be no file of its own in an output folder");
    assert!(run.err.contains("help: give the contract another name under `queue`"), "{}", run.err);
}
