//! What a contract of four lines gives, and figures whose derivation fits on a napkin.

use ackord::diagnostic::Level;
use ackord::lint::{Report, Settings};

use crate::judge::{codes, judge, settings, show, words};
use crate::patch::{Files, expand, read};
use crate::reports::names;

fn four_lines(flow: &str, delivery: &str) -> Files {
    let text = format!("# whole\nackord: v1\nqueue: jobs\nflow: {flow}\ndelivery: {{{delivery}}}\n");
    expand(&text).unwrap()
}

fn pedantic() -> Settings {
    Settings { pedantic: true, ..settings() }
}

/// The levels and codes of a report, in the order of the codes.
fn levels(report: &Report) -> Vec<(&str, Level)> {
    let level = |code| report.findings.iter().find(|finding| finding.code.0 == code).unwrap().level.unwrap();
    codes(report).into_iter().map(|code| (code, level(code))).collect()
}

fn gives(files: &Files, settings: &Settings, wanted: &[(&str, Level)]) -> Report {
    let report = judge(files, settings).unwrap();
    assert_eq!(levels(&report), wanted, "\n{}", show(&report));
    report
}

/// What AK016 lists, sorted.
fn missing(report: &Report) -> Vec<&'static str> {
    let finding = report.findings.iter().find(|finding| finding.code.0 == "AK016").unwrap();
    let mut items = finding.items.clone();
    items.sort_unstable();
    items
}

/// The sections that a contract of every flow should have, sorted.
const SECTIONS: [&str; 9] =
    ["dead_letter", "evidence", "failures", "message", "on_call", "owners", "processing", "producer", "slo"];

#[test]
fn four_lines_of_money() {
    let files = four_lines("money", "guarantee: at-least-once");
    let report = gives(&files, &settings(), &[("AK016", Level::Error), ("AK206", Level::Error)]);
    let mut sections = SECTIONS.to_vec();
    sections.push("ordering");
    sections.sort_unstable();
    assert_eq!(missing(&report), sections);
}

#[test]
fn four_lines_of_a_notification() {
    let files = four_lines("notification", "guarantee: at-least-once");
    let report = gives(&files, &settings(), &[("AK016", Level::Warning), ("AK206", Level::Warning)]);
    assert_eq!(missing(&report), SECTIONS);
}

#[test]
fn four_lines_of_a_task() {
    let files = four_lines("task", "guarantee: at-least-once");
    gives(&files, &settings(), &[("AK016", Level::Warning), ("AK206", Level::Warning)]);
}

#[test]
fn four_lines_of_an_audit() {
    let files = four_lines("audit", "guarantee: at-least-once");
    gives(&files, &settings(), &[("AK016", Level::Warning)]);
}

#[test]
fn four_lines_of_telemetry_that_may_be_lost() {
    let files = four_lines("telemetry", "guarantee: at-most-once");
    gives(&files, &settings(), &[("AK104", Level::Error)]);
}

#[test]
fn four_lines_of_telemetry_with_its_loss_stated() {
    let files = four_lines("telemetry", "guarantee: at-most-once, acceptable_loss: 0.1%");
    gives(&files, &settings(), &[]);
    gives(&files, &pedantic(), &[("AK016", Level::Note)]);
}

#[test]
fn four_lines_of_telemetry_delivered_again() {
    let files = four_lines("telemetry", "guarantee: at-least-once");
    gives(&files, &settings(), &[("AK016", Level::Warning)]);
    gives(&files, &pedantic(), &[("AK016", Level::Warning), ("AK103", Level::Note)]);
}

/// The words of the only finding of `code`; every figure that must be in them is looked up as a word.
fn said(block: &str, settings: &Settings, code: &str, figures: &[&str]) {
    let report = judge(&expand(block).unwrap(), settings).unwrap();
    let found: Vec<_> = report.findings.iter().filter(|finding| finding.code.0 == code).collect();
    assert_eq!(found.len(), 1, "one {code} is wanted\n{}", show(&report));
    let said = words(found[0]);
    for figure in figures {
        assert!(names(&said, figure), "{code} does not name {figure}\n{}", show(&report));
    }
}

fn silent(block: &str, settings: &Settings, code: &str) {
    let report = judge(&expand(block).unwrap(), settings).unwrap();
    assert!(
        report.findings.iter().all(|finding| finding.code.0 != code),
        "{code} is found\n{}",
        show(&report)
    );
}

/// 5m + 5 × 64s + 1m = 300s + 320s + 60s = 680s = 11m20s.
fn retried_for_680s(ttl: &str) -> String {
    format!(
        "# base: money-rabbitmq
idempotency: {{ttl: {ttl}}}
processing: {{lock: {{timeout: 5m}}}}
failures:
  transient: {{max_retries: 5, backoff: {{initial: 4s, factor: 2, cap: 64s, jitter: none}}}}
"
    )
}

#[test]
fn a_key_of_a_minute_is_outlived_by_retries_of_eleven() {
    said(&retried_for_680s("60s"), &settings(), "AK201", &["60s", "5m", "5", "64s", "11m20s"]);
    said(&retried_for_680s("11m19s"), &settings(), "AK201", &["11m20s"]);
}

#[test]
fn a_key_of_twelve_minutes_outlives_them() {
    silent(&retried_for_680s("12m"), &settings(), "AK201");
    silent(&retried_for_680s("11m20s"), &settings(), "AK201");
}

fn alerting(p95: &str, above: &str) -> Files {
    let slo = format!("slo: {{latency: {{p95: {p95}}}, alert: {{above: {above}}}}}");
    expand(&format!("# base: notification-rabbitmq\n{slo}\n")).unwrap()
}

#[test]
fn an_alert_at_ten_times_the_objective_is_accepted() {
    gives(&alerting("30s", "5m"), &settings(), &[]);
    gives(&alerting("30s", "299s"), &settings(), &[("AK603", Level::Error)]);
}

/// 15m ÷ 2m = 7.5.
#[test]
fn an_alert_at_seven_and_a_half_times_is_not() {
    let report = gives(&alerting("2m", "15m"), &settings(), &[("AK603", Level::Error)]);
    assert!(names(&words(&report.findings[0]), "7.5"), "{}", show(&report));
}

/// 1 2 4 8 16 32 s: the sixth wait is the longest, and the sum is 63s.
#[test]
fn a_cap_that_no_retry_reaches() {
    let block = |cap: &str| {
        format!(
            "# base: task-postgres
failures:
  transient: {{max_retries: 6, backoff: {{initial: 1s, factor: 2, cap: {cap}, jitter: none}}}}
"
        )
    };
    said(&block("5m"), &pedantic(), "AK308", &["5m", "32s", "1m3s"]);
    said(&block("33s"), &pedantic(), "AK308", &["33s", "32s"]);
    silent(&block("32s"), &pedantic(), "AK308");
}

/// 100 workers × 5 retries = 500 requests in 5 × 1s.
#[test]
fn a_storm_of_five_hundred() {
    let block = "# base: task-postgres
processing: {consumers: 10, concurrency: 10, prefetch: 10}
failures:
  transient: {max_retries: 5, backoff: {initial: 1s, factor: 1, cap: 1s, jitter: equal}}
";
    said(block, &settings(), "AK305", &["100", "5", "500", "5s"]);
}

/// 30m + 1m of margin = 31m, which is more than the retries need here:
/// X = 5 × max(1m, 15s + 32s) + 15s + 1m = 6m15s.
#[test]
fn a_resend_of_half_an_hour_wants_thirty_one_minutes() {
    let files = |ttl: &str| {
        let block =
            format!("# base: task-postgres\nproducer: {{resend_within: 30m}}\nidempotency: {{ttl: {ttl}}}\n");
        expand(&block).unwrap()
    };
    let report = gives(&files("30m"), &settings(), &[("AK205", Level::Warning)]);
    assert!(names(&words(&report.findings[0]), "31m"), "{}", show(&report));
    gives(&files("1859s"), &settings(), &[("AK205", Level::Warning)]);
    gives(&files("31m"), &settings(), &[]);
}

/// ⌊5s ÷ 4.8s⌋ + 1 = 2.
#[test]
fn automatic_commits_repeat_two_messages() {
    let block = |p99: &str| {
        format!(
            "# base: money-kafka
broker: {{auto_commit: {{interval: 5s}}}}
processing: {{concurrency: 1, prefetch: 1, duration: {{p99: {p99}}}}}
"
        )
    };
    said(&block("4800ms"), &settings(), "AK105", &["5s", "2"]);
    said(&block("2s"), &settings(), "AK105", &["5s", "3"]);
}

/// The tour with another lifetime of its keys.
fn tour(ttl: &str) -> Files {
    let text = read("examples/payment-capture/payment-capture.queue.yaml");
    assert!(text.contains("  ttl: 15d"), "the tour's keys live 15d");
    expand(&format!("# whole\n{}", text.replace("  ttl: 15d", &format!("  ttl: {ttl}")))).unwrap()
}

/// Every bound of the list is in the one finding: retries 5m + 5 × 64s + 1m = 11m20s; crashes
/// X = 5 × 5m + 30s + 1m = 26m30s; replay 1d + 5/s × 1d ÷ (40/s − 5/s) + 2X = 1d4h18m43s, which
/// reads 1d4h19m in a sentence; redrive 14d + 2X = 14d53m; resend 1d + 1m.
#[test]
fn a_key_of_ten_minutes_in_the_tour_is_one_finding() {
    let report = gives(&tour("10m"), &settings(), &[("AK201", Level::Error)]);
    let said = words(&report.findings[0]);
    for bound in ["11m20s", "26m30s", "1d4h19m", "14d53m", "1d1m"] {
        assert!(names(&said, bound), "{bound} is not among the bounds\n{}", show(&report));
    }
}

/// 20h outlive retries and crashes, and end before the replay window of 24h does.
#[test]
fn a_key_of_twenty_hours_in_the_tour_is_one_finding() {
    gives(&tour("20h"), &settings(), &[("AK203", Level::Error)]);
}

#[test]
fn the_tour_is_clean() {
    gives(&tour("15d"), &settings(), &[]);
}
