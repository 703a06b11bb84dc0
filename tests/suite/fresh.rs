//! Files that are generated and committed: a stale one fails here, and `UPDATE=1 cargo test` rewrites it.

use std::fmt::Write;

use ackord::rules::{GROUPS, Rule};

use crate::patch::root;

/// Holds a committed file against what it should say.
pub fn assert_fresh(path: &str, contents: &str) {
    let file = root().join(path);
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, contents).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    assert!(committed == contents, "{path} is stale; run UPDATE=1 cargo test");
}

#[test]
fn the_schema_is_fresh() {
    let schema = serde_json::to_string_pretty(&ackord::schema()).unwrap();
    assert_fresh("schema/ackord.v1.json", &format!("{schema}\n"));
}

#[test]
fn the_list_of_rules_is_fresh() {
    assert_fresh("RULES.md", &rules_md());
}

fn rules_md() -> String {
    let mut out = String::from(
        "# Rules\n\n<!-- Written by `UPDATE=1 cargo test` from src/rules; do not edit. -->\n\n\
         What `ackord check` judges. The level is the rule's own; a finding may have another where the flow asks for it.\n\
         `ackord explain CODE` shows one rule. The first line of an example names the complete contract of `tests/bases`\n\
         over which the rest is laid.\n",
    );
    for group in GROUPS {
        write!(
            out,
            "\n## {}\n\n| code | name | level | what it does |\n|---|---|---|---|\n",
            title(group.name)
        )
        .unwrap();
        for rule in group.rules {
            let summary = rule.summary().replace('\n', " ").replace('|', "\\|");
            let (code, name, level) = (rule.code, rule.name, rule.level.word());
            let link = format!("{}-{name}", code.0.to_ascii_lowercase());
            writeln!(out, "| [{code}](#{link}) | {name} | {level} | {summary} |").unwrap();
        }
        for rule in group.rules {
            explain(&mut out, rule);
        }
    }
    out
}

/// A rule's own text, its headings two levels further down and its blocks without the words of the tests.
fn explain(out: &mut String, rule: &Rule) {
    let mut fenced = false;
    out.push('\n');
    for line in rule.explanation().lines() {
        if line.starts_with("```") {
            fenced = !fenced;
            out.push_str(if line.starts_with("```yaml ") { "```yaml" } else { line });
        } else if line.starts_with('#') && !fenced {
            out.push_str("##");
            out.push_str(line);
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
}

fn title(group: &str) -> String {
    let spaced = group.replace('_', " ");
    let mut letters = spaced.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
