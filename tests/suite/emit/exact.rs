//! Nothing that a contract says changes what alerts and dashboards are made of, and each text is read back
//! as exactly what it was.
//!
//! Each case of `tests/cases/emit` is rendered with a harmless text and with each hostile one, in all
//! fields at once; the worst ones field by field, too.

use ackord::emit::{GeneratedFile, generate};
use ackord::policy::Policy;
use serde_yaml::Value;

use super::hostile::{cases, filled, hostile, quoted};
use super::judged;
use super::prometheus::{Pair, only, promtool, refused, tokens};

const HARMLESS: &str = "harmless words";

/// The worst for YAML, JSON, PromQL, templates of Prometheus, and variables of Grafana.
const WORST: [&str; 12] = [
    "*/ \"); drop table x; -- ${{ }} {{ }}\n\\",
    "{{ $labels.contract }} {{{{ x }} {{{ }}}",
    "\"} or vector(1) #",
    "\\\" \\U0000000a \\x0a \\n \\",
    "a: [b, {c: d}] # e\n- f\n---\n? g",
    "\0\u{1}\u{1b}[31m\u{7f}\u{85}\u{a0}\u{2028}\u{2029}\u{feff}\u{202e}",
    "$job ${instance} [[job]] $__rate_interval {{job}}",
    "]}}],\"x\":{\"y\":[",
    "  two  blanks\t\ttabs \r\n and ends  ",
    "::error::x\n##[error]x ####",
    "é 中文 🙂 \u{1f469}\u{200d}\u{1f4bb} e\u{301} \u{200b}",
    "{% if x %} {# y #} <script>alert(1)</script> `$(id)`",
];

/// Alerts, their tests, and the dashboard.
#[track_caller]
fn made(name: &str, text: &str) -> Vec<GeneratedFile> {
    let report = judged(name, text);
    let policy = Policy::default();
    let clean = report.clean(&policy).unwrap_or_else(|| panic!("{name}: {:#?}\n{text}", report.findings));
    let files = |target| generate(&clean, target).unwrap_or_else(|failure| panic!("{name}: {failure}"));
    [files("alerts"), files("dashboard")].concat()
}

/// What a file is made of, and what its texts say as their reader has them.
fn parts(file: &GeneratedFile) -> (Vec<String>, Vec<String>) {
    let value: Value = if file.path.ends_with(".json") {
        serde_json::from_str(&file.text).unwrap_or_else(|error| panic!("{error}\n{}", file.text))
    } else {
        serde_yaml::from_str(&file.text).unwrap_or_else(|error| panic!("{error}\n{}", file.text))
    };
    let mut parts = (Vec::new(), Vec::new());
    walk(&value, "", file.path.ends_with("rules.yml"), &mut parts);
    parts
}

fn walk(value: &Value, name: &str, filled_in: bool, parts: &mut (Vec<String>, Vec<String>)) {
    match value {
        Value::Mapping(fields) => {
            for (name, value) in fields {
                let name = name.as_str().expect("a name");
                parts.0.push(format!("{name}:"));
                walk(value, name, filled_in, parts);
            }
            parts.0.push("}".to_owned());
        }
        Value::Sequence(items) => {
            items.iter().for_each(|item| walk(item, name, filled_in, parts));
            parts.0.push("]".to_owned());
        }
        Value::String(text) if ["expr", "series", "query"].contains(&name) => {
            let (words, strings) = tokens(text);
            parts.0.extend(words);
            parts.1.extend(strings);
        }
        Value::String(text) => {
            parts.0.push("text".to_owned());
            // Prometheus fills in what stands in braces.
            parts.1.push(if filled_in { text.replace("{{ \"{{\" }}", "{{") } else { text.clone() });
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Tagged(_) => {
            parts.0.push(format!("{value:?}"))
        }
    }
}

/// Compares what came of `text` with what came of harmless words.
#[track_caller]
fn compare(benign: &[GeneratedFile], files: &[GeneratedFile], text: &str) {
    assert_eq!(benign.len(), files.len());
    for (expected, file) in benign.iter().zip(files) {
        let ((skeleton, texts), (actual, read)) = (parts(expected), parts(file));
        assert_eq!(skeleton, actual, "{text:?}\n{}", file.text);
        for (harmless, read) in texts.iter().zip(&read) {
            // The header has the hash of the contract.
            if !harmless.contains(ackord::emit::MARK) {
                assert_eq!(&harmless.replace(HARMLESS, text), read, "{text:?}\n{}", file.text);
            }
        }
        let first = file.text.lines().next().unwrap_or_default();
        assert!(first.contains(ackord::emit::MARK), "{text:?}: {first}");
        assert!(!file.text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        assert!(
            !file.text.contains(['\u{202e}', '\u{2066}', '\u{2028}', '\u{feff}', '\u{200b}']),
            "{text:?}"
        );
        assert!(!file.text.contains("##["), "{text:?}");
    }
}

#[test]
fn no_text_changes_what_alerts_and_dashboards_are_made_of() {
    let mut all = hostile();
    all.extend(WORST.map(str::to_owned));
    assert!(all.len() >= 200);
    // In turn, so that each case meets every kind, and each text one case in all fields.
    let cases = cases();
    let benign: Vec<_> =
        cases.iter().map(|(_, case)| made("b.queue.yaml", &filled(case, HARMLESS))).collect();
    for (at, text) in all.iter().enumerate() {
        let turn = at % cases.len();
        let files = made(&format!("{text}.queue.yaml"), &filled(&cases[turn].1, text));
        compare(&benign[turn], &files, text);
    }
}

#[test]
fn no_field_lets_the_worst_texts_through() {
    let mut seen = 0;
    for (_, case) in cases() {
        let benign = made("b.queue.yaml", &filled(&case, HARMLESS));
        for (at, _) in case.match_indices("\"@@\"") {
            // One text in each turn of a field; all twelve meet every field that alerts can show.
            for text in WORST {
                seen += 1;
                let (before, rest) = case.split_at(at);
                let one = format!("{before}{}{}", quoted(text), &rest["\"@@\"".len()..]);
                let files = made("b.queue.yaml", &filled(&one, HARMLESS));
                one_field(&benign, &files, text);
            }
        }
    }
    assert!(seen >= 12 * 20, "{seen}");
}

/// Each text is what it was with harmless words, or has the hostile text in their place.
#[track_caller]
fn one_field(benign: &[GeneratedFile], files: &[GeneratedFile], text: &str) {
    for (expected, file) in benign.iter().zip(files) {
        let ((skeleton, texts), (actual, read)) = (parts(expected), parts(file));
        assert_eq!(skeleton, actual, "{text:?}\n{}", file.text);
        for (harmless, read) in texts.iter().zip(&read) {
            let known = harmless == read
                || harmless.contains(ackord::emit::MARK)
                || harmless.replace(HARMLESS, text) == *read;
            assert!(known, "{text:?}: {read:?} for {harmless:?}");
        }
    }
}

/// Prometheus itself reads back what was written: its tests compare every annotation and every label of
/// each alert that fires.
#[test]
fn promtool_reads_the_worst_texts_back() {
    if !promtool() {
        return;
    }
    let (_, case) = cases().remove(0);
    let pairs = WORST.map(|text| {
        let files = made("x.queue.yaml", &filled(&case, text));
        let mut fired = std::collections::BTreeSet::new();
        let tests = only(&files[1].text, |checks| {
            let news: Vec<_> =
                checks.iter().filter(|(_, fires)| *fires).map(|(name, _)| name.clone()).collect();
            news.into_iter().filter(|name| fired.insert(name.clone())).count() > 0
        });
        Pair { rules: files[0].text.clone(), tests }
    });
    let refused = refused(&pairs);
    if let Some((at, said)) = refused.first() {
        panic!("{:?}: {said}", WORST[*at]);
    }
}
