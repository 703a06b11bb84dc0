//! `ackord generate` as a user meets it.

use crate::cli::{Repository, finish, tree};

use super::{examples, root};

fn tour() -> Repository {
    let repository = Repository::new();
    let text =
        std::fs::read(root().join("examples/payment-capture/payment-capture.queue.yaml")).expect("the tour");
    repository.file("queues/payment-capture.queue.yaml", text);
    repository
}

const ARGUMENTS: [&str; 6] =
    ["generate", "queues/payment-capture.queue.yaml", "--target", "runbook", "--out", "out"];

#[test]
fn it_writes_below_the_folder_and_says_so() {
    let repository = tour();
    let run = repository.run(&ARGUMENTS).code(0);
    assert_eq!(run.out, "");
    assert_eq!(run.err, "out/payment-capture/   1 file    runbook\nwrote    1 file: 1 generated\n");
    let again = repository.run(&ARGUMENTS).code(0);
    assert_eq!((again.out.as_str(), again.err.as_str()), ("", "wrote    nothing; 1 as they were\n"));
    let files: Vec<_> = tree(&repository.path("out")).into_iter().map(|(path, _)| path).collect();
    assert_eq!(
        files,
        ["out/ackord.lock", "out/payment-capture/runbook.md"].map(|path| repository.path(path))
    );
}

#[test]
fn the_place_the_clock_and_the_language_do_not_matter() {
    let repository = tour();
    repository.run(&ARGUMENTS).code(0);
    let first = repository.text("out/payment-capture/runbook.md");
    for (zone, language) in [("UTC", "C"), ("Asia/Tokyo", "de_DE.UTF-8"), ("America/New_York", "tr_TR.UTF-8")]
    {
        let mut command = repository.command(
            "queues",
            &["generate", "payment-capture.queue.yaml", "--target", "runbook", "--out", "../elsewhere"],
        );
        finish(command.env("TZ", zone).env("LANG", language).env("LC_ALL", language)).code(0);
        assert_eq!(repository.text("elsewhere/payment-capture/runbook.md"), first);
    }
    let folder = repository.path(".").to_string_lossy().into_owned();
    assert!(!first.contains(folder.trim_end_matches('.')) && !first.contains("queues/"));
}

#[test]
fn a_contract_with_an_error_gives_its_findings_and_no_file() {
    let repository = tour();
    let broken = repository.text("queues/payment-capture.queue.yaml").replace("ttl: 15d", "ttl: 10m");
    repository.file("queues/payment-capture.queue.yaml", broken);
    let run = repository.run(&ARGUMENTS).code(1);
    assert!(run.out.contains("error[AK201]"), "{}", run.out);
    assert!(!repository.path("out").exists());
    // One of two is enough.
    let good = std::fs::read(&examples()[0].0).expect("a contract");
    repository.file("queues/good.queue.yaml", good);
    repository
        .run(&["generate", "queues/good.queue.yaml", ARGUMENTS[1], "--target", "runbook", "--out", "out"])
        .code(1);
    assert!(!repository.path("out").exists());
}

#[test]
fn a_target_that_is_none_names_the_nearest() {
    let repository = tour();
    let mut arguments = ARGUMENTS;
    arguments[3] = "runbok";
    let run = repository.run(&arguments).fails("`runbok` is not a target");
    assert!(run.err.contains("help: write `runbook`"), "{}", run.err);
    arguments[3] = "poem";
    let run = repository.run(&arguments).fails("`poem` is not a target");
    assert!(run.err.contains("help: ackord generate --list"), "{}", run.err);
    assert!(!repository.path("out").exists());
    let list = repository.run(&["generate", "--list"]).code(0);
    assert!(list.out.contains("\nrunbook ") && list.err.is_empty(), "{}", list.out);
}

#[test]
fn two_contracts_of_one_name_are_refused_before_anything_is_written() {
    let repository = tour();
    let text = repository.text("queues/payment-capture.queue.yaml");
    repository.file("queues/twin.queue.yaml", text);
    let run = repository.run(&[
        "generate",
        ARGUMENTS[1],
        "queues/twin.queue.yaml",
        "--target",
        "runbook",
        "--out",
        "out",
    ]);
    assert!(run.code == Some(1) || run.code == Some(2), "{}", run.err);
    assert!(!repository.path("out").exists());
}

#[test]
fn a_contract_that_comes_later_does_not_take_the_files_of_one_that_is_still_there() {
    let repository = tour();
    repository.run(&ARGUMENTS).code(0);
    repository.file("queues/twin.queue.yaml", repository.text(ARGUMENTS[1]));
    let before = tree(&repository.path("out"));
    let mut arguments = ARGUMENTS;
    arguments[1] = "queues/twin.queue.yaml";
    for more in [None, Some("--force"), Some("--check")] {
        let run = repository.run(&arguments.into_iter().chain(more).collect::<Vec<_>>()).code(1);
        let line = "taken    out/payment-capture/runbook.md   ../queues/payment-capture.queue.yaml has a queue of this name\n";
        assert_eq!(run.out, line);
        assert_eq!(tree(&repository.path("out")), before);
    }
    // The file of the contract was only given another name.
    std::fs::remove_file(repository.path(ARGUMENTS[1])).expect("a file");
    repository.run(&arguments).code(0);
    assert!(repository.text("out/ackord.lock").contains("../queues/twin.queue.yaml"));
}

#[test]
fn targets_and_folder_come_from_the_configuration_where_nothing_is_said() {
    let repository = tour();
    let contract = ARGUMENTS[1];
    repository
        .run(&["generate", contract])
        .fails("needs a --target, or `targets` under [generate] in ackord.toml");
    let run = repository.run(&["generate", contract, "--out", "out"]).code(2);
    assert!(run.err.contains("help: targets: alerts, "), "{}", run.err);
    repository
        .run(&["generate", contract, "--target", "runbook"])
        .fails("needs --out, or `out` under [generate]");
    repository.file("ackord.toml", "[generate]\nout = \"build/out\"\ntargets = [\"runbook\", \"alerts\"]\n");
    // The folder is that of the file, wherever the command is called.
    let run = finish(&mut repository.command("queues", &["generate", "payment-capture.queue.yaml"])).code(0);
    assert!(
        run.err.starts_with("../build/out/payment-capture/   3 files   runbook  alerts\n"),
        "{}",
        run.err
    );
    repository.run(&["generate", contract, "--check"]).code(0);
    // One target of two leaves the other alone; what the configuration no longer names goes.
    let run = repository.run(&["generate", contract, "--target", "runbook", "--check"]).code(0);
    assert_eq!(run.err, "checked  1 file below build/out: as generated\n");
    repository.file("ackord.toml", "[generate]\nout = \"build/out\"\ntargets = [\"runbook\"]\n");
    let run = repository.run(&["generate", contract]).code(0);
    assert!(run.err.contains("removed  build/out/payment-capture/alerts/rules.yml   no longer generated\n"));
    assert!(!repository.path("build/out/payment-capture/alerts").exists());
    repository.file("ackord.toml", "[generate]\ntargets = [\"runbok\"]\nout = \"x\"\n");
    repository.run(&["generate", contract]).fails("`runbok` is not a target");
    repository.file("ackord.toml", "[generate]\nout = \"../x\"\n");
    repository.run(&["generate", contract]).fails("`../x` is no folder below that of this file");
}

#[test]
fn the_list_names_files_and_owners_and_writes_nothing() {
    let repository = tour();
    let all: Vec<&str> = ARGUMENTS.into_iter().chain(["--list"]).collect();
    let run = repository.run(&all).code(0);
    assert_eq!(run.out, "out/payment-capture/runbook.md   generated   for the person who was paged\n");
    assert!(run.err.is_empty() && !repository.path("out").exists());
    repository.run(&[&all[..], &["--check"]].concat()).fails("exclude each other");
}

#[test]
fn a_folder_that_cannot_be_one_is_told() {
    let repository = tour();
    repository.file("file", "mine").file("locked/x", "");
    let with = |out: &str, more: &[&str]| {
        let mut arguments = ARGUMENTS;
        arguments[5] = out;
        repository.run(&[&arguments[..], more].concat())
    };
    for out in ["file", "file/below"] {
        with(out, &[]).fails("is no folder, or a link leads to it");
        with(out, &["--check"]).fails("is no folder, or a link leads to it");
    }
    assert_eq!(repository.text("file"), "mine");
    with("missing/deep", &["--check"]).code(1);
    with("missing/deep", &["--diff"]).code(1);
    assert!(!repository.path("missing").exists());
    with("missing/deep", &[]).code(0);
    // Nobody can write below this, not even root.
    #[cfg(target_os = "linux")]
    with("/proc/self/out", &[]).fails("`/proc/self/out` cannot be opened");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode =
            |mode| std::fs::set_permissions(repository.path("locked"), std::fs::Permissions::from_mode(mode));
        mode(0o555).expect("permissions");
        if std::fs::write(repository.path("locked/probe"), "").is_ok() {
            eprintln!("NOT TESTED: a read-only folder, because root may write there");
        } else {
            with("locked", &[]).fails("cannot be written");
            assert_eq!(tree(&repository.path("locked")).len(), 1);
        }
        mode(0o755).expect("permissions");
    }
}
