//! The hooks that `.pre-commit-hooks.yaml` offers, run by the real pre-commit on a scratch repository.
//!
//! pre-commit would build the crate for each hook, so here each runs the binary that is built already;
//! everything else is taken from the file. `scripts/try-hooks` runs them as a user has them.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_yaml::{Mapping, Value};
use tempfile::TempDir;

use crate::patch::{read, root};

const GOOD: &str = "examples/payment-capture/payment-capture.queue.yaml";

/// The same contract with a suppression that suppresses nothing, which `--fix` takes out.
const FIXABLE: &str = "# ackord: ignore[AK204] -- redrive is limited to one day\n";

fn hooks() -> Vec<Mapping> {
    serde_yaml::from_str(&read(".pre-commit-hooks.yaml")).unwrap()
}

fn text<'h>(hook: &'h Mapping, key: &str) -> &'h str {
    hook.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("no `{key}` in {hook:?}"))
}

/// Where pre-commit is: on the path, or where `scripts/test` puts it.
fn pre_commit() -> Option<PathBuf> {
    let places = [PathBuf::from("pre-commit"), root().join("target/tools/bin/pre-commit")];
    let found = places.into_iter().find(|place| {
        Command::new(place).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        assert!(
            std::env::var_os("CI").is_none_or(|value| value.is_empty()),
            "CI has no pre-commit to run the hooks"
        );
        // The macros would be captured, since the test passes.
        let words = "\n*** pre-commit is missing: THE HOOKS WERE NOT RUN; scripts/test installs it ***\n\n";
        let _ = std::io::stderr().write_all(words.as_bytes());
    }
    found
}

/// A repository of a user who has all hooks, and pre-commit's own files beside it.
struct Scratch {
    folder: TempDir,
    pre_commit: PathBuf,
}

impl Scratch {
    fn new(pre_commit: PathBuf) -> Self {
        let scratch = Self { folder: tempfile::tempdir().unwrap(), pre_commit };
        std::fs::create_dir(scratch.repository()).unwrap();
        scratch.git(&["init", "--quiet"]);
        let local = |mut hook: Mapping| {
            let (program, arguments) = text(&hook, "entry").split_once(' ').unwrap();
            assert_eq!(program, "ackord");
            let entry = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_ackord"));
            hook.insert("entry".into(), entry.into());
            hook.insert("language".into(), "system".into());
            Value::Mapping(hook)
        };
        let hooks = Value::Sequence(hooks().into_iter().map(local).collect());
        let repository = Mapping::from_iter([("repo".into(), "local".into()), ("hooks".into(), hooks)]);
        let config = Mapping::from_iter([("repos".into(), Value::Sequence(vec![repository.into()]))]);
        scratch.file(".pre-commit-config.yaml", &serde_yaml::to_string(&config).unwrap());
        scratch
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    /// Writes a file and adds it to the index, since pre-commit looks at nothing else.
    fn file(&self, name: &str, text: &str) -> &Self {
        std::fs::write(self.repository().join(name), text).unwrap();
        self.git(&["add", "--", name])
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.repository().join(name)).unwrap()
    }

    fn git(&self, arguments: &[&str]) -> &Self {
        let output = self.command("git").args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        self
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.repository()).env("PRE_COMMIT_HOME", self.folder.path().join("cache"));
        // Inside a hook of this repository, git would mean that one.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "SKIP", "ACKORD_OUTPUT_FORMAT"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs one hook on all files, and gives what it printed.
    #[track_caller]
    fn run(&self, hook: &str, code: i32) -> String {
        let mut command = self.command(&self.pre_commit);
        command.args(["run", "--all-files", "--color", "never", hook]);
        let Output { status, stdout, stderr } = command.output().unwrap();
        let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(code), "{said}");
        said
    }
}

#[test]
fn the_hooks_are_what_the_readme_says() {
    let ids: Vec<String> = hooks().iter().map(|hook| text(hook, "id").to_owned()).collect();
    assert_eq!(ids, ["ackord", "ackord-fix"]);
    let readme = read("README.md");
    for hook in hooks() {
        assert!(readme.contains(&format!("- id: {}", text(&hook, "id"))));
        assert_eq!(text(&hook, "language"), "rust");
        // Rules that look at several contracts need them in one run.
        assert_eq!(hook.get("require_serial"), Some(&Value::Bool(true)));
    }
}

#[test]
fn a_good_contract_passes_and_other_files_are_left_alone() {
    let Some(pre_commit) = pre_commit() else { return };
    let scratch = Scratch::new(pre_commit);
    scratch.file("notes.yaml", "queue: [\n");
    assert!(scratch.run("ackord", 0).contains("(no files to check)Skipped"));
    scratch
        .file("good.queue.yaml", &read(GOOD))
        .file("good too.queue.yml", &read(GOOD).replace("queue: payment-capture", "queue: payment-refund"));
    assert!(scratch.run("ackord", 0).contains("Passed"));
    assert!(scratch.run("ackord-fix", 0).contains("Passed"));
}

#[test]
fn a_bad_contract_is_refused_with_its_findings() {
    let Some(pre_commit) = pre_commit() else { return };
    let scratch = Scratch::new(pre_commit);
    scratch.file("bad.queue.yaml", &read(GOOD).replace("  ttl: 15d", "  ttl: 10m"));
    let said = scratch.run("ackord", 1);
    assert!(said.contains("exit code: 1") && said.contains("error[AK201]"), "{said}");
    // What cannot be read is refused as well, never passed over.
    scratch.file("bad.queue.yaml", "queue: [\n");
    assert!(scratch.run("ackord", 1).contains("error[AK001]"));
}

#[test]
fn the_fix_hook_changes_the_file_and_then_passes() {
    let Some(pre_commit) = pre_commit() else { return };
    let scratch = Scratch::new(pre_commit);
    let fixable = FIXABLE.to_owned() + &read(GOOD);
    scratch.file("a.queue.yaml", &fixable);
    scratch.run("ackord", 0);
    assert_eq!(scratch.read("a.queue.yaml"), fixable, "the checking hook writes nothing");
    let said = scratch.run("ackord-fix", 1);
    assert!(said.contains("files were modified by this hook"), "{said}");
    assert_eq!(scratch.read("a.queue.yaml"), read(GOOD));
    scratch.git(&["add", "--all"]).run("ackord-fix", 0);
}
