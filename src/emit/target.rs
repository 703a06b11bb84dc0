//! What a target consists of: its `target.yaml` and the templates beside it, kept in the program.

use std::collections::BTreeSet;
use std::fmt;

use minijinja::Value;
use serde::Deserialize;

use super::{GeneratedFile, alerts, consumer_rust, dashboard, migrations, runbook, topology};
use crate::lint::Clean;
use crate::report::failure::Failure;
use crate::source::{FileId, SourceFile};
use crate::syntax::{self, Limits, List, Map, Opt, Req};

/// Every target: a folder below `templates/` and a module here have its name.
const SOURCES: &[Source] = &[
    alerts::SOURCE,
    consumer_rust::SOURCE,
    dashboard::SOURCE,
    migrations::SOURCE,
    runbook::SOURCE,
    topology::SOURCE,
];

/// What a target brings along.
#[derive(Clone, Copy)]
pub(super) struct Source {
    /// Its texts under their paths in its folder.
    pub(super) texts: &'static [(&'static str, &'static str)],
    /// What its templates see of a contract.
    pub(super) view: fn(&Clean<'_>, &Target) -> Result<View, Failure>,
}

/// The texts of a target, kept in the program.
macro_rules! texts {
    ($folder:literal: $($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("../../templates/", $folder, "/", $path)))),+]
    };
}
pub(super) use texts;

/// What the templates of a target see of a contract.
pub(super) struct View {
    /// The values.
    pub(super) value: Value,
    /// Which of the files with a condition are made.
    pub(super) has: BTreeSet<&'static str>,
}

impl View {
    /// Values for files that are always made.
    pub(super) fn new(value: Value) -> Self {
        Self { value, has: BTreeSet::new() }
    }

    /// Values for the files of a condition.
    pub(super) fn with(value: Value, has: impl IntoIterator<Item = &'static str>) -> Self {
        Self { value, has: has.into_iter().collect() }
    }
}

/// Who changes a file once it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// It is written again each time.
    Generated,
    /// It is written once and never touched again.
    Yours,
}

/// Something that can be generated.
pub struct Target {
    /// What the user calls it.
    pub name: String,
    /// What it is, in a few words.
    pub summary: String,
    /// What to do with what came out, where `{out}` and `{queue}` stand for the folder and the queue.
    pub next: Option<String>,
    pub(super) files: Vec<File>,
    constants: Vec<(String, String)>,
    source: Source,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target").field("name", &self.name).finish_non_exhaustive()
    }
}

/// One file of a target.
#[derive(Debug)]
pub(super) struct File {
    /// Where it belongs; `{queue}` stands for the name of the queue.
    pub(super) path: String,
    pub(super) owner: Owner,
    pub(super) summary: String,
    /// What a contract must have for the file to be made, in the words of its view.
    pub(super) when: Option<String>,
    pub(super) each: Each,
    /// The template, or for a folder's file what is copied.
    pub(super) text: &'static str,
}

/// How often a file is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Each {
    /// For every contract.
    #[default]
    Contract,
    /// Once for an output folder, from no contract in particular.
    Folder,
}

/// `target.yaml` as it is written.
#[derive(Debug, Deserialize)]
struct Written {
    name: Req<String>,
    summary: Req<String>,
    next: Opt<String>,
    files: Req<List<WrittenFile>>,
    constants: Req<Map<String>>,
}

#[derive(Debug, Deserialize)]
struct WrittenFile {
    template: Req<String>,
    path: Req<String>,
    owner: Req<Owner>,
    summary: Req<String>,
    when: Opt<String>,
    each: Opt<Each>,
}

/// Every target, by name.
pub fn targets() -> Result<Vec<Target>, Failure> {
    SOURCES.iter().map(|source| read(*source).ok_or_else(broken)).collect()
}

fn broken() -> Failure {
    Failure::new("emit::target", "a target.yaml inside ackord cannot be read; this is a bug of ackord")
}

fn read(source: Source) -> Option<Target> {
    let manifest = SourceFile::new("target.yaml", text(source.texts, "target.yaml")?);
    let mut found = Vec::new();
    let tree = syntax::parse(FileId(0), &manifest.text, &Limits::default(), &mut found);
    let written: Written = syntax::load(&tree, tree.documents().first()?, &mut found)?;
    if !found.is_empty() {
        return None;
    }
    let file = |file: &WrittenFile| {
        Some(File {
            path: file.path.get()?.clone(),
            owner: *file.owner.get()?,
            summary: file.summary.get()?.clone(),
            when: file.when.get().cloned(),
            each: file.each.get().copied().unwrap_or_default(),
            text: text(source.texts, file.template.get()?)?,
        })
    };
    let constant = |entry: &syntax::Entry<String>| Some((entry.name.clone(), entry.value.get()?.clone()));
    Some(Target {
        name: written.name.get()?.clone(),
        summary: written.summary.get()?.clone(),
        next: written.next.get().cloned(),
        files: written.files.get()?.iter().map(|(one, _)| file(one)).collect::<Option<_>>()?,
        constants: written.constants.get()?.iter().map(constant).collect::<Option<_>>()?,
        source,
    })
}

fn text(texts: &[(&'static str, &'static str)], path: &str) -> Option<&'static str> {
    texts.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}

impl File {
    /// The file of the contract `queue`.
    pub(super) fn generated(&self, queue: &str, text: String) -> GeneratedFile {
        GeneratedFile {
            path: self.path.replace("{queue}", queue),
            text: format!("{}\n", text.trim_end()),
            owner: self.owner,
            remark: self.summary.clone(),
            source: None,
        }
    }
}

impl Target {
    /// The figures that the target itself decides, with their names.
    pub fn constants(&self) -> impl Iterator<Item = (&str, &str)> {
        self.constants.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// One of these figures as it is written.
    pub(super) fn constant(&self, name: &str) -> &str {
        self.constants().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// One of these figures as a whole number.
    pub(super) fn number(&self, name: &str) -> u64 {
        self.constant(name).parse().unwrap_or_default()
    }

    /// What its templates see of a contract.
    pub(super) fn view(&self, clean: &Clean<'_>) -> Result<View, Failure> {
        (self.source.view)(clean, self)
    }

    /// The part for `kind`, or the one that fits all where there is none.
    pub(super) fn part(&self, kind: &str) -> &'static str {
        let named = text(self.source.texts, &format!("broker/{kind}.sh.j2"));
        named.or_else(|| text(self.source.texts, "broker/neutral.sh.j2")).unwrap_or_default()
    }

    /// One of its templates.
    pub(super) fn text(&self, path: &str) -> &'static str {
        text(self.source.texts, path).unwrap_or_default()
    }

    /// The texts of all templates.
    #[cfg(test)]
    pub(super) fn templates(&self) -> impl Iterator<Item = &'static str> {
        self.source.texts.iter().filter(|(name, _)| name.ends_with(".j2")).map(|(_, text)| *text)
    }
}
