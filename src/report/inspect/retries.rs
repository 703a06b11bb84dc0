//! The part of `inspect` about retries.

use crate::analysis::{Analysis, RetryingClass};
use crate::model::{Action, DeadLetterAlert, EffectKind, FailureClass, Failures, Then};
use crate::report::figures::{self, SECOND};

use super::table::Table;

/// So many retries have a column; of more the first ones and the last one are shown.
const MOST_COLUMNS: u64 = 8;
/// The least width of a column.
const COLUMN: usize = 10;
/// The blanks between two columns.
const GAP: usize = 4;

pub(super) fn rows(analysis: &Analysis<'_>, page: &mut Table) {
    let classes = &analysis.retries.classes;
    let Some(main) = classes.iter().max_by_key(|class| (class.retries(), class.name == "transient")) else {
        let none = match analysis.retries.redeliveries {
            Some(most) if most.value > 0 => {
                format!("no class retries; after crashes up to {} redeliveries", most.value)
            }
            Some(_) | None => "none".to_owned(),
        };
        page.head("RETRIES", &none, &[]);
        return;
    };
    page.head(
        "RETRIES",
        &format!("{}: {} deliveries, {}", main.name, main.retries() + 1, end(analysis, main)),
        &[],
    );
    columns(analysis, main, page);
    let mut others: Vec<String> = classes.iter().filter(|class| class.name != main.name).map(other).collect();
    others.extend(unretried(analysis));
    if !others.is_empty() {
        page.row_wide(&others.join(" | "));
    }
    let waits =
        analysis.retries.waits_to_dead_letter.map_or_else(|| "unknown".to_owned(), |waits| waits.to_string());
    let worst = match analysis.retries.worst_to_dead_letter {
        Some(worst) => {
            format!("{} at worst, if every delivery hangs until its lock runs out", worst.ceil_to(SECOND))
        }
        None => "at worst unknown".to_owned(),
    };
    page.row("to the DLQ", &format!("{waits} of waits; {worst}"), &[]);
}

/// What follows the last retry.
fn end(analysis: &Analysis<'_>, class: &RetryingClass) -> String {
    match class.then {
        Some(Then::DeadLetter) => {
            let queue = analysis.contract.dead_letter.queue.get();
            format!("then {}", queue.map_or("dead letters", |queue| queue.as_str()))
        }
        Some(Then::Drop) => "then dropped".to_owned(),
        None => "then nothing is said".to_owned(),
    }
}

fn columns(analysis: &Analysis<'_>, class: &RetryingClass, page: &mut Table) {
    let shown = figures::steps(analysis, class, MOST_COLUMNS);
    let mut lines = [String::new(), String::new(), String::new()];
    let last = shown.len().saturating_sub(1);
    for (at, step) in shown.into_iter().enumerate() {
        let cells = match step {
            None => ["…".to_owned(), "…".to_owned(), "…".to_owned()],
            Some(step) => [step.retry.to_string(), step.wait, step.elapsed],
        };
        let widest = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
        for (line, cell) in lines.iter_mut().zip(&cells) {
            line.push_str(cell);
            if at < last {
                let gap = COLUMN.max(widest + GAP) - cell.chars().count();
                line.extend(std::iter::repeat_n(' ', gap));
            }
        }
    }
    let [retry, waits, elapsed] = lines;
    page.row("retry", &retry, &[]);
    page.row("wait", &waits, &[]);
    page.row("elapsed", &elapsed, &[]);
}

/// `unknown: 4 deliveries, 14s-28s of waits`
fn other(class: &RetryingClass) -> String {
    let n = class.retries();
    let total = figures::total_wait(class, n);
    let end = match class.then {
        Some(Then::Drop) => ", then dropped",
        Some(Then::DeadLetter) | None => "",
    };
    format!("{}: {} deliveries, {total} of waits{end}", class.name, n + 1)
}

/// `poison: dead-letter at once`, `business: drop, logged`
fn unretried(analysis: &Analysis<'_>) -> Vec<String> {
    match analysis.contract.failures.get() {
        None => Vec::new(),
        Some(Failures::Standard) => {
            vec!["poison: dead-letter at once".to_owned(), "business: drop, logged".to_owned()]
        }
        Some(Failures::Mapping(classes)) => classes
            .iter()
            .filter_map(|entry| Some(format!("{}: {}", entry.name, answer(entry.value.get()?)?)))
            .collect(),
    }
}

fn answer(class: &FailureClass) -> Option<&'static str> {
    match class.action.get()? {
        Action::Retry => None,
        Action::DeadLetter => Some("dead-letter at once"),
        Action::Drop if class.log.get().is_some() => Some("drop, logged"),
        Action::Drop => Some("drop"),
    }
}

/// What an outage of something that the handler calls leads to.
pub(super) fn outage(analysis: &Analysis<'_>) -> Option<(String, String)> {
    let contract = analysis.contract;
    let classes = &analysis.retries.classes;
    let class = classes.iter().find(|class| class.name == "transient").or(classes.first())?;
    let n = class.retries();
    let effect = contract.effects().find(|(effect, _)| effect.kind.get() == Some(&EffectKind::External));
    let name = effect
        .and_then(|(effect, _)| effect.name.get())
        .map_or("outage", |name| name.as_str().split(['-', '_', '.']).next().unwrap_or("outage"));
    let name: String = name.chars().take(10).collect();
    let (low, high) = (class.waits.shortest_total(n), class.waits.longest_total(n));
    let outlast = format!("retries outlast {low} for certain, {high} at most");
    let load = analysis.capacity.load.map_or_else(|| "messages".to_owned(), |load| load.value.to_string());
    let then = match class.then {
        Some(Then::DeadLetter) => {
            let alert = match contract.dead_letter.alert.get() {
                Some(DeadLetterAlert::Any) => ", which pages at the first".to_owned(),
                Some(DeadLetterAlert::Mapping(at)) => at
                    .messages
                    .get()
                    .map_or_else(String::new, |messages| format!(", which pages at {messages}")),
                None => String::new(),
            };
            format!("; then {load} reach the DLQ{alert}")
        }
        Some(Then::Drop) => format!("; then {load} are dropped"),
        None => String::new(),
    };
    Some((name, format!("{outlast}{then}")))
}
