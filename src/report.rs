//! STUB: dropped when the `report` branch lands. Only what `cli` calls, in the agreed shape.

use crate::diagnostic::Level;
use crate::lint::Report;

/// The formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Source with labels.
    Full,
    /// A line each.
    Concise,
    /// One JSON document.
    Json,
    /// A JSON object a line.
    Jsonl,
    /// Workflow commands.
    Github,
    /// SARIF 2.1.0.
    Sarif,
}

/// How it is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whether colours are used.
    pub color: bool,
}

/// STUB.
pub fn render(_format: Format, report: &Report, _options: &Options) -> String {
    let line = |finding: &crate::diagnostic::Diagnostic| {
        let place = report.sources.locate(finding.primary.span.file, finding.primary.span.start);
        let name = text::printable(report.sources.name(finding.primary.span));
        format!(
            "{name}:{}:{}: [{}] {}\n",
            place.line,
            place.column,
            finding.code,
            text::printable(&finding.message)
        )
    };
    report.findings.iter().map(line).collect()
}

/// STUB.
pub fn summary(report: &Report) -> String {
    let errors = report.count(Level::Error);
    format!("checked {} contracts: {errors} errors", report.contracts)
}

/// STUB.
pub mod text {
    /// Text of a user as it may stand on a terminal.
    pub fn printable(text: &str) -> String {
        text.chars()
            .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
            .collect()
    }
}

/// STUB.
pub mod failure {
    struct Plain;

    impl miette::ReportHandler for Plain {
        fn debug(&self, error: &dyn miette::Diagnostic, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "error: {error}")?;
            let mut cause = error.source();
            while let Some(error) = cause {
                write!(f, "\n  cause: {error}")?;
                cause = error.source();
            }
            error.help().map_or(Ok(()), |help| write!(f, "\n  help: {help}"))
        }
    }

    /// STUB.
    pub fn install() {
        let _ = miette::set_hook(Box::new(|_| Box::new(Plain)));
    }
}
