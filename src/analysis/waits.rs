//! How long retries wait: the formula or the steps of a backoff, and what jitter makes of them.

use crate::model::{Backoff, Jitter};
use crate::resolve::{Known, Origin};
use crate::source::Span;
use crate::units::Duration;

/// Waits grow to their cap within so many steps; what comes later is taken to be the cap.
pub(super) const STEPS: u64 = 10_000;

/// The waits of one backoff.
#[derive(Debug, Clone)]
pub struct Waits {
    /// The first wait.
    initial: Duration,
    factor: f64,
    cap: Option<Known<Duration>>,
    jitter: Jitter,
    steps: Vec<Known<Duration>>,
    /// A wait that ends when the lock does; all others do not count then.
    lock_expiry: Option<Duration>,
    /// The wait that the formula reaches with the last retry, which is the cap where none is written.
    last: Duration,
}

impl Waits {
    /// No wait at all.
    pub(super) fn none() -> Self {
        Self {
            initial: Duration::ZERO,
            factor: 1.0,
            cap: None,
            jitter: Jitter::None,
            steps: Vec::new(),
            lock_expiry: None,
            last: Duration::ZERO,
        }
    }

    /// The waits of `failures: standard`, which stands at `span`: 1s doubling to 5m, 50 % more or less.
    pub(super) fn standard(span: Span) -> Self {
        let cap = Duration::from_secs(300);
        Self {
            initial: Duration::from_secs(1),
            factor: 2.0,
            cap: Some(Known { value: cap, span, origin: Origin::Derived }),
            jitter: Jitter::Share(0.5),
            last: cap,
            ..Self::none()
        }
    }

    /// The waits of `backoff` for `retries` retries.
    pub fn of(backoff: &Backoff, retries: u64) -> Self {
        let initial = backoff.initial.get().copied().unwrap_or_default();
        let factor = backoff.factor.get().map_or(2.0, |factor| factor.0);
        let steps: Vec<Known<Duration>> = backoff
            .steps
            .iter()
            .map(|(step, span)| Known { value: *step, span, origin: Origin::Written })
            .collect();
        let cap =
            Known::written(&backoff.cap).or_else(|| steps.iter().max_by_key(|step| step.value).copied());
        let power = |i: u64| initial.scale(factor.powf(i.saturating_sub(1) as f64));
        let jitter = backoff.jitter.get().copied().unwrap_or(Jitter::None);
        Self { initial, factor, cap, jitter, steps, lock_expiry: None, last: power(retries) }
    }

    pub(super) fn until_lock_expiry(wait: Duration) -> Self {
        Self { lock_expiry: Some(wait), ..Self::none() }
    }

    /// The wait before redelivery `i` (from 1) without jitter.
    pub fn plain(&self, i: u64) -> Duration {
        self.grown(i, self.factor)
    }

    fn grown(&self, i: u64, factor: f64) -> Duration {
        if let Some(wait) = self.lock_expiry {
            return wait;
        }
        if !self.steps.is_empty() {
            let at = usize::try_from(i.saturating_sub(1)).unwrap_or(usize::MAX).min(self.steps.len() - 1);
            return self.steps.get(at).map_or(Duration::ZERO, |step| step.value);
        }
        self.initial.scale(factor.powf(i.saturating_sub(1) as f64)).min(self.longest_plain())
    }

    /// The cap: as written, else the last wait.
    pub fn longest_plain(&self) -> Duration {
        self.lock_expiry.unwrap_or_else(|| self.cap.map_or(self.last, |cap| cap.value))
    }

    /// The cap with its place.
    pub fn cap(&self) -> Known<Duration> {
        self.cap.unwrap_or(Known::derived(self.longest_plain()))
    }

    /// The longest wait before redelivery `i`.
    pub fn longest(&self, i: u64) -> Duration {
        match self.jitter {
            Jitter::None | Jitter::Full | Jitter::Equal => self.plain(i),
            Jitter::Share(share) => self.plain(i).scale(1.0 + share),
            Jitter::Decorrelated if self.steps.is_empty() => {
                // Each wait is at most three times the one before.
                self.initial.scale(3f64.powf(i as f64)).min(self.longest_plain())
            }
            Jitter::Decorrelated => self.plain(i),
        }
    }

    /// The shortest wait before redelivery `i`.
    pub fn shortest(&self, i: u64) -> Duration {
        match self.jitter {
            Jitter::None => self.plain(i),
            Jitter::Full => Duration::ZERO,
            Jitter::Equal => self.plain(i).scale(0.5),
            Jitter::Share(share) => self.plain(i).scale(1.0 - share),
            Jitter::Decorrelated if self.steps.is_empty() => self.initial.min(self.longest_plain()),
            Jitter::Decorrelated => self.plain(i),
        }
    }

    /// The largest factor by which jitter lengthens a wait.
    pub fn jitter_factor(&self) -> f64 {
        match self.jitter {
            Jitter::Share(share) => 1.0 + share,
            Jitter::None | Jitter::Full | Jitter::Equal | Jitter::Decorrelated => 1.0,
        }
    }

    /// The jitter as written, `none` where it is not.
    pub fn jitter(&self) -> Jitter {
        self.jitter
    }

    /// The sum of the longest waits of `retries` retries.
    pub fn longest_total(&self, retries: u64) -> Duration {
        total(retries, |i| self.longest(i))
    }

    /// The sum of the shortest waits of `retries` retries.
    pub fn shortest_total(&self, retries: u64) -> Duration {
        total(retries, |i| self.shortest(i))
    }

    /// The sum of the waits without jitter.
    pub fn plain_total(&self, retries: u64) -> Duration {
        total(retries, |i| self.plain(i))
    }
}

/// The sum over `1..=n`; beyond [`STEPS`] every term is the last one computed.
pub(super) fn total(n: u64, term: impl Fn(u64) -> Duration) -> Duration {
    let computed: Duration = (1..=n.min(STEPS)).map(&term).sum();
    computed + term(n.min(STEPS)) * n.saturating_sub(STEPS)
}
