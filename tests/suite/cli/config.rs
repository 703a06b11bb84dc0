use super::{BROKEN, Repository, finish};

#[test]
fn a_mistake_is_drawn_at_its_place() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", BROKEN).file("ackord.toml", "pedantic = true\nselct = [\"AK2\"]\n");
    let run = repository.run(&["check"]).fails("error: `selct` is not a setting here");
    assert!(run.err.contains("ackord.toml:2:1"), "{}", run.err);
    assert!(run.err.contains("2 │ selct = [\"AK2\"]"), "{}", run.err);
    assert!(run.err.contains("help: write `select`"), "{}", run.err);
    // Who reads no configuration is not troubled by it.
    repository.run(&["check", "--isolated"]).code(1);
    repository.run(&["check", "--exit-zero"]).fails("selct");
    repository.file("ackord.toml", "pedantic = \n").run(&["check"]).fails("ackord.toml:1:");
    repository.file("ackord.toml", b"\xE9").run(&["check"]).fails("`ackord.toml` is not UTF-8");
}

#[test]
fn the_nearest_file_inside_the_repository_counts() {
    let outer = Repository::new();
    std::fs::remove_dir(outer.path(".git")).expect("no repository");
    outer.file("ackord.toml", "nonsense").file("repo/.git/HEAD", "").file("repo/a/b/c.queue.yaml", BROKEN);
    let shown = |folder: &str| {
        let run = finish(&mut outer.command(folder, &["check", "--show-config"])).code(0);
        run.out.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(shown("repo/a/b"), "# configuration: none");
    outer.file("repo/.ackord.toml", "");
    assert_eq!(shown("repo/a/b"), "# configuration: ../../.ackord.toml");
    outer.file("repo/a/ackord.toml", "");
    assert_eq!(shown("repo/a/b"), "# configuration: ../ackord.toml");
    assert_eq!(shown("repo"), "# configuration: .ackord.toml");
    outer.file("repo/ackord.toml", "");
    finish(&mut outer.command("repo", &["check"])).fails("only one can count");
}

#[test]
fn a_worktree_whose_git_is_a_file_is_a_repository() {
    let outer = Repository::new();
    outer
        .file("ackord.toml", "nonsense")
        .file("tree/.git", "gitdir: elsewhere\n")
        .file("tree/a.queue.yaml", BROKEN);
    finish(&mut outer.command("tree", &["check"])).code(1);
}

#[test]
fn without_a_repository_only_the_folder_itself_is_looked_at() {
    let outer = Repository::new();
    std::fs::remove_dir(outer.path(".git")).expect("no repository");
    outer.file("ackord.toml", "nonsense").file("here/a.queue.yaml", BROKEN);
    finish(&mut outer.command("here", &["check"])).code(1);
    finish(&mut outer.command(".", &["check"])).fails("ackord.toml:1:");
}

#[test]
fn a_named_file_replaces_what_would_be_found() {
    let repository = Repository::new();
    repository
        .file("a.queue.yaml", BROKEN)
        .file("ackord.toml", "nonsense")
        .file("ci.toml", "pedantic = true\n");
    let run = repository.run(&["check", "--config", "ci.toml", "--show-config"]).code(0);
    assert!(
        run.out.contains("# configuration: ci.toml") && run.out.contains("pedantic = true"),
        "{}",
        run.out
    );
    repository.run(&["check", "--config", "missing.toml"]).fails("`missing.toml` cannot be read");
}

#[test]
fn flags_beat_the_file() {
    let repository = Repository::new();
    repository.file("ackord.toml", "fail-on = \"note\"\n");
    let shown = |arguments: &[&str]| {
        let mut all = vec!["check", "--show-config"];
        all.extend(arguments);
        repository.run(&all).code(0).out
    };
    assert!(shown(&[]).contains("fail-on = \"note\""));
    assert!(shown(&["--fail-on", "warning"]).contains("fail-on = \"warning\""));
    assert!(shown(&["--isolated"]).contains("fail-on = \"error\""));
}

#[test]
fn selections_add_up() {
    let repository = Repository::new();
    repository.file("ackord.toml", "select = [\"AK101\", \"AK101:b\"]\nignore = [\"AK101:b\"]\n");
    let shown = |arguments: &[&str]| {
        let mut all = vec!["check", "--show-config"];
        all.extend(arguments);
        let run = repository.run(&all).code(0);
        run.out
            .lines()
            .filter(|line| line.starts_with("select") || line.starts_with("ignore"))
            .collect::<Vec<_>>()
            .join("; ")
    };
    assert_eq!(shown(&[]), "select = [\"AK101\", \"AK101:b\"]; ignore = [\"AK101:b\"]");
    assert_eq!(shown(&["--select", "AK101:b"]), "select = [\"AK101:b\"]; ignore = []");
    assert_eq!(
        shown(&["--ignore", "AK101:c"]),
        "select = [\"AK101\", \"AK101:b\"]; ignore = [\"AK101:b\", \"AK101:c\"]"
    );
    assert_eq!(
        shown(&["--extend-select", "AK101:b,AK101:c"]),
        "select = [\"AK101\", \"AK101:b\", \"AK101:c\"]; ignore = []"
    );
    assert_eq!(shown(&["--isolated"]), "select = [\"ALL\"]; ignore = []");
    repository
        .file("ackord.toml", "select = []\n")
        .run(&["check"])
        .fails("`select` in the configuration is empty");
}

#[test]
fn what_is_shown_can_be_read_again() {
    let repository = Repository::new();
    repository
        .file("ackord.toml", "[levels]\nAK101 = \"warning\"\n[policy]\nmargin = \"90s\"\nbusy = \"7%\"\n");
    repository.file("a.queue.yaml", BROKEN);
    let shown = repository.run(&["check", "--show-config"]).code(0).out;
    let body = |text: &str| text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    repository.file("again.toml", &shown);
    let again = repository.run(&["check", "--show-config", "--config", "again.toml"]).code(0).out;
    // Said or not, all rules run; only the words for it differ.
    let rest = |text: &str| body(text).split_once('\n').expect("more lines").1.to_owned();
    assert!(shown.contains("margin = \"1m30s\"") && shown.contains("busy = \"7%\""), "{shown}");
    assert_eq!(rest(&again), rest(&shown));
}

#[test]
fn rules_can_be_off_below_a_path() {
    let repository = Repository::new();
    let contract = "ackord: v1\nqueue: q\nflow: task\ndelivery: {guarantee: exactly-once}\n";
    repository.file("legacy/a.queue.yaml", contract).file("new/a.queue.yaml", contract);
    repository
        .file("ackord.toml", "[[override]]\npaths = [\"legacy/**\"]\nignore = [\"exactly-once-delivery\"]\n");
    let lines = |folder: &str| {
        let arguments = ["check", "--select", "AK101", "--output-format", "concise"];
        finish(&mut repository.command(folder, &arguments)).out
    };
    assert!(lines(".").starts_with("new/a.queue.yaml:4:"), "{}", lines("."));
    assert_eq!(lines(".").lines().count(), 1);
    // The globs belong to the file, wherever the command is run.
    assert_eq!(lines("legacy"), "");
    assert!(lines("new").starts_with("a.queue.yaml:4:"), "{}", lines("new"));
    repository.run(&["check", "legacy", "--select", "AK101"]).code(0);
    repository.run(&["check", "new", "--select", "AK101"]).code(1);
    repository.run(&["check", "legacy", "--select", "AK101", "--isolated"]).code(1);
}
