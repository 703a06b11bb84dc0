//! Stubs of what AK016 lists, and of what other rules ask for in its place.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Error;
use super::insert::{self, Refusal, Stub};
use super::page::Page;
use crate::diagnostic::{Diagnostic, Level};
use crate::lint::{self, Inputs, Report, Settings};
use crate::model::Contract;
use crate::source::{FileId, SourceFile};
use crate::syntax::{self, Limits};

/// A stub may bring another section into demand; so often it is looked again.
const MOST_ROUNDS: usize = 4;

/// Sections that another rule asks for, so that AK016 does not list them.
const ASKED_ELSEWHERE: [(&str, &str); 3] =
    [("AK206", "idempotency"), ("AK401", "dead_letter"), ("AK607", "on_call")];

/// A completed text.
#[derive(Debug, Default)]
pub struct Completed {
    /// The text; all that was there is there as it was.
    pub text: String,
    /// The queues whose contracts were completed, each with the sections that were put in, in order.
    pub added: Vec<(String, Vec<String>)>,
    /// The sections that are missing still.
    pub left: Vec<Left>,
}

/// A section that could not be put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The queue.
    pub queue: String,
    /// The section.
    pub section: String,
    /// The reason.
    pub why: String,
}

/// Completes the contracts of `source`, which can be read.
///
/// # Errors
/// Only if a template is broken, which a test rules out.
pub fn complete(
    source: &SourceFile,
    referenced: &BTreeMap<String, Option<String>>,
    settings: &Settings,
) -> Result<Completed, Error> {
    // What may be lost is only a note, and completed all the same.
    let settings = Settings { pedantic: true, ..settings.clone() };
    let work = Work { name: &source.name, referenced, settings: &settings };
    let done = parts(source).into_par_iter().map(|part| work.complete(part));
    let mut completed = Completed::default();
    for part in done.collect::<Result<Vec<_>, Error>>()? {
        completed.text.push_str(&part.text);
        completed.added.extend(part.added);
        completed.left.extend(part.left);
    }
    Ok(completed)
}

/// A text cut into pieces with one document each, in front of which stand its comments.
fn parts(source: &SourceFile) -> Vec<&str> {
    let tree = syntax::parse(FileId::default(), &source.text, &Limits::default(), &mut Vec::new());
    let mut parts = Vec::new();
    let mut start = 0;
    let documents = tree.documents();
    for document in documents.iter().take(documents.len().saturating_sub(1)) {
        let end = document.span.end as usize;
        // The end may lie behind the last line end of the document.
        let from =
            if source.text.get(..end).is_some_and(|text| text.ends_with('\n')) { end - 1 } else { end };
        let rest = source.text.get(from..).unwrap_or_default();
        let next = rest.find("\n---").map_or(source.text.len(), |at| from + at + 1);
        parts.extend(source.text.get(start..next));
        start = next;
    }
    parts.extend(source.text.get(start..));
    parts
}

struct Work<'a> {
    name: &'a str,
    referenced: &'a BTreeMap<String, Option<String>>,
    settings: &'a Settings,
}

impl Work<'_> {
    fn judge(&self, text: &str) -> Report {
        let mut inputs = Inputs { referenced: self.referenced.clone(), ..Inputs::default() };
        inputs.sources.add(SourceFile::new(self.name, text));
        lint::run(inputs, self.settings)
    }

    /// The text of one contract, completed.
    fn complete(&self, part: &str) -> Result<Completed, Error> {
        let mut text = part.to_owned();
        let mut queue = String::new();
        let mut added: Vec<String> = Vec::new();
        let mut left: Vec<Left> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let report = self.judge(&text);
            let [contract] = report.contracts.as_slice() else { break };
            let Some(page) = Page::beside(contract) else { break };
            let mut wanted = wanted(&report, contract);
            wanted.retain(|section| !left.iter().any(|left| left.section == *section));
            if wanted.is_empty() {
                break;
            }
            contract.name().clone_into(&mut queue);
            let mut leave = |sections: Vec<String>, why: &str| {
                let leave = |section| Left { queue: queue.clone(), section, why: why.to_owned() };
                left.extend(sections.into_iter().map(leave));
            };
            let stubs = stubs(&page, &wanted)?;
            let attempt = Attempt { work: self, text: &text, before: weights(&report) };
            match attempt.fitting(&page, stubs) {
                Err(Refusal::Braces) => {
                    leave(wanted, "the contract stands in braces; write it with a line for each section");
                    break;
                }
                Ok(fitted) => {
                    leave(fitted.taken, "its key is there, but without a value");
                    leave(fitted.unfit, "no stub of it agrees with the rest of the contract");
                    added.extend(fitted.added);
                    text = fitted.text;
                }
            }
        }
        let added = if added.is_empty() { Vec::new() } else { vec![(queue, added)] };
        Ok(Completed { text, added, left })
    }
}

/// The sections that are missing by what the linter says, in order.
fn wanted(report: &Report, contract: &Contract) -> Vec<String> {
    let absent = |section: &str| match section {
        "idempotency" => !contract.idempotency.given(),
        "dead_letter" => !contract.dead_letter.given(),
        "on_call" => !contract.on_call.given(),
        _ => true,
    };
    let listed =
        report.findings.iter().filter(|found| found.code.0 == "AK016").flat_map(|found| &found.items);
    let asked =
        ASKED_ELSEWHERE.iter().filter(|(code, _)| report.findings.iter().any(|found| found.code.0 == *code));
    let all = listed.copied().chain(asked.map(|(_, section)| *section));
    let mut wanted: Vec<String> = Vec::new();
    for section in all.filter(|section| absent(section)) {
        if !wanted.iter().any(|known| known == section) {
            wanted.push(section.to_owned());
        }
    }
    wanted
}

/// The sections of the page that are wanted, each with a guess in it.
fn stubs(page: &Page, wanted: &[String]) -> Result<Vec<Stub>, Error> {
    let mut stubs = insert::sections(&page.render()?);
    stubs.retain(|stub| wanted.contains(&stub.name));
    for stub in &mut stubs {
        // That all proofs are given is no guess: it is what the flow asks for.
        if stub.name != "evidence" && !stub.text.contains("# guess") {
            let (first, rest) = stub.text.split_once('\n').unwrap_or((&stub.text, ""));
            let first = first.split("   #").next().unwrap_or(first).trim_end();
            stub.text = format!("{first}   # guess\n{rest}");
        }
    }
    Ok(stubs)
}

/// How often each rule speaks at which level.
type Weights = BTreeMap<(&'static str, Level), usize>;

fn weights(report: &Report) -> Weights {
    let mut weights = Weights::new();
    for Diagnostic { code, level, .. } in &report.findings {
        let asks = code.0 == "AK016" || ASKED_ELSEWHERE.iter().any(|(asking, _)| *asking == code.0);
        if let Some(level) = level.filter(|level| *level > Level::Note && !asks) {
            *weights.entry((code.0, level)).or_default() += 1;
        }
    }
    weights
}

/// How many errors, and how many warnings, there are that were not there.
type Harm = (usize, usize);

fn all_but(stubs: &[Stub], left_out: usize) -> Vec<Stub> {
    let others = stubs.iter().enumerate().filter(|(at, _)| *at != left_out);
    others.map(|(_, stub)| stub.clone()).collect()
}

struct Attempt<'a> {
    work: &'a Work<'a>,
    text: &'a str,
    before: Weights,
}

/// What came of an attempt.
struct Fitted {
    text: String,
    added: Vec<String>,
    taken: Vec<String>,
    unfit: Vec<String>,
}

impl Attempt<'_> {
    /// Puts in the stubs so that no finding comes of it: where one does, the stub that is at fault makes
    /// way for the least that can be said, or for nothing.
    fn fitting(&self, page: &Page, mut stubs: Vec<Stub>) -> Result<Fitted, Refusal> {
        let mut inserted = self.inserted(&stubs)?;
        stubs.retain(|stub| !inserted.taken.contains(&stub.name));
        let mut worse = self.worse(&inserted.text);
        for at in 0..stubs.len() {
            let Some(stub) = stubs.get(at).filter(|_| worse != (0, 0)) else { break };
            let Some(text) = page.least(&stub.name) else { continue };
            let mut other = stubs.clone();
            if let Some(stub) = other.get_mut(at) {
                stub.text = text;
            }
            let text = self.inserted(&other)?.text;
            let now = self.worse(&text);
            if now < worse {
                (worse, stubs, inserted.text) = (now, other, text);
            }
        }
        let mut unfit = Vec::new();
        while worse.0 > 0 {
            let mut best: Option<(Harm, usize)> = None;
            for at in 0..stubs.len() {
                let now = self.worse(&self.inserted(&all_but(&stubs, at))?.text);
                if now < worse && best.is_none_or(|(least, _)| now < least) {
                    best = Some((now, at));
                }
            }
            let Some((now, at)) = best else { break };
            let name = stubs.remove(at).name;
            worse = now;
            inserted.text = self.inserted(&stubs)?.text;
            unfit.push(name);
        }
        let added = stubs.into_iter().map(|stub| stub.name).collect();
        Ok(Fitted { text: inserted.text, added, taken: inserted.taken, unfit })
    }

    fn inserted(&self, stubs: &[Stub]) -> Result<insert::Inserted, Refusal> {
        let tree = syntax::parse(FileId::default(), self.text, &Limits::default(), &mut Vec::new());
        match tree.documents() {
            [document] => insert::insert(self.text, &tree, document.root, stubs),
            _ => Err(Refusal::Braces),
        }
    }

    fn worse(&self, text: &str) -> Harm {
        let (mut errors, mut warnings) = (0, 0);
        for ((code, level), count) in weights(&self.work.judge(text)) {
            let known = self.before.get(&(code, level)).copied().unwrap_or(0);
            let new = count.saturating_sub(known);
            if level == Level::Error { errors += new } else { warnings += new }
        }
        (errors, warnings)
    }
}
