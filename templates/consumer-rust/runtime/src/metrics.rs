//! What Prometheus asks for at `/metrics`.
//!
//! Every counter is there from the start, at zero: a rate over a series that has just begun is nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::act::Outcome;
use crate::contract::Contract;
use crate::delivery::header;
use crate::intake::Taken;
use crate::time::Millis;

/// What this process has counted.
#[derive(Debug)]
pub struct Metrics {
    contract: Contract,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    attempts: u64,
    lock_lost: u64,
    settled: BTreeMap<&'static str, u64>,
    replayed: BTreeMap<&'static str, u64>,
    dead: u64,
    ages: Histogram,
    /// How long handling took, newest last; for `stats`.
    taken: Vec<Duration>,
    held: BTreeMap<u64, Instant>,
    reconciled: Option<String>,
}

#[derive(Debug, Default)]
struct Histogram {
    counts: Vec<u64>,
    sum: f64,
    total: u64,
}

/// So many durations are kept for `stats`.
const KEPT: usize = 10_000;

const OUTCOMES: [Outcome; 7] = [
    Outcome::Applied,
    Outcome::NoOp,
    Outcome::Reconciled,
    Outcome::Postponed,
    Outcome::Retried,
    Outcome::Dead,
    Outcome::Dropped,
];

impl Metrics {
    /// Nothing is counted yet.
    #[must_use]
    pub fn new(contract: Contract) -> Self {
        let mut counts = Counts::default();
        counts.settled = OUTCOMES.iter().map(|outcome| (outcome.word(), 0)).collect();
        counts.replayed = [("applied", 0), ("no-op", 0)].into();
        counts.ages.counts = vec![0; contract.age_buckets.len()];
        Self {
            contract,
            counts: Mutex::new(counts),
        }
    }

    /// A handler was begun.
    pub(crate) fn attempt(&self) {
        self.change(|counts| counts.attempts += 1);
    }

    /// A lock was lost while a handler ran.
    pub(crate) fn lock_lost(&self) {
        self.change(|counts| counts.lock_lost += 1);
    }

    /// A message was taken into hand; the number is for [`Self::put_down`].
    pub(crate) fn take_up(&self, number: u64) {
        self.change(|counts| {
            counts.held.insert(number, Instant::now());
        });
    }

    /// A message is no longer in hand.
    pub(crate) fn put_down(&self, number: u64) {
        self.change(|counts| {
            if let Some(since) = counts.held.remove(&number) {
                if counts.taken.len() >= KEPT {
                    counts.taken.remove(0);
                }
                counts.taken.push(since.elapsed());
            }
        });
    }

    /// A message was settled.
    pub(crate) fn settled<M>(&self, outcome: Outcome, taken: &Taken<M>) {
        let published = taken.delivery.published_at();
        let replayed = taken.delivery.headers.contains_key(header::REPLAY);
        let final_outcome = !matches!(outcome, Outcome::Postponed | Outcome::Retried);
        self.change(|counts| {
            *counts.settled.entry(outcome.word()).or_default() += 1;
            if outcome == Outcome::Reconciled {
                counts.reconciled = Some(taken.names.key.clone());
            }
            if outcome == Outcome::Dead {
                counts.dead += 1;
            }
            if let Some(published) = published.filter(|_| final_outcome) {
                let age = Millis::now().since(published).as_secs_f64();
                counts.ages.observe(age, self.contract.age_buckets);
            }
            if replayed && final_outcome {
                let applied = matches!(outcome, Outcome::Applied | Outcome::Reconciled);
                *counts
                    .replayed
                    .entry(if applied { "applied" } else { "no-op" })
                    .or_default() += 1;
            }
        });
    }

    /// The last key whose effect outside had happened in an attempt that died.
    #[must_use]
    pub fn last_reconciled(&self) -> Option<String> {
        let mut key = None;
        self.change(|counts| key.clone_from(&counts.reconciled));
        key
    }

    /// How long handling took, sorted.
    #[must_use]
    pub fn durations(&self) -> Vec<Duration> {
        let mut taken = Vec::new();
        self.change(|counts| taken.clone_from(&counts.taken));
        taken.sort_unstable();
        taken
    }

    /// Everything in the text format of Prometheus. Writing to a string cannot fail.
    #[must_use]
    pub fn text(&self) -> String {
        let contract = label(self.contract.name);
        let mut out = String::new();
        self.change(|counts| {
            let version = label(self.contract.version);
            let _ = writeln!(out, "# TYPE ackord_contract_info gauge");
            let _ = writeln!(
                out,
                "ackord_contract_info{{contract={contract},version={version}}} 1"
            );
            let mut counter = |name: &str, series: &BTreeMap<&str, u64>, key: &str| {
                let _ = writeln!(out, "# TYPE ackord_{name} counter");
                for (value, count) in series {
                    let more = if key.is_empty() {
                        String::new()
                    } else {
                        format!(",{key}={}", label(value))
                    };
                    let _ = writeln!(out, "ackord_{name}{{contract={contract}{more}}} {count}");
                }
            };
            counter("attempts_total", &[("", counts.attempts)].into(), "");
            counter("lock_lost_total", &[("", counts.lock_lost)].into(), "");
            counter("messages_settled_total", &counts.settled, "outcome");
            counter("replay_effects_total", &counts.replayed, "outcome");
            let held = counts
                .held
                .values()
                .min()
                .map_or(0.0, |since| since.elapsed().as_secs_f64());
            let _ = writeln!(out, "# TYPE ackord_oldest_held_seconds gauge");
            let _ = writeln!(
                out,
                "ackord_oldest_held_seconds{{contract={contract}}} {held}"
            );
            let _ = writeln!(out, "# TYPE ackord_in_flight gauge");
            let _ = writeln!(
                out,
                "ackord_in_flight{{contract={contract}}} {}",
                counts.held.len()
            );
            counts
                .ages
                .write(&mut out, &contract, self.contract.age_buckets);
        });
        out
    }

    /// Works on the counts. They stay usable if somebody else panicked meanwhile.
    fn change(&self, work: impl FnOnce(&mut Counts)) {
        work(
            &mut self
                .counts
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        );
    }
}

impl Histogram {
    fn observe(&mut self, value: f64, bounds: &[f64]) {
        self.sum += value;
        self.total += 1;
        for (count, bound) in self.counts.iter_mut().zip(bounds) {
            if value <= *bound {
                *count += 1;
            }
        }
    }

    fn write(&self, out: &mut String, contract: &str, bounds: &[f64]) {
        let name = "ackord_message_age_seconds";
        let _ = writeln!(out, "# TYPE {name} histogram");
        for (count, bound) in self.counts.iter().zip(bounds) {
            let _ = writeln!(
                out,
                "{name}_bucket{{contract={contract},le=\"{bound}\"}} {count}"
            );
        }
        let total = self.total;
        let _ = writeln!(
            out,
            "{name}_bucket{{contract={contract},le=\"+Inf\"}} {total}"
        );
        let _ = writeln!(out, "{name}_sum{{contract={contract}}} {}", self.sum);
        let _ = writeln!(out, "{name}_count{{contract={contract}}} {total}");
    }
}

/// The value of a label, quoted.
fn label(value: &str) -> String {
    format!(
        "\"{}\"",
        value
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    )
}
