//! `sarif`: valid by the official schema, recognisable from run to run.

use ackord::diagnostic::{Applicability, Code, Diagnostic, Level};
use ackord::lint::Report;
use ackord::report::{Format, render};
use ackord::source::{FileId, Span};
use serde_json::{Value, json};

use super::{PLAIN, error, nth, report};

const SCHEMA: &str = include_str!("../../schemas/sarif-2.1.0.json");
const TEXT: &str = "queue: a\nttl: 10m\nretention: 4d\nttl: 10m\n";

fn sarif(report: &Report) -> Value {
    serde_json::from_str(&render(Format::Sarif, report, &PLAIN)).expect("SARIF is JSON")
}

fn assert_valid(document: &Value) {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let validator =
        jsonschema::options().should_validate_formats(true).build(&schema).expect("the schema is a schema");
    let errors: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors, Vec::<String>::new());
}

fn ordinary() -> Report {
    let at = nth(TEXT, "10m", 0);
    let finding = error(at, "keys expire after 10m")
        .at("too early")
        .label(nth(TEXT, "4d", 0), "kept this long")
        .note("a note")
        .help("raise `ttl`")
        .replace(Applicability::Unsafe, at, "15d", "ttl: 10m -> 15d");
    let warning = Diagnostic::new(Code("AK301"), nth(TEXT, "a", 0), "short").level(Level::Warning);
    report("queues/zahlung ä#1.queue.yaml", TEXT, vec![warning, finding])
}

#[test]
fn the_schema_refuses_what_is_not_sarif() {
    let mut document = sarif(&ordinary());
    document["runs"][0]["results"][0]["level"] = "fatal".into();
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    assert!(!jsonschema::is_valid(&schema, &document));
}

#[test]
fn a_result_says_everything() {
    let document = sarif(&ordinary());
    assert_valid(&document);
    let run = &document["runs"][0];
    let result = &run["results"][1];
    let file = json!({ "uri": "queues/zahlung%20%C3%A4%231.queue.yaml", "uriBaseId": "%SRCROOT%" });
    let ttl = json!({ "startLine": 2, "startColumn": 6, "endLine": 2, "endColumn": 9 });
    assert_eq!(result["ruleId"], "AK201");
    let rule = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("a small index");
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], "AK201");
    assert_eq!(result["level"], "error");
    assert_eq!(result["message"]["text"], "keys expire after 10m\na note\nhelp: raise `ttl`");
    assert_eq!(
        result["locations"][0]["physicalLocation"],
        json!({ "artifactLocation": file, "region": ttl })
    );
    assert_eq!(result["locations"][0]["message"]["text"], "too early");
    let related = &result["relatedLocations"][0];
    assert_eq!(related["message"]["text"], "kept this long");
    assert_eq!(related["physicalLocation"]["region"]["startLine"], 3);
    let change = &result["fixes"][0]["artifactChanges"][0];
    assert_eq!(result["fixes"][0]["description"]["text"], "ttl: 10m -> 15d");
    assert_eq!(change["artifactLocation"], file);
    assert_eq!(
        change["replacements"],
        json!([{ "deletedRegion": ttl, "insertedContent": { "text": "15d" } }])
    );
    assert_eq!(run["columnKind"], "unicodeCodePoints");
}

#[test]
fn rules_carry_their_documentation() {
    for rule in ackord::rules::all() {
        let finding = Diagnostic::new(rule.code, Span::default(), "m").level(rule.level);
        let document = sarif(&report("a.yaml", TEXT, vec![finding]));
        assert_valid(&document);
        let descriptor = &document["runs"][0]["tool"]["driver"]["rules"][0];
        assert_eq!(descriptor["name"], rule.name);
        assert_eq!(descriptor["help"]["markdown"], rule.explanation());
    }
}

/// The fingerprints of errors at the two `10m` of `text`.
fn prints(name: &str, text: &str) -> Vec<String> {
    let findings = vec![error(nth(text, "10m", 0), "m"), error(nth(text, "10m", 1), "m")];
    let document = sarif(&report(name, text, findings));
    let results = document["runs"][0]["results"].as_array().expect("results");
    results
        .iter()
        .map(|result| result["partialFingerprints"]["ackord/v1"].as_str().expect("a print").to_owned())
        .collect()
}

#[test]
fn a_fingerprint_outlives_blank_lines_indentation_and_renames_elsewhere() {
    let before = prints("a.yaml", TEXT);
    assert_eq!(prints("a.yaml", &("\n".repeat(50) + TEXT)), before);
    assert_eq!(prints("a.yaml", &TEXT.replace("\n", "\n\n")), before);
    assert_eq!(prints("a.yaml", &TEXT.replace("queue: a", "queue: other").replace("4d", "5d")), before);
    assert_eq!(prints("a.yaml", &TEXT.replace("ttl", "  ttl")), before);
}

#[test]
fn a_fingerprint_tells_findings_apart() {
    let before = prints("a.yaml", TEXT);
    assert_ne!(before[0], before[1]);
    assert_ne!(prints("b.yaml", TEXT)[0], before[0]);
    assert_ne!(prints("a.yaml", &TEXT.replace("ttl: 10m", "wait: 10m"))[0], before[0]);
    let other = Diagnostic::new(Code("AK202"), nth(TEXT, "10m", 0), "m").level(Level::Error);
    let document = sarif(&report("a.yaml", TEXT, vec![other]));
    assert_ne!(document["runs"][0]["results"][0]["partialFingerprints"]["ackord/v1"], *before[0]);
}

#[test]
fn too_many_results_are_cut_and_said() {
    let note = || Diagnostic::new(Code("AK901"), Span::default(), "n").level(Level::Note);
    let mut findings: Vec<Diagnostic> = (0..25_000).map(|_| note()).collect();
    findings.push(error(nth(TEXT, "10m", 0), "the one that matters"));
    let document = sarif(&report("a.yaml", TEXT, findings));
    let run = &document["runs"][0];
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 5_000);
    assert_eq!(results[4_999]["ruleId"], "AK201");
    let said =
        run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].as_str().expect("a text");
    assert!(said.starts_with("20001 findings of 25001 left out"), "{said}");
    assert_valid(&document);
}

#[test]
fn no_result_is_lost_without_a_cut() {
    let document = sarif(&ordinary());
    assert_eq!(document["runs"][0]["results"].as_array().map(Vec::len), Some(2));
    assert_eq!(document["runs"][0]["invocations"][0]["toolExecutionNotifications"], json!([]));
}

#[test]
fn odd_names_are_uris_all_the_same() {
    let cases = [
        ("C:/q.yaml", "C%3A/q.yaml", true),
        ("javascript:alert(1)", "javascript%3Aalert%281%29", true),
        ("a?b#c", "a%3Fb%23c", true),
        ("%0A", "%250A", true),
        ("/srv/q.yaml", "file:///srv/q.yaml", false),
        ("\u{202e}", "%E2%80%AE", true),
    ];
    for (name, uri, relative) in cases {
        let document = sarif(&report(name, TEXT, vec![error(Span::new(FileId(0), 0, 1), "m")]));
        assert_valid(&document);
        let location =
            &document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(location["uri"], uri);
        assert_eq!(location.get("uriBaseId").is_some(), relative, "{name}");
    }
}

#[test]
fn a_message_makes_no_link() {
    let document =
        sarif(&report("a.yaml", TEXT, vec![error(Span::default(), "see [here](http://example.invalid)")]));
    assert_eq!(document["runs"][0]["results"][0]["message"]["text"], "see [here\\](http://example.invalid)");
}
