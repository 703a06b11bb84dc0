//! Nothing that a contract says changes what a runbook is made of.
//!
//! Each case of `tests/cases/emit` is a contract whose free texts are all `"@@"`. It is rendered with a
//! harmless text and with each hostile one, in all fields at once: the blocks and inlines of both pages
//! must be the same, and the hostile text must be there to read.
#![allow(clippy::wildcard_enum_match_arm, reason = "most parts of a page are compared as they are")]

use std::collections::BTreeSet;

use ackord::report::text::printable;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;

use super::{root, runbooks};

/// Free texts that a runbook shows, each marked `"@@"` in a case.
const SHOWN: &[&str] = &[
    "broker.group",
    "broker.queue",
    "broker.topic",
    "broker.version",
    "dead_letter.on_call",
    "dead_letter.owner",
    "delivery.fallback.to",
    "delivery.reason",
    "effects[].reconcile",
    "failures.{}.reason",
    "idempotency.reason",
    "on_call",
    "owners.consumer",
    "owners.operations",
    "owners.producer",
    "runbook.dashboard",
    "runbook.rollback",
    "slo.first_page",
    "slo.repeat_page.do",
    "summary",
];

/// Free texts that no runbook shows.
const NOT_SHOWN: &[&str] = &[
    "broker.dead_letter_subscription",
    "broker.producer_name",
    "broker.trim.min_id",
    "idempotency.guard.from",
    "idempotency.guard.to",
    "message.description",
    "message.name",
    "message.schema.file",
];

/// What somebody may write who means harm, or only likes punctuation.
const HOSTILE: &[&str] = &[
    "`",
    "``` sh\nrm -rf /\n```",
    "~~~\nx\n~~~",
    "`a` and ``b``",
    "a | b | c",
    "|---|---|",
    "||",
    "\\",
    "\\|",
    "a\\",
    "# heading",
    "a\n# heading",
    "###### x ######",
    "a\n===",
    "a\n---",
    "---\ntitle: x\n---",
    "***",
    "* item",
    "- item",
    "+ item",
    "1. item",
    "12) item",
    "a\n\n\n- b",
    "> quote",
    "a\n> quote",
    "    code",
    "\tcode",
    "- [ ] task",
    "[x](y)",
    "![x](https://evil.example/p.png)",
    "[x]: https://evil.example",
    "[x][y]",
    "[^1]",
    "[^1]: note",
    "<https://evil.example>",
    "https://evil.example/a_b_c",
    "www.evil.example",
    "<b>bold</b>",
    "<script>alert(1)</script>",
    "<!-- x",
    "x -->",
    "<!-- -->",
    "<details><summary>x",
    "</td></tr></table>",
    "javascript:alert(1)",
    "[x](javascript:alert(1))",
    "<javascript:x>",
    "{{ queue }}",
    "{% raw %}",
    "{# x #}",
    "${{ secrets.X }}",
    "$(id)",
    "$`id`",
    "\"; rm -rf / #",
    "'; drop table x; --",
    "@everyone",
    "ask @ann or @bob",
    "#123",
    "a#b ##[error]x",
    "::error::x",
    "::stop-commands::x",
    "*a* **b** _c_ __d__",
    "~~a~~",
    "$x$ $$y$$",
    "a&lt;b &amp; &#64;x",
    "&nbsp;",
    "\u{202e}gnp.exe",
    "\u{2066}x\u{2069}",
    "\u{200b}x\u{feff}y",
    "a\u{0}b",
    "a\u{1b}[31mred\u{1b}[0m",
    "a\u{7}b\u{8}c",
    "a\u{85}b",
    "a\u{2028}b\u{2029}c",
    "a\rb",
    "a\r\nb",
    "  lead and trail  ",
    ":smile: :x:",
    "term\n: definition",
    "a^2^ ~x~",
    "%% mermaid",
    "-->\n<script>x</script>\n<!--",
    "é 中文 🙂 \u{1f469}\u{200d}\u{1f4bb}",
    "a  \nb",
    "a\\\nb",
    "H~2~O",
    "http://user@evil.example",
    "mailto:x@evil.example",
    "x@evil.example",
    "+++\nx = 1\n+++",
    "$$\nx\n$$",
    "!!! note",
    "|",
    "\\`",
    "a`b|c",
    "`@ann`",
    "1.",
    "0",
    "=",
    "<",
    "]]>",
    "<?php x ?>",
    "<!DOCTYPE x>",
    "<![CDATA[x]]>",
];

/// Each text alone, within a sentence and doubled over a paragraph.
pub fn hostile() -> Vec<String> {
    let alone = HOSTILE.iter().map(|text| (*text).to_owned());
    let within = HOSTILE.iter().map(|text| format!("first {text} then"));
    let twice = HOSTILE.iter().step_by(4).map(|text| format!("{text}\n\n{text}"));
    alone.chain(within).chain(twice).collect()
}

pub fn cases() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir(root().join("tests/cases/emit"))
        .expect("the cases")
        .map(|file| file.expect("an entry").path())
        .map(|path| (path.to_string_lossy().into_owned(), std::fs::read_to_string(&path).expect("a text")))
        .collect();
    all.sort();
    all
}

/// The case with `text` in all its fields.
pub fn filled(case: &str, text: &str) -> String {
    case.replace("\"@@\"", &quoted(text))
}

/// `text` as a double-quoted scalar of YAML.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            ' '..='~' => quoted.push(character),
            _ => quoted.push_str(&format!("\\U{:08x}", u32::from(character))),
        }
    }
    quoted.push('"');
    quoted
}

/// With every extension that adds meaning; one that only draws quotes and dashes changes what is read back.
fn events(page: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(page, Options::all() - Options::ENABLE_SMART_PUNCTUATION)
}

/// What a page is made of, without its words. Code stands for text, as a name may be either.
fn skeleton(page: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut in_link = false;
    for event in events(page) {
        let part = match event {
            // An address that leads where it says is what `dashboard` is for.
            Event::Start(Tag::Link { dest_url, .. }) if dest_url.starts_with("http") => {
                in_link = true;
                continue;
            }
            Event::End(TagEnd::Link) if in_link => {
                in_link = false;
                continue;
            }
            Event::Start(Tag::Heading { level, .. }) => format!("{level}"),
            Event::Text(_) | Event::Code(_) => "text".to_owned(),
            Event::Html(_) => "html".to_owned(),
            event => format!("{event:?}"),
        };
        if part != "text" || parts.last().is_none_or(|last| last != "text") {
            parts.push(part);
        }
    }
    parts
}

/// The words of a page, each block and cell on a line.
fn words(page: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for event in events(page) {
        match event {
            Event::Text(text) | Event::Code(text) => lines.last_mut().expect("a line").push_str(&text),
            Event::End(tag) if !matches!(tag, TagEnd::Link | TagEnd::Strong) => lines.push(String::new()),
            _ => {}
        }
    }
    lines
}

/// How a text reads: on one line, with what acts made visible. What begins a line could be a command.
fn shown(text: &str) -> [String; 2] {
    let line =
        text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let within = printable(&format!("x {line}"));
    [printable(&line), within.strip_prefix("x ").expect("the prefix").to_owned()]
}

#[test]
fn no_text_of_a_contract_changes_what_the_page_is_made_of() {
    let all = hostile();
    assert!(all.len() >= 200, "{}", all.len());
    for (name, case) in cases() {
        let fields = case.matches("\"@@\"").count();
        let [benign] =
            runbooks("benign.queue.yaml", &filled(&case, "harmless words")).try_into().expect("one file");
        let expected = skeleton(&benign.text);
        assert!(
            words(&benign.text).iter().filter(|line| line.contains("harmless words")).count()
                >= fields.min(8)
        );
        for text in &all {
            let [page] =
                runbooks(&format!("{text}.queue.yaml"), &filled(&case, text)).try_into().expect("one file");
            let actual = skeleton(&page.text);
            if actual != expected {
                let at = actual.iter().zip(&expected).position(|(a, b)| a != b).unwrap_or(0);
                panic!("{name}: {text:?} at {:?}\n{}", actual.get(at..(at + 4).min(actual.len())), page.text);
            }
            let forms = shown(text);
            let count = |page: &str, forms: &[String]| {
                words(page)
                    .iter()
                    .map(|line| {
                        forms.iter().map(|form| line.matches(form.as_str()).count()).max().unwrap_or(0)
                    })
                    .sum::<usize>()
            };
            let there = count(&page.text, &forms);
            let wanted = count(&benign.text, &["harmless words".to_owned()]);
            assert!(there >= wanted, "{name}: {text:?} is there {there} times, not {wanted}\n{}", page.text);
            assert!(!page.text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
            assert!(
                !page.text.contains(['\u{202e}', '\u{2066}', '\u{2028}', '\u{feff}', '\u{200b}']),
                "{text:?}"
            );
            assert!(page.text.starts_with("<!-- Code generated by ackord from "));
            let first = page.text.lines().next().unwrap_or_default();
            assert_eq!(first.find("-->"), Some(first.len() - 3), "{text:?}: {first}");
            assert!(!["{{", "{%", "{#"].iter().any(|tag| page.text.contains(tag)), "{text:?}");
        }
    }
}

#[test]
fn the_check_sees_a_page_that_was_changed() {
    let page = "# x\n\n| a | b |\n|---|---|\n| harmless | c |\n\n- item\n";
    for text in ["a\n# b", "<b>", "*a*", "![x](y)", "a\n\n- b"] {
        assert_ne!(skeleton(&page.replace("harmless", text)), skeleton(page), "{text:?}");
        assert_ne!(skeleton(&page.replace("item", &format!("item\n\n{text}"))), skeleton(page), "{text:?}");
    }
}

/// Every place of the schema where any text may stand.
fn free_texts(schema: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk(schema, schema, String::new(), 0, &mut found);
    found
}

fn walk(root: &Value, schema: &Value, path: String, depth: usize, found: &mut BTreeSet<String>) {
    assert!(depth < 40, "the schema is endless at {path}");
    if let Some(name) = schema["$ref"].as_str() {
        let pointer = name.trim_start_matches('#');
        walk(
            root,
            root.pointer(pointer).unwrap_or_else(|| panic!("no {name}")),
            path.clone(),
            depth + 1,
            found,
        );
    }
    for list in ["anyOf", "oneOf", "allOf"] {
        for part in schema[list].as_array().into_iter().flatten() {
            walk(root, part, path.clone(), depth + 1, found);
        }
    }
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (name, part) in schema["properties"].as_object().into_iter().flatten() {
        walk(root, part, below(name), depth + 1, found);
    }
    if schema["additionalProperties"].is_object() {
        walk(root, &schema["additionalProperties"], below("{}"), depth + 1, found);
    }
    if schema["items"].is_object() {
        walk(root, &schema["items"], format!("{path}[]"), depth + 1, found);
    }
    let kind = &schema["type"];
    let text =
        kind == "string" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "string"));
    let limited = ["pattern", "enum", "const", "format"].iter().any(|word| !schema[word].is_null());
    if text && !limited {
        found.insert(path);
    }
}

#[test]
fn every_free_text_of_the_language_is_in_a_case_or_known_not_to_be_shown() {
    let found = free_texts(&ackord::schema());
    let shown: BTreeSet<String> = SHOWN.iter().map(|path| (*path).to_owned()).collect();
    let hidden: BTreeSet<String> = NOT_SHOWN.iter().map(|path| (*path).to_owned()).collect();
    let listed: BTreeSet<String> = shown.union(&hidden).cloned().collect();
    assert!(shown.is_disjoint(&hidden));
    assert_eq!(found, listed, "a text of the language is in no list here, or is no text any more");
    let mut marked = BTreeSet::new();
    for (_, case) in cases() {
        let case: serde_yaml::Value = serde_yaml::from_str(&case).expect("YAML");
        mark(&case, String::new(), &mut marked);
    }
    assert_eq!(marked, shown, "the cases and the list differ");
}

/// The paths of a case whose text is `@@`, in the words of the schema.
fn mark(value: &serde_yaml::Value, path: String, marked: &mut BTreeSet<String>) {
    match value {
        serde_yaml::Value::Mapping(fields) => {
            for (name, value) in fields {
                let name = name.as_str().expect("a name");
                // The names below these are the user's own.
                let name = if path == "failures" { "{}" } else { name };
                mark(value, if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }, marked);
            }
        }
        serde_yaml::Value::Sequence(items) => {
            items.iter().for_each(|item| mark(item, format!("{path}[]"), marked))
        }
        serde_yaml::Value::String(text) if text == "@@" => {
            marked.insert(path);
        }
        _ => {}
    }
}

#[test]
fn a_name_of_a_class_is_no_way_in() {
    let (_, case) = cases().remove(0);
    let renamed = |name: &str| {
        let class = filled("  \"@@\":\n    action: dead-letter\n    resolution: repair\n  unknown:", name);
        filled(&case, "words").replace("  unknown:", &class)
    };
    let expected = skeleton(&runbooks("x.queue.yaml", &renamed("own-class")).remove(0).text);
    for text in HOSTILE {
        let page = runbooks("x.queue.yaml", &renamed(text)).remove(0).text;
        assert_eq!(skeleton(&page), expected, "{text:?}\n{page}");
    }
}
