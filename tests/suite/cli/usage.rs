#![allow(clippy::indexing_slicing, reason = "JSON that lacks a key gives null, which no assertion wants")]

use super::{BROKEN, Repository, finish};

#[test]
fn help_and_version_are_results() {
    let repository = Repository::new();
    for arguments in [&["--help"][..], &["--version"], &["check", "--help"], &["explain", "-h"]] {
        let run = repository.run(arguments).code(0);
        assert!(!run.out.is_empty() && run.err.is_empty(), "{arguments:?}");
    }
    for command in
        ["check", "inspect", "generate", "explain", "rules", "schema", "init", "completions", "man"]
    {
        let run = repository.run(&[command, "--help"]).code(0);
        assert!(run.out.contains("Examples:\n  ackord "), "{command} shows no example");
    }
}

#[test]
fn no_command_shows_the_help_and_fails() {
    let run = Repository::new().run(&[]).code(2);
    assert!(run.out.is_empty() && run.err.contains("Usage: ackord"), "{}", run.err);
}

#[test]
fn a_wrong_command_line_is_told_in_our_words() {
    let repository = Repository::new();
    let cases: &[(&[&str], &str)] = &[
        (&["chek"], "error: `chek` is not a command\nhelp: write `check`\n"),
        (
            &["check", "--pedantik"],
            "error: `--pedantik` is not an option of `ackord check`\nhelp: write `--pedantic`\n",
        ),
        (
            &["check", "--fail-on", "fatal"],
            "error: `fatal` is not a value of `--fail-on <LEVEL>`\nhelp: write one of error, warning, note\n",
        ),
        (&["explain"], "error: `ackord explain` needs <CODE|NAME>\nhelp: ackord explain --help\n"),
        (
            &["check", "--today", "2027-02-30"],
            "error: `2027-02-30` is not a value of `--today <YYYY-MM-DD>`: it is no day of the calendar; write YYYY-MM-DD\nhelp: ackord check --help\n",
        ),
    ];
    for (arguments, expected) in cases {
        let run = repository.run(arguments).code(2);
        assert_eq!(run.err, *expected, "{arguments:?}");
        assert_eq!(run.out, "");
    }
    repository.run(&["check", "--isolated", "--config", "x"]).fails("exclude each other");
    repository.run(&["check", "--output", "sarif"]).fails("names no file");
    repository.run(&["check", "--output", "xml=a"]).fails("full, concise, json, jsonl, github, sarif");
}

#[test]
fn findings_end_with_one_in_every_format_and_failures_with_two() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", BROKEN);
    for format in ["full", "concise", "json", "jsonl", "github", "sarif"] {
        let run = repository.run(&["check", "--output-format", format]).code(1);
        assert!(run.out.contains("AK001"), "{format}: {}", run.out);
        repository.run(&["check", "--output-format", format, "--exit-zero"]).code(0);
        repository
            .run(&["check", "missing.yaml", "--output-format", format, "--exit-zero"])
            .fails("does not exist");
    }
}

#[test]
fn findings_are_results_and_the_summary_is_not() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", BROKEN);
    let run = repository.run(&["check", "--output-format", "concise"]).code(1);
    assert!(run.out.starts_with("a.queue.yaml:1:3"), "{}", run.out);
    assert!(run.err.starts_with("checked "), "{}", run.err);
    let quiet = repository.run(&["check", "-q", "--output-format", "concise"]).code(1);
    assert_eq!((quiet.out, quiet.err.as_str()), (run.out, ""));
}

#[test]
fn a_report_can_be_written_beside_the_findings() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", BROKEN);
    let arguments = ["check", "--output", "json=out.json", "--output", "sarif=out.sarif"];
    let run = repository.run(&arguments).code(1);
    assert!(run.out.contains("AK001"));
    assert_eq!(repository.text("out.json"), repository.run(&["check", "--output-format", "json"]).out);
    assert_eq!(repository.text("out.sarif"), repository.run(&["check", "--output-format", "sarif"]).out);
    repository.run(&["check", "--output", "json=nowhere/out.json"]).fails("cannot be written");
    assert!(!repository.path("nowhere").exists());
}

#[test]
fn statistics_count_by_rule() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", BROKEN).file("b.queue.yaml", BROKEN);
    let run = repository.run(&["check", "--statistics"]).code(1);
    assert!(run.out.trim_start().starts_with("2  AK001"), "{}", run.out);
    repository.run(&["check", "--statistics", "--output-format", "json"]).fails("table for people");
}

#[test]
fn standard_input_has_the_name_it_is_given() {
    let repository = Repository::new();
    let run = repository.piped(&["check", "-", "--output-format", "concise"], BROKEN).code(1);
    assert!(run.out.starts_with("<stdin>:1:"), "{}", run.out);
    let arguments = ["check", "-", "--stdin-filename", "queues/new.queue.yaml", "--output-format", "concise"];
    let run = repository.piped(&arguments, BROKEN).code(1);
    assert!(run.out.starts_with("queues/new.queue.yaml:1:"), "{}", run.out);
    repository.run(&["check", "--stdin-filename", "x.yaml"]).fails("needs `-`");
    repository.piped(&["check", "-", "a.yaml"], BROKEN).fails("alone");
    repository.piped(&["check", "-", "--fix"], BROKEN).fails("cannot write to standard input");
}

#[test]
fn standard_input_reads_nothing_else() {
    let repository = Repository::new();
    repository.file("other.queue.yaml", BROKEN);
    let arguments = ["check", "-", "--stdin-filename", "new.queue.yaml", "--output-format", "concise"];
    let run = repository.piped(&arguments, b"\xE9").code(1);
    assert!(run.out.lines().all(|line| line.starts_with("new.queue.yaml")), "{}", run.out);
}

#[test]
fn the_format_comes_from_flag_then_environment_then_file() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", BROKEN).file("ackord.toml", "output-format = \"concise\"\n");
    let with = |value: Option<&str>, arguments: &[&str]| {
        let mut command = repository.command(".", arguments);
        if let Some(value) = value {
            command.env("ACKORD_OUTPUT_FORMAT", value);
        }
        finish(&mut command)
    };
    let concise = |text: &str| text.starts_with("a.queue.yaml:1:");
    assert!(concise(&with(None, &["check"]).out));
    assert!(with(Some("github"), &["check"]).out.starts_with("::error"));
    assert!(with(Some(""), &["check"]).out.starts_with("a.queue.yaml:1:"));
    assert!(with(Some("github"), &["check", "--output-format", "json"]).out.starts_with('{'));
    assert!(!concise(&with(None, &["check", "--isolated"]).out));
    with(Some("githb"), &["check"]).fails("write `github`");
}

#[test]
fn colour_is_only_where_it_is_wanted() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", BROKEN);
    assert!(!repository.run(&["check"]).out.contains('\u{1b}'));
    assert!(repository.run(&["check", "--color", "always"]).out.contains('\u{1b}'));
    assert!(repository.run(&["--color", "always", "check"]).out.contains('\u{1b}'));
    assert!(
        !repository.run(&["check", "--color", "always", "--output-format", "json"]).out.contains('\u{1b}')
    );
    let forced = finish(repository.command(".", &["check"]).env("CLICOLOR_FORCE", "1"));
    assert!(forced.out.contains('\u{1b}'));
    let both = finish(repository.command(".", &["check"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"));
    assert!(!both.out.contains('\u{1b}'));
}

#[test]
fn the_day_can_be_chosen() {
    let repository = Repository::new();
    let shown = |arguments: &[&str], epoch: Option<&str>| {
        let mut command = repository.command(".", arguments);
        if let Some(epoch) = epoch {
            command.env("SOURCE_DATE_EPOCH", epoch);
        }
        finish(&mut command)
    };
    let config = ["check", "--show-config"];
    // 1709164800 is 2024-02-29 00:00 UTC.
    assert!(shown(&config, Some("1709164800")).out.contains("# today: 2024-02-29\n"));
    let asked = ["check", "--show-config", "--today", "2027-03-01"];
    assert!(shown(&asked, Some("1709164800")).out.contains("# today: 2027-03-01\n"));
    shown(&config, Some("soon")).fails("`SOURCE_DATE_EPOCH` is `soon`");
}

#[test]
fn rules_are_listed_and_explained() {
    let repository = Repository::new();
    let list = repository.run(&["rules"]).code(0);
    let (first, rest) = list.out.split_once("  ").expect("a rule");
    assert!(first.starts_with("AK") && !rest.is_empty());
    let json: serde_json::Value =
        serde_json::from_str(&repository.run(&["rules", "--output-format", "json"]).out).expect("JSON");
    assert_eq!(json["rules"].as_array().map(Vec::len), Some(list.out.lines().count()));
    let name = json["rules"][0]["name"].as_str().expect("a name");
    let by_name = repository.run(&["explain", name]).code(0);
    assert_eq!(by_name.out, repository.run(&["explain", first]).code(0).out);
    assert!(by_name.out.len() > 100);
    let near = format!("{name}x");
    repository.run(&["explain", &near]).fails(&format!("help: ackord explain {name}"));
    repository.run(&["explain", "nothing-like-it"]).fails("help: ackord rules");
    repository.run(&["check", "--select", &near]).fails(&format!("write `{name}`"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let repository = Repository::new();
    for n in 0..200 {
        repository.file(&format!("{n:03}.queue.yaml"), BROKEN);
    }
    for arguments in
        [&["rules"][..], &["schema", "--config"], &["check", "--output-format", "json", "-q"], &["--help"]]
    {
        let expected = repository.run(arguments).code;
        let mut child = repository
            .command(".", arguments)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("a process");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("an end");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), expected, "{arguments:?}");
    }
}

#[test]
fn a_full_disk_is_a_failure() {
    let full = std::path::Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let repository = Repository::new();
    let stdout = std::fs::File::options().write(true).open(full).expect("a device");
    let output = repository.command(".", &["schema", "--config"]).stdout(stdout).output().expect("a process");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"));
}

#[test]
fn completions_and_pages_are_written() {
    let repository = Repository::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(repository.run(&["completions", shell]).code(0).out.contains("unsafe-fixes"), "{shell}");
    }
    assert!(repository.run(&["man"]).code(0).out.contains(".TH ackord 1"));
    repository.run(&["man", "pages"]).code(0);
    assert!(
        repository.text("pages/ackord-check.1").contains(".TH ackord\\-check 1")
            || repository.text("pages/ackord-check.1").contains(".TH ackord-check 1")
    );
    let schema: serde_json::Value =
        serde_json::from_str(&repository.run(&["schema", "--config"]).code(0).out).expect("JSON");
    assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
}
