//! Files that contracts refer to.

use crate::diagnostic::{Code, Diagnostic};
use crate::model::Contract;
use crate::source::FileId;
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

/// The finding about a schema that does not exist or lies outside the workspace.
pub(super) fn missing(contract: &Contract) -> Diagnostic {
    let file = &contract.message.schema.file;
    let path = file.get().map_or("", String::as_str);
    Diagnostic::new(Code("AK014"), file.span(), format!("`{path}` is not a file of this workspace"))
        .at("looked for beside the contract")
        .help("name a file at or below the root of the repository, relative to the contract")
}
