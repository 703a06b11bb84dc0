//! Hostile strings in every place × every format × colour on and off.

use ackord::diagnostic::{Applicability, Diagnostic};
use ackord::lint::Report;
use ackord::report::{Format, render};
use ackord::source::{FileId, Span};

use super::runner::commands;
use super::{COLOR, PLAIN, error, report};

/// Strings that act on a terminal, on a log or on a reader.
fn strings() -> Vec<String> {
    let mut strings: Vec<String> = [
        "\u{1b}[2J\u{1b}[31mred",
        "\u{1b}]0;title\u{7}",
        "\u{1b}]8;;http://example.invalid\u{1b}\\link",
        "\u{9b}31m",
        "\u{9d}0;title\u{9c}",
        "\u{85}::error::next line",
        "\0",
        "a\0b\0",
        "back\u{8}\u{8}space",
        "\u{7f}",
        "\r::error::over",
        "\r\n::error::forged",
        "\n::stop-commands::token",
        "\n\n  ::add-mask::x",
        "\n##[add-path]/tmp",
        "##[error]forged",
        "text ##[set-env name=PATH;]x",
        "####[warning]x",
        "::stop-commands::token",
        "  ::error file=a::b",
        "\t::warning::x",
        "\u{a0}::error::x",
        "\u{3000}::error::x",
        ":",
        "::",
        ":::",
        "%0A::error::x",
        "%0D%0A::error::x",
        "%250A%25",
        "a,line=9999,title=x",
        "a:b,c%3Ad%2Ce",
        "\u{2028}::error::x",
        "\u{2029}::error::x",
        "\u{202e}gpj.exe",
        "\u{202a}\u{202b}\u{202c}\u{202d}",
        "\u{2066}\u{2067}\u{2068}\u{2069}",
        "\u{200e}\u{200f}\u{61c}",
        "\u{feff}::error::x",
        "\u{200b}::error::x",
        "\u{2060}\u{2064}\u{180e}",
        "\u{fff9}\u{fffb}\u{fffe}\u{ffff}",
        "\u{e0041}\u{e007f}",
        "\u{b}\u{c}::error::x",
        "a\u{300}\u{301}\u{302}",
        "値\u{1f468}\u{200d}\u{1f469}",
        "[words](http://example.invalid)",
        "\\u001b \\n \\",
        "\"}],\"x\":[{\"",
        "<script>&\"'</script>",
        "",
    ]
    .map(str::to_owned)
    .to_vec();
    strings.push("\u{1b}[31m".repeat(600));
    strings.push("::error::x\n".repeat(250));
    strings.push("#".repeat(1_500) + "[error]x");
    strings
}

/// The report that has `string` in one place, or in all.
fn with(place: usize, string: &str) -> Report {
    let put = |at: usize, benign: &str| {
        if place == at || place == PLACES { string.to_owned() } else { benign.to_owned() }
    };
    let name = put(0, "queues/a.queue.yaml");
    let source = format!("key: before {} after\nother: 1\n", put(1, "value"));
    let at = Span::new(FileId(0), 5, 11);
    let inner = Span::new(FileId(0), 12, 12 + put(1, "value").len());
    let finding: Diagnostic = error(at, &put(2, "the message"))
        .at(put(3, "the label"))
        .label(inner, put(4, "the other label"))
        .note(put(5, "the note"))
        .help(put(6, "the help"))
        .replace(Applicability::Safe, at, put(7, "the text"), put(8, "the title"));
    report(&name, &source, vec![finding.clone(), finding])
}

const PLACES: usize = 9;

/// The text without our own colours; whatever else holds an escape keeps it.
pub fn without_sgr(text: &str) -> String {
    let ours = ["0", "0;1", "0;2", "0;31", "0;33", "0;34", "0;1;31", "0;1;33", "0;1;34"];
    ours.iter().fold(text.to_owned(), |text, sgr| text.replace(&format!("\x1b[{sgr}m"), ""))
}

/// The characters that must never come out: written as the ranges of the threat, by code point.
fn forbidden(character: char) -> bool {
    let ranges = [
        (0x00, 0x09),
        (0x0b, 0x1f),
        (0x7f, 0x9f),
        (0x061c, 0x061c),
        (0x200b, 0x200b),
        (0x200e, 0x200f),
        (0x2028, 0x202e),
        (0x2060, 0x206f),
        (0xfeff, 0xfeff),
        (0xfff9, 0xfffb),
        (0xfffe, 0xffff),
        (0xe0000, 0xe007f),
    ];
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(character)))
}

/// Calls `look` with every output of the matrix.
fn matrix(mut look: impl FnMut(Format, &str, &str)) {
    for string in strings() {
        for place in 0..=PLACES {
            let report = with(place, &string);
            for format in Format::ALL {
                for options in [PLAIN, COLOR] {
                    let out = without_sgr(&render(format, &report, &options));
                    let what = format!("{}, place {place}, {string:.40?}", format.name());
                    look(format, &out, &what);
                }
            }
        }
    }
}

#[test]
fn there_are_enough() {
    assert!(strings().len() >= 50);
}

#[test]
fn no_control_comes_out() {
    matrix(|_, out, what| {
        let bad = out
            .chars()
            .filter(|character| !character.is_ascii_graphic())
            .find(|character| forbidden(*character));
        assert_eq!(bad, None, "{what}");
    });
}

#[test]
fn no_line_commands_a_runner() {
    matrix(|format, out, what| {
        let count = if format == Format::Github { 2 } else { 0 };
        assert_eq!(commands(out).len(), count, "{what}:\n{out:.2000}");
        let starts = out.lines().filter(|line| line.trim_start().starts_with("::")).count();
        assert_eq!(starts, count, "{what}");
        assert!(!out.contains("##["), "{what}");
    });
}

#[test]
fn every_finding_takes_the_lines_of_its_format() {
    matrix(|format, out, what| match format {
        Format::Concise | Format::Github => assert_eq!(out.lines().count(), 2, "{what}"),
        Format::JsonLines => assert_eq!(out.lines().count(), 3, "{what}"),
        Format::Full | Format::Json | Format::Sarif => {}
    });
}

#[test]
fn a_reader_of_json_gets_the_exact_strings() {
    for string in strings() {
        let report = with(PLACES, &string);
        let whole: serde_json::Value =
            serde_json::from_str(&render(Format::Json, &report, &PLAIN)).expect("json is JSON");
        let lines = render(Format::JsonLines, &report, &PLAIN);
        let line: serde_json::Value =
            serde_json::from_str(lines.lines().next().expect("a line")).expect("jsonl is JSON");
        for finding in [&whole["findings"][0], &line] {
            for field in ["file", "message", "label", "help"] {
                assert_eq!(finding[field], *string, "{field}");
            }
            assert_eq!(finding["notes"][0], *string);
            assert_eq!(finding["fix"]["title"], *string);
            assert_eq!(finding["fix"]["edits"][0]["text"], *string);
        }
    }
}

#[test]
fn a_benign_name_reaches_the_annotation_as_it_is() {
    let report = with(0, "queues/a,b:c%0A.queue.yaml");
    let out = render(Format::Github, &report, &PLAIN);
    let command = &commands(&out)[0];
    let file = command.properties.iter().find(|(key, _)| key == "file").expect("a file");
    assert_eq!(file.1, "queues/a,b:c%0A.queue.yaml");
    assert_eq!(command.data, "the message\nhelp: the help\nthe note");
}
