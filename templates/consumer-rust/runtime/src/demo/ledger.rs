//! The ledger as it is printed.

use std::fmt::Write as _;

use super::column::{Column, Counts};
use super::{KILLED_AT, LOCK, MESSAGES};
use crate::contract::Contract;

/// What is said before.
pub(super) fn opening(contract: &Contract) -> String {
    let (words, seconds) = (&contract.demo, LOCK.as_secs());
    wrap(&format!(
        "{MESSAGES} {}, one worker, queue and store embedded. SIGKILL at the {KILLED_AT}th, {}. \
         Your {} lock runs as {seconds}s here.",
        words.messages, words.moment, words.lock
    ))
}

/// The table and the verdict, and whether the last column came out right.
pub(super) fn closing(contract: &Contract, columns: &[Column]) -> (String, bool) {
    let words = &contract.demo;
    let mut out = format!(
        "\n{:<19}{:>17}{:>18}{:>17}\n",
        "", "pop and forget", "ack, no dedupe", "this consumer"
    );
    let mut line = |label: &str, cells: [String; 3]| {
        let [first, second, third] = cells;
        let text = format!("{label:<19}{first:>17}{second:>18}{third:>17}");
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", text.trim_end());
    };
    let empty = || [String::new(), String::new(), String::new()];
    let cells = |of: fn(&Column) -> i128| -> [String; 3] {
        let mut cells = columns.iter().map(|column| of(column).to_string());
        [(); 3].map(|()| cells.next().unwrap_or_default())
    };
    line("at the kill", empty());
    line(
        "  processed",
        cells(|column| column.killed.processed.into()),
    );
    line("  queued", cells(|column| queued(&column.killed).into()));
    line(
        "  in flight",
        cells(|column| column.killed.depth.in_flight.into()),
    );
    if columns.iter().any(|column| column.killed.overlap > 0) {
        line("  in both", cells(|column| column.killed.overlap.into()));
    }
    line("  missing", cells(|column| column.killed.missing()));
    line("at the end", empty());
    line(
        "  deliveries",
        cells(|column| column.ended.depth.delivered.unwrap_or(0).into()),
    );
    if let Some(outside) = words.outside {
        line(
            &format!("  {outside}"),
            cells(|column| column.ended.outside.into()),
        );
    }
    line(
        &format!("  {}", words.recorded),
        cells(|column| column.ended.recorded.into()),
    );
    let (last, right) = columns
        .last()
        .map_or((String::new(), false), |column| verdict(contract, column));
    let [first, second, third] = words.verdicts;
    // Without its keys the last is what the second is.
    let third = if right { third } else { second };
    // A verdict is longer than a figure, and has no label beside it.
    let _ = writeln!(out, "{first:>36}{second:>18}{third:>17}");
    out.push('\n');
    out.push_str(&last);
    (out, right)
}

fn queued(counts: &Counts) -> u64 {
    counts.depth.ready + counts.depth.delayed
}

/// What the last column proves, or does not.
fn verdict(contract: &Contract, column: &Column) -> (String, bool) {
    let (mut out, ended) = (String::new(), &column.ended);
    if let Some(key) = &column.reconciled {
        let (who, what) = contract.demo.answered;
        let _ = writeln!(
            out,
            "{key} came back in_flight; {who} answered \"{what}\": recorded, not {} again.",
            contract.demo.again
        );
    }
    let missing = ended.missing();
    // The effect that happened too often or not at all speaks for the others.
    let outside = contract.demo.outside.map(|_| ended.outside);
    let effects = outside
        .filter(|count| *count != MESSAGES)
        .unwrap_or(ended.recorded);
    let surplus = i128::from(effects) - i128::from(MESSAGES);
    let difference = if missing == 0 { surplus } else { missing };
    let right = missing == 0 && surplus == 0;
    let sign = if surplus == 0 { "=" } else { "≠" };
    let _ = writeln!(
        out,
        "difference {difference} · effects {effects} {sign} messages {MESSAGES}"
    );
    (out, right)
}

/// Lines of at most 100 characters.
fn wrap(text: &str) -> String {
    let (mut out, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        if length > 0 && length + 1 + word.len() > 100 {
            out.push('\n');
            length = 0;
        } else if length > 0 {
            out.push(' ');
            length += 1;
        }
        out.push_str(word);
        length += word.len();
    }
    out.push('\n');
    out
}
