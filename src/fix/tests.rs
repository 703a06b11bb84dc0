#![allow(clippy::indexing_slicing, reason = "a test that reads past its data should fail")]

use super::*;
use crate::source::Span;

/// A linter of words: each `(word, replacement, applicability)` is a finding wherever the word stands.
type Lexicon<'a> = &'a [(&'a str, Option<&'a str>, Applicability)];

fn lint(sources: Sources, lexicon: Lexicon<'_>) -> Report {
    let mut findings = Vec::new();
    for (file, source) in sources.iter() {
        for (word, replacement, applicability) in lexicon {
            for (at, _) in source.text.match_indices(word) {
                let span = Span::new(file, at, at + word.len());
                let code = if *word == "broken" { Code("AK001") } else { Code("AK003") };
                let mut finding =
                    Diagnostic::new(code, span, format!("`{word}` is wrong")).level(Level::Error);
                if let Some(text) = replacement {
                    finding = finding.replace(*applicability, span, *text, format!("{word} -> {text}"));
                }
                findings.push(finding);
            }
        }
    }
    Report { sources, findings, contracts: vec![Default::default()], ..Report::default() }
}

fn run(texts: &[&str], least: Applicability, lexicon: Lexicon<'_>) -> (Vec<String>, Vec<Option<Outcome>>) {
    let mut sources = Sources::default();
    for (at, text) in texts.iter().enumerate() {
        sources.add(SourceFile::new(format!("{at}.queue.yaml"), *text));
    }
    let ids: Vec<FileId> = sources.iter().map(|(id, _)| id).collect();
    let fixed = fix(lint(sources, lexicon), least, |sources| lint(sources, lexicon));
    let after = fixed.report.sources.iter().map(|(_, source)| source.text.clone()).collect();
    (after, ids.iter().map(|id| fixed.files.get(id).cloned()).collect())
}

fn one(text: &str, least: Applicability, lexicon: Lexicon<'_>) -> (String, Option<Outcome>) {
    let (texts, outcomes) = run(&[text], least, lexicon);
    (texts.concat(), outcomes.into_iter().next().flatten())
}

fn applied(line: usize, title: &str) -> Applied {
    Applied { code: Code("AK003"), line, title: title.to_owned() }
}

use Applicability::{Safe, Unsafe};

#[test]
fn safe_fixes_are_applied_and_unsafe_ones_wait() {
    let lexicon: Lexicon<'_> = &[("aa", Some("A"), Safe), ("bb", Some("B"), Unsafe)];
    let (text, outcome) = one("aa\nbb\naa\n", Safe, lexicon);
    assert_eq!(text, "A\nbb\nA\n");
    assert_eq!(outcome, Some(Outcome::Changed(vec![applied(1, "aa -> A"), applied(3, "aa -> A")])));
    assert_eq!(one("aa\nbb\naa\n", Unsafe, lexicon).0, "A\nB\nA\n");
    assert_eq!(one("clean\n", Unsafe, lexicon), ("clean\n".to_owned(), None));
}

#[test]
fn a_fix_may_need_another_pass() {
    let (text, outcome) = one("x: aa\n", Safe, &[("aa", Some("bb"), Safe), ("bb", Some("C"), Safe)]);
    assert_eq!(text, "x: C\n");
    assert_eq!(outcome, Some(Outcome::Changed(vec![applied(1, "aa -> bb"), applied(1, "bb -> C")])));
}

#[test]
fn fixes_that_overlap_take_turns() {
    // Both want the middle letter; after the first, the second has nothing left to mend.
    let (text, _) = one("abc\n", Safe, &[("ab", Some("-"), Safe), ("bc", Some("+"), Safe)]);
    assert_eq!(text, "-c\n");
}

#[test]
fn fixes_that_feed_each_other_are_taken_back() {
    let (text, outcome) = one("aa\n", Safe, &[("aa", Some("bb"), Safe), ("bb", Some("aa"), Safe)]);
    assert_eq!(text, "aa\n");
    assert_eq!(outcome, Some(Outcome::Refused(Reason::Unsettled)));
    let growing: Lexicon<'_> = &[("z", Some("zz"), Safe)];
    assert_eq!(one("z", Safe, growing), ("z".to_owned(), Some(Outcome::Refused(Reason::Unsettled))));
}

#[test]
fn ten_passes_are_enough_and_eleven_are_too_many() {
    let word = |n: usize| format!("w{n:02}");
    let words: Vec<String> = (0..=11).map(word).collect();
    let chain = |length: usize| -> Vec<(&str, Option<&str>, Applicability)> {
        words.windows(2).take(length).map(|pair| (pair[0].as_str(), Some(pair[1].as_str()), Safe)).collect()
    };
    assert_eq!(one("w00", Safe, &chain(10)).0, "w10");
    assert_eq!(one("w00", Safe, &chain(11)), ("w00".to_owned(), Some(Outcome::Refused(Reason::Unsettled))));
}

#[test]
fn a_fix_that_leaves_a_worse_file_is_taken_back() {
    let lexicon: Lexicon<'_> = &[("aa", Some("broken"), Safe), ("broken", None, Safe)];
    let (texts, outcomes) = run(&["aa\n", "clean\n"], Safe, lexicon);
    assert_eq!(texts, ["aa\n", "clean\n"]);
    let reason = Reason::Worse { code: Code("AK001"), message: "`broken` is wrong".to_owned() };
    assert_eq!(outcomes, [Some(Outcome::Refused(reason)), None]);
}

#[test]
fn a_fix_that_trades_a_finding_for_another_of_its_rule_is_taken_back() {
    let lexicon: Lexicon<'_> = &[("aa", Some("cc"), Safe), ("cc", None, Safe)];
    assert_eq!(one("aa\n", Safe, lexicon).0, "aa\n");
    // The same word elsewhere was there before and does not count.
    assert_eq!(one("aa cc\n", Safe, &[("aa", Some("A"), Safe), ("cc", None, Safe)]).0, "A cc\n");
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let lexicon: Lexicon<'_> = &[("aa", Some("bb"), Safe), ("bb", Some("aa"), Safe), ("cc", Some("C"), Safe)];
    let (texts, outcomes) = run(&["aa\n", "cc\n"], Safe, lexicon);
    assert_eq!(texts, ["aa\n", "C\n"]);
    assert_eq!(outcomes.get(1), Some(&Some(Outcome::Changed(vec![applied(1, "cc -> C")]))));
}

#[test]
fn a_text_that_does_not_parse_is_not_touched() {
    let lexicon: Lexicon<'_> = &[("aa", Some("A"), Safe), ("broken", None, Safe)];
    assert_eq!(one("aa broken\n", Safe, lexicon), ("aa broken\n".to_owned(), None));
}

#[test]
fn line_ends_and_the_byte_order_mark_are_kept() {
    let (text, _) = one("\u{feff}aa\r\nx\r\n", Safe, &[("aa", Some("1\n2"), Safe)]);
    assert_eq!(text, "\u{feff}1\r\n2\r\nx\r\n");
    assert_eq!(one("aa\n", Safe, &[("aa", Some("1\n2"), Safe)]).0, "1\n2\n");
}

#[test]
fn edits_outside_the_text_are_never_applied() {
    let relint = |sources: Sources| {
        let mut report = lint(sources, &[]);
        for (start, end) in [(2, 3), (0, 99), (99, 99)] {
            let span = Span::new(FileId(0), start, end);
            let finding = Diagnostic::new(Code("AK003"), span, "off").level(Level::Error);
            report.findings.push(finding.replace(Safe, span, "X", "off -> X"));
        }
        report
    };
    let mut sources = Sources::default();
    // Bytes 1 and 2 are one letter.
    sources.add(SourceFile::new("q", "aé\n"));
    let fixed = fix(relint(sources), Unsafe, relint);
    assert!(fixed.files.is_empty());
    assert_eq!(fixed.report.sources.get(FileId(0)).map(|source| source.text.as_str()), Some("aé\n"));
}

#[test]
fn all_edits_of_a_fix_or_none() {
    let relint = |sources: Sources| {
        let report = lint(sources, &[]);
        let text = report.sources.get(FileId(0)).map(|source| source.text.clone()).unwrap_or_default();
        if text != "a b\n" {
            return report;
        }
        let span = |start, end| Span::new(FileId(0), start, end);
        let finding = |code: &'static str, start, end, edits: &[(usize, usize, &str)]| {
            let edits = edits
                .iter()
                .map(|(from, to, text)| Edit { span: span(*from, *to), text: (*text).to_owned() });
            let fix = Fix { title: code.to_string(), applicability: Safe, edits: edits.collect() };
            Diagnostic::new(Code(code), span(start, end), "f").level(Level::Error).fix(fix)
        };
        // The second shares its first edit with the first fix, so its other edit must not happen either.
        let findings =
            vec![finding("AK101", 0, 1, &[(0, 1, "A")]), finding("AK102", 2, 3, &[(0, 1, "Z"), (2, 3, "B")])];
        Report { findings, ..report }
    };
    let mut sources = Sources::default();
    sources.add(SourceFile::new("q", "a b\n"));
    let fixed = fix(relint(sources), Safe, relint);
    assert_eq!(fixed.report.sources.get(FileId(0)).map(|source| source.text.as_str()), Some("A b\n"));
}
