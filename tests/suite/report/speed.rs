//! No format reads a source again for each finding: twice the findings take about twice the time,
//! whatever the size of the source. The bar in microseconds is a benchmark's; this is the shape.

use std::time::{Duration, Instant};

use ackord::report::{Format, render};
use ackord::source::{FileId, Span};

use super::{PLAIN, error, report};

/// The least time of three to render 1,000 findings spread over a source of `lines` lines.
fn time(format: Format, lines: usize) -> Duration {
    let line = "  max_retries: 5 # a comment that is about as long as comments are\n";
    let text = line.repeat(lines);
    let at = |nth: usize| {
        let start = nth * (lines / 1_000) * line.len() + 15;
        Span::new(FileId(0), start, start + 1)
    };
    let findings =
        (0..1_000).map(|nth| error(at(nth), "m").at("here").label(at(999 - nth), "there").note("n"));
    let report = report("q.yaml", &text, findings.collect());
    let run = || {
        let start = Instant::now();
        assert!(!render(format, &report, &PLAIN).is_empty());
        start.elapsed()
    };
    (0..3).map(|_| run()).min().unwrap_or_default()
}

#[test]
fn a_larger_source_takes_no_longer() {
    for format in Format::ALL {
        let (small, large) = (time(format, 1_000), time(format, 32_000));
        assert!(large < small * 8, "{}: {small:?} for 1,000 lines, {large:?} for 32,000", format.name());
    }
}
