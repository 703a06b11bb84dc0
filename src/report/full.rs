//! `full`: the quoted lines with labels under them, the derivation, the help.

use codespan_reporting::diagnostic::{LabelStyle, Severity};
use codespan_reporting::files::Error;
use codespan_reporting::term::{Config, Renderer};

use super::paint::{Paint, severity};
use super::text::clipped;
use super::window::Window;
use super::{FINDING_LIMIT, Options, place};
use crate::diagnostic::{Diagnostic, Label, Level};
use crate::lint::Report;
use crate::source::{FileId, Location, SourceFile, Sources};

/// The most labels beside the primary one, and the most notes, that are shown of a finding.
const MOST: usize = 24;

// The most bytes of each text. With all of them used up and neither label nor note left, a finding
// stays below `FINDING_LIMIT`.
const NAME: usize = 512;
const MESSAGE: usize = 1024;
const LABEL: usize = 256;
const NOTE: usize = 512;

/// The findings of `report`.
pub(super) fn render(report: &Report, options: &Options) -> String {
    let config = Config::default();
    let mut paint = Paint::new(options.color);
    for finding in &report.findings {
        let mut kept = Kept::of(finding);
        let mark = paint.mark();
        loop {
            // Writing to memory does not fail, and every range was made to fit its text.
            let _ = draw(&mut paint, &config, &report.sources, finding, kept);
            if paint.since(mark) <= FINDING_LIMIT || !kept.shrink() {
                break;
            }
            paint.back_to(mark);
        }
    }
    paint.finish()
}

/// How many of a finding's further labels and of its notes are shown.
#[derive(Debug, Clone, Copy)]
struct Kept {
    labels: usize,
    notes: usize,
}

impl Kept {
    fn of(finding: &Diagnostic) -> Self {
        Self { labels: finding.labels.len().min(MOST), notes: finding.notes.len().min(MOST) }
    }

    /// Gives up the last of the longer list; false where nothing is left to give up.
    fn shrink(&mut self) -> bool {
        if self.labels == 0 && self.notes == 0 {
            return false;
        }
        let list = if self.labels > self.notes { &mut self.labels } else { &mut self.notes };
        *list -= 1;
        true
    }
}

/// The lines of one source that are shown, in their order.
struct Quote<'a> {
    id: FileId,
    file: &'a SourceFile,
    /// Where the first label that names the source stands.
    at: Location,
    marks: Vec<Mark>,
}

/// A label on a line, as bytes of the source; a label over several lines stands on its first.
struct Mark {
    line: usize,
    start: usize,
    end: usize,
    style: LabelStyle,
    text: String,
}

fn draw(
    paint: &mut Paint,
    config: &Config,
    sources: &Sources,
    finding: &Diagnostic,
    kept: Kept,
) -> Result<(), Error> {
    let level = finding.level.unwrap_or(Level::Error);
    let message = clipped(&finding.message, MESSAGE);
    let quotes = quotes(sources, finding, kept.labels);
    let last_line = quotes.iter().flat_map(|quote| &quote.marks).map(|mark| mark.line + 1).max();
    let padding = last_line.map_or(0, |line| line.to_string().len());
    Renderer::new(paint, config).render_header(None, severity(level), Some(finding.code.0), &message)?;
    for quote in &quotes {
        quote.draw(paint, config, padding, severity(level))?;
    }

    let left_out =
        [(finding.notes.len() - kept.notes, "note"), (finding.labels.len() - kept.labels, "place")];
    let more = left_out.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| {
        let plural = if count == 1 { "" } else { "s" };
        format!("… {count} more {what}{plural}")
    });
    let notes = finding.notes.iter().take(kept.notes).map(|note| clipped(note, NOTE));
    let notes: Vec<String> = notes.chain(more).collect();
    let help = finding.help.as_ref().map(|help| format!("help: {}", clipped(help, NOTE)));
    let quoted = quotes.last().is_some_and(|quote| !quote.is_blank());
    if quoted && (!notes.is_empty() || help.is_some()) {
        Renderer::new(paint, config).render_snippet_empty(padding, severity(level), 0, &[])?;
    }
    let indent = " ".repeat(padding + 1);
    for note in &notes {
        bullet(paint, &indent);
        paint.dim(note);
        paint.text("\n");
    }
    if let Some(help) = &help {
        bullet(paint, &indent);
        paint.text(help);
        paint.text("\n");
    }
    paint.text("\n");
    Ok(())
}

fn bullet(paint: &mut Paint, indent: &str) {
    paint.text(indent);
    paint.frame("=");
    paint.text(" ");
}

/// The places of a finding by source: that of the primary label first, the others as they come.
fn quotes<'a>(sources: &'a Sources, finding: &Diagnostic, labels: usize) -> Vec<Quote<'a>> {
    let mut quotes: Vec<Quote<'a>> = Vec::new();
    let primary = std::iter::once((&finding.primary, LabelStyle::Primary));
    let others = finding.labels.iter().take(labels).map(|label| (label, LabelStyle::Secondary));
    for (Label { span, text }, style) in primary.chain(others) {
        let Some(file) = sources.get(span.file) else { continue };
        let span = place::within(sources, *span);
        let line = file.line_of(span.start);
        let range = file.line_range(line);
        let start = span.start as usize;
        let end = (span.end as usize).min(range.end).max(start);
        let mark = Mark { line, start, end, style, text: clipped(text, LABEL) };
        match quotes.iter_mut().find(|quote| quote.id == span.file) {
            Some(quote) => quote.marks.push(mark),
            None => {
                let at = sources.locate(span.file, span.start);
                quotes.push(Quote { id: span.file, file, at, marks: vec![mark] });
            }
        }
    }
    for quote in &mut quotes {
        quote.marks.sort_by_key(|mark| (mark.line, mark.start, mark.end));
    }
    quotes
}

impl Quote<'_> {
    /// Whether there is nothing to quote, as of a file that could not be read as text.
    fn is_blank(&self) -> bool {
        self.file.text.is_empty()
    }

    fn draw(
        &self,
        paint: &mut Paint,
        config: &Config,
        padding: usize,
        severity: Severity,
    ) -> Result<(), Error> {
        paint.text(&" ".repeat(padding + 1));
        paint.frame(&config.chars.snippet_start);
        let name = clipped(&self.file.name, NAME);
        paint.text(&format!(" {name}:{}:{}\n", self.at.line, self.at.column));
        if self.is_blank() {
            return Ok(());
        }
        let mut renderer = Renderer::new(paint, config);
        renderer.render_snippet_empty(padding, severity, 0, &[])?;
        let mut previous: Option<usize> = None;
        for marks in self.marks.chunk_by(|one, other| one.line == other.line) {
            let Some(first) = marks.first() else { continue };
            if previous.is_some_and(|line| line + 1 < first.line) {
                renderer.render_snippet_break(padding, severity, 0, &[])?;
            }
            previous = Some(first.line);
            let range = self.file.line_range(first.line);
            let line = self.file.text.get(range.clone()).unwrap_or("");
            let focus = marks.iter().find(|mark| mark.style == LabelStyle::Primary).unwrap_or(first);
            let in_line = |mark: &Mark| {
                let clamp = |offset: usize| offset.saturating_sub(range.start).min(line.len());
                clamp(mark.start)..clamp(mark.end)
            };
            let window = Window::around(line, in_line(focus));
            let labels: Vec<_> = marks
                .iter()
                .map(|mark| (mark.style, window.place(in_line(mark)), mark.text.as_str()))
                .collect();
            renderer.render_snippet_source(
                padding,
                first.line + 1,
                &window.text,
                severity,
                &labels,
                0,
                &[],
            )?;
        }
        Ok(())
    }
}
