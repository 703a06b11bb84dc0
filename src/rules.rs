//! The registry: every rule with its metadata, its documentation and its check.
//!
//! A rule is a Rust file and a Markdown file of the same name in the folder of its group.

pub mod bounds;
pub mod dead_letter;
pub mod delivery;
pub mod failures;
pub mod idempotency;
pub mod operation;
pub mod ordering;
pub mod processing;
pub mod reading;
pub mod secrets;
pub mod slo;

use crate::analysis::Analysis;
use crate::diagnostic::{Code, Diagnostic, Level};

/// A rule: what it is called, how much it matters, what it says and how it is found.
#[derive(Debug)]
pub struct Rule {
    /// The stable code, never reused.
    pub code: Code,
    /// The kebab-case name of the bad pattern.
    pub name: &'static str,
    /// The level where neither the finding nor the settings say otherwise.
    pub level: Level,
    /// Whether the user may suppress it in a contract.
    pub suppressible: bool,
    /// The Markdown beside the rule: what it does, why it is bad, examples, cases.
    pub doc: &'static str,
    /// How it is found.
    pub check: Check,
}

/// How the findings of a rule come about.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// While the text is read, or by the linter itself.
    Reading,
    /// From one contract.
    Contract(fn(&Analysis<'_>, &mut Vec<Diagnostic>)),
    /// As one bound of a list in `analysis`; see `rules::bounds`.
    Bound,
    /// From all contracts together.
    Workspace(fn(&[Analysis<'_>], &mut Vec<Diagnostic>)),
}

impl Rule {
    /// A rule that the user may suppress.
    pub const fn new(
        code: &'static str,
        name: &'static str,
        level: Level,
        doc: &'static str,
        check: Check,
    ) -> Self {
        Self { code: Code(code), name, level, suppressible: true, doc, check }
    }

    /// The same, but nobody may suppress it in a contract.
    pub const fn unsuppressible(self) -> Self {
        Self { suppressible: false, ..self }
    }

    /// The first paragraph of the documentation: what the rule finds, in one sentence.
    pub fn summary(&self) -> &str {
        self.section("What it does").split("\n\n").next().unwrap_or("").trim()
    }

    /// The text under the heading `## title` of the documentation, or nothing.
    pub fn section(&self, title: &str) -> &str {
        let heading = format!("## {title}\n");
        let Some((_, rest)) = self.doc.split_once(&heading) else { return "" };
        rest.split("\n## ").next().unwrap_or("").trim()
    }

    /// The documentation as it is shown to a user: all but the cases that only tests read.
    pub fn explanation(&self) -> &str {
        self.doc.split("\n## Cases\n").next().unwrap_or(self.doc).trim()
    }
}

/// Every rule, by code.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    GROUPS.iter().flat_map(|group| group.rules.iter().copied())
}

/// The rule of that code or name.
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.code.0.eq_ignore_ascii_case(code_or_name) || rule.name == code_or_name)
}

/// Rules that belong together: a hundred of codes and a folder.
#[derive(Debug)]
pub struct Group {
    /// What the group is about, as the folder is called.
    pub name: &'static str,
    /// Its rules, by code.
    pub rules: &'static [&'static Rule],
}

/// The groups, by code.
pub static GROUPS: &[Group] = &[
    Group { name: "reading", rules: reading::RULES },
    Group { name: "delivery", rules: delivery::RULES },
    Group { name: "idempotency", rules: idempotency::RULES },
    Group { name: "failures", rules: failures::RULES },
    Group { name: "dead_letter", rules: dead_letter::RULES },
    Group { name: "ordering", rules: ordering::RULES },
    Group { name: "slo", rules: slo::RULES },
    Group { name: "processing", rules: processing::RULES },
    Group { name: "operation", rules: operation::RULES },
];
