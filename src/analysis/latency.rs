//! How late messages are, and how soon somebody knows.

use crate::model::Contract;
use crate::resolve::Known;
use crate::units::Duration;

use super::capacity::Capacity;
use super::distribution::Distribution;

/// Estimated and promised latencies. A figure is `None` where it is not known or fits no distribution.
#[derive(Debug, Clone, Default)]
pub struct Latency {
    /// The time in which 95 % of messages are handled, without waiting.
    pub p95_service: Option<Duration>,
    /// Whether that was written, not estimated.
    pub p95_written: bool,
    /// The same with the wait for a free worker.
    pub p95_with_queueing: Option<Duration>,
    /// The objective.
    pub objective: Option<Known<Duration>>,
    /// The threshold of the alert.
    pub alert: Option<Known<Duration>>,
    /// How long the threshold must be exceeded.
    pub sustained: Option<Known<Duration>>,
    /// Threshold ÷ objective.
    pub alert_ratio: Option<f64>,
    /// How long after a full stall somebody is paged.
    pub detection: Option<Duration>,
}

impl Latency {
    /// The latencies of `contract`.
    pub fn new(contract: &Contract, capacity: &Capacity) -> Self {
        let duration = &contract.processing.duration;
        let distribution = Distribution::of(duration);
        let written = duration.p95.get().copied();
        let p95_service = written.or_else(|| distribution.map(Distribution::p95));
        let wait = distribution.and_then(|all| queueing(all, capacity));
        let objective = Known::written(&contract.slo.latency.p95);
        let alert = Known::written(&contract.slo.alert.above);
        let sustained = Known::written(&contract.slo.alert.r#for);
        Self {
            p95_service,
            p95_written: written.is_some(),
            p95_with_queueing: wait.and_then(|wait| Some(p95_service? + wait)),
            objective,
            alert,
            sustained,
            alert_ratio: alert.and_then(|alert| {
                Some(alert.value.ratio(objective?.value)).filter(|ratio| ratio.is_finite())
            }),
            detection: alert.map(|alert| alert.value + sustained.map_or(Duration::ZERO, |time| time.value)),
        }
    }
}

/// An estimate as it is shown: to two digits, since it is not better known.
pub fn rounded(estimate: Duration) -> Duration {
    let digits = estimate.as_secs_f64().log10().floor() - 1.0;
    if !digits.is_finite() || estimate >= Duration::from_secs(100) {
        return estimate.need();
    }
    let step = 10f64.powf(digits);
    Duration::from_secs_f64((estimate.as_secs_f64() / step).round() * step)
}

/// The time in which 95 % of messages find a free worker: Erlang C, with the spread of service times.
fn queueing(distribution: Distribution, capacity: &Capacity) -> Option<Duration> {
    let utilisation = capacity.utilisation.filter(|utilisation| *utilisation < 1.0)?;
    let (load, per_second) = (capacity.load?.value.per_second(), capacity.per_second?);
    let busy = erlang_c(capacity.workers, utilisation);
    let exponential = (busy / 0.05).ln().max(0.0) / (per_second - load);
    Some(Duration::from_secs_f64(exponential * (1.0 + distribution.variation()) / 2.0))
}

/// The probability that a message finds all workers busy.
fn erlang_c(workers: u32, utilisation: f64) -> f64 {
    let offered = utilisation * f64::from(workers);
    // Erlang B by its recurrence, which neither overflows nor loses precision.
    let blocked =
        (1..=workers).fold(1.0, |blocked, n| offered * blocked / (f64::from(n) + offered * blocked));
    blocked / (1.0 - utilisation * (1.0 - blocked))
}
