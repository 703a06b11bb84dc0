//! A second opinion on what a text says: `serde_yaml`, which shares no code with our reader, must
//! see the same values in every contract that we accept.

use ackord::source::FileId;
use ackord::syntax::{Kind, Limits, NodeId, Style, Tree, parse};
use serde::Deserialize;
use serde_yaml::{Mapping, Number, Value};

use crate::examples::{each_alone, good};
use crate::judge::none_of;
use crate::oracle::{generate, python};
use crate::patch::{expand, files_below, read};

/// Texts in the styles that YAML offers for the same values.
const STYLES: &[&str] = &[
    "a: &lock {timeout: 5m}\nb: *lock\nc: {<<: *lock, renewed: true}\n",
    "base: &base {x: 1, y: {z: 2}}\nother: &other {y: 3, w: 4}\nboth:\n  <<: [*base, *other]\n  x: 9\n",
    "nested: &n {<<: &inner {deep: 1}, own: 2}\nuse: {<<: *n}\n",
    "quoted: \"a\\tb\\u00e9\\x41\\n\"\nsingle: 'it''s'\nempty: ''\n",
    "literal: |\n  one\n    two\n\nfolded: >-\n  one\n  two\n\n  three\nkeep: |+\n  x\n\nlast: 1\n",
    "plain: several words\n  over lines\nflow: [a, 'b', {c: d}, []]\n",
    "nulls: [~, null, Null, NULL, ]\nbools: [true, True, TRUE, false, False, FALSE]\n",
    "words: [yes, no, on, off, y, n, nil, None]\nempty:\nother: 1\n",
    "ints: [0, 7, -3, +4, 0x1F, 0o17, 18446744073709551615, -9223372036854775808]\n",
    "floats: [1.5, -0.25, 1e3, 1.0e-2, .5, 5., .inf, -.inf]\n",
    "texts: [1_000, 5:00, 30s, 1h30m, 0.01%, 256KiB, v1, 1.2.3, 2026-11-30]\n",
    "tagged: [!!str 5, !!str true]\n",
    "- list\n- of\n- - lists\n  - here\n",
    "---\na: 1\n---\nb: 2\n...\n---\nc: 3\n",
    "# a comment\na: 1 # another\n\n# the last\n",
    "a: 1\r\nb: |\r\n  two\r\n  lines\r\nc: [x,\r\n  y]\r\n",
    "? a\n: 1\n? b\n: - 2\n  - 3\n",
];

/// Our tree in the shape of `serde_yaml`, aliases followed and merges made.
fn lower(tree: &Tree<'_>, id: NodeId) -> Value {
    match &tree.node(id).kind {
        Kind::Scalar { text, style: Style::Plain } => plain(text),
        Kind::Scalar { text, style: Style::Quoted | Style::Block } => Value::String(text.to_string()),
        Kind::List(_) => tree.items(id).iter().map(|item| lower(tree, *item)).collect(),
        Kind::Mapping { .. } => {
            let mut mapping = Mapping::new();
            let (merges, own): (Vec<_>, Vec<_>) =
                tree.pairs(id).iter().copied().partition(|(key, _)| tree.is_merge(*key));
            for (key, value) in own {
                mapping.insert(lower(tree, key), lower(tree, value));
            }
            for (_, from) in merges {
                take_over(&mut mapping, lower(tree, from));
            }
            Value::Mapping(mapping)
        }
        Kind::Alias(target) => lower(tree, *target),
        Kind::Lost => panic!("an accepted text has no lost nodes"),
    }
}

/// Entries of another mapping, or of several of which an earlier one wins, where there is none yet.
fn take_over(mapping: &mut Mapping, from: Value) {
    match from {
        Value::Mapping(entries) => {
            for (key, value) in entries {
                mapping.entry(key).or_insert(value);
            }
        }
        Value::Sequence(several) => several.into_iter().for_each(|one| take_over(mapping, one)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Tagged(_) => {
            panic!("a `<<` takes over a mapping or several")
        }
    }
}

/// The core schema of YAML 1.2.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        ".inf" | ".Inf" | ".INF" | "+.inf" => return Value::Number(f64::INFINITY.into()),
        "-.inf" | "-.Inf" | "-.INF" => return Value::Number(f64::NEG_INFINITY.into()),
        _ => {}
    }
    let number = integer(text).or_else(|| decimal(text).map(Number::from));
    number.map_or_else(|| Value::String(text.to_owned()), Value::Number)
}

fn integer(text: &str) -> Option<Number> {
    let radix =
        |prefix, radix| text.strip_prefix(prefix).and_then(|digits| u64::from_str_radix(digits, radix).ok());
    if let Some(value) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return Some(value.into());
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    // With a leading zero, one version of YAML reads octal and the other decimal: `serde_yaml` keeps the text.
    if digits.is_empty()
        || !digits.bytes().all(|byte| byte.is_ascii_digit())
        || (digits.len() > 1 && digits.starts_with('0'))
    {
        return None;
    }
    text.parse::<u64>().map(Number::from).or_else(|_| text.parse::<i64>().map(Number::from)).ok()
}

fn decimal(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let begins = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    let has_digit = unsigned.bytes().any(|byte| byte.is_ascii_digit());
    let only = unsigned.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    let octal = unsigned.len() > 1 && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    if begins && has_digit && only && !octal { text.parse().ok() } else { None }
}

/// `apply_merge` leaves the merges inside of what it has merged: it is applied until nothing changes.
pub fn merged(mut value: Value) -> Result<Value, serde_yaml::Error> {
    loop {
        let before = value.clone();
        value.apply_merge()?;
        if value == before {
            return Ok(value);
        }
    }
}

/// What the two readers see, if we accept the text; and whether we do.
fn compare(name: &str, text: &str) -> Result<bool, String> {
    let mut found = Vec::new();
    let tree = parse(FileId(0), text, &Limits::default(), &mut found);
    if !found.is_empty() {
        return Ok(false);
    }
    let ours: Vec<Value> = tree.documents().iter().map(|document| lower(&tree, document.root)).collect();
    let mut theirs = Vec::new();
    for document in serde_yaml::Deserializer::from_str(text) {
        let value = Value::deserialize(document).and_then(merged);
        theirs
            .push(value.map_err(|error| format!("{name}: accepted, and serde_yaml says: {error}\n{text}"))?);
    }
    if ours == theirs {
        return Ok(true);
    }
    Err(format!("{name}: read as\n  {ours:?}\nand by serde_yaml as\n  {theirs:?}\n{text}"))
}

/// Compares all texts; every one of them must be accepted.
fn agree(texts: &[(String, String)]) {
    assert!(!texts.is_empty(), "there is nothing to compare");
    let mut failures = Vec::new();
    for (name, text) in texts {
        match compare(name, text) {
            Ok(true) => {}
            Ok(false) => failures.push(format!("{name}: not accepted\n{text}")),
            Err(fault) => failures.push(fault),
        }
    }
    none_of(&failures, "the second reader");
}

#[test]
fn on_every_style() {
    let texts: Vec<_> = STYLES.iter().map(|text| ("a style".to_owned(), (*text).to_owned())).collect();
    agree(&texts);
}

/// Here the readers differ, and `serde_yaml`, which forgets the quotes, is wrong.
#[test]
fn a_quoted_merge_key_is_a_key_like_any_other() {
    let mut found = Vec::new();
    let tree = parse(FileId(0), "\"<<\": {a: 1}\nb: 2\n", &Limits::default(), &mut found);
    let value = lower(&tree, tree.documents()[0].root);
    assert!(found.is_empty());
    assert_eq!(value["<<"]["a"], 1);
    assert!(value.get("a").is_none());
}

#[test]
fn on_examples_and_bases() {
    let contracts = good().into_iter().chain(each_alone("examples/broken")).chain(each_alone("tests/bases"));
    agree(&contracts.flat_map(|files| files.contracts).collect::<Vec<_>>());
}

/// As they are, in JSON syntax, and again in the block style of `serde_yaml`.
#[test]
fn on_generated_contracts() {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    generate(200, folder.path());
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let value: Value = serde_yaml::from_str(&text).unwrap();
        texts.push((format!("{name} in blocks"), serde_yaml::to_string(&value).unwrap()));
        texts.push((name, text));
    }
    assert_eq!(texts.len(), 400);
    agree(&texts);
}

/// The blocks of the rules' documentation, laid over their bases or whole; those that are not YAML are passed over.
#[test]
fn on_the_cases_of_the_rules() {
    let mut failures = Vec::new();
    let mut compared = 0;
    for path in
        files_below("src/rules").into_iter().filter(|path| path.extension().is_some_and(|end| end == "md"))
    {
        let doc = read(&path);
        for block in doc.split("\n```yaml ").skip(1) {
            let Some((_, rest)) = block.split_once('\n') else { continue };
            let Ok(files) = expand(rest.split("```").next().unwrap_or_default()) else { continue };
            for (_, text) in files.contracts {
                if text.lines().all(|line| line.trim().is_empty() || line.starts_with('#')) {
                    // No document to us; serde_yaml makes one of nothing.
                    continue;
                }
                match compare(&path.display().to_string(), &text) {
                    Ok(accepted) => compared += usize::from(accepted),
                    Err(fault) => failures.push(fault),
                }
            }
        }
    }
    none_of(&failures, "the second reader");
    assert!(compared > 0, "there is nothing to compare");
}
