//! Applies fixes to texts until nothing changes, and takes back what would leave a file worse.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Applicability, Code, Diagnostic, Edit, Fix, Level};
use crate::lint::Report;
use crate::source::{FileId, SourceFile, Sources};

/// Fixes that have not settled by then feed each other.
const MOST_PASSES: usize = 10;

/// The outcome of fixing.
#[derive(Debug)]
pub struct Fixed {
    /// The report on the texts as they are now.
    pub report: Report,
    /// What became of each file that has a fix, by source.
    pub files: BTreeMap<FileId, Outcome>,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It has a new text, which the report holds.
    Changed(Vec<Applied>),
    /// Its fixes were taken back.
    Refused(Reason),
}

/// A fix that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The rule that is satisfied now.
    pub code: Code,
    /// The line of the finding, from 1.
    pub line: usize,
    /// What was done: `ttl: 10m -> 15d`.
    pub title: String,
}

/// Why the fixes of a file were taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// After so many passes there was still something to fix.
    Unsettled,
    /// The file would have this finding, which it had not.
    Worse {
        /// The rule.
        code: Code,
        /// The message.
        message: String,
    },
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsettled => write!(f, "its fixes did not settle in {MOST_PASSES} passes"),
            Self::Worse { code, message } => write!(f, "its fixes lead to a new finding, {code}: {message}"),
        }
    }
}

/// Applies the fixes of `report` that may be trusted as far as `least`; `relint` judges changed texts.
pub fn fix(report: Report, least: Applicability, mut relint: impl FnMut(Sources) -> Report) -> Fixed {
    let (sources, before) = (report.sources.clone(), report.findings.clone());
    let mut state = State { refused: BTreeMap::new(), applied: BTreeMap::new() };
    let mut texts: BTreeMap<FileId, String> = BTreeMap::new();
    let mut report = report;
    for round in 0..=MOST_PASSES {
        let changes = state.pass(&report, least);
        if changes.is_empty() {
            break;
        }
        for (file, (text, applied)) in changes {
            if round == MOST_PASSES {
                state.refused.insert(file, Reason::Unsettled);
                texts.remove(&file);
            } else {
                texts.insert(file, text);
                state.applied.entry(file).or_default().extend(applied);
            }
        }
        report = relint(with(&sources, &texts));
    }
    // Taking one file back can only show in rules that look across files, so this ends: each round takes
    // back at least one.
    while let Some((file, reason)) = state.worse(&before, &report.findings, &texts) {
        state.refused.insert(file, reason);
        texts.remove(&file);
        report = relint(with(&sources, &texts));
    }
    let State { refused, applied } = state;
    let mut files: BTreeMap<FileId, Outcome> = texts
        .keys()
        .filter_map(|file| applied.get(file).map(|applied| (*file, Outcome::Changed(applied.clone()))))
        .collect();
    files.extend(refused.into_iter().map(|(file, reason)| (file, Outcome::Refused(reason))));
    Fixed { report, files }
}

struct State {
    refused: BTreeMap<FileId, Reason>,
    applied: BTreeMap<FileId, Vec<Applied>>,
}

impl State {
    /// The new text of every file that has something to fix, with what was fixed.
    fn pass(&self, report: &Report, least: Applicability) -> BTreeMap<FileId, (String, Vec<Applied>)> {
        let mut by_file: BTreeMap<FileId, Vec<&Diagnostic>> = BTreeMap::new();
        for finding in &report.findings {
            by_file.entry(finding.primary.span.file).or_default().push(finding);
        }
        // Where the text is not YAML, what was read of it is a guess, and so is every place in it.
        by_file.retain(|file, findings| {
            !self.refused.contains_key(file)
                && !findings.iter().any(|finding| matches!(finding.code.0, "AK001" | "AK009"))
        });
        let step = |(file, findings)| {
            let source = report.sources.get(file)?;
            let (text, applied) = once(file, source, findings, least)?;
            Some((file, (text, applied)))
        };
        by_file.into_iter().filter_map(step).collect()
    }

    /// The first changed file that has a finding which it had not. A finding whose figures have changed
    /// counts as the same; one whose rule was just satisfied counts as new.
    fn worse(
        &self,
        before: &[Diagnostic],
        after: &[Diagnostic],
        texts: &BTreeMap<FileId, String>,
    ) -> Option<(FileId, Reason)> {
        let of = |findings: &[Diagnostic], file: FileId| -> Vec<Diagnostic> {
            let here = findings.iter().filter(|finding| finding.primary.span.file == file);
            let mut here: Vec<Diagnostic> =
                here.filter(|finding| finding.level != Some(Level::Note)).cloned().collect();
            here.sort_by_key(|finding| std::cmp::Reverse(finding.level));
            here
        };
        texts.keys().find_map(|file| {
            let mut left = of(before, *file);
            for applied in self.applied.get(file).into_iter().flatten() {
                if let Some(at) =
                    left.iter().position(|finding| finding.code == applied.code && fixes(finding, applied))
                {
                    left.remove(at);
                }
            }
            let known: BTreeSet<(Code, String)> =
                of(before, *file).into_iter().map(|f| (f.code, f.message)).collect();
            let mut new = Vec::new();
            for finding in of(after, *file) {
                let same =
                    left.iter().position(|old| old.code == finding.code && old.message == finding.message);
                match same.or_else(|| left.iter().position(|old| old.code == finding.code)) {
                    Some(at) => drop(left.remove(at)),
                    None => new.push(finding),
                }
            }
            // Of several, the one that the file never had says most.
            new.sort_by_key(|finding| known.contains(&(finding.code, finding.message.clone())));
            let finding = new.into_iter().next()?;
            Some((*file, Reason::Worse { code: finding.code, message: finding.message }))
        })
    }
}

fn fixes(finding: &Diagnostic, applied: &Applied) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.title == applied.title)
}

/// Applies as many fixes as fit beside each other; nothing where none changes the text.
fn once(
    file: FileId,
    source: &SourceFile,
    findings: Vec<&Diagnostic>,
    least: Applicability,
) -> Option<(String, Vec<Applied>)> {
    let fixable = |finding: &&Diagnostic| {
        finding
            .fix
            .as_ref()
            .filter(|fix| fix.applicability >= least && fits(file, &source.text, fix))
            .is_some()
    };
    let mut candidates: Vec<&Diagnostic> = findings.into_iter().filter(fixable).collect();
    candidates.sort_by_key(|finding| (finding.primary.span.start, finding.code));
    let mut edits: Vec<&Edit> = Vec::new();
    let mut applied = Vec::new();
    for finding in candidates {
        let Some(fix) = &finding.fix else { continue };
        if fix.edits.iter().any(|edit| edits.iter().any(|other| overlap(edit, other))) {
            // Its turn comes in the next pass, if it is still needed then.
            continue;
        }
        edits.extend(&fix.edits);
        let line = source.line_of(finding.primary.span.start) + 1;
        applied.push(Applied { code: finding.code, line, title: fix.title.clone() });
    }
    edits.sort_by_key(|edit| edit.span.start);
    let text = rewrite(&source.text, &edits)?;
    (text != source.text).then_some((text, applied))
}

/// Whether all edits lie in the file, on its characters, and beside each other.
fn fits(file: FileId, text: &str, fix: &Fix) -> bool {
    let inside = |edit: &Edit| edit.span.file == file && text.get(edit.span.range()).is_some();
    let apart = |at: usize| {
        let rest = fix.edits.get(at + 1..).unwrap_or_default();
        fix.edits.get(at).is_some_and(|edit| !rest.iter().any(|other| overlap(edit, other)))
    };
    fix.edits.iter().all(inside) && (0..fix.edits.len()).all(apart)
}

/// Two insertions at one place have no order, so they overlap too.
fn overlap(a: &Edit, b: &Edit) -> bool {
    a.span.start == b.span.start || a.span.start < b.span.end && b.span.start < a.span.end
}

fn rewrite(text: &str, edits: &[&Edit]) -> Option<String> {
    let windows = text.contains("\r\n");
    let mut out = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in edits {
        let range = edit.span.range();
        out.push_str(text.get(at..range.start)?);
        if windows && edit.text.contains('\n') {
            out.push_str(&edit.text.replace("\r\n", "\n").replace('\n', "\r\n"));
        } else {
            out.push_str(&edit.text);
        }
        at = range.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

fn with(sources: &Sources, texts: &BTreeMap<FileId, String>) -> Sources {
    let mut changed = Sources::default();
    for (id, source) in sources.iter() {
        match texts.get(&id) {
            Some(text) => changed.add(SourceFile::new(source.name.clone(), text.clone())),
            None => changed.add(source.clone()),
        };
    }
    changed
}

#[cfg(test)]
mod tests;
