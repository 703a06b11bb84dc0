//! Public incident reports as contracts: each gives the finding that would have prevented it, with
//! the report's own figures, and its repaired twin gives none.

use crate::judge::{codes, indented, judge, none_of, settings, show, words};
use crate::patch::{expand, files_below, read};

/// So many reports are told at least; a file that is lost must not go unnoticed.
const LEAST_REPORTS: usize = 46;

/// A finding that a report's contract must give.
struct Expect {
    code: String,
    /// What its sentences must name.
    figures: Vec<String>,
}

struct Story {
    contract: String,
    expected: Vec<Expect>,
    repaired: String,
}

fn parse(text: &str) -> Result<Story, String> {
    let (head, rest) = text.split_once("\n## Contract\n").ok_or("there is no `## Contract`")?;
    let (contract, repaired) = rest.split_once("\n## Repaired\n").ok_or("there is no `## Repaired`")?;
    if !head.starts_with("# Q") || !head.contains("\nSource: https://") {
        return Err("it begins with `# Qnnn title` and names a `Source:`".to_owned());
    }
    let expected: Vec<Expect> =
        contract.lines().filter_map(|line| line.strip_prefix("Expect:")).map(expectation).collect();
    if expected.is_empty() {
        return Err("nothing is expected of its contract".to_owned());
    }
    Ok(Story { contract: only_block(contract)?, expected, repaired: only_block(repaired)? })
}

/// `AK701 `2m` `10m``
fn expectation(line: &str) -> Expect {
    let code = line.split_whitespace().next().unwrap_or_default().to_owned();
    let figures = line.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    Expect { code, figures }
}

fn only_block(section: &str) -> Result<String, String> {
    let mut parts = section.split("```yaml\n").skip(1);
    let block = parts.next().and_then(|rest| rest.split_once("\n```")).ok_or("a block of yaml is missing")?.0;
    if parts.next().is_some() {
        return Err("a section has more than one block".to_owned());
    }
    Ok(format!("{block}\n"))
}

/// Whether `figure` stands in `text` for itself: `1m` is not in `11m20s`.
pub fn names(text: &str, figure: &str) -> bool {
    text.match_indices(figure).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + figure.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

fn contract_gives(story: &Story) -> Result<(), String> {
    let report = judge(&expand(&story.contract)?, &settings())?;
    let mut wanted: Vec<&str> = story.expected.iter().map(|expect| expect.code.as_str()).collect();
    wanted.sort_unstable();
    if codes(&report) != wanted {
        return Err(format!("expected {wanted:?}, found\n{}", show(&report)));
    }
    let mut left: Vec<_> = report.findings.iter().collect();
    for expect in &story.expected {
        let fits = left.iter().position(|finding| {
            let said = words(finding);
            finding.code.0 == expect.code && expect.figures.iter().all(|figure| names(&said, figure))
        });
        let Some(at) = fits else {
            let Expect { code, figures } = expect;
            return Err(format!("no {code} names all of {figures:?}; found\n{}", show(&report)));
        };
        left.remove(at);
    }
    Ok(())
}

fn repaired_gives(story: &Story) -> Result<(), String> {
    let report = judge(&expand(&story.repaired)?, &settings())?;
    if report.findings.is_empty() {
        Ok(())
    } else {
        Err(format!("expected no findings, found\n{}", show(&report)))
    }
}

#[test]
fn each_report_would_have_been_prevented() {
    let mut failures = Vec::new();
    let mut count = 0;
    for path in files_below("tests/cases/reports") {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with('Q') {
            continue;
        }
        count += 1;
        let story = match parse(&read(&path)) {
            Ok(story) => story,
            Err(fault) => {
                failures.push(format!("== {name}: {fault}"));
                continue;
            }
        };
        if let Err(fault) = contract_gives(&story) {
            failures.push(format!("== {name}: the contract\n{}{fault}", indented(&story.contract)));
        }
        if let Err(fault) = repaired_gives(&story) {
            failures.push(format!("== {name}: the repaired contract\n{}{fault}", indented(&story.repaired)));
        }
    }
    none_of(&failures, "the reports");
    assert!(count >= LEAST_REPORTS, "{count} reports were read, {LEAST_REPORTS} are known");
}

#[test]
fn a_figure_is_a_word_of_its_own() {
    assert!(names("the lock of `1m` ends", "1m"));
    assert!(names("needs 7.5.", "7.5"));
    assert!(!names("11m20s", "1m"));
    assert!(!names("128KiB", "28KiB"));
}
