//! `full`: where the carets stand, what is cut, and that nothing panics.

use ackord::diagnostic::{Code, Diagnostic, Level};
use ackord::report::{FINDING_LIMIT, Format, render};
use ackord::source::{FileId, SourceFile, Span};

use super::{COLOR, error, full, nth, report};

/// The block of one error over `text`, without its header and the two lines below.
fn quoted(text: &str, span: Span) -> String {
    let block = full(&report("q.yaml", text, vec![error(span, "m").at("here")]));
    block.lines().skip(3).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

#[test]
fn a_caret_after_a_tab_stands_under_its_value() {
    let text = "a:\tvalue";
    assert_eq!(quoted(text, nth(text, "value", 0)), "1 │ a:  value\n  │     ^^^^^ here");
}

#[test]
fn a_caret_after_wide_characters_stands_under_its_value() {
    let text = "支払: 値";
    assert_eq!(quoted(text, nth(text, "値", 0)), "1 │ 支払: 値\n  │       ^^ here");
}

#[test]
fn a_caret_after_a_control_stands_under_its_value() {
    let text = "a: \u{1b}[2J\u{202e}value";
    assert_eq!(
        quoted(text, nth(text, "value", 0)),
        "1 │ a: ␛[2J\\u{202e}value\n  │                ^^^^^ here"
    );
}

#[test]
fn a_long_line_is_cut_around_its_label() {
    let text = format!("a: {}NEEDLE{}", "x".repeat(5_000), "y".repeat(5_000));
    let block = quoted(&text, nth(&text, "NEEDLE", 0));
    let before = "x".repeat(48);
    let after = "y".repeat(160 - 48 - 6);
    let blank = " ".repeat(48 + 1);
    assert_eq!(block, format!("1 │ …{before}NEEDLE{after}…\n  │ {blank}^^^^^^ here"));
}

#[test]
fn a_label_outside_of_the_window_points_at_the_cut() {
    let text = format!("first {} second {} third", "x".repeat(500), "y".repeat(500));
    let finding = error(nth(&text, "second", 0), "m")
        .label(nth(&text, "first", 0), "")
        .label(nth(&text, "third", 0), "");
    let block = full(&report("q.yaml", &text, vec![finding]));
    let carets = block.lines().nth(4).expect("a line of carets");
    let columns: Vec<usize> =
        carets.chars().enumerate().filter(|(_, c)| *c == '-').map(|(at, _)| at).collect();
    assert_eq!(columns, [4, 4 + 1 + 160], "{block}");
}

#[test]
fn a_label_over_several_lines_stands_on_its_first() {
    let text = "a:\n  b: 1\n  c: 2\n";
    let span = Span::new(FileId(0), 5, text.len());
    assert_eq!(quoted(text, span), "2 │   b: 1\n  │   ^^^^ here");
}

#[test]
fn labels_in_two_files_have_a_block_each() {
    let mut report = report("one.yaml", "queue: a\n", Vec::new());
    let other = report.sources.add(SourceFile::new("two.yaml", "x: 1\nqueue: a\n"));
    let finding = error(Span::new(FileId(0), 7, 8), "queue `a` is there twice")
        .at("here")
        .label(Span::new(other, 12, 13), "and here");
    report.findings.push(finding);
    let expected = "\
error[AK201]: queue `a` is there twice
  ┌─ one.yaml:1:8
  │
1 │ queue: a
  │        ^ here
  ┌─ two.yaml:2:8
  │
2 │ queue: a
  │        - and here

";
    assert_eq!(full(&report), expected);
}

#[test]
fn a_file_without_text_has_only_its_name() {
    let finding = error(Span::default(), "the file is not UTF-8").help("iconv -t utf-8");
    let expected = "error[AK201]: the file is not UTF-8\n ┌─ bad.yaml:1:1\n = help: iconv -t utf-8\n\n";
    let expected = expected.replace("\n ", "\n  ");
    assert_eq!(full(&report("bad.yaml", "", vec![finding])), expected);
}

#[test]
fn no_span_panics_in_any_format() {
    let text = "ä: ü\r\n\r\n値\n";
    let mut findings = Vec::new();
    for start in 0..text.len() + 3 {
        for end in start..text.len() + 3 {
            let span = Span::new(FileId(0), start, end);
            findings.push(error(span, "m").at("here").label(span, "too"));
        }
    }
    let whole = Span { file: FileId(0), start: 7, end: 3 };
    findings.push(error(whole, "m"));
    findings.push(error(Span::new(FileId(9), 1, 2), "m"));
    let count = findings.len();
    let report = report("q.yaml", text, findings);
    for format in Format::ALL {
        let out = render(format, &report, &COLOR);
        assert!(out.matches("AK201").count() >= count, "{}: a finding is missing", format.name());
    }
}

#[test]
fn no_finding_exceeds_its_limit() {
    let huge = "値".repeat(100_000);
    let text = format!("{huge}\n").repeat(2) + "x";
    let mut finding = error(Span::new(FileId(0), 300, 900), &huge).at(&*huge).help(&*huge);
    for at in 0..100 {
        finding = finding.label(Span::new(FileId(0), at * 30, at * 30 + 9), &*huge).note(&*huge);
    }
    let report = report(&huge, &text, vec![finding]);
    for (format, most) in
        [(Format::Full, FINDING_LIMIT), (Format::Concise, FINDING_LIMIT), (Format::Github, FINDING_LIMIT)]
    {
        let out = render(format, &report, &super::PLAIN);
        assert!(out.len() <= most, "{}: {} bytes", format.name(), out.len());
        assert!(out.contains('…'), "{}", format.name());
    }
    let block = full(&report);
    assert!(
        block.contains("more notes") && block.contains("more places") && block.contains("help: "),
        "{block}"
    );
}

#[test]
fn colours_follow_the_level() {
    let text = "a: 1\nb: 2\n";
    let at = nth(text, "1", 0);
    for (level, sgr) in [(Level::Error, 31), (Level::Warning, 33), (Level::Note, 34)] {
        let finding =
            Diagnostic::new(Code("AK201"), at, "m").level(level).label(nth(text, "2", 0), "two").note("why");
        let out = render(Format::Full, &report("q.yaml", text, vec![finding]), &COLOR);
        assert!(out.starts_with(&format!("\x1b[0;1;{sgr}m{}[AK201]", level.word())), "{out:?}");
        assert!(out.contains(&format!("\x1b[0;{sgr}m^")), "the primary label: {out:?}");
        assert!(out.contains("\x1b[0;34m-"), "the other label: {out:?}");
        assert!(out.contains("\x1b[0;2mwhy\x1b[0m"), "the derivation: {out:?}");
    }
}

#[test]
fn colour_changes_no_text() {
    let text = "a: 1\nb: 2\n";
    let finding = error(nth(text, "1", 0), "m").at("one").label(nth(text, "2", 0), "two").note("n").help("h");
    let report = report("q.yaml", text, vec![finding]);
    for format in [Format::Full, Format::Concise] {
        let colored = render(format, &report, &COLOR);
        assert_ne!(colored, render(format, &report, &super::PLAIN));
        assert_eq!(super::hostile::without_sgr(&colored), render(format, &report, &super::PLAIN));
    }
}
