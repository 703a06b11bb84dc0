//! Syntax errors: every one of a file, and the rest of the file is still checked.

use super::*;

#[test]
fn five_planted_syntax_errors_are_five_findings_and_the_rest_is_read() {
    let text = "\
queue: invoices
guarantee: at-least-once
processing:
  lock: {timeout: 5m, owner: payments
  consumers: 4
  ordered: yes
  key: [a, b}
ordering: none: all
outbox: \"orders
ttl: 30
failures:
  transient:
    max_retries: 5
   cap: 4s
broker: {kind: memory}
";
    let checked = check(text);
    assert_eq!(
        checked.brief(),
        ["AK001 {", "AK001 [", "AK001 :", "AK001 \"", "AK001 cap", "AK007 yes", "AK006 30"],
        "{:#?}",
        checked.found
    );
    let contract = checked.contract.unwrap();
    assert_eq!(contract.processing.consumers.get(), Some(&4));
    assert!(matches!(contract.broker.get(), Some(Broker::Memory)));
}

/// Each text has one error at this place.
#[test]
fn one_error_is_one_finding_at_its_place() {
    for (text, at) in [
        ("queue: \"x\nguarantee: at-most-once\n", "\""),
        ("queue: 'x\nguarantee: at-most-once\nversion: 'y'\n", "'"),
        ("queue: [x, y\nguarantee: at-most-once\n", "["),
        ("queue: {x: y\nguarantee: at-most-once\n", "{"),
        ("queue: [x}\nguarantee: at-most-once\n", "["),
        ("queue: x]\nguarantee: at-most-once\nversion: ]\n", "]"),
        ("queue: x: y\nguarantee: at-most-once\n", ":"),
        ("queue: @x\nguarantee: at-most-once\n", "@"),
        ("queue: &\nguarantee: at-most-once\n", "&"),
        ("queue: q\nfoo\nguarantee: at-most-once\n", "foo"),
        ("queue: q\n- b\nguarantee: at-most-once\n", "-"),
        ("queue: \"\\q\"\nguarantee: at-most-once\n", "\\q"),
        ("queue: 'it's'\nguarantee: at-most-once\n", "s"),
        ("queue:q\nguarantee: at-most-once\n", "queue:q"),
        ("queue: q\n  guarantee: at-most-once\n", "guarantee"),
        ("queue: [a] b\nguarantee: at-most-once\n", "b"),
        ("queue: {a: 1 b: 2}\nguarantee: at-most-once\n", ":"),
        ("queue: q\nprocessing:\n    consumers: 1\n  ordered: true\n", "ordered"),
        ("%FOO\nqueue: q\nguarantee: at-most-once\n", "%"),
        ("{\n", "{"),
        ("queue: b # c\n  d\nguarantee: at-most-once\n", "#"),
        ("queue: b\n\u{feff}guarantee: at-most-once\n", "\u{feff}"),
        ("queue: |x\n  a\nguarantee: at-most-once\n", "|"),
    ] {
        let checked = check(text);
        let syntax: Vec<String> =
            checked.brief().into_iter().filter(|found| found.starts_with("AK001")).collect();
        assert_eq!(syntax, [format!("AK001 {at}")], "{text:?} {:#?}", checked.found);
        let missing = checked.found.iter().any(|found| found.code == MISSING_FIELD);
        assert!(!missing, "what seems to be missing may stand in the damaged part: {text:?}");
    }
}

#[test]
fn a_bracket_may_close_below_its_key() {
    let text = VALID.replacen("key: [a, \"b\"]", "key: [\n    a,  # one\n    \"b\",\n  ]", 1);
    assert_eq!(check(&text).brief(), [""; 0]);
}

#[test]
fn tabs_in_front_of_lines_are_one_finding() {
    let text = "queue: q\nguarantee: at-most-once\nprocessing:\n\tconsumers: 4\n\tlock:\n\t\ttimeout: 5\n";
    let checked = check(text);
    assert_eq!(checked.brief(), ["AK001 \t", "AK006 5"], "{:#?}", checked.found);
    assert_eq!(checked.found[0].message, "the line is indented with a tab; YAML takes spaces only");
    assert_eq!(checked.found[0].notes, ["3 lines of the file are indented with tabs"]);
    assert_eq!(checked.contract.unwrap().processing.consumers.get(), Some(&4));
}

#[test]
fn a_merge_conflict_is_said_as_such() {
    let text = "<<<<<<< HEAD\nqueue: a\n=======\nqueue: b\n>>>>>>> theirs\nguarantee: at-most-once\n";
    assert_eq!(check(text).brief(), ["AK001 <<<<<<< HEAD", "AK002 queue"]);
}

#[test]
fn only_the_document_with_the_error_is_damaged() {
    let text = "queue: a\n---\nqueue: [\n---\nqueue: c\n";
    let mut found = Vec::new();
    let tree = parse(FileId(0), text, &Limits::default(), &mut found);
    let damaged: Vec<bool> = tree.documents().iter().map(|document| tree.damaged(document)).collect();
    assert_eq!(damaged, [false, true, false]);
    assert_eq!(check(text).brief(), ["AK001 [", "AK004 queue", "AK004 queue"]);
}

#[test]
fn a_text_full_of_errors_ends_after_ten() {
    let text = "a: b: c\n".repeat(1000);
    let checked = check(&text);
    let syntax = checked.found.iter().filter(|found| found.code == BROKEN_YAML).count();
    assert_eq!(syntax, 10);
    assert!(checked.found.iter().any(|found| !found.notes.is_empty()), "it says that it stopped");
}

/// One slip of the finger anywhere; `check` holds that every place lies in the text.
#[test]
fn no_slip_panics_or_calls_something_missing_beside_a_syntax_error() {
    let slips = ["[", "}", "\"", "'", ": ", "\t", "&", "*", "!", "\n- ", "#", "é", "|", "---\n", "\r"];
    for (at, slip) in (0..VALID.len()).zip(slips.iter().cycle()) {
        let text = format!("{}{slip}{}", &VALID[..at], &VALID[at..]);
        let checked = check(&text);
        let has = |code| checked.found.iter().any(|found| found.code == code);
        let one_document = !slip.contains("---");
        let syntax = checked.found.iter().any(|found| found.code == BROKEN_YAML && found.fix.is_none())
            && !checked
                .found
                .iter()
                .any(|found| found.message.starts_with("the tag") || found.message.starts_with("`*"));
        assert!(!(one_document && syntax && has(MISSING_FIELD)), "{text}\n{:#?}", checked.found);
    }
}

/// A text cut anywhere is a text that somebody is typing.
#[test]
fn no_prefix_of_a_text_panics_or_invents_missing_fields_in_a_damaged_one() {
    for end in (0..VALID.len()).filter(|end| VALID.is_char_boundary(*end)) {
        let checked = check(&VALID[..end]);
        for found in &checked.found {
            assert!(found.primary.span.end as usize <= end.max(1), "{end} {found:?}");
        }
    }
}
