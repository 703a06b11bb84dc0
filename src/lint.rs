//! Runs the rules over a workspace, applies levels and suppressions, sorts.

mod date;
mod filter;
mod message_schema;
mod references;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::analysis::{Analysis, BoundList};
use crate::diagnostic::{Code, Diagnostic, Level};
use crate::model::Contract;
use crate::policy::Policy;
use crate::rules::operation::literal_secret::{self, mask};
use crate::rules::{self, Check, bounds};
use crate::source::{FileId, SourceFile, Sources, Span};
use crate::syntax::{self, Limits, Suppression};

use filter::Filter;

pub use date::Date;
pub use references::{referenced_by, references};

/// Everything that a run may look at, loaded beforehand.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// The texts of all contracts.
    pub sources: Sources,
    /// Findings about inputs that could not become a source's text (not UTF-8, too large).
    pub refused: Vec<Diagnostic>,
    /// Files that contracts refer to, by the path written in the contract joined to the contract's
    /// folder and normalised; `None` where the file does not exist or lies outside the workspace.
    pub referenced: BTreeMap<String, Option<String>>,
    /// Only findings of these sources are reported; the others are the rest of the workspace.
    /// Empty: all.
    pub focus: BTreeSet<FileId>,
}

/// What a run is asked to do.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The organisation's figures.
    pub policy: Policy,
    /// Rules (and items such as `AK016:evidence`) that are off everywhere.
    pub ignored: BTreeSet<String>,
    /// Where not empty, only these rules run.
    pub selected: BTreeSet<String>,
    /// Levels that replace those of the rules.
    pub levels: BTreeMap<String, Level>,
    /// Rules that are off for paths that match a glob.
    pub per_path: Vec<PathIgnore>,
    /// Rules that no contract may suppress, by decision of the organisation.
    pub locked: BTreeSet<String>,
    /// Whether notes are shown.
    pub pedantic: bool,
    /// Whether suppressions in contracts are honoured.
    pub suppressions: bool,
    /// The day that `until` is compared with.
    pub today: Date,
}

/// Rules that are off for some sources.
#[derive(Debug, Clone)]
pub struct PathIgnore {
    /// The names of the sources.
    pub paths: Vec<String>,
    /// The codes or names.
    pub ignored: BTreeSet<String>,
}

impl PathIgnore {
    fn matches(&self, name: &str) -> bool {
        self.paths.iter().any(|path| path == name)
    }
}

/// The outcome of a run.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The texts that the findings point into.
    pub sources: Sources,
    /// The findings, sorted by source, place and code; `level` is set on each.
    pub findings: Vec<Diagnostic>,
    /// The contracts that were judged; a contract is large, and in its box it never moves.
    pub contracts: Vec<Box<Contract>>,
    /// How many findings a suppression took out.
    pub suppressed: usize,
    /// How many findings were left out because their file has too many.
    pub cut: usize,
    /// Whether a text holds something that looks like a credential.
    pub secrets: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            ignored: BTreeSet::new(),
            selected: BTreeSet::new(),
            levels: BTreeMap::new(),
            per_path: Vec::new(),
            locked: BTreeSet::new(),
            pedantic: false,
            suppressions: true,
            today: Date { year: 1970, month: 1, day: 1 },
        }
    }
}

impl Report {
    /// How many findings have `level`.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == Some(level)).count()
    }
    /// What follows from each contract.
    pub fn analyses<'a>(&'a self, policy: &'a Policy) -> Vec<Analysis<'a>> {
        self.contracts.iter().map(|contract| Analysis::new(contract, policy, &self.sources)).collect()
    }

    /// The contracts as something that may be compiled; `None` where anything is an error.
    pub fn clean<'a>(&'a self, policy: &'a Policy) -> Option<Vec<Clean<'a>>> {
        let clean = self.count(Level::Error) == 0 && self.cut == 0;
        clean.then(|| self.analyses(policy).into_iter().map(Clean).collect())
    }

    /// The report as it may be shown: credentials in texts and findings are masked, places stay.
    pub fn masked(&self) -> Cow<'_, Self> {
        if !self.secrets {
            return Cow::Borrowed(self);
        }
        let mut masked = self.clone();
        masked.sources = Sources::default();
        for (_, file) in self.sources.iter() {
            masked.sources.add(SourceFile::new(file.name.clone(), mask(&file.text)));
        }
        let hide = |text: &mut String| *text = mask(text).into_owned();
        for finding in &mut masked.findings {
            hide(&mut finding.message);
            finding.notes.iter_mut().for_each(hide);
            finding.help.iter_mut().for_each(hide);
            std::iter::once(&mut finding.primary)
                .chain(&mut finding.labels)
                .for_each(|label| hide(&mut label.text));
            if let Some(fix) = &mut finding.fix {
                hide(&mut fix.title);
                fix.edits.iter_mut().for_each(|edit| hide(&mut edit.text));
            }
        }
        Cow::Owned(masked)
    }

    /// Whether something could not even be read.
    pub fn unreadable(&self) -> bool {
        self.findings.iter().any(|found| found.code.0.starts_with("AK00") || found.code.0 == "AK010")
    }

    /// Whether the rule `code` has a finding.
    pub fn has(&self, code: Code) -> bool {
        self.findings.iter().any(|finding| finding.code == code)
    }
}

/// A contract that was judged and has no error. Only a [`Report`] makes one, so that nothing is ever
/// generated from a contract that cannot be true.
#[derive(Debug)]
pub struct Clean<'a>(Analysis<'a>);

impl<'a> Clean<'a> {
    /// The contract with what follows from it.
    pub fn analysis(&self) -> &Analysis<'a> {
        &self.0
    }
}

/// So many findings of one file are reported; the rest is only counted.
const MOST_FINDINGS: usize = 1_000;

/// One source, read.
struct Reading {
    contracts: Vec<Box<Contract>>,
    suppressions: Vec<Suppression>,
    found: Vec<Diagnostic>,
}

impl Reading {
    /// Whether there is neither a contract nor a reason why there is none.
    fn is_empty(&self) -> bool {
        self.contracts.is_empty() && self.found.is_empty()
    }
}

/// What one contract gave, before anything is filtered.
struct Judgement {
    found: Vec<Diagnostic>,
    lists: Vec<(BoundList, Vec<bounds::Failing>)>,
}

/// Judges all contracts of `inputs`.
pub fn run(inputs: Inputs, settings: &Settings) -> Report {
    let Inputs { sources, refused, referenced, focus } = inputs;
    let unread: BTreeSet<FileId> = refused.iter().map(|found| found.primary.span.file).collect();
    let files: Vec<(FileId, &SourceFile)> = sources.iter().collect();
    let read = |(id, file): &(FileId, &SourceFile)| {
        let mut reading = read(*id, file, &referenced);
        if reading.is_empty() && !unread.contains(id) {
            reading.found.push(empty(*id));
        }
        reading
    };
    let readings: Vec<Reading> = files.par_iter().map(read).collect();
    let contracts: Vec<&Contract> =
        readings.iter().flat_map(|reading| &reading.contracts).map(|contract| &**contract).collect();
    let (analyses, judgements): (Vec<_>, Vec<_>) = contracts
        .par_iter()
        .map(|contract| {
            let analysis = Analysis::new(contract, &settings.policy, &sources);
            let judgement = judge(&analysis);
            (analysis, judgement)
        })
        .unzip();

    let mut filter =
        Filter::new(settings, &sources, readings.iter().flat_map(|reading| &reading.suppressions));
    let mut findings = Vec::new();
    let read = readings.iter().flat_map(|reading| reading.found.iter().cloned());
    findings.extend(refused.into_iter().chain(read).filter_map(|found| filter.pass(found)));
    for (analysis, judgement) in analyses.iter().zip(judgements) {
        findings.extend(judgement.found.into_iter().filter_map(|found| filter.pass(found)));
        for (list, mut failing) in judgement.lists {
            failing.retain(|one| filter.keeps_bound(analysis.contract, one, list.span));
            findings.extend(bounds::finding(analysis, &list, &failing).map(|found| filter.level(found)));
        }
    }
    let mut workspace = Vec::new();
    for rule in rules::all() {
        if let Check::Workspace(check) = rule.check {
            check(&analyses, &mut workspace);
        }
    }
    findings.extend(workspace.into_iter().filter_map(|found| filter.pass(found)));
    findings.extend(filter.suppression_findings());

    let suppressed = filter.suppressed;
    let secrets = readings
        .iter()
        .flat_map(|reading| &reading.found)
        .any(|found| found.code == literal_secret::RULE.code);
    drop(analyses);
    let asked = |file: &FileId| focus.is_empty() || focus.contains(file);
    let contracts = readings.into_iter().zip(&files).filter(|(_, (id, _))| asked(id));
    let contracts = contracts.flat_map(|(reading, _)| reading.contracts).collect();
    findings.retain(|found| asked(&found.primary.span.file));
    findings.retain(|found| settings.pedantic || found.level != Some(Level::Note));
    let cut = order(&mut findings);
    Report { sources, findings, contracts, suppressed, cut, secrets }
}

/// The contracts of one text, with everything that is wrong with the text itself.
fn read(id: FileId, file: &SourceFile, referenced: &BTreeMap<String, Option<String>>) -> Reading {
    let mut found = Vec::new();
    let tree = syntax::parse(id, &file.text, &Limits::default(), &mut found);
    let load = |document| {
        let mut contract = Box::new(syntax::load::<Contract>(&tree, document, &mut found)?);
        contract.damaged = tree.damaged(document);
        Some(contract)
    };
    let mut contracts: Vec<Box<Contract>> = tree.documents().iter().filter_map(load).collect();
    for contract in &mut contracts {
        let Some(path) = contract.message.schema.file.get() else { continue };
        match referenced.get(&referenced_by(&file.name, path)).and_then(Option::as_deref) {
            Some(text) => found.extend(message_schema::read(contract, text)),
            None => found.push(references::missing(contract)),
        }
    }
    found.extend(literal_secret::findings(id, &file.text));
    let suppressions = syntax::suppressions(&tree, &file.text);
    Reading { contracts, suppressions, found }
}

/// Silence about an empty file would be taken for praise of a contract.
fn empty(id: FileId) -> Diagnostic {
    Diagnostic::new(Code("AK004"), Span::new(id, 0, 0), "the file holds no contract")
        .help("begin with `ackord: v1`, or run `ackord init`")
}

/// What the rules say about one contract.
fn judge(analysis: &Analysis<'_>) -> Judgement {
    let mut found = Vec::new();
    for rule in rules::all() {
        if let Check::Contract(check) = rule.check {
            check(analysis, &mut found);
        }
    }
    if analysis.contract.damaged {
        found.retain(|finding| !ABOUT_ABSENCE.contains(&finding.code.0));
    }
    let lists = bounds::lists(analysis).filter_map(|list| {
        let failing = bounds::failing(analysis, &list);
        (!failing.is_empty()).then_some((list, failing))
    });
    Judgement { lists: lists.collect(), found }
}

/// The rules about what a contract as a whole does not have. Where a part of it could not be read they
/// would speak of what may stand there.
const ABOUT_ABSENCE: [&str; 5] = ["AK016", "AK104", "AK206", "AK301", "AK401"];

/// Sorts by place and code, drops what is said twice, and cuts what is too much of one file.
fn order(findings: &mut Vec<Diagnostic>) -> usize {
    findings.sort_by(|a, b| {
        let key = |found: &Diagnostic| (found.primary.span, found.code);
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
    });
    findings.dedup_by(|a, b| (a.code, a.primary.span, &a.message) == (b.code, b.primary.span, &b.message));
    let before = findings.len();
    let mut seen: BTreeMap<FileId, usize> = BTreeMap::new();
    findings.retain(|found| {
        let count = seen.entry(found.primary.span.file).or_default();
        *count += 1;
        *count <= MOST_FINDINGS
    });
    before - findings.len()
}
