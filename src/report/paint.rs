//! Text with colour, as the renderer of snippets writes it.

use std::io;

use codespan_reporting::diagnostic::{LabelStyle, Severity};
use codespan_reporting::term::{GeneralWriteResult, WriteStyle};

use crate::diagnostic::Level;

/// A buffer that colours what is written to it, where colour is wanted.
#[derive(Debug)]
pub(super) struct Paint {
    bytes: Vec<u8>,
    color: bool,
    /// How many of the bytes are colour.
    colored: usize,
}

/// A state of a [`Paint`] to which it can go back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    bytes: usize,
    colored: usize,
}

impl Paint {
    pub fn new(color: bool) -> Self {
        Self { bytes: Vec::new(), color, colored: 0 }
    }

    /// Writes plain text.
    pub fn text(&mut self, text: &str) {
        // Writing to memory cannot fail.
        let _ = io::Write::write_all(self, text.as_bytes());
    }

    /// Writes `text` as the derivation: there for those who want it.
    pub fn dim(&mut self, text: &str) {
        self.sgr("\x1b[0;2m");
        self.text(text);
        self.sgr("\x1b[0m");
    }

    /// Writes `text` as the first thing to be seen of a finding.
    pub fn head(&mut self, level: Level, text: &str) {
        self.sgr(header(severity(level)));
        self.text(text);
        self.sgr("\x1b[0m");
    }

    /// Writes `text` as a part of the frame.
    pub fn frame(&mut self, text: &str) {
        self.sgr(FRAME);
        self.text(text);
        self.sgr("\x1b[0m");
    }

    pub fn mark(&self) -> Mark {
        Mark { bytes: self.bytes.len(), colored: self.colored }
    }

    /// How many bytes were written since `mark`, colour not counted.
    pub fn since(&self, mark: Mark) -> usize {
        (self.bytes.len() - mark.bytes).saturating_sub(self.colored - mark.colored)
    }

    pub fn back_to(&mut self, mark: Mark) {
        self.bytes.truncate(mark.bytes);
        self.colored = mark.colored;
    }

    pub fn finish(self) -> String {
        // Only whole strings were written.
        String::from_utf8(self.bytes).unwrap_or_default()
    }

    fn sgr(&mut self, sequence: &str) {
        if self.color {
            self.bytes.extend_from_slice(sequence.as_bytes());
            self.colored += sequence.len();
        }
    }

    /// Ends a line; blanks at its end are noise in a log and in a test.
    fn end_line(&mut self) {
        while self.bytes.last() == Some(&b' ') {
            self.bytes.pop();
        }
        self.bytes.push(b'\n');
    }
}

/// What the renderer calls a level.
pub(super) fn severity(level: Level) -> Severity {
    match level {
        Level::Error => Severity::Error,
        Level::Warning => Severity::Warning,
        Level::Note => Severity::Note,
    }
}

const FRAME: &str = "\x1b[0;34m";

fn header(severity: Severity) -> &'static str {
    match severity {
        Severity::Bug | Severity::Error => "\x1b[0;1;31m",
        Severity::Warning => "\x1b[0;1;33m",
        Severity::Note | Severity::Help => "\x1b[0;1;34m",
    }
}

fn primary(severity: Severity) -> &'static str {
    match severity {
        Severity::Bug | Severity::Error => "\x1b[0;31m",
        Severity::Warning => "\x1b[0;33m",
        Severity::Note | Severity::Help => "\x1b[0;34m",
    }
}

impl io::Write for Paint {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The renderer writes a character at a time.
        if !bytes.contains(&b'\n') {
            self.bytes.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match line.split_last() {
                Some((b'\n', line)) => {
                    self.bytes.extend_from_slice(line);
                    self.end_line();
                }
                _ => self.bytes.extend_from_slice(line),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl WriteStyle for Paint {
    fn set_header(&mut self, severity: Severity) -> GeneralWriteResult {
        self.sgr(header(severity));
        Ok(())
    }

    fn set_header_message(&mut self) -> GeneralWriteResult {
        self.sgr("\x1b[0;1m");
        Ok(())
    }

    fn set_line_number(&mut self) -> GeneralWriteResult {
        self.sgr(FRAME);
        Ok(())
    }

    fn set_note_bullet(&mut self) -> GeneralWriteResult {
        self.sgr(FRAME);
        Ok(())
    }

    fn set_source_border(&mut self) -> GeneralWriteResult {
        self.sgr(FRAME);
        Ok(())
    }

    fn set_label(&mut self, severity: Severity, style: LabelStyle) -> GeneralWriteResult {
        self.sgr(match style {
            LabelStyle::Primary => primary(severity),
            LabelStyle::Secondary => FRAME,
        });
        Ok(())
    }

    fn reset(&mut self) -> GeneralWriteResult {
        self.sgr("\x1b[0m");
        Ok(())
    }
}
