//! `ackord check`: discover, load, judge, perhaps fix, report.

use std::path::{Path, PathBuf};

use super::args::Check;
use super::discover::{self, Place};
use super::output::{self, Streams};
use super::settings::{self, Decided};
use super::stop::Stop;
use super::{CLEAN, FAILURE, FINDINGS, fixing, load};
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::lint::{self, Inputs, Report};
use crate::report;
use crate::report::text::printable;
use crate::{fix, rules};

/// The name of standard input that was given none.
const STDIN: &str = "<stdin>";

/// Runs the command.
pub(super) fn run(args: Check, streams: &mut Streams) -> Result<u8, Stop> {
    let paths = if args.paths.is_empty() { vec![PathBuf::from(".")] } else { args.paths.clone() };
    let stdin = paths.iter().any(|path| path.as_os_str() == "-");
    consistent(&args, stdin, &paths)?;
    let place = match &args.stdin_filename {
        Some(name) if stdin => Place::of(std::slice::from_ref(name))?,
        _ if stdin => Place::of(&[])?,
        _ => Place::of(&paths)?,
    };
    let mut decided = settings::decide(&args, &place, streams.color())?;
    if args.statistics && !matches!(decided.format, report::Format::Full | report::Format::Concise) {
        return Err(Stop::with_help(
            "`--statistics` is a table for people",
            "ackord check --statistics --output-format full",
        ));
    }
    if args.show_config {
        streams.result(&settings::show(&decided, &place))?;
        return Ok(CLEAN);
    }
    let (mut inputs, files) = if stdin {
        let name = args.stdin_filename.as_deref().map_or_else(|| STDIN.to_owned(), |name| place.name(name));
        (load::stream(&name, std::io::stdin().lock()), Vec::new())
    } else {
        let files = discover::find(&place, &paths)?;
        let focused = files.iter().filter(|file| file.focused);
        if args.show_files {
            let names: String = focused.map(|file| format!("{}\n", printable(&file.name))).collect();
            streams.result(&names)?;
            return Ok(CLEAN);
        }
        if focused.count() == 0 {
            if !args.allow_empty {
                return Err(nothing(&paths));
            }
            return finish(&args, &decided, &Report::default(), streams).map(|()| CLEAN);
        }
        (load::contracts(&files), files)
    };
    load::references(&place, &mut inputs);
    decided.match_paths(&place, &inputs.sources);
    let judge = |inputs: Inputs| lint::run(inputs, &decided.settings);
    if !(args.fix || args.unsafe_fixes || args.diff) {
        let report = judge(inputs);
        finish(&args, &decided, &report, streams)?;
        return Ok(code(&args, &decided, &report));
    }
    let least = if args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
    let report = judge(inputs.clone());
    let fixed = fix::fix(report, least, |sources| judge(Inputs { sources, ..inputs.clone() }));
    let refused = fixing::refusals(&fixed, streams);
    if args.diff {
        let differs = fixing::diff(&fixed, &inputs.sources, streams)?;
        return Ok(if refused {
            FAILURE
        } else if differs && !args.exit_zero {
            FINDINGS
        } else {
            CLEAN
        });
    }
    fixing::write(&fixed, &inputs.sources, &files, &place, args.quiet, streams)?;
    finish(&args, &decided, &fixed.report, streams)?;
    Ok(if refused { FAILURE } else { code(&args, &decided, &fixed.report) })
}

/// The same in every format: whether something reaches the level that fails.
fn code(args: &Check, decided: &Decided, report: &Report) -> u8 {
    let fails = report.findings.iter().any(|finding| level(finding) >= decided.fail_on);
    if fails && !args.exit_zero { FINDINGS } else { CLEAN }
}

fn level(finding: &Diagnostic) -> Level {
    let own = || rules::all().find(|rule| rule.code == finding.code).map_or(Level::Error, |rule| rule.level);
    finding.level.unwrap_or_else(own)
}

fn consistent(args: &Check, stdin: bool, paths: &[PathBuf]) -> Result<(), Stop> {
    if stdin && paths.len() > 1 {
        return Err(Stop::with_help(
            "`-` stands for standard input alone, and other paths were named",
            "ackord check -",
        ));
    }
    if !stdin && args.stdin_filename.is_some() {
        return Err(Stop::with_help("`--stdin-filename` needs `-`", "ackord check - --stdin-filename NAME"));
    }
    if stdin && (args.fix || args.unsafe_fixes) && !args.diff {
        return Err(Stop::with_help("`--fix` cannot write to standard input", "ackord check - --diff"));
    }
    Ok(())
}

fn nothing(paths: &[PathBuf]) -> Stop {
    let names: Vec<String> = paths.iter().map(|path| format!("`{}`", output::shown(path))).collect();
    let message =
        format!("{} holds no `*.queue.yaml` or `*.queue.yml` that is not ignored", names.join(", "));
    Stop::with_help(message, "ackord init NAME --flow FLOW --broker BROKER, or --allow-empty")
}

/// Writes the findings where they were asked for, and the summary.
fn finish(args: &Check, decided: &Decided, report: &Report, streams: &mut Streams) -> Result<(), Stop> {
    for (format, path) in &args.output {
        let text = report::render((*format).into(), report, &report::Options { color: false });
        output::write(Path::new(path), text.as_bytes())?;
    }
    if args.statistics {
        streams.result(&statistics(report))?;
    } else {
        streams.result(&report::render(
            decided.format,
            report,
            &report::Options { color: streams.color() },
        ))?;
    }
    if !args.quiet {
        let fixing = args.fix || args.unsafe_fixes;
        let line = if fixing { report::summary_of_rest(report) } else { report::summary(report) };
        streams.tell(line.trim_end());
    }
    Ok(())
}

/// How often each rule was broken, the most frequent first.
fn statistics(report: &Report) -> String {
    let mut counts: Vec<(usize, usize, &'static str)> = Vec::new();
    for finding in &report.findings {
        let fixable = usize::from(finding.fix.is_some());
        match counts.iter_mut().find(|(_, _, code)| *code == finding.code.0) {
            Some((count, fixes, _)) => {
                *count += 1;
                *fixes += fixable;
            }
            None => counts.push((1, fixable, finding.code.0)),
        }
    }
    counts.sort_by_key(|(count, _, code)| (std::cmp::Reverse(*count), *code));
    let line = |(count, fixes, code): (usize, usize, &str)| {
        let name = rules::find(code).map_or("", |rule| rule.name);
        let fixable = if fixes > 0 { format!("   ({fixes} fixable)") } else { String::new() };
        format!("{count:>6}  {code}  {name}{fixable}\n")
    };
    counts.into_iter().map(line).collect()
}
