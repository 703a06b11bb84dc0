//! What the house is built by: modules import in one direction, and some things are done in one place only.

use std::collections::BTreeSet;

use crate::judge::none_of;
use crate::patch::{files_below, read};

/// The modules from left to right: each imports only from those before it. Those of one line do not
/// know each other.
const ORDER: &[&[&str]] = &[
    &["source"],
    &["diagnostic"],
    &["syntax"],
    &["units"],
    &["policy"],
    &["model"],
    &["brokers"],
    &["resolve"],
    &["analysis"],
    &["rules"],
    &["lint"],
    &["fix", "report"],
    &["emit", "init"],
    &["config"],
    &["lsp"],
    &["cli"],
];

/// What only some modules may name.
const ONLY: &[(&str, &[&str])] = &[
    ("granit_parser", &["syntax"]),
    ("clap", &["cli", "main"]),
    ("std::fs", &["cli", "main"]),
    ("cap_std", &["cli"]),
    ("cap_fs_ext", &["cli"]),
    ("std::env", &["cli", "main"]),
    ("std::process", &["cli", "main"]),
    ("std::net", &["cli", "main"]),
    ("stdout", &["cli", "main"]),
    ("stderr", &["cli", "main"]),
    ("stdin", &["cli", "main"]),
    ("SystemTime", &["cli", "main"]),
    ("Instant", &["cli", "main"]),
    ("print!", &["cli", "main"]),
    ("println!", &["cli", "main"]),
    ("eprint!", &["cli", "main"]),
    ("eprintln!", &["cli", "main"]),
    ("dbg!", &[]),
];

/// A file of `src`: its path, the module that it belongs to, its code.
struct Source {
    path: String,
    module: String,
    code: String,
}

fn sources() -> Vec<Source> {
    let files = files_below("src").into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let sources: Vec<Source> = files
        .map(|path| {
            let name = path.to_str().unwrap().replace('\\', "/");
            let module = name["src/".len()..].split(['/', '.']).next().unwrap().to_owned();
            Source { code: code_of(&read(&path)), module, path: name }
        })
        .filter(|source| !source.path.ends_with("/tests.rs"))
        .collect();
    assert!(sources.len() > 50, "only {} files of src were found", sources.len());
    sources
}

/// The code alone: comments, the inside of texts and the module of tests at the end become nothing.
fn code_of(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(end) = literal(rest, code.chars().next_back()) {
            code.push_str("\"\"");
            end
        } else {
            code.push(first);
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    code
}

/// Where the text or character that `rest` begins with ends.
fn literal(rest: &str, before: Option<char>) -> Option<usize> {
    if let Some(raw) = rest.strip_prefix('r')
        && !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let from = 1 + hashes + 1;
            let close = format!("\"{}", "#".repeat(hashes));
            return Some(rest[from..].find(&close).map_or(rest.len(), |at| from + at + close.len()));
        }
    }
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    if quote == '\'' {
        // A lifetime has no second quote right behind its letter.
        let mut letters = rest[1..].chars();
        let first = letters.next()?;
        if first != '\\' && letters.next() != Some('\'') {
            return None;
        }
    }
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Where `token` stands in `code` as a word of its own.
fn occurs<'c>(code: &'c str, token: &'c str) -> impl Iterator<Item = usize> + 'c {
    code.match_indices(token).map(|(at, _)| at).filter(move |at| {
        let before = code[..*at].chars().next_back();
        let after = code[at + token.len()..].chars().next();
        !before.is_some_and(is_word) && (token.ends_with('!') || !after.is_some_and(is_word))
    })
}

/// The modules of this crate that `code` names: `crate::x`, and each of `crate::{x::Y, z}`.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for at in occurs(code, "crate") {
        let Some(path) = code[at + "crate".len()..].strip_prefix("::") else { continue };
        let Some(group) = path.strip_prefix('{') else {
            found.insert(path.chars().take_while(|letter| is_word(*letter)).collect());
            continue;
        };
        let mut depth = 0;
        let mut item = String::new();
        for letter in group.chars() {
            match letter {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    found.insert(first_word(&item));
                    item.clear();
                }
                _ if depth == 0 => item.push(letter),
                _ => {}
            }
        }
        if !item.trim().is_empty() {
            found.insert(first_word(&item));
        }
    }
    found
}

fn first_word(path: &str) -> String {
    path.trim().chars().take_while(|letter| is_word(*letter)).collect()
}

fn rank(module: &str) -> Option<usize> {
    ORDER.iter().position(|modules| modules.contains(&module))
}

#[test]
fn modules_import_from_their_left_only() {
    let mut failures = Vec::new();
    let root = code_of(&read("src/lib.rs"));
    let entries: BTreeSet<String> = root.split("pub fn ").skip(1).map(first_word).collect();
    for source in sources().iter().filter(|source| !matches!(source.module.as_str(), "lib" | "main")) {
        let Some(own) = rank(&source.module) else {
            failures
                .push(format!("{}: the module `{}` has no place in the order", source.path, source.module));
            continue;
        };
        for import in imports(&source.code) {
            // What the crate offers at its root, it offers to those who would otherwise be outside.
            let entry = entries.contains(&import) && matches!(source.module.as_str(), "cli" | "lsp");
            if import == source.module || entry {
                continue;
            }
            match rank(&import) {
                Some(other) if other < own => {}
                Some(_) => failures.push(format!("{}: `{import}` is not left of it", source.path)),
                None => failures.push(format!(
                    "{}: imports `crate::{import}`, which has no place in the order",
                    source.path
                )),
            }
        }
        // A file directly in `src` has the crate's root above it.
        if source.path.matches('/').count() == 1 && occurs(&source.code, "super").next().is_some() {
            failures.push(format!("{}: `super` is the crate's root here; write `crate::…`", source.path));
        }
    }
    none_of(&failures, "the order of modules");
}

#[test]
fn some_things_are_done_in_one_place_only() {
    let mut failures = Vec::new();
    for source in sources() {
        // `use std::{fs, env}` says the same as `std::fs`.
        let flat = source.code.replace("std::{", "std::{std::");
        for (token, allowed) in ONLY {
            let named = occurs(&source.code, token).next().is_some() || occurs(&flat, token).next().is_some();
            if named && !allowed.contains(&source.module.as_str()) {
                failures.push(format!("{}: `{token}` belongs to {allowed:?}", source.path));
            }
        }
        if source.code.contains("std::{") && !matches!(source.module.as_str(), "cli" | "main") {
            failures
                .push(format!("{}: write one `use std::…` a line, which this test can read", source.path));
        }
    }
    none_of(&failures, "what belongs to one place");
}

#[test]
fn the_model_keeps_its_places_and_is_not_written_back() {
    let mut failures = Vec::new();
    let mut files = 0;
    for source in sources().iter().filter(|source| source.module == "model") {
        files += 1;
        for at in source.code.match_indices("#[serde(").map(|(at, _)| at) {
            let attribute = source.code[at..].split(']').next().unwrap_or_default();
            for word in ["flatten", "untagged", "tag"] {
                if occurs(attribute, word).next().is_some() {
                    failures
                        .push(format!("{}: serde's `{word}` loses the places of what it reads", source.path));
                }
            }
        }
        if occurs(&source.code, "Serialize").next().is_some() {
            failures.push(format!("{}: a contract is read, never written: not `Serialize`", source.path));
        }
    }
    none_of(&failures, "the model");
    assert!(files > 10, "{files} files of the model were read");
}

#[test]
fn nothing_is_unsafe() {
    assert!(read("Cargo.toml").contains("\nunsafe_code = \"forbid\"\n"), "Cargo.toml forbids unsafe code");
    let unsafe_ = |source: &Source| occurs(&source.code, "unsafe").next().is_some();
    let failures: Vec<String> = sources().into_iter().filter(unsafe_).map(|source| source.path).collect();
    none_of(&failures, "safe code");
}

/// Whether `name` (`module::test`, `module::…`, or a module of unit tests) is a test that there is.
fn is_a_test(name: &str) -> bool {
    let path: Vec<&str> = name.split("::").collect();
    let (Some(last), Some(module)) = (path.last(), path.first()) else { return false };
    let files = files_below("src").into_iter().chain(files_below("tests/suite"));
    let mut texts = files.filter_map(|file| Some((file.to_str()?.replace('\\', "/"), file)));
    match *last {
        "…" => texts.any(|(name, _)| name == format!("tests/suite/{module}.rs")),
        "<group>" => is_a_test("rules::slo"),
        last => texts.any(|(name, file)| {
            let itself = format!("/{}.rs", path.join("/"));
            name.ends_with(&itself)
                || (name.starts_with(&format!("tests/suite/{module}"))
                    && read(file).contains(&format!("\nfn {last}()")))
        }),
    }
}

#[test]
fn every_test_that_the_document_names_is_there() {
    let text = read("ARCHITECTURE.md");
    let (_, invariants) = text.split_once("\n## Invariants\n").unwrap();
    let invariants = invariants.split("\n## ").next().unwrap();
    let named = invariants
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| word.contains("::") && !word.starts_with("lint::"));
    let (there, missing): (Vec<&str>, Vec<&str>) = named.partition(|name| is_a_test(name));
    assert!(there.len() > 15, "{there:?}");
    assert_eq!(missing, Vec::<&str>::new());
    assert!(!is_a_test("architecture::nothing_of_the_kind") && !is_a_test("nothing::…"));
}

#[test]
fn what_is_not_code_is_not_read() {
    let code =
        code_of("a /* crate::x */ b // crate::y\n\"crate::z \\\" \" 'c' '\\'' &'a str r#\"crate::q\"# end");
    for word in ["crate", "q", "x", "y", "z"] {
        assert!(occurs(&code, word).next().is_none(), "{code}");
    }
    for word in ["a", "b", "str", "end"] {
        assert!(occurs(&code, word).next().is_some(), "{code}");
    }
    let imported = imports("use crate::a::{b, c}; crate::d::e(); use crate::{f::g, h::{i, j}, k};");
    assert_eq!(imported.into_iter().collect::<Vec<_>>(), ["a", "d", "f", "h", "k"]);
}
