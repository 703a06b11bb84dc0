//! `concise`: `path:line:column: level[code] message`, a line each, as editors read it.

use super::paint::Paint;
use super::text::clipped;
use super::{Options, place};
use crate::diagnostic::Level;
use crate::lint::Report;

// Together, and with the figures between them, below `FINDING_LIMIT`.
const NAME: usize = 1024;
const MESSAGE: usize = 2048;

/// The findings of `report`.
pub(super) fn render(report: &Report, options: &Options) -> String {
    let mut paint = Paint::new(options.color);
    for finding in &report.findings {
        let span = finding.primary.span;
        let at = place::extent(&report.sources, span).start;
        let name = clipped(report.sources.name(span), NAME);
        let level = finding.level.unwrap_or(Level::Error);
        paint.text(&format!("{name}:{}:{}: ", at.line, at.column));
        paint.head(level, &format!("{}[{}]", level.word(), finding.code));
        paint.text(&format!(" {}\n", clipped(&finding.message, MESSAGE)));
    }
    paint.finish()
}
