//! `scripts/new-rule` begins a rule: run in a copy of the rules, so that it changes nothing here.

use std::path::Path;
use std::process::{Command, Output};

use ackord::diagnostic::Level;
use ackord::rules::{Check, Rule};
use tempfile::TempDir;

use crate::oracle::python;
use crate::patch::{files_below, read, root};
use crate::rules::faults_of;

struct Copy(TempDir);

impl Copy {
    fn new() -> Self {
        let copy = Self(tempfile::tempdir().unwrap());
        let rules = files_below("src/rules");
        let others = ["scripts/new-rule", "rustfmt.toml", "src/rules.rs"].map(std::path::PathBuf::from);
        for path in rules.iter().chain(&others) {
            let to = copy.0.path().join(path);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(root().join(path), to).unwrap();
        }
        copy
    }

    fn run(&self, arguments: &str) -> Output {
        let script = self.0.path().join("scripts/new-rule");
        Command::new("python3").arg(script).args(arguments.split(' ')).output().unwrap()
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.0.path().join(path)).unwrap()
    }

    /// What stands in the copy and not here, or otherwise than here.
    fn changed(&self) -> Vec<String> {
        let mut changed = Vec::new();
        let mut open = vec![self.0.path().to_path_buf()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(self.0.path()).unwrap();
                if path.is_dir() {
                    open.push(path);
                } else if std::fs::read(root().join(name)).ok() != std::fs::read(&path).ok() {
                    changed.push(slashed(name));
                }
            }
        }
        changed.sort();
        changed
    }
}

fn slashed(path: &Path) -> String {
    path.to_str().unwrap().replace('\\', "/")
}

/// The lines that `new` has and `old` has not, each with the line before and behind it.
fn added<'t>(old: &str, new: &'t str) -> Vec<[&'t str; 3]> {
    let lines: Vec<&str> = new.lines().collect();
    let fresh = |window: &&[&str]| !old.lines().any(|line| line == window[1]);
    lines.windows(3).filter(fresh).map(|window| [window[0], window[1], window[2]]).collect()
}

#[test]
fn a_rule_begins_as_two_files_and_its_registration() {
    if !python() {
        return;
    }
    let copy = Copy::new();
    // AK602 is free, and stands between the first and the second of its group.
    let output = copy.run("AK602 mute-alert slo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        copy.changed(),
        ["src/rules/slo.rs", "src/rules/slo/mute_alert.md", "src/rules/slo/mute_alert.rs"]
    );
    let group = copy.read("src/rules/slo.rs");
    assert_eq!(group.lines().count(), read("src/rules/slo.rs").lines().count() + 2);
    let lines = added(&read("src/rules/slo.rs"), &group);
    assert_eq!(
        lines.iter().map(|line| line[1]).collect::<Vec<_>>(),
        ["mod mute_alert;", "    &mute_alert::RULE,"]
    );
    assert_eq!(lines[0], ["mod late_alert;", "mod mute_alert;", "mod nobody_to_page;"]);

    let code = copy.read("src/rules/slo/mute_alert.rs");
    assert!(code.starts_with("//! See `mute_alert.md`.\n"), "{code}");
    let flat: String = code.split_whitespace().collect();
    assert!(flat.contains("Rule::new(\"AK602\",\"mute-alert\",Level::Warning,include_str!(\"mute_alert.md\"),Check::Contract(check)"));
    assert!(!code.contains('@'));
}

#[test]
fn the_text_that_it_begins_with_lacks_nothing_but_its_words() {
    if !python() {
        return;
    }
    let copy = Copy::new();
    assert!(copy.run("AK699 last-of-all slo").status.success());
    let group = copy.read("src/rules/slo.rs");
    assert!(group.ends_with("\n    &last_of_all::RULE,\n];\n"), "{group}");
    let doc: &'static str = copy.read("src/rules/slo/last_of_all.md").leak();
    let rule = Rule::new("AK699", "last-of-all", Level::Warning, doc, Check::Reading);
    assert_eq!(faults_of(&rule), ["says TODO"]);
}

#[test]
fn what_is_taken_or_misplaced_is_refused_and_nothing_is_written() {
    if !python() {
        return;
    }
    let copy = Copy::new();
    for (arguments, why) in [
        ("AK606 busy slo", "`AK606` is taken by overloaded; codes are never used again"),
        ("AK699 overloaded slo", "`overloaded` is taken by AK606"),
        ("AK799 busy slo", "`AK799` does not belong to `slo`, whose codes are AK600 to AK699"),
        ("AK699 busy alerts", "`alerts` is no group; there are: dead_letter, delivery"),
        ("AK6999 busy slo", "`AK6999` is no code"),
        ("ak699 busy slo", "`ak699` is no code"),
        ("AK699 Busy slo", "`Busy` is no name"),
        ("AK699 ../busy slo", "`../busy` is no name"),
        ("AK699 busy", "wanted: CODE NAME GROUP"),
    ] {
        let output = copy.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        assert!(said.starts_with(&format!("new-rule: {why}")), "{arguments}: {said}");
        assert_eq!(copy.changed(), Vec::<String>::new(), "{arguments}");
    }
}
