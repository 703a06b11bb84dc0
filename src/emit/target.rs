//! What a target consists of: its `target.yaml` and the templates beside it, kept in the program.

use serde::Deserialize;

use crate::report::failure::Failure;
use crate::source::{FileId, SourceFile};
use crate::syntax::{self, Limits, List, Map, Req};

/// The folders below `templates/`: each text of a target under its path there.
const FOLDERS: &[&[(&str, &str)]] = &[&[
    ("target.yaml", include_str!("../../templates/runbook/target.yaml")),
    ("runbook.md.j2", include_str!("../../templates/runbook/runbook.md.j2")),
    ("broker/kafka.sh.j2", include_str!("../../templates/runbook/broker/kafka.sh.j2")),
    ("broker/nats-jetstream.sh.j2", include_str!("../../templates/runbook/broker/nats-jetstream.sh.j2")),
    ("broker/neutral.sh.j2", include_str!("../../templates/runbook/broker/neutral.sh.j2")),
    ("broker/postgres.sh.j2", include_str!("../../templates/runbook/broker/postgres.sh.j2")),
    ("broker/rabbitmq.sh.j2", include_str!("../../templates/runbook/broker/rabbitmq.sh.j2")),
    ("broker/redis-list.sh.j2", include_str!("../../templates/runbook/broker/redis-list.sh.j2")),
    ("broker/redis-streams.sh.j2", include_str!("../../templates/runbook/broker/redis-streams.sh.j2")),
    ("broker/sqs.sh.j2", include_str!("../../templates/runbook/broker/sqs.sh.j2")),
]];

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
#[derive(Debug)]
pub struct Target {
    /// What the user calls it.
    pub name: String,
    /// What it is, in a few words.
    pub summary: String,
    pub(super) files: Vec<File>,
    constants: Vec<(String, String)>,
    texts: &'static [(&'static str, &'static str)],
}

/// One file of a target.
#[derive(Debug)]
pub(super) struct File {
    /// Where it belongs; `{queue}` stands for the name of the queue.
    pub(super) path: String,
    pub(super) owner: Owner,
    pub(super) summary: String,
    pub(super) template: &'static str,
}

/// `target.yaml` as it is written.
#[derive(Debug, Deserialize)]
struct Written {
    name: Req<String>,
    summary: Req<String>,
    files: Req<List<WrittenFile>>,
    constants: Req<Map<String>>,
}

#[derive(Debug, Deserialize)]
struct WrittenFile {
    template: Req<String>,
    path: Req<String>,
    owner: Req<Owner>,
    summary: Req<String>,
}

/// Every target, by name.
pub fn targets() -> Result<Vec<Target>, Failure> {
    FOLDERS.iter().map(|texts| read(texts).ok_or_else(broken)).collect()
}

fn broken() -> Failure {
    Failure::new("emit::target", "a target.yaml inside ackord cannot be read; this is a bug of ackord")
}

fn read(texts: &'static [(&'static str, &'static str)]) -> Option<Target> {
    let source = SourceFile::new("target.yaml", text(texts, "target.yaml")?);
    let mut found = Vec::new();
    let tree = syntax::parse(FileId(0), &source.text, &Limits::default(), &mut found);
    let written: Written = syntax::load(&tree, tree.documents().first()?, &mut found)?;
    if !found.is_empty() {
        return None;
    }
    let file = |file: &WrittenFile| {
        Some(File {
            path: file.path.get()?.clone(),
            owner: *file.owner.get()?,
            summary: file.summary.get()?.clone(),
            template: text(texts, file.template.get()?)?,
        })
    };
    let constant = |entry: &syntax::Entry<String>| Some((entry.name.clone(), entry.value.get()?.clone()));
    Some(Target {
        name: written.name.get()?.clone(),
        summary: written.summary.get()?.clone(),
        files: written.files.get()?.iter().map(|(one, _)| file(one)).collect::<Option<_>>()?,
        constants: written.constants.get()?.iter().map(constant).collect::<Option<_>>()?,
        texts,
    })
}

fn text(texts: &[(&'static str, &'static str)], path: &str) -> Option<&'static str> {
    texts.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
}

impl Target {
    /// The figures that the target itself decides, with their names.
    pub fn constants(&self) -> impl Iterator<Item = (&str, &str)> {
        self.constants.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The part for `kind`, or the one that fits all where there is none.
    pub(super) fn part(&self, kind: &str) -> &'static str {
        let named = text(self.texts, &format!("broker/{kind}.sh.j2"));
        named.or_else(|| text(self.texts, "broker/neutral.sh.j2")).unwrap_or_default()
    }

    /// The texts of all templates.
    #[cfg(test)]
    pub(super) fn templates(&self) -> impl Iterator<Item = &'static str> {
        self.texts.iter().filter(|(name, _)| name.ends_with(".j2")).map(|(_, text)| *text)
    }
}
