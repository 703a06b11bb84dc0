//! See `growing_dedupe_table.md`.

use crate::analysis::Analysis;
use crate::analysis::capacity::DEDUPE_ROW_BYTES;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{Strategy, Ttl};
use crate::rules::{Check, Rule};
use crate::units::{Duration, trim};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK217",
    "growing-dedupe-table",
    Level::Note,
    include_str!("growing_dedupe_table.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let idempotency = &contract.idempotency;
    let partitioned = idempotency.partitions.given() || idempotency.store.partitions.given();
    if !contract.at_least_once() || idempotency.strategy.get() != Some(&Strategy::DedupeTable) || partitioned
    {
        return;
    }
    let (Some(ttl), Some(load)) = (idempotency.ttl.get(), analysis.capacity.load) else { return };
    let rows = match ttl {
        Ttl::Scalar(_) => analysis.capacity.dedupe_rows,
        Ttl::Forever => Some(load.value.per_second() * YEAR.as_secs_f64()),
    };
    let limit = analysis.policy.dedupe_rows as f64;
    let Some(rows) = rows.filter(|rows| *rows >= limit) else { return };
    let (growth, of, time) = match ttl {
        Ttl::Scalar(ttl) => ("to ", "", analysis.written(*ttl, idempotency.ttl.span())),
        Ttl::Forever => ("without end, each year by ", " of a year", "365d".to_owned()),
    };
    let message = format!("the table of keys grows {growth}{}, about {}", millions(rows), bytes(rows));
    let note = format!(
        "rows{of} = {} × {time} = {}; a row takes about {DEDUPE_ROW_BYTES} bytes with its index",
        load.value,
        millions(rows)
    );
    out.push(
        Diagnostic::new(RULE.code, idempotency.ttl.span(), message)
            .at("keeps every key for this long")
            .label(load.span, "a key for each message")
            .note(note)
            .help(format!("add `partitions: 16` to `idempotency.store`: from {} on, expired keys are dropped by the partition", millions(limit))),
    );
}

/// A table that never forgets is judged by what a year adds.
const YEAR: Duration = Duration::from_secs(365 * 86_400);

fn millions(rows: f64) -> String {
    format!("{} million rows", trim((rows / 1e4).round() / 1e2))
}

fn bytes(rows: f64) -> String {
    format!("{} GB", trim((rows * DEDUPE_ROW_BYTES as f64 / 1e8).round() / 10.0))
}
