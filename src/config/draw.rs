//! Draws what is wrong with a configuration at its place.

use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term;
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};

use super::Problem;
use crate::report::text::printable;

/// Lines longer than this are no configuration that a person wrote; they are named, not shown.
const LONGEST_LINE: usize = 300;

/// All problems of the file `name`, each with the line that it is about.
pub fn draw(name: &str, text: &str, problems: &[Problem], color: bool) -> String {
    let bytes = if color {
        drawn(Ansi::new(Vec::new()), name, text, problems).map(Ansi::into_inner)
    } else {
        drawn(NoColor::new(Vec::new()), name, text, problems).map(NoColor::into_inner)
    };
    match bytes {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        // Drawing into memory fails only on a place outside the text; the words still help.
        Err(_) => {
            problems.iter().map(|problem| format!("error: {}\n", printable(&problem.message))).collect()
        }
    }
}

fn drawn<W: WriteColor>(
    mut to: W,
    name: &str,
    text: &str,
    problems: &[Problem],
) -> Result<W, codespan_reporting::files::Error> {
    let file = SimpleFile::new(printable(name), harmless(text));
    let config = term::Config { start_context_lines: 1, ..term::Config::default() };
    for problem in problems {
        let mut diagnostic = Diagnostic::error().with_message(printable(&problem.message));
        // A place that goes on for lines (a whole table) is pointed at where it starts.
        let (line, number) = line_at(text, problem.place.start);
        if line.len() > LONGEST_LINE {
            diagnostic = diagnostic.with_note(format!("line {number} of {}", file.name()));
        } else {
            let end = problem.place.end.min(line.end).max(problem.place.start);
            diagnostic = diagnostic.with_label(Label::primary((), problem.place.start..end));
        }
        if let Some(help) = &problem.help {
            diagnostic = diagnostic.with_note(format!("help: {}", printable(help)));
        }
        term::emit_to_write_style(&mut to, &config, &file, &diagnostic)?;
    }
    Ok(to)
}

/// The bytes of the line that `at` stands in, without its end, and its number from 1.
fn line_at(text: &str, at: usize) -> (Range<usize>, usize) {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let length = text.get(start..).unwrap_or_default().find('\n');
    let end = length.map_or(text.len(), |length| start + length);
    (start..end, before.matches('\n').count() + 1)
}

/// The text with as many bytes, but without characters that steer a terminal.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        let steers = printable(letter.encode_utf8(&mut [0; 4])).chars().ne(std::iter::once(letter));
        match letter {
            '\n' => out.push('\n'),
            '\t' | '\r' => out.push(' '),
            _ if steers => out.push_str(&"?".repeat(letter.len_utf8())),
            _ => out.push(letter),
        }
    }
    out
}
