//! Draws what is wrong with a configuration at its place.

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
        diagnostic = diagnostic.with_label(Label::primary((), problem.place.clone()));
        if let Some(help) = &problem.help {
            diagnostic = diagnostic.with_note(format!("help: {}", printable(help)));
        }
        term::emit_to_write_style(&mut to, &config, &file, &diagnostic)?;
    }
    Ok(to)
}

/// The text with as many bytes, but without characters that steer a terminal and without endless lines.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.len() > LONGEST_LINE {
            let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
            out.push_str(&" ".repeat(body.len()));
            out.push_str(end);
            continue;
        }
        for letter in line.chars() {
            let steers = printable(letter.encode_utf8(&mut [0; 4])).chars().ne(std::iter::once(letter));
            match letter {
                '\n' => out.push('\n'),
                '\t' | '\r' => out.push(' '),
                _ if steers => out.push_str(&"?".repeat(letter.len_utf8())),
                _ => out.push(letter),
            }
        }
    }
    out
}
