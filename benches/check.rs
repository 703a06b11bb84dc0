//! The steps of `ackord check` on one contract, each by itself: `cargo bench`.
//!
//! These say which step became slower; whether the whole is fast enough says `ratios.py`.

use std::hint::black_box;

use ackord::analysis::Analysis;
use ackord::diagnostic::{Code, Diagnostic, Level};
use ackord::lint::{self, Inputs, Report, Settings};
use ackord::model::Contract;
use ackord::policy::Policy;
use ackord::report::{Format, Options, render};
use ackord::rules::{self, Check};
use ackord::source::{FileId, SourceFile, Sources, Span};
use ackord::syntax::{self, Limits};
use criterion::{Criterion, criterion_group, criterion_main};

const CONTRACT: &str = include_str!("../examples/payment-capture/payment-capture.queue.yaml");

/// How many findings the reports are made of.
const FINDINGS: usize = 1_000;

fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add(SourceFile::new("q.queue.yaml", text));
    sources
}

fn run(text: &str) -> Report {
    lint::run(Inputs { sources: sources(text), ..Inputs::default() }, &Settings::default())
}

/// The contract with five lines that are no YAML, as while somebody types.
fn damaged() -> String {
    let line = |(at, line): (usize, &str)| match at {
        10 | 25 | 40 | 55 | 70 => format!("{line}\n  \"open: [\n"),
        _ => format!("{line}\n"),
    };
    CONTRACT.lines().enumerate().map(line).collect()
}

fn steps(bench: &mut Criterion) {
    let sources = sources(CONTRACT);
    let policy = Policy::default();
    let parse = || syntax::parse(FileId(0), CONTRACT, &Limits::default(), &mut Vec::new());
    let tree = parse();
    let document = tree.documents().first().expect("the example is a document");
    let load = || syntax::load::<Contract>(&tree, document, &mut Vec::new());
    let contract = load().expect("the example is a contract");
    let analysis = Analysis::new(&contract, &policy, &sources);

    bench.bench_function("parse", |timer| timer.iter(parse));
    bench.bench_function("load", |timer| timer.iter(load));
    bench.bench_function("analyse", |timer| timer.iter(|| Analysis::new(&contract, &policy, &sources)));
    bench.bench_function("judge", |timer| {
        timer.iter(|| {
            let mut found = Vec::new();
            for rule in rules::all() {
                match rule.check {
                    Check::Contract(check) => check(&analysis, &mut found),
                    Check::Reading | Check::Bound | Check::Workspace(_) => {}
                }
            }
            rules::bounds::lists(&analysis)
                .map(|list| rules::bounds::failing(&analysis, &list).len() + found.len())
                .sum::<usize>()
        });
    });
    bench.bench_function("run", |timer| timer.iter(|| run(black_box(CONTRACT))));
    let damaged = damaged();
    bench.bench_function("run, five syntax errors", |timer| timer.iter(|| run(black_box(&damaged))));
}

/// 1,000 findings in 500 KB, with the source in lines and in one line.
fn reports(bench: &mut Criterion) {
    let entry = "max_retries: 5, # about as long as the lines of a contract are";
    for (name, end) in [("lines", "\n"), ("one line", " ")] {
        let text: String = std::iter::repeat_n([entry, end].concat(), 8 * FINDINGS).collect();
        let every = text.len() / FINDINGS;
        let findings = (0..FINDINGS).map(|nth| {
            let span = Span::new(FileId(0), nth * every, nth * every + 5);
            Diagnostic::new(Code("AK204"), span, "a finding").level(Level::Error).at("here").note("a note")
        });
        let report = Report { sources: sources(&text), findings: findings.collect(), ..Report::default() };
        for format in Format::ALL {
            let name = format!("{FINDINGS} findings, {name}, {}", format.name());
            bench.bench_function(&name, |timer| timer.iter(|| render(format, &report, &Options::default())));
        }
    }
}

criterion_group!(all, steps, reports);
criterion_main!(all);
