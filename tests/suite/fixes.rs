//! Fixes leave no file worse: fixed twice is fixed once, findings only go, comments stay, and a value
//! that no edit touches keeps what a second reader sees in it.

use std::collections::BTreeMap;

use ackord::diagnostic::{Applicability, Edit};
use ackord::fix::Outcome;
use ackord::lint::Report;
use ackord::source::FileId;
use ackord::syntax::{Kind, Limits, NodeId, Tree, parse};
use serde::Deserialize;
use serde_yaml::Value;

use crate::dice::Dice;
use crate::hostile::texts::caught;
use crate::judge::{none_of, settings};
use crate::patch::{expand, files_below, read};
use crate::withstand::{judge, mend, text_of};

/// Every contract that is known to be wrong, by the name of its case.
fn wrong() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for path in files_below("examples/broken") {
        let name = path.to_string_lossy().into_owned();
        if name.ends_with(".queue.yaml") {
            texts.push((name, read(path)));
        }
    }
    let documented = files_below("src/rules").into_iter().chain(files_below("tests/cases/reports"));
    for path in documented.filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let text = read(&path);
        for (number, block) in text.split("```yaml").skip(1).enumerate() {
            let body = block.split_once('\n').map_or("", |(_, body)| body);
            let Ok(files) = expand(body.split("```").next().unwrap_or_default()) else { continue };
            let name = |at| format!("{}, block {number}, text {at}", path.display());
            texts.extend(files.contracts.into_iter().enumerate().map(|(at, (_, text))| (name(at), text)));
        }
    }
    texts
}

/// Good contracts with a line or two changed: a value, a key, an indentation, a comment between.
fn changed(count: usize) -> Vec<(String, String)> {
    let paths = files_below("examples").into_iter().chain(files_below("tests/bases"));
    let texts: Vec<String> =
        paths.filter(|path| path.to_string_lossy().ends_with(".queue.yaml")).map(read).collect();
    let mut dice = Dice::new(17);
    let one = |number: usize| {
        let text = dice.pick(&texts).clone();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for _ in 0..=dice.below(3) {
            let at = dice.below(lines.len());
            let line = lines[at].clone();
            match dice.below(8) {
                0 => drop(lines.remove(at)),
                1 => lines.insert(at, "# a comment that must stay".to_owned()),
                2 => lines[at] = format!("{line} # kept"),
                3 => lines.insert(at, "# ackord: ignore[AK202] -- a reason".to_owned()),
                4 => lines[at] = line.replacen("e:", ":", 1),
                5 => lines[at] = line.replacen('d', "m", 1),
                6 => lines[at] = line.chars().filter(|c| !matches!(c, 'm' | 's' | '"')).collect(),
                _ => lines[at] = line.replace("true", "yes").replace("10", "0o12"),
            }
        }
        let end = if dice.chance(20) { "\r\n" } else { "\n" };
        (format!("changed {number}"), lines.join(end) + end)
    };
    (0..count).map(one).collect()
}

/// The whole engine over one text: converges, takes findings away only, keeps the comments.
fn holds(text: &str, least: Applicability, applied: &mut usize) {
    let before = judge(text, &settings());
    let counted = |report: &Report| report.findings.len();
    let (count, settled) = (counted(&before), judge(text, &settings()));
    let fixed = mend(before, least);
    let outcome = fixed.files.get(&FileId(0));
    let after = text_of(&fixed.report);
    match outcome {
        Some(Outcome::Changed(fixes)) => *applied += fixes.len(),
        Some(Outcome::Refused(_)) | None => assert_eq!(after, text, "a text that is left alone changed"),
    }
    assert!(counted(&fixed.report) <= count, "more findings than the {count} before");
    let again = mend(judge(&after, &settings()), least);
    assert_eq!(text_of(&again.report), after, "fixed twice is not fixed once");
    // A suppression that is of no use may go; every other comment is somebody's words.
    let useless = |span: ackord::source::Span| {
        let fixes = settled.findings.iter().filter_map(|found| found.fix.as_ref());
        fixes.flat_map(|fix| &fix.edits).any(|edit| edit.span.start < span.end && span.start < edit.span.end)
    };
    let mut found = Vec::new();
    let tree = parse(FileId(0), text, &Limits::default(), &mut found);
    for comment in tree.comments().iter().filter(|comment| comment.text.trim() != "") {
        let said = comment.text.trim();
        let kept = after.matches(said).count() >= text.matches(said).count();
        let removed = said.starts_with("ackord:") && useless(comment.span);
        assert!(kept || removed, "the comment `#{}` is gone from\n{after}", comment.text);
    }
}

/// One fix alone: outside of its edits, `serde_yaml` sees the same values before and after.
fn only_edits_change(text: &str, edits: &[Edit], title: &str) {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let (mut after, mut inserted, mut at) = (String::new(), Vec::new(), 0);
    for edit in &edits {
        after.push_str(&text[at..edit.span.start as usize]);
        let start = after.len();
        after.push_str(&edit.text);
        inserted.push((start, after.len()));
        at = edit.span.end as usize;
    }
    after.push_str(&text[at..]);
    let edited: Vec<(usize, usize)> =
        edits.iter().map(|edit| (edit.span.start as usize, edit.span.end as usize)).collect();
    let (Some(mut old), Some(mut new)) = (leaves(text, &edited), leaves(&after, &inserted)) else { return };
    for leaf in std::mem::take(&mut old) {
        match new.iter().position(|other| *other == leaf) {
            Some(at) => drop(new.remove(at)),
            None => old.push(leaf),
        }
    }
    assert!(
        old.is_empty() && new.is_empty(),
        "`{title}` changes {old:?} into {new:?} in\n{text}\ninto\n{after}"
    );
}

/// The values that no edit touches, as `serde_yaml` reads them, each with the keys that lead to it; a key
/// that an edit touches counts as any key. Nothing where the text is not read.
fn leaves(text: &str, edits: &[(usize, usize)]) -> Option<Vec<(String, Value)>> {
    let mut found = Vec::new();
    let tree = parse(FileId(0), text, &Limits::default(), &mut found);
    let mut all = Vec::new();
    for (document, theirs) in tree.documents().iter().zip(serde_yaml::Deserializer::from_str(text)) {
        let value = Value::deserialize(theirs).ok()?;
        gather(&tree, document.root, &value, "", edits, &mut all);
    }
    found.is_empty().then_some(all)
}

fn gather(
    tree: &Tree<'_>,
    id: NodeId,
    value: &Value,
    path: &str,
    edits: &[(usize, usize)],
    all: &mut Vec<(String, Value)>,
) {
    let touched = |id: NodeId| {
        let span = tree.node(id).span;
        let (start, end) = (span.start as usize, span.end as usize);
        edits
            .iter()
            .any(|(from, to)| *from < end && start < *to || *from == *to && start < *from && *from < end)
    };
    match (&tree.node(id).kind, value) {
        (Kind::Mapping { .. }, Value::Mapping(mapping)) => {
            let by_key: BTreeMap<&str, &Value> =
                mapping.iter().filter_map(|(key, value)| Some((key.as_str()?, value))).collect();
            for (key, inner) in tree.pairs(id) {
                let name = tree.text(*key).unwrap_or_default();
                let Some(value) = by_key.get(name) else { continue };
                let name = if touched(*key) { "*" } else { name };
                gather(tree, *inner, value, &format!("{path}/{name}"), edits, all);
            }
        }
        (Kind::List(_), Value::Sequence(values)) => {
            for (item, value) in tree.items(id).iter().zip(values) {
                gather(tree, *item, value, &format!("{path}/-"), edits, all);
            }
        }
        _ if touched(id) => {}
        _ => all.push((path.to_owned(), value.clone())),
    }
}

#[test]
fn the_engine_leaves_no_text_worse() {
    let (mut failures, mut applied) = (Vec::new(), 0);
    for (name, text) in wrong().into_iter().chain(changed(600)) {
        for least in [Applicability::Safe, Applicability::Unsafe] {
            let name = format!("{name}, {least:?}");
            failures.extend(caught(&name, || holds(&text, least, &mut applied)));
        }
    }
    none_of(&failures, "the fixes");
    assert!(applied >= 300, "only {applied} fixes were made");
}

#[test]
fn a_fix_changes_nothing_but_what_it_says() {
    let (mut failures, mut compared) = (Vec::new(), 0);
    for (name, text) in wrong().into_iter().chain(changed(600)) {
        for found in judge(&text, &settings()).findings {
            let Some(fix) = &found.fix else { continue };
            if matches!(found.code.0, "AK001" | "AK009") {
                continue;
            }
            compared += 1;
            failures.extend(caught(&name, || only_edits_change(&text, &fix.edits, &fix.title)));
        }
    }
    none_of(&failures, "the fixes");
    assert!(compared >= 200, "only {compared} fixes were looked at");
}

/// The test above can fail: an edit that does more than its span says is seen.
#[test]
fn a_fix_that_changes_more_is_seen() {
    let text = "a: 1\nb: {c: 2}\n";
    let edit = |start: usize, end: usize, text: &str| Edit {
        span: ackord::source::Span::new(FileId(0), start, end),
        text: text.to_owned(),
    };
    assert!(caught("", || only_edits_change(text, &[edit(3, 4, "2")], "")).is_none());
    assert!(caught("", || only_edits_change(text, &[edit(0, 1, "z")], "")).is_none());
    assert!(caught("", || only_edits_change(text, &[edit(4, 5, "\nc: |\n  ")], "")).is_some());
    assert!(caught("", || only_edits_change(text, &[edit(4, 5, " #")], "")).is_some());
}
