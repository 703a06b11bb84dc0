//! Every rule is run on the examples of its own documentation. `cargo test --test suite rules::slo` runs one group.

use std::collections::BTreeSet;

use ackord::diagnostic::{Applicability, Level};
use ackord::lint::Settings;
use ackord::rules::{Rule, all};

use crate::judge::{codes, indented, judge, mended, none_of, settings, show, texts};
use crate::patch::{Files, expand, files_below};

/// The headings of a rule's documentation, in order.
const HEADINGS: [&str; 7] =
    ["What it does", "Why is this bad?", "Example", "Use instead", "Fix", "References", "Cases"];

/// As many bad and as many good blocks does each rule have at least: its examples, and cases at the edge.
const LEAST_BLOCKS: usize = 3;

/// The folders of `src/rules` by the hundred of their codes.
const HUNDREDS: [(&str, char); 9] = [
    ("reading", '0'),
    ("delivery", '1'),
    ("idempotency", '2'),
    ("failures", '3'),
    ("dead_letter", '4'),
    ("ordering", '5'),
    ("slo", '6'),
    ("processing", '7'),
    ("operation", '9'),
];

/// A fenced block of a rule's documentation that is run.
struct Block {
    section: String,
    text: String,
    /// The codes that it must give, sorted; none for a good one.
    expected: Vec<String>,
}

impl Block {
    fn bad(&self) -> bool {
        !self.expected.is_empty()
    }
}

/// The documentation of a rule, taken apart.
struct Doc {
    headings: Vec<String>,
    blocks: Vec<Block>,
    /// What does not have the form of a rule's documentation.
    faults: Vec<String>,
}

fn take_apart(rule: &Rule) -> Doc {
    let mut doc = Doc { headings: Vec::new(), blocks: Vec::new(), faults: Vec::new() };
    let mut section = String::new();
    let mut lines = rule.doc.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            title.clone_into(&mut section);
            doc.headings.push(section.clone());
        } else if let Some(title) = line.strip_prefix("# ") {
            doc.headings.push(title.to_owned());
        } else if let Some(info) = line.strip_prefix("```") {
            let mut text = String::new();
            let mut closed = false;
            for inside in lines.by_ref() {
                if inside == "```" {
                    closed = true;
                    break;
                }
                text.push_str(inside);
                text.push('\n');
            }
            if !closed {
                doc.faults.push(format!("a block of `{section}` is not closed"));
            }
            let words: Vec<&str> = info.split_whitespace().collect();
            match words.as_slice() {
                ["yaml", "bad", others @ ..] => {
                    let mut expected: Vec<String> = others.iter().map(|code| (*code).to_owned()).collect();
                    expected.push(rule.code.to_string());
                    expected.sort();
                    doc.blocks.push(Block { section: section.clone(), text, expected });
                }
                ["yaml", "good"] => {
                    doc.blocks.push(Block { section: section.clone(), text, expected: Vec::new() });
                }
                ["yaml", ..] => doc.faults.push(format!("```{info}: a block of YAML is `bad` or `good`")),
                _ => {}
            }
        }
    }
    doc
}

/// Whether the documentation has the form that readers and tests rely on.
fn shape(rule: &Rule, doc: &Doc) -> Vec<String> {
    let mut faults = doc.faults.clone();
    let mut wanted = vec![format!("{} {}", rule.code, rule.name)];
    wanted.extend(HEADINGS.iter().map(|heading| (*heading).to_owned()));
    if doc.headings != wanted {
        faults.push(format!("the headings are\n  {:?}\nand should be\n  {wanted:?}", doc.headings));
    }
    for heading in HEADINGS {
        if rule.section(heading).is_empty() {
            faults.push(format!("nothing stands under `{heading}`"));
        }
    }
    for (section, bad) in [("Example", true), ("Use instead", false)] {
        let blocks: Vec<&Block> = doc.blocks.iter().filter(|block| block.section == section).collect();
        if blocks.len() != 1 || blocks.iter().any(|block| block.bad() != bad) {
            let word = if bad { "bad" } else { "good" };
            faults.push(format!("`{section}` has not exactly one block, a {word} one"));
        }
    }
    let bad = doc.blocks.iter().filter(|block| block.bad()).count();
    let good = doc.blocks.len() - bad;
    if bad < LEAST_BLOCKS || good < LEAST_BLOCKS {
        faults.push(format!("{bad} bad and {good} good blocks: {LEAST_BLOCKS} of each are wanted"));
    }
    faults
}

fn settings_for(rule: &Rule) -> Settings {
    Settings { pedantic: rule.level == Level::Note, ..settings() }
}

/// What is wrong with the outcome of a block, and with its fix.
fn run_block(rule: &Rule, block: &Block, settings: &Settings) -> Result<(), String> {
    let files = expand(&block.text)?;
    let report = judge(&files, settings)?;
    if codes(&report) != block.expected {
        return Err(format!("expected {:?}, found\n{}", block.expected, show(&report)));
    }
    let Some(finding) = report.findings.iter().find(|finding| finding.code == rule.code) else {
        return Ok(());
    };
    if block.section == "Example" {
        let given = finding.fix.as_ref().map(|fix| fix.applicability);
        if !tells_the_truth(rule.section("Fix"), given) {
            return Err(format!(
                "the fix of the finding is {given:?}: `## Fix` says `safe` or `unsafe` as the fix is, and begins \
                 with neither where the Example has none; it says\n{}",
                indented(rule.section("Fix"))
            ));
        }
    }
    match mended(&files, finding) {
        Some(mended) => run_mended(rule, block, &mended, settings),
        None => Ok(()),
    }
}

/// Whether what the documentation says of the fix agrees with the fix that the Example gets.
fn tells_the_truth(said: &str, given: Option<Applicability>) -> bool {
    let said = said.to_ascii_lowercase();
    let mut words = said.split(|letter: char| !letter.is_ascii_alphabetic());
    match given {
        Some(Applicability::Safe) => words.any(|word| word == "safe"),
        Some(Applicability::Unsafe) => words.any(|word| word == "unsafe"),
        None => !matches!(words.next(), Some("safe" | "unsafe")),
    }
}

/// A fix takes its finding away and brings no other.
fn run_mended(rule: &Rule, block: &Block, mended: &Files, settings: &Settings) -> Result<(), String> {
    let report = judge(mended, settings)?;
    let mut allowed = block.expected.clone();
    allowed.retain(|code| code != rule.code.0);
    let mut left = allowed.clone();
    for code in codes(&report) {
        match left.iter().position(|other| other == code) {
            Some(at) => drop(left.remove(at)),
            None => {
                return Err(format!(
                    "with its fix made, the text\n{}may give {allowed:?} and gives\n{}",
                    texts(mended),
                    show(&report)
                ));
            }
        }
    }
    Ok(())
}

fn group(name: &str) {
    let hundred = HUNDREDS.iter().find(|(folder, _)| *folder == name).unwrap().1;
    let rules: Vec<&Rule> = all().filter(|rule| rule.code.0.chars().nth(2) == Some(hundred)).collect();
    assert!(!rules.is_empty(), "the group {name} has no rules");
    let mut failures = Vec::new();
    for rule in rules {
        let doc = take_apart(rule);
        let title = format!("== {} {}", rule.code, rule.name);
        failures.extend(shape(rule, &doc).iter().map(|fault| format!("{title}: {fault}")));
        let settings = settings_for(rule);
        for block in &doc.blocks {
            if let Err(fault) = run_block(rule, block, &settings) {
                let kind = if block.bad() { "bad" } else { "good" };
                let text = indented(&block.text);
                failures.push(format!("{title}: a {kind} block of `{}`\n{text}{fault}", block.section));
            }
        }
    }
    none_of(&failures, &format!("the rules of {name}"));
}

#[test]
fn reading() {
    group("reading");
}

#[test]
fn delivery() {
    group("delivery");
}

#[test]
fn idempotency() {
    group("idempotency");
}

#[test]
fn failures() {
    group("failures");
}

#[test]
fn dead_letter() {
    group("dead_letter");
}

#[test]
fn ordering() {
    group("ordering");
}

#[test]
fn slo() {
    group("slo");
}

#[test]
fn processing() {
    group("processing");
}

#[test]
fn operation() {
    group("operation");
}

#[test]
fn codes_and_names_are_unique_and_say_where_the_rule_is() {
    let mut failures = Vec::new();
    let mut seen = BTreeSet::new();
    let mut wanted = BTreeSet::new();
    let mut last = "";
    for rule in all() {
        let code = rule.code.0;
        if !seen.insert(code) || !seen.insert(rule.name) {
            failures.push(format!("{code} {}: the code or the name is taken", rule.name));
        }
        if code <= last {
            failures.push(format!("{code} comes after {last}: rules are listed by code"));
        }
        last = code;
        let digits = code.strip_prefix("AK").unwrap_or_default();
        if digits.len() != 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            failures.push(format!("{code}: a code is AK and three digits"));
        }
        let kebab = rule.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        if !kebab || rule.name.starts_with('-') || rule.name.ends_with('-') {
            failures.push(format!("{}: a name is kebab-case", rule.name));
        }
        let hundred = digits.chars().next().unwrap_or_default();
        let Some((folder, _)) = HUNDREDS.iter().find(|(_, digit)| *digit == hundred) else {
            failures.push(format!("{code}: no group has this hundred"));
            continue;
        };
        for extension in ["rs", "md"] {
            wanted.insert(format!("src/rules/{folder}/{}.{extension}", rule.name.replace('-', "_")));
        }
    }
    let folders =
        |path: &str| HUNDREDS.iter().any(|(folder, _)| path.starts_with(&format!("src/rules/{folder}/")));
    let found: BTreeSet<String> = files_below("src/rules")
        .iter()
        .map(|path| path.to_str().unwrap().replace('\\', "/"))
        .filter(|path| folders(path))
        .collect();
    failures.extend(
        wanted.difference(&found).map(|path| format!("{path} is missing: a file is called as its rule")),
    );
    // A rule that is more than one file has a folder of its name beside it.
    let own_folder = |path: &str| {
        path.rsplit_once('/').is_some_and(|(folder, _)| wanted.contains(&format!("{folder}.rs")))
    };
    let stray = found.difference(&wanted).filter(|path| !own_folder(path));
    failures.extend(stray.map(|path| format!("{path} belongs to no rule that is registered")));
    none_of(&failures, "the registry");
}

/// With a rule switched off, each of its bad cases must fail its own expectation: what it expects
/// comes from this rule and from nothing else.
#[test]
fn every_rule_can_fail() {
    let mut failures = Vec::new();
    for rule in all() {
        let mut settings = settings_for(rule);
        settings.ignored.insert(rule.code.to_string());
        for block in take_apart(rule).blocks.iter().filter(|block| block.bad()) {
            let outcome = expand(&block.text).and_then(|files| judge(&files, &settings));
            let fault = match outcome {
                // What nobody may switch off must be found all the same.
                Ok(report) if !rule.suppressible && report.has(rule.code) => continue,
                Ok(report) if !rule.suppressible => {
                    format!("is hidden, which nobody may do\n{}", show(&report))
                }
                Ok(report) if report.has(rule.code) => format!("is still found\n{}", show(&report)),
                Ok(report) if codes(&report) == block.expected => "changes nothing".to_owned(),
                Ok(_) => continue,
                Err(fault) => fault,
            };
            failures.push(format!(
                "{} {} switched off: {fault}\n{}",
                rule.code,
                rule.name,
                indented(&block.text)
            ));
        }
    }
    none_of(&failures, "switching rules off");
}
