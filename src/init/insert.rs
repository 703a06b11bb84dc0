//! Puts sections into a document without touching a byte of what is there.

use crate::diagnostic::Edit;
use crate::source::{FileId, Span};
use crate::syntax::{NodeId, Tree};

/// The sections in the order in which a contract tells them.
const ORDER: [&str; 32] = [
    "ackord",
    "queue",
    "version",
    "flow",
    "summary",
    "owners",
    "on_call",
    "message",
    "producer",
    "broker",
    "delivery",
    "idempotency",
    "effects",
    "processing",
    "ordering",
    "failures",
    "redelivery",
    "retention",
    "outage",
    "max_length",
    "dead_letter",
    "replay",
    "slo",
    "flow_control",
    "staleness",
    "status",
    "emergency_bypass",
    "log",
    "runbook",
    "evidence",
    "links",
    "x-",
];

/// A section to be put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stub {
    /// Its key.
    pub name: String,
    /// Whether a blank line stands before it.
    pub apart: bool,
    /// Its lines, the last one ended.
    pub text: String,
}

/// The sections of a page, which this crate has written: one begins at each letter in the first column.
pub(super) fn sections(page: &str) -> Vec<Stub> {
    let mut sections: Vec<Stub> = Vec::new();
    let mut apart = false;
    for line in page.lines() {
        let begins = line.starts_with(|first: char| first.is_ascii_lowercase());
        match (line.split_once(':'), sections.last_mut()) {
            (Some((name, _)), _) if begins => {
                sections.push(Stub { name: name.to_owned(), apart, text: format!("{line}\n") });
            }
            (_, Some(section)) if line.starts_with(' ') => {
                section.text.push_str(line);
                section.text.push('\n');
            }
            _ => {}
        }
        apart = line.is_empty();
    }
    sections
}

/// Why nothing can be put into a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It stands in braces, where a section would have no line of its own.
    Braces,
}

/// A document with sections put into it.
#[derive(Debug)]
pub(super) struct Inserted {
    /// The text.
    pub text: String,
    /// The sections that are there already, with a value that says nothing.
    pub taken: Vec<String>,
}

/// Puts `stubs` into the document of `text`, which is the only one.
pub(super) fn insert(text: &str, tree: &Tree<'_>, root: NodeId, stubs: &[Stub]) -> Result<Inserted, Refusal> {
    let document = Document { text, tree, root };
    if document.in_braces() {
        return Err(Refusal::Braces);
    }
    let (taken, mut waiting): (Vec<&Stub>, Vec<&Stub>) =
        stubs.iter().partition(|stub| document.has(&stub.name));
    waiting.sort_by_key(|stub| rank(&stub.name));
    let mut groups: Vec<(usize, Vec<&Stub>)> = Vec::new();
    for stub in waiting {
        let at = document.place(rank(&stub.name));
        match groups.iter_mut().find(|(place, _)| *place == at) {
            Some((_, group)) => group.push(stub),
            None => groups.push((at, vec![stub])),
        }
    }
    let mut edits: Vec<Edit> = groups.into_iter().map(|(at, group)| document.lines(at, &group)).collect();
    edits.sort_by_key(|edit| edit.span.start);
    Ok(Inserted {
        text: applied(text, &edits),
        taken: taken.into_iter().map(|stub| stub.name.clone()).collect(),
    })
}

fn rank(name: &str) -> usize {
    ORDER.iter().position(|known| *known == name).unwrap_or(ORDER.len())
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let windows = text.contains("\r\n");
    let mut out = String::with_capacity(text.len() + 2_048);
    let mut at = 0;
    for edit in edits {
        let range = edit.span.range();
        out.push_str(text.get(at..range.start).unwrap_or_default());
        if windows {
            out.push_str(&edit.text.replace('\n', "\r\n"));
        } else {
            out.push_str(&edit.text);
        }
        at = range.start;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

struct Document<'t> {
    text: &'t str,
    tree: &'t Tree<'t>,
    root: NodeId,
}

impl Document<'_> {
    fn in_braces(&self) -> bool {
        let start = self.tree.node(self.root).span.start as usize;
        self.text.get(start..).is_some_and(|rest| rest.starts_with('{'))
    }

    fn has(&self, name: &str) -> bool {
        self.tree.pairs(self.root).iter().any(|(key, _)| self.tree.text(*key) == Some(name))
    }

    /// How far the document's keys are from the left.
    fn indent(&self) -> &str {
        let first =
            self.tree.pairs(self.root).first().map_or(0, |(key, _)| self.tree.node(*key).span.start as usize);
        let before = self.text.get(..first).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        if line.bytes().all(|byte| byte == b' ') { line } else { "" }
    }

    /// Where a section of that rank stands: behind the nearest one that comes before it.
    fn place(&self, wanted: usize) -> usize {
        let pairs = self.tree.pairs(self.root);
        let known =
            |(key, _): &&(NodeId, NodeId)| self.tree.text(*key).map(rank).filter(|rank| *rank < wanted);
        let before = pairs.iter().filter(|pair| known(pair).is_some()).max_by_key(|pair| known(pair));
        before.or(pairs.last()).map_or(self.text.len(), |(key, value)| self.end(*key, *value))
    }

    /// The beginning of the line behind a section, and behind the comments that are indented like it.
    fn end(&self, key: NodeId, value: NodeId) -> usize {
        let last = |id: NodeId| self.tree.node(id).span.end as usize;
        let mut at = last(key).max(last(value));
        if self.text.get(..at).is_none_or(|before| !before.ends_with('\n')) {
            at = self.next_line(at);
        }
        loop {
            let line = self.line(at);
            let own = line.trim_start_matches(' ');
            if !own.starts_with('#') || line.len() - own.len() <= self.indent().len() {
                return at;
            }
            at = self.next_line(at);
        }
    }

    fn line(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default().split('\n').next().unwrap_or_default()
    }

    fn next_line(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |end| at + end + 1)
    }

    fn edit(&self, at: usize, text: String) -> Edit {
        Edit { span: Span::new(FileId::default(), at, at), text }
    }

    /// New lines at the beginning of a line.
    fn lines(&self, at: usize, stubs: &[&Stub]) -> Edit {
        let before = self.text.get(..at).unwrap_or_default();
        let mut text =
            if before.is_empty() || before.ends_with('\n') { String::new() } else { "\n".to_owned() };
        for stub in stubs {
            if stub.apart {
                text.push('\n');
            }
            text.push_str(self.indent());
            text.push_str(&self.indented(&stub.text));
        }
        let next = self.line(at).trim_end();
        let ends = next.is_empty() || next.starts_with("---") || next.starts_with("...");
        let long = stubs.last().is_some_and(|stub| stub.text.lines().count() > 1);
        let apart = next.split(':').next().is_some_and(|key| APART.contains(&key.trim()));
        if !ends && (long || apart) {
            text.push('\n');
        }
        self.edit(at, text)
    }

    /// Lines with the document's own indentation before all but the first.
    fn indented(&self, text: &str) -> String {
        text.trim_end_matches('\n').replace('\n', &format!("\n{}", self.indent())) + "\n"
    }
}

/// Sections that have a blank line before them.
const APART: [&str; 12] = [
    "owners",
    "message",
    "producer",
    "idempotency",
    "effects",
    "processing",
    "ordering",
    "failures",
    "redelivery",
    "dead_letter",
    "replay",
    "slo",
];
