//! Every figure of a runbook stands in `inspect`'s JSON, in the contract, or in `target.yaml`.
#![allow(clippy::wildcard_enum_match_arm, reason = "most parts of a page hold no words")]

use ackord::policy::Policy;
use ackord::report::inspect;
use ackord::syntax::Scalar;
use ackord::units::Duration;
use pulldown_cmark::{Event, Options, Parser};
use serde_json::Value;

use super::{examples, judged, root, runbooks};

/// What may be said: times in milliseconds, and plain numbers.
#[derive(Default)]
pub struct Known {
    pub times: Vec<f64>,
    pub numbers: Vec<f64>,
}

/// A figure: a time in milliseconds or a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    Time(f64),
    Number(f64),
}

/// The figures of a text, in its order; digits within words are names, not figures.
pub fn figures(text: &str) -> Vec<(String, Figure)> {
    let mut found = Vec::new();
    let text = text.replace(" million", "e6").replace(" billion", "e9").replace(" %", "%");
    for word in text.split(|c: char| c.is_whitespace() || "()[]{}<>;:\"'|/×÷=`".contains(c)) {
        // A range is two figures, and a name with a dash is none.
        let parts: Vec<&str> = word.split('-').map(|part| part.trim_matches(['.', ','])).collect();
        if parts.iter().any(|part| !part.starts_with(|c: char| c.is_ascii_digit())) {
            continue;
        }
        for part in parts {
            if let Ok(time) = Duration::parse(part) {
                found.push((part.to_owned(), Figure::Time(time.as_secs_f64() * 1e3)));
            } else if let Some(share) = part.strip_suffix('%').and_then(|part| part.parse::<f64>().ok()) {
                found.push((part.to_owned(), Figure::Number(share / 100.0)));
            } else if let Ok(number) = part.replace(',', "").parse::<f64>() {
                found.push((part.to_owned(), Figure::Number(number)));
            } else if part.split('.').count() != 3 && !part.ends_with("iB") {
                // Three parts with dots are a version; no size is shown; what else begins with a digit must be understood.
                assert!(
                    part.chars().filter(char::is_ascii_digit).count() < part.len() / 2,
                    "{part} in {word}"
                );
            }
        }
    }
    found
}

impl Known {
    pub fn text(&mut self, text: &str) {
        for (_, figure) in figures(text) {
            match figure {
                Figure::Time(time) => self.times.push(time),
                Figure::Number(number) => self.numbers.push(number),
            }
        }
    }

    /// Every number of a value, by the unit that the name of its field says.
    pub fn json(&mut self, name: &str, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (field, value) in fields {
                    // Below a field of milliseconds, such as a list or a pair, all are milliseconds.
                    let name = if field == "value" || name.ends_with("_ms") { name } else { field };
                    let name = if field == "waits" || field == "worst" { "time_to_dlq_ms" } else { name };
                    self.json(name, value);
                }
            }
            Value::Array(values) => {
                if name == "waits_ms" {
                    // What has passed after each retry is the sum of the waits so far.
                    for end in [0, 1] {
                        let waits = values.iter().filter_map(|pair| pair.get(end)?.as_f64());
                        self.times.extend(waits.scan(0.0, |sum, wait| {
                            *sum += wait;
                            Some(*sum)
                        }));
                        // The number of a retry is its place.
                        self.numbers.extend((1..=values.len()).map(|place| place as f64));
                    }
                }
                values.iter().for_each(|value| self.json(name, value));
            }
            Value::String(text) => self.text(text),
            Value::Number(number) => {
                let number = number.as_f64().expect("a number");
                if name.ends_with("_ms") { self.times.push(number) } else { self.numbers.push(number) }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Whether a figure is known, as exactly as it is shown: an estimate has two digits.
    pub fn has(&self, shown: &str, figure: Figure) -> bool {
        let near = |known: f64, figure: f64, share: f64| (known - figure).abs() <= known.abs() * share + 1e-9;
        match figure {
            Figure::Time(time) => self.times.iter().any(|known| near(*known, time, 0.0)),
            Figure::Number(number) => {
                // A share is shown to a tenth of a per cent, a count in millions with two decimals.
                let share = |known: f64| shown.ends_with('%') && (known - number).abs() <= 0.000_5 + 1e-9;
                let rounded = if shown.contains(['.', 'e']) { 0.006 } else { 0.0 };
                self.numbers.iter().any(|known| share(*known) || near(*known, number, rounded))
            }
        }
    }
}

/// The text of a page without its comment and its headings' version.
fn text(markdown: &str) -> String {
    let mut text = String::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::End(_) | Event::SoftBreak | Event::HardBreak => text.push('\n'),
            _ => {}
        }
    }
    text
}

#[test]
fn every_figure_comes_from_inspect_the_contract_or_the_target() {
    let target = std::fs::read_to_string(root().join("templates/runbook/target.yaml")).expect("the target");
    let mut seen = 0;
    for (path, contract) in examples() {
        let report = judged("x.queue.yaml", &contract);
        let policy = Policy::default();
        let files = runbooks("x.queue.yaml", &contract);
        for (analysis, file) in report.analyses(&policy).iter().zip(files) {
            let mut known = Known::default();
            known.json("", &inspect::json(analysis));
            known.text(&contract);
            known.text(&target);
            for line in text(&file.text).lines() {
                for (shown, figure) in figures(line) {
                    seen += 1;
                    // Two significant digits of the estimate that inspect gives in full.
                    let estimate = line.starts_with("about ")
                        && matches!(figure, Figure::Time(time)
                        if known.times.iter().any(|known| (known - time).abs() <= known * 0.05));
                    assert!(
                        estimate || known.has(&shown, figure),
                        "{}: {shown} ({figure:?}) in: {line}",
                        path.display()
                    );
                }
            }
        }
    }
    assert!(seen > 500, "only {seen} figures were found");
}

#[test]
fn a_figure_that_nobody_knows_is_noticed() {
    let mut known = Known::default();
    known
        .json("", &serde_json::json!({"derived": {"lock_ms": 300_000, "workers": 16, "utilisation": 0.125}}));
    let judge = |text: &str| {
        figures(text).into_iter().map(|(shown, figure)| known.has(&shown, figure)).collect::<Vec<_>>()
    };
    assert_eq!(judge("5m 16 12.5 % 6m 17 13.5 % 300000"), [true, true, true, false, false, false, false]);
}
