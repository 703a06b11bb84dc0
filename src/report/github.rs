//! `github`: workflow commands, which a GitHub runner turns into annotations of the pull request.

use super::summary::{Counts, plural};
use super::text::{clipped, printable};
use super::{FINDING_LIMIT, place};
use crate::diagnostic::{Diagnostic, Level};
use crate::lint::Report;
use crate::rules;
use crate::source::Sources;

/// How many annotations of one level GitHub keeps of a step, by
/// <https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md>.
const KEPT: usize = 10;

// The most bytes of a name and of a line of the message, before the escapes.
const NAME: usize = 512;
const LINE: usize = 512;

/// The findings of `report`.
pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        out.push_str(&command(&report.sources, finding));
    }
    out.push_str(&cut(report).unwrap_or_default());
    out
}

fn command(sources: &Sources, finding: &Diagnostic) -> String {
    let level = finding.level.unwrap_or(Level::Error);
    let span = finding.primary.span;
    let place::Extent { start, end } = place::extent(sources, span);
    let mut properties = Vec::new();
    let name = clipped(sources.name(span), NAME);
    if !name.is_empty() {
        properties.push(("file", name));
        properties.push(("line", start.line.to_string()));
        properties.push(("endLine", end.line.to_string()));
        // A column of another line than the first makes GitHub drop the annotation.
        if start.line == end.line {
            properties.push(("col", start.column.to_string()));
            properties.push(("endColumn", end.column.to_string()));
        }
    }
    let name = rules::find(finding.code.0).map(|rule| format!(" {}", rule.name)).unwrap_or_default();
    properties.push(("title", format!("{}{name}", finding.code)));
    let properties: Vec<String> =
        properties.into_iter().map(|(key, value)| format!("{key}={}", property(&value))).collect();
    let head = format!("::{} {}::", word(level), properties.join(","));
    let room = FINDING_LIMIT.saturating_sub(head.len() + 1);
    format!("{head}{}\n", message(finding, room))
}

/// The message with its derivation and help, escaped, in at most `room` bytes.
fn message(finding: &Diagnostic, room: usize) -> String {
    let notes = finding.notes.iter().map(|note| clipped(note, LINE));
    let help = finding.help.iter().map(|help| format!("help: {}", clipped(help, LINE)));
    let mut out = data(&clipped(&finding.message, LINE));
    let lines: Vec<String> = help.chain(notes).collect();
    let mut left = lines.len();
    for line in &lines {
        let line = data(&format!("\n{line}"));
        let more = data(&format!("\n… {left} more"));
        if out.len() + line.len() + more.len() > room {
            out.push_str(&more);
            break;
        }
        out.push_str(&line);
        left -= 1;
    }
    out
}

/// The line that says how many annotations GitHub will not show, if any.
///
/// It is of a level that still has room, else it would be among those not shown.
fn cut(report: &Report) -> Option<String> {
    let Counts { errors, warnings, notes, .. } = Counts::of(report);
    let dropped: usize = [errors, warnings, notes].map(|count| count.saturating_sub(KEPT)).iter().sum();
    if dropped == 0 {
        return None;
    }
    let command = if notes >= KEPT && warnings < KEPT { "warning" } else { "notice" };
    let text = format!(
        "GitHub shows {KEPT} annotations of a level and leaves out {} of this run; \
         `--output sarif=FILE` and an upload to code scanning show all",
        plural(dropped, "finding")
    );
    Some(format!("::{command} title=ackord::{}\n", data(&printable(&text))))
}

/// The command that annotates at `level`.
fn word(level: Level) -> &'static str {
    match level {
        Level::Note => "notice",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

/// Text as the data of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text as the value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
