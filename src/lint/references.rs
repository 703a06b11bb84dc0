//! Files that contracts refer to.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::model::Contract;
use crate::source::{FileId, SourceFile, Sources};
use crate::syntax::{self, Limits};

/// The files that a text refers to, as written; the caller loads them before the run.
pub fn references(text: &str) -> Vec<String> {
    // Reading a text twice is only worth it where it can name a file at all.
    if !(text.contains("schema") && text.contains("file")) {
        return Vec::new();
    }
    let mut ignored = Vec::new();
    let tree = syntax::parse(FileId::default(), text, &Limits::default(), &mut ignored);
    let contracts = tree
        .documents()
        .iter()
        .filter_map(|document| syntax::load::<Contract>(&tree, document, &mut ignored));
    contracts.filter_map(|contract| contract.message.schema.file.get().cloned()).collect()
}

/// The key of `path`, written in the contract `name`, in `Inputs::referenced`.
pub fn referenced_by(name: &str, path: &str) -> String {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The findings about files that do not exist or lie outside the workspace.
pub(super) fn missing(
    contract: &Contract,
    sources: &Sources,
    referenced: &BTreeMap<String, Option<String>>,
) -> Vec<Diagnostic> {
    let file = &contract.message.schema.file;
    let Some(path) = file.get() else { return Vec::new() };
    let name = sources.get(file.span().file).map_or("", |source: &SourceFile| source.name.as_str());
    match referenced.get(&referenced_by(name, path)) {
        Some(Some(_)) => Vec::new(),
        Some(None) | None => vec![
            Diagnostic::new(Code("AK014"), file.span(), format!("`{path}` is not a file of this workspace"))
                .at("looked for beside the contract")
                .help("name a file at or below the root of the repository, relative to the contract"),
        ],
    }
}
