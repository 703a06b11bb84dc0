//! What must be true whatever the bytes are. The fuzz targets and the tests of the suite call the same
//! two functions; they panic where it is not.

use ackord::diagnostic::Applicability;
use ackord::fix::{Fixed, fix as apply};
use ackord::lint::{Inputs, Report, Settings, run};
use ackord::report::{FINDING_LIMIT, Format, Options, inspect, render};
use ackord::source::{SourceFile, Sources};

/// Judges the bytes and writes the findings in every format.
pub fn check(bytes: &[u8]) {
    let settings = Settings { pedantic: true, ..Settings::default() };
    let report = judge(&String::from_utf8_lossy(bytes), &settings);
    for found in &report.findings {
        let places = std::iter::once(found.primary.span).chain(found.labels.iter().map(|label| label.span));
        for span in places.chain(found.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span)) {
            let source = report.sources.get(span.file).expect("a finding points into a source");
            assert!(source.text.get(span.range()).is_some(), "{span:?} is no place of the text");
        }
    }
    for format in Format::ALL {
        let out = render(format, &report, &Options { color: false });
        // One for each finding, and one that says how many GitHub drops.
        let commands = if format == Format::Github { report.findings.len() + 1 } else { 0 };
        tame(&out, commands);
    }
    for found in report.findings.iter().take(20) {
        let one =
            Report { sources: report.sources.clone(), findings: vec![found.clone()], ..Report::default() };
        for format in [Format::Full, Format::Concise] {
            let size = render(format, &one, &Options { color: false }).len();
            assert!(size <= FINDING_LIMIT, "a finding of {size} bytes: {:.200}", found.message);
        }
    }
    for analysis in report.analyses(&settings.policy) {
        tame(&inspect::text(&analysis, false), 0);
        let _ = inspect::json(&analysis);
    }
}

/// Fixes the text: fixed again it stays as it is, and it has no more findings than before.
pub fn fix(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for least in [Applicability::Safe, Applicability::Unsafe] {
        let before = judge(&text, &Settings::default());
        let count = before.findings.len();
        let once = mend(before, least);
        assert!(once.report.findings.len() <= count, "more findings than before");
        let fixed = text_of(&once.report);
        let twice = mend(judge(&fixed, &Settings::default()), least);
        assert_eq!(text_of(&twice.report), fixed, "the second run of the fixes changes something");
    }
}

/// Asserts that `out` neither steers a terminal nor commands a runner more often than `most`.
pub fn tame(out: &str, most: usize) {
    let steers = |c: char| {
        c.is_control() && c != '\n'
            || matches!(u32::from(c), 0x061c | 0x200e..=0x200f | 0x2028..=0x202e | 0x2066..=0x2069)
    };
    if let Some(at) = out.find(steers) {
        let raw = out[at..].chars().next();
        let before =
            out[..at].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect::<String>();
        panic!("a raw {raw:?} after {before:?}");
    }
    let orders = |line: &&str| line.trim_start().starts_with("::") || line.contains("##[");
    let found = out.lines().filter(orders).count();
    assert!(found <= most, "{found} lines command a runner, {most} may");
}

/// What the linter says about one text.
pub fn judge(text: &str, settings: &Settings) -> Report {
    let mut sources = Sources::default();
    sources.add(SourceFile::new("any.queue.yaml", text));
    run(Inputs { sources, ..Inputs::default() }, settings)
}

/// What the fixes make of a report of [`judge`].
pub fn mend(report: Report, least: Applicability) -> Fixed {
    apply(report, least, |sources| run(Inputs { sources, ..Inputs::default() }, &Settings::default()))
}

/// The text that the report is about.
pub fn text_of(report: &Report) -> String {
    report.sources.iter().map(|(_, source)| source.text.clone()).collect()
}
