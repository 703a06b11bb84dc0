//! How much work comes, how much can be done, and what a bad day costs.

use crate::model::{Contract, Ttl};
use crate::resolve::{Known, Resolved};
use crate::units::{Duration, Rate};

use super::distribution::Distribution;
use super::retries::Retries;

/// Load against capacity. A figure is `None` where something that it needs is not known.
#[derive(Debug, Clone, Default)]
pub struct Capacity {
    /// How many messages are handled at once.
    pub workers: u32,
    /// The mean time of handling one message: as written, or from p50 and p99.
    pub mean: Option<Known<Duration>>,
    /// How many messages all workers can handle each second.
    pub per_second: Option<f64>,
    /// The load that counts for bounds: steady, else peak.
    pub load: Option<Known<Rate>>,
    /// Load ÷ capacity.
    pub utilisation: Option<f64>,
    /// Peak load ÷ capacity.
    pub utilisation_peak: Option<f64>,
    /// How many rows the dedupe table grows to.
    pub dedupe_rows: Option<f64>,
    /// The outage that is looked at.
    pub outage: Duration,
    /// The messages that wait after the outage.
    pub backlog: Option<f64>,
    /// How long it takes to handle them beside the load.
    pub drain: Option<Duration>,
    /// The messages of a replay.
    pub replay_messages: Option<f64>,
    /// How long the replay takes beside the load.
    pub replay: Option<Duration>,
}

/// The outage that `inspect` shows where the contract names none.
const USUAL_OUTAGE: Duration = Duration::from_secs(600);

/// About what one row of a dedupe table takes on disk: the row, its key of 40 characters, and the index.
pub const DEDUPE_ROW_BYTES: u64 = 200;

impl Capacity {
    /// The capacity behind `contract`.
    pub fn new(contract: &Contract, resolved: &Resolved, _retries: &Retries) -> Self {
        let processing = &contract.processing;
        let all = resolved.consumers.value.saturating_mul(resolved.concurrency.value);
        let workers = resolved.partitions.map_or(all, |partitions| all.min(partitions.value));
        let written = Known::written(&processing.duration.mean);
        let estimated = Distribution::of(&processing.duration).map(Distribution::mean_seconds);
        let mean = written.or(estimated.map(|mean| Known::derived(Duration::from_secs_f64(mean))));
        let mean_seconds = written.map(|mean| mean.value.as_secs_f64()).or(estimated);
        let per_second = mean_seconds.map(|mean| f64::from(workers) / mean).filter(|rate| rate.is_finite());
        let steady = Known::written(&processing.load.steady);
        let peak = Known::written(&processing.load.peak);
        let load = steady.or(peak);
        let share = |rate: Option<Known<Rate>>| {
            Some(rate?.value.per_second() / per_second?).filter(|x| x.is_finite())
        };
        let outage = contract.outage.get().copied().unwrap_or(USUAL_OUTAGE);
        let messages =
            |time: Duration| Some((load?.value.per_second() * time.as_secs_f64() - 1e-9).ceil().max(0.0));
        let catch_up = |time: Duration| {
            let (load, capacity) = (load?.value.per_second(), per_second?);
            (load < capacity).then(|| Duration::from_secs_f64(load * time.as_secs_f64() / (capacity - load)))
        };
        let window = contract.replay.window.get().copied();
        Self {
            workers,
            mean,
            per_second,
            load,
            utilisation: share(load),
            utilisation_peak: share(peak),
            dedupe_rows: dedupe_rows(contract, load),
            outage,
            backlog: messages(outage),
            drain: catch_up(outage),
            replay_messages: window.and_then(messages),
            replay: window.and_then(catch_up),
        }
    }

    /// How many messages each second can be handled beside the load: what a redrive or a replay may use.
    pub fn spare(&self) -> Option<f64> {
        Some((self.per_second? - self.load?.value.per_second()).max(0.0))
    }

    /// Whether the load is known to be at least the capacity.
    pub fn overloaded(&self) -> bool {
        self.utilisation.is_some_and(|utilisation| utilisation >= 1.0)
    }
}

fn dedupe_rows(contract: &Contract, load: Option<Known<Rate>>) -> Option<f64> {
    if contract.idempotency.strategy.get() != Some(&crate::model::Strategy::DedupeTable) {
        return None;
    }
    match contract.idempotency.ttl.get()? {
        Ttl::Forever => None,
        Ttl::Scalar(ttl) => Some((load?.value.per_second() * ttl.as_secs_f64()).round()),
    }
}
