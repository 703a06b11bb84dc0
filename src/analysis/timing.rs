//! How long a message is worked on, and how long it is held.

use crate::model::{Backoff, BackoffChoice, Broker, Contract, FailureClass, Failures, RenewedBy, Wait};
use crate::resolve::{Known, Prefetch, Resolved};
use crate::units::Duration;

use super::waits::Waits;

/// The times of one delivery. A time is `None` where a figure that it needs is not known.
#[derive(Debug, Clone, Default)]
pub struct Timing {
    /// The time in which 99 % of messages are handled.
    pub p99: Option<Known<Duration>>,
    /// The longest that one delivery is worked on.
    pub work: Option<Known<Duration>>,
    /// Whether `work` is a hard limit, or only holds if no handler hangs.
    pub work_is_limited: bool,
    /// The longest that a fetched message waits in the consumer for all that were fetched with it.
    pub buffer: Option<Duration>,
    /// The longest from fetch to settle.
    pub stay: Option<Duration>,
    /// The time after which a held message is delivered to another consumer.
    pub lock: Option<Known<Duration>>,
    /// Whether a timer of its own renews the lock.
    pub renewed: bool,
    /// How long a consumer that will never settle keeps a message.
    pub hold: Option<Duration>,
    /// The tries inside one delivery of the class that needs longest.
    pub in_process: Option<InProcess>,
    /// All tries that one lock must outlast: those, and the retries that wait in the consumer.
    pub under_lock: Option<InProcess>,
}

/// The tries inside one delivery.
#[derive(Debug, Clone, Copy)]
pub struct InProcess {
    /// How many tries there are, the first one included.
    pub tries: u64,
    /// The sum of the longest waits between them.
    pub waits: Duration,
    /// The place that asks for them.
    pub span: crate::source::Span,
}

impl InProcess {
    /// How long they take where each takes `p99`.
    fn time(self, p99: Duration) -> Duration {
        p99 * self.tries + self.waits
    }
}

/// A derived lock is at least so long.
const LEAST_LOCK: Duration = Duration::from_secs(30);

impl Timing {
    /// The times of `contract`.
    pub fn new(contract: &Contract, resolved: &Resolved) -> Self {
        let processing = &contract.processing;
        let p99 = Known::written(&processing.duration.p99);
        let limit = Known::written(&processing.handler_timeout);
        let in_process = longest(contract, tries_inside);
        let under_lock = longest(contract, tries_under_lock);
        let work = limit.or_else(|| {
            let p99 = p99?;
            let (tries, waits) = in_process.map_or((1, Duration::ZERO), |tries| (tries.tries, tries.waits));
            Some(Known { value: p99.value * tries + waits, ..p99 })
        });
        let buffer = buffer(contract, resolved, p99.map(|p99| p99.value));
        let window = processing.batch.window.get().copied().unwrap_or_default();
        let stay = match (buffer, p99, work) {
            (Some(buffer), Some(p99), Some(work)) => Some(window + buffer - p99.value + work.value),
            _ => None,
        };
        let lock = resolved.lock.or_else(|| {
            // Tries inside one delivery are part of `work`; retries that wait in the consumer are not.
            let waiting = under_lock.filter(|all| in_process.is_none_or(|inside| all.tries > inside.tries));
            let tries = waiting.zip(p99).map_or(Duration::ZERO, |(tries, p99)| tries.time(p99.value));
            let derived = stay?.max(tries).scale(1.5).max(LEAST_LOCK).ceil_to(Duration::from_secs(1));
            (!resolved.managed_elsewhere).then(|| Known::derived(derived))
        });
        let renewed = processing.lock.renewed.get() == Some(&true)
            && processing.lock.renewed_by.get() != Some(&RenewedBy::HandlerThread);
        let hold = match (lock, renewed) {
            (Some(lock), false) => Some(lock.value),
            (Some(lock), true) => work.map(|work| {
                let renewals =
                    processing.lock.renew_for.get().map_or(work.value, |most| work.value.min(*most));
                lock.value + renewals
            }),
            (None, _) => None,
        };
        Self {
            p99,
            work,
            work_is_limited: limit.is_some(),
            buffer,
            stay,
            lock,
            renewed,
            hold,
            in_process,
            under_lock,
        }
    }
}

fn buffer(contract: &Contract, resolved: &Resolved, p99: Option<Duration>) -> Option<Duration> {
    let Prefetch::Count(prefetch) = resolved.prefetch?.value else { return None };
    let concurrency = u64::from(resolved.concurrency.value.max(1));
    let batch = u64::from(contract.processing.batch.size.get().copied().unwrap_or(0));
    let fetched = match contract.broker.get() {
        // Service Bus fetches ahead of those that are already being handled.
        Some(Broker::ServiceBus(_)) => u64::from(prefetch) + concurrency,
        _ => u64::from(prefetch),
    };
    Some(p99? * fetched.max(batch).div_ceil(concurrency).max(1))
}

/// The tries of the class that needs longest.
fn longest(contract: &Contract, tries: fn(&FailureClass) -> Option<InProcess>) -> Option<InProcess> {
    let Some(Failures::Mapping(classes)) = contract.failures.get() else { return None };
    let p99 = contract.processing.duration.p99.get().copied().unwrap_or_default();
    classes.iter().filter_map(|entry| tries(entry.value.get()?)).max_by_key(|tries| tries.time(p99))
}

fn tries_inside(class: &FailureClass) -> Option<InProcess> {
    let retries = *class.in_process.max_retries.get()?;
    let span = class.in_process.max_retries.span();
    let waits = class.in_process.backoff.get().map_or(Duration::ZERO, |backoff: &Backoff| {
        Waits::of(backoff, u64::from(retries)).longest_total(u64::from(retries))
    });
    Some(InProcess { tries: u64::from(retries) + 1, waits, span })
}

/// The tries inside each delivery, and the deliveries themselves where a retry waits in the consumer.
fn tries_under_lock(class: &FailureClass) -> Option<InProcess> {
    let inside = tries_inside(class);
    let (true, Some(retries)) = (class.wait.get() == Some(&Wait::InProcess), class.max_retries.get()) else {
        return inside;
    };
    let each =
        inside.unwrap_or(InProcess { tries: 1, waits: Duration::ZERO, span: class.max_retries.span() });
    let n = u64::from(*retries);
    let between = match class.backoff.get() {
        Some(BackoffChoice::Mapping(backoff)) => Waits::of(backoff, n).longest_total(n),
        Some(BackoffChoice::LockExpiry) | None => Duration::ZERO,
    };
    Some(InProcess { tries: each.tries.saturating_mul(n + 1), waits: each.waits * (n + 1) + between, ..each })
}
