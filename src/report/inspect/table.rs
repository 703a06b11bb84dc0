//! The page of `inspect`: a label, a derivation, and values in columns.

use crate::report::text::printable;

/// Where the derivation begins.
const DERIVATION: usize = 14;
/// Where the first value begins.
const VALUE: usize = 70;
/// How wide a value is that another one follows.
const COLUMN: usize = 14;

/// A page that is written line by line.
pub(super) struct Table {
    out: String,
    color: bool,
}

impl Table {
    pub(super) fn new(color: bool) -> Self {
        Self { out: String::new(), color }
    }

    /// A line of its own.
    pub(super) fn line(&mut self, text: &str) {
        self.push(&printable(text));
    }

    /// An empty line.
    pub(super) fn blank(&mut self) {
        self.push("");
    }

    /// The first line of a section.
    pub(super) fn head(&mut self, label: &str, text: &str, columns: &[&str]) {
        let mut line = pad(&self.style("1", label), label, DERIVATION);
        let text = printable(text);
        line.push_str(&text);
        self.columns(line, DERIVATION + width(&text), columns, false);
    }

    /// A line below it: what it is, where it comes from, what it is worth.
    pub(super) fn row(&mut self, label: &str, derivation: &str, values: &[&str]) {
        let label = printable(label);
        let derivation = printable(derivation);
        let mut line = pad(&format!("  {label}"), &format!("  {label}"), DERIVATION);
        let dim = if values.is_empty() { derivation.clone() } else { self.style("2", &derivation) };
        line.push_str(&dim);
        self.columns(line, DERIVATION + width(&derivation), values, true);
    }

    /// A line below it that needs no label.
    pub(super) fn row_wide(&mut self, text: &str) {
        self.push(&format!("  {}", printable(text)));
    }

    /// Values behind a text that ends at `at`.
    fn columns(&mut self, mut line: String, mut at: usize, values: &[&str], bold: bool) {
        let mut next = VALUE;
        for value in values.iter().filter(|value| !value.is_empty()) {
            // A derivation that is too long pushes the values on instead of being cut.
            let gap = next.saturating_sub(at).max(2);
            line.extend(std::iter::repeat_n(' ', gap));
            let value = printable(value);
            line.push_str(&if bold { self.style("1", &value) } else { value.clone() });
            at += gap + width(&value);
            next = (next + COLUMN).max(at + 2);
        }
        self.push(&line);
    }

    fn push(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn style(&self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }
}

/// `text` with blanks up to `column`, counted by what it shows.
fn pad(text: &str, shown: &str, column: usize) -> String {
    let gap = column.saturating_sub(width(shown)).max(1);
    format!("{text}{}", " ".repeat(gap))
}

fn width(text: &str) -> usize {
    text.chars().count()
}
