//! Names and values that try to speak to the terminal or to the machine that reads the log.

use super::{BROKEN, Repository, Run};

/// Asserts that nothing on either stream steers a terminal or starts a workflow command of its own.
#[track_caller]
fn tame(run: &Run, commands: usize) {
    for stream in [&run.out, &run.err] {
        let steers = |c: char| {
            c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!stream.chars().any(steers), "{stream:?}");
    }
    let lines =
        run.out.split(['\n', '\u{2028}', '\u{2029}']).chain(run.err.split(['\n', '\u{2028}', '\u{2029}']));
    let found = lines
        .filter(|line| line.trim_start().starts_with("::") || line.trim_start().starts_with("##["))
        .count();
    assert_eq!(found, commands, "stdout:\n{}\nstderr:\n{}", run.out, run.err);
}

const HOSTILE: [&str; 6] = [
    "a\u{1b}[31mb",
    "a\n::error::forged",
    "a\r::stop-commands::x",
    "a\u{202e}b",
    "a\u{9b}2Jb",
    "a\n##[error]x",
];

#[test]
#[cfg(unix)]
fn names_of_files_are_escaped_in_every_format() {
    for name in HOSTILE {
        let repository = Repository::new();
        let file = format!("{name}.queue.yaml");
        repository.file(&file, BROKEN);
        for format in ["full", "concise", "json", "jsonl", "sarif"] {
            tame(&repository.run(&["check", "--output-format", format]).code(1), 0);
        }
        tame(&repository.run(&["check", "--output-format", "github"]).code(1), 1);
        for arguments in
            [&["check", "--show-files"][..], &["check", &file, "--show-files"], &["check", "--statistics"]]
        {
            tame(&repository.run(arguments), 0);
        }
    }
}

#[test]
#[cfg(unix)]
fn arguments_are_escaped_too() {
    let repository = Repository::new();
    for name in HOSTILE {
        let option = format!("--{name}");
        for arguments in [
            &[name][..],
            &["check", name],
            &["check", &option],
            &["check", "--select", name],
            &["check", "--config", name],
            &["check", "--fail-on", name],
            &["check", "--today", name],
            &["check", "--output", name],
            &["explain", name],
            &["inspect", name],
            &["completions", name],
        ] {
            tame(&repository.run(arguments).code(2), 0);
        }
    }
}

#[test]
fn the_configuration_is_escaped_too() {
    for value in HOSTILE {
        let repository = Repository::new();
        let quoted = serde_json::to_string(value).expect("a string");
        repository.file("ackord.toml", format!("ignore = [{quoted}]\n"));
        tame(&repository.run(&["check"]).code(2), 0);
        repository.file("ackord.toml", format!("{quoted} = 1\n"));
        tame(&repository.run(&["check"]).code(2), 0);
        repository.file("ackord.toml", format!("# {value}\nx = 1"));
        tame(&repository.run(&["check"]).code(2), 0);
    }
}
