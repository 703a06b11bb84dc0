//! The page of `inspect`: a label, a derivation, and values in columns.

use crate::report::text::printable;
use crate::units::{Duration, trim};

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

/// `3,000`, `6.48 million`.
pub(super) fn count(value: f64) -> String {
    let two = |value: f64| {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if value >= 1e9 {
        return format!("{} billion", two(value / 1e9));
    }
    if value >= 1e6 {
        return format!("{} million", two(value / 1e6));
    }
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A factor with at most two decimals.
pub(super) fn figure(value: f64) -> String {
    trim((value * 100.0).round() / 100.0)
}

/// `12.5 %`
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let rounded =
        if percent < 0.1 { (percent * 1000.0).round() / 1000.0 } else { (percent * 10.0).round() / 10.0 };
    format!("{} %", trim(rounded))
}

/// A duration with two significant figures: an estimate.
pub(super) fn about(value: Duration) -> String {
    let seconds = value.as_secs_f64();
    if seconds <= 0.0 {
        return "0s".to_owned();
    }
    let digits = seconds.log10().floor() - 1.0;
    let step = 10f64.powf(digits);
    Duration::from_secs_f64((seconds / step).round() * step).to_string()
}
