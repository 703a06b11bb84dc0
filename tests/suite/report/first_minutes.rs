//! The first finding that a new user sees, to the letter.

use ackord::diagnostic::{Applicability, Code, Diagnostic, Level};
use ackord::report::summary;
use ackord::source::{FileId, Span};

use super::{full, nth, report};

const CONTRACT: &str = include_str!("payment-capture.queue.yaml");
const EXPECTED: &str = include_str!("payment-capture.full.txt");

/// The place of `value` in the only line that holds `before` directly before it.
fn value(before: &str, value: &str) -> Span {
    let all = nth(CONTRACT, &format!("{before}{value}"), 0);
    Span::new(FileId(0), all.start as usize + before.len(), all.end as usize)
}

fn finding() -> Diagnostic {
    let ttl = value("\n  ttl: ", "10m");
    Diagnostic::new(
        Code("AK201"),
        ttl,
        "keys expire after 10m, but a redelivery can come 11m20s after the first delivery",
    )
    .level(Level::Error)
    .at("expires 1m20s too early")
    .label(value("lock: {timeout: ", "5m"), "a dead consumer holds it this long")
    .label(value("max_retries: ", "5"), "5 redeliveries,")
    .label(value("cap: ", "64s"), "each after a wait of up to 64s")
    .note("retry chain = 5m + 5 × 64s + 1m margin = 11m20s")
    .note("`ttl` must also outlive: crashes 26m30s, replay 1d4h19m, redrive 14d53m, resend 1d1m")
    .help("raise `ttl` to 15d, which covers all five")
    .replace(Applicability::Unsafe, ttl, "15d", "ttl: 10m -> 15d")
}

#[test]
fn the_block_of_the_first_five_minutes() {
    let report = report("queues/payment-capture.queue.yaml", CONTRACT, vec![finding()]);
    assert_eq!(full(&report), EXPECTED);
}

#[test]
fn its_summary() {
    let report = report("queues/payment-capture.queue.yaml", CONTRACT, vec![finding()]);
    assert_eq!(
        summary(&report),
        "checked 1 contract: 1 error (1 fixable with --unsafe-fixes); why: ackord explain AK201"
    );
}

#[test]
fn a_summary_without_findings() {
    let mut report = report("a.queue.yaml", "", Vec::new());
    report.contracts = vec![Box::default(); 2];
    assert_eq!(summary(&report), "checked 2 contracts: no findings");
    report.suppressed = 3;
    assert_eq!(summary(&report), "checked 2 contracts: no findings, 3 suppressed");
}

#[test]
fn a_summary_with_everything() {
    let at = Span::default();
    let mended =
        |how| Diagnostic::new(Code("AK301"), at, "m").level(Level::Warning).replace(how, at, "", "t");
    let findings = vec![
        Diagnostic::new(Code("AK901"), at, "m").level(Level::Note),
        mended(Applicability::Safe),
        mended(Applicability::Safe),
        mended(Applicability::Unsafe),
        Diagnostic::new(Code("AK205"), at, "m").level(Level::Error),
        finding(),
    ];
    let mut report = report("a.queue.yaml", CONTRACT, findings);
    report.contracts = vec![Box::default(); 7];
    report.suppressed = 1;
    report.cut = 250;
    assert_eq!(
        summary(&report),
        "checked 7 contracts: 2 errors, 3 warnings, 1 note (2 fixable with --fix, 2 more with --unsafe-fixes), \
         250 not shown, 1 suppressed; why: ackord explain AK205"
    );
}
