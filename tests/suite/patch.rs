//! Cases are short: each says only in what it differs from a complete contract of `tests/bases`.
//!
//! A block is a list of documents between lines of `---`. The first line of a document says how it is read:
//! - `# base: NAME`: it is laid over `tests/bases/NAME.queue.yaml`. Mappings merge, everything else
//!   replaces, `null` removes the key. Values stay as written (`no`, `010`, `"4.2"`); comments are lost.
//! - `# file: PATH`: not a contract but a file beside it, which a contract may refer to.
//! - `# whole`: it and all that follows, `---` among it, is one file, as it stands.

use std::path::{Path, PathBuf};

use ackord::source::FileId;
use ackord::syntax::{Kind, Limits, NodeId, Style, Tree, parse};
use serde_yaml::{Mapping, Value};

/// The files that a block stands for.
#[derive(Debug, Default, Clone)]
pub struct Files {
    /// Name and text of each contract.
    pub contracts: Vec<(String, String)>,
    /// Path and text of each file that contracts refer to.
    pub beside: Vec<(String, String)>,
}

/// Where the sources of this crate are.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A text of this repository.
pub fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder of this repository, relative to its root and sorted.
pub fn files_below(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(root()).unwrap().to_path_buf());
            }
        }
    }
    found.sort();
    found
}

/// Reads a block.
///
/// # Errors
/// Says what is wrong with the block itself, as opposed to the contract in it.
pub fn expand(block: &str) -> Result<Files, String> {
    let mut files = Files::default();
    let mut rest = Some(block);
    while let Some(text) = rest {
        let (head, body) = text.split_once('\n').unwrap_or((text, ""));
        let number = files.contracts.len() + 1;
        let name =
            if number == 1 { "case.queue.yaml".to_owned() } else { format!("case{number}.queue.yaml") };
        if head.trim() == "# whole" {
            files.contracts.push((name, body.to_owned()));
            return Ok(files);
        }
        let (document, next) = split(body);
        rest = next;
        if let Some(base) = head.strip_prefix("# base:") {
            files.contracts.push((name, lay_over(base.trim(), &document)?));
        } else if let Some(path) = head.strip_prefix("# file:") {
            files.beside.push((path.trim().to_owned(), document));
        } else {
            return Err(format!(
                "`{head}`: a document begins with `# base: NAME`, `# file: PATH` or `# whole`"
            ));
        }
    }
    Ok(files)
}

/// The lines before a line of `---`, and what comes after it.
fn split(body: &str) -> (String, Option<&str>) {
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return (body[..at].to_owned(), Some(&body[at + line.len()..]));
        }
        at += line.len();
    }
    (body.to_owned(), None)
}

fn lay_over(base: &str, patch: &str) -> Result<String, String> {
    let path = root().join("tests/bases").join(format!("{base}.queue.yaml"));
    let text =
        std::fs::read_to_string(&path).map_err(|_| format!("there is no base `{base}` in tests/bases"))?;
    let mut contract = load(&text)?;
    let mut written = Vec::new();
    merge(&mut contract, load_as_written(patch, &mut written)?);
    let mut merged = serde_yaml::to_string(&contract).map_err(|error| error.to_string())?;
    for (at, value) in written.iter().enumerate() {
        merged = merged.replace(&stand_in(at), value);
    }
    Ok(merged)
}

/// What stands for the value `at` of a patch while `serde_yaml`, which would write `no` as `'no'`, has it.
fn stand_in(at: usize) -> String {
    format!("as-written-{at:04}-here")
}

/// The patch, with each value of one line replaced by its stand-in and kept in `written`.
fn load_as_written(patch: &str, written: &mut Vec<String>) -> Result<Value, String> {
    let mut found = Vec::new();
    let tree = parse(FileId(0), patch, &Limits::default(), &mut found);
    if let Some(finding) = found.first() {
        return Err(format!("a patch is clean YAML ({}); use `# whole`", finding.message));
    }
    match tree.documents() {
        [] => Ok(Value::Mapping(Mapping::new())),
        [document] => {
            let mut value = take(&tree, document.root, patch, written);
            value.apply_merge().map_err(|error| error.to_string())?;
            Ok(if value.is_null() { Value::Mapping(Mapping::new()) } else { value })
        }
        _ => Err("a patch is one document".to_owned()),
    }
}

fn take(tree: &Tree<'_>, id: NodeId, patch: &str, written: &mut Vec<String>) -> Value {
    let id = tree.target(id);
    let node = tree.node(id);
    let raw = patch.get(node.span.range()).unwrap_or_default();
    match &node.kind {
        Kind::Scalar { text, style: Style::Plain } if matches!(text.as_ref(), "~" | "null") => Value::Null,
        Kind::Scalar { text, style } => {
            if *style == Style::Block || raw.contains('\n') || raw.is_empty() {
                return Value::String(text.to_string());
            }
            written.push(raw.to_owned());
            Value::String(stand_in(written.len() - 1))
        }
        Kind::List(_) => tree.items(id).iter().map(|item| take(tree, *item, patch, written)).collect(),
        Kind::Mapping { .. } => {
            let entry = |(key, value): &(NodeId, NodeId)| {
                let key = tree.text(*key).unwrap_or_default().to_owned();
                (Value::String(key), take(tree, *value, patch, written))
            };
            Value::Mapping(tree.pairs(id).iter().map(entry).collect())
        }
        Kind::Alias(_) | Kind::Lost => Value::Null,
    }
}

fn load(text: &str) -> Result<Value, String> {
    let mut value: Value = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
    value.apply_merge().map_err(|error| error.to_string())?;
    Ok(if value.is_null() { Value::Mapping(Mapping::new()) } else { value })
}

fn merge(base: &mut Value, patch: Value) {
    let Value::Mapping(patch) = patch else {
        *base = patch;
        return;
    };
    if !base.is_mapping() {
        *base = Value::Mapping(Mapping::new());
    }
    let Value::Mapping(base) = base else { return };
    for (key, value) in patch {
        if value.is_null() {
            base.shift_remove(&key);
        } else if let Some(old) = base.get_mut(&key) {
            merge(old, value);
        } else {
            let mut fresh = Value::Null;
            merge(&mut fresh, value);
            base.insert(key, fresh);
        }
    }
}

/// What `block` becomes, where it is known to be one contract over a base.
#[cfg(test)]
fn one(block: &str) -> Value {
    let files = expand(block).unwrap();
    assert_eq!(files.contracts.len(), 1);
    serde_yaml::from_str(&files.contracts[0].1).unwrap()
}

#[test]
fn mappings_merge_and_the_rest_replaces() {
    let contract = one(
        "# base: task-postgres\nprocessing: {lock: {renewed: true}, load: 3/s}\nevidence: [end-to-end]\n",
    );
    assert_eq!(contract["processing"]["lock"]["timeout"], "1m");
    assert_eq!(contract["processing"]["lock"]["renewed"], true);
    assert_eq!(contract["processing"]["load"], "3/s");
    assert_eq!(contract["evidence"], Value::Sequence(vec!["end-to-end".into()]));
    assert_eq!(contract["queue"], "daily-reports");
}

#[test]
fn null_removes_and_the_order_stays() {
    let files =
        expand("# base: task-postgres\nowners: null\nflow: audit\nidempotency: {ttl: null}\n").unwrap();
    let keys: Vec<&str> =
        files.contracts[0].1.lines().filter_map(|line| line.split_once(':')).map(|(key, _)| key).collect();
    assert_eq!(keys[..6], ["ackord", "queue", "version", "flow", "summary", "on_call"]);
    assert!(!files.contracts[0].1.contains("ttl:"));
}

#[test]
fn values_stay_as_they_are_written() {
    for value in ["\"4.2\"", "'4.2'", "4.20", "no", "010", "5:00", "1_000", "60s", "[a, \"b\"]"] {
        let files = expand(&format!("# base: money-rabbitmq\nbroker: {{version: {value}}}\n")).unwrap();
        let text = &files.contracts[0].1;
        let list = "version:\n  - a\n  - \"b\"\n".to_owned();
        let wanted = if value.starts_with('[') { list } else { format!("  version: {value}\n") };
        assert!(text.contains(&wanted), "{value} became\n{text}");
    }
}

#[test]
fn documents_and_files_and_wholes() {
    let files =
        expand("# base: task-postgres\nqueue: a\n---\n# file: s.json\n{}\n---\n# whole\nx: 1\n---\ny: 2\n")
            .unwrap();
    assert_eq!(files.contracts.len(), 2);
    assert_eq!(files.beside, [("s.json".to_owned(), "{}\n".to_owned())]);
    assert_eq!(files.contracts[1], ("case2.queue.yaml".to_owned(), "x: 1\n---\ny: 2\n".to_owned()));
    assert!(expand("queue: a\n").is_err());
    assert!(expand("# base: nothing-of-the-kind\n").is_err());
}
