//! Bad texts: those of `tests/cases/hostile`, and our own contracts with a few bytes changed.

use std::fmt::Write as _;

use ackord::report::Format;

use super::ackord;
use crate::dice::Dice;
use crate::judge::none_of;
use crate::patch::{files_below, read, root};
use crate::withstand;

/// Threat 1 asks for so many, a good part of them made by hand.
const BAD: usize = 500;
const BY_HAND: usize = 150;

/// The texts of `tests/cases/hostile/texts.txt`, by name.
pub fn by_hand() -> Vec<(String, Vec<u8>)> {
    let table = read("tests/cases/hostile/texts.txt");
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    let case = |line: &str| {
        let (name, text) = line.split_once(" | ").unwrap_or_else(|| panic!("not `name | text`: {line}"));
        (name.to_owned(), bytes(text))
    };
    lines.map(case).collect()
}

/// The bytes that a text of the table stands for.
fn bytes(text: &str) -> Vec<u8> {
    let Some((before, rest)) =
        text.split_once("<<").filter(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()))
    else {
        return escaped(text);
    };
    let (count, rest) = rest.split_once('*').expect("a count before `*`");
    // What is repeated may end in `>` itself.
    let (repeated, after) = rest.split_once(">>").expect("`>>` after what is repeated");
    let mut out = escaped(before);
    out.extend(escaped(repeated).repeat(count.parse().expect("a count")));
    out.extend(bytes(after));
    out
}

fn escaped(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.extend(c.to_string().bytes());
            continue;
        }
        match rest.next() {
            Some('n') => out.push(b'\n'),
            Some('r') => out.push(b'\r'),
            Some('t') => out.push(b'\t'),
            Some('\\') => out.push(b'\\'),
            Some('x') => {
                let digits: String = rest.by_ref().take(2).collect();
                out.push(u8::from_str_radix(&digits, 16).expect("two digits"));
            }
            Some('u') => {
                let digits: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                let code = u32::from_str_radix(&digits, 16).expect("digits");
                out.extend(char::from_u32(code).expect("a character").to_string().bytes());
            }
            other => panic!("`\\` before {other:?} in {text}"),
        }
    }
    out
}

/// Examples and bases with a few bytes changed, each time the same.
pub fn changed(count: usize) -> Vec<(String, Vec<u8>)> {
    let paths = files_below("examples").into_iter().chain(files_below("tests/bases"));
    let texts: Vec<String> =
        paths.filter(|path| path.to_string_lossy().ends_with(".queue.yaml")).map(read).collect();
    let mut dice = Dice::new(500);
    let one = |number| {
        let mut bytes = dice.pick(&texts).clone().into_bytes();
        for _ in 0..=dice.below(3) {
            change(&mut bytes, &texts, &mut dice);
        }
        (format!("changed {number}"), bytes)
    };
    (0..count).map(one).collect()
}

fn change(bytes: &mut Vec<u8>, texts: &[String], dice: &mut Dice) {
    const SIGNS: &[&[u8]] = &[
        b":",
        b": ",
        b"\n",
        b"\t",
        b"[",
        b"]",
        b"{",
        b"}",
        b"\"",
        b"'",
        b"#",
        b"&a ",
        b"*a ",
        b"!",
        b"|\n",
        b">\n",
        b"- ",
        b"? ",
        b"---\n",
        b"...\n",
        b"<<: ",
        b"\0",
        b"\xff",
        b"\r",
        b",",
        b"%",
        b"@",
        b"\xef\xbb\xbf",
    ];
    let at = dice.below(bytes.len());
    let end = (at + 1 + dice.below(40)).min(bytes.len());
    match dice.below(7) {
        0 => bytes[at] ^= 1 << dice.below(8),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.truncate(at),
        3 => {
            let copy = bytes[at..end].to_vec();
            let to = dice.below(bytes.len());
            bytes.splice(to..to, copy);
        }
        4 => {
            let other = dice.pick(texts).as_bytes();
            let from = dice.below(other.len());
            bytes.truncate(at);
            bytes.extend(&other[from..]);
        }
        _ => drop(bytes.splice(at..at, dice.pick(SIGNS).iter().copied())),
    }
}

#[test]
fn the_table_says_what_it_means() {
    assert_eq!(bytes("a\\n\\x00<<3*b\\t>>\\u{e9}<<x"), b"a\n\0b\tb\tb\t\xc3\xa9<<x");
    let names: std::collections::BTreeSet<String> = by_hand().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), by_hand().len(), "two texts have one name");
    assert!(names.len() >= BY_HAND, "only {} texts", names.len());
}

/// The real binary, one text after another, in the formats by turns.
#[test]
fn five_hundred_bad_texts_end_with_a_code() {
    let folder = tempfile::tempdir().unwrap();
    let by_hand = by_hand();
    let made = changed(BAD - by_hand.len().min(BAD));
    let bad = by_hand.iter().map(|case| (case, true)).chain(made.iter().map(|case| (case, false)));
    let mut failures = Vec::new();
    for (number, ((name, bytes), must)) in bad.enumerate() {
        let format = Format::ALL[number % Format::ALL.len()];
        let arguments = ["check", "-", "--pedantic", "--output-format", format.name()];
        let what = format!("{name} as {}", format.name());
        let commands = if format == Format::Github { usize::MAX } else { 0 };
        let run = || {
            let outcome = ackord(folder.path(), &arguments, bytes).held(&what, commands);
            if must { outcome.found(&what) } else { outcome }
        };
        failures.extend(caught(&what, run));
    }
    none_of(&failures, "the bad texts");
}

/// In the process: every format, no raw character, no forged command, no finding that is too long.
#[test]
fn bad_texts_are_tame_in_every_format() {
    let mut failures = Vec::new();
    for (name, bytes) in by_hand().into_iter().chain(changed(120)) {
        failures.extend(caught(&name, || withstand::check(&bytes)));
    }
    none_of(&failures, "the bad texts");
}

/// What the fuzzers have found stays found.
#[test]
fn finds_stay_mended() {
    let mut failures = Vec::new();
    for path in files_below("tests/cases/hostile/finds") {
        let bytes = std::fs::read(root().join(&path)).unwrap();
        let name = path.display().to_string();
        failures.extend(caught(&name, || withstand::check(&bytes)));
        failures.extend(caught(&name, || withstand::fix(&bytes)));
    }
    none_of(&failures, "the finds");
}

/// A bad text beside a good contract: the run fails, whichever it is.
#[test]
fn a_bad_text_fails_the_run_of_a_good_one() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    let good = read("examples/payment-capture/payment-capture.queue.yaml");
    std::fs::write(folder.path().join("good.queue.yaml"), good).unwrap();
    for (name, bytes) in by_hand().into_iter().step_by(5) {
        std::fs::write(folder.path().join("bad.queue.yaml"), bytes).unwrap();
        ackord(folder.path(), &["check"], b"").held(&name, 0).found(&name);
    }
}

/// What went wrong, where something did.
pub fn caught<T>(name: &str, work: impl FnOnce() -> T) -> Option<String> {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).err()?;
    let words = panic.downcast_ref::<String>().cloned();
    let words = words.or_else(|| panic.downcast_ref::<&str>().map(|words| (*words).to_owned()));
    let mut out = String::new();
    write!(out, "{name}: {:.1500}", words.unwrap_or_default()).unwrap();
    Some(out)
}
