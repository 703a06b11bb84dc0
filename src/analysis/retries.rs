//! How often and how long a message is retried: waits, chains and bounds.
//!
//! A message has one attempt counter, shared by all failure classes and by crashes.

use crate::model::{Action, BackoffChoice, Contract, FailureClass, Failures, Then};
use crate::policy::Policy;
use crate::resolve::{CrashLimit, Known, Resolved};
use crate::source::Span;
use crate::units::Duration;

use super::term::{Term, sum};
use super::timing::Timing;
use super::waits::{STEPS, Waits, total};

/// A class of failures whose answer is to retry.
#[derive(Debug, Clone)]
pub struct RetryingClass {
    /// The name of the class.
    pub name: String,
    /// The most redeliveries.
    pub max_retries: Known<u32>,
    /// Whether a number of retries stands anywhere.
    pub limited: bool,
    /// How long each waits.
    pub waits: Waits,
    /// Whether the waits are known: those until a lock runs out need the lock and the work.
    pub waits_known: bool,
    /// What follows the last one.
    pub then: Option<Then>,
}

/// How often and how long a message is retried.
#[derive(Debug, Clone, Default)]
pub struct Retries {
    /// The classes that retry, in the order of the contract.
    pub classes: Vec<RetryingClass>,
    /// The most redeliveries of one message, over all classes and crashes.
    pub redeliveries: Option<Known<u32>>,
    /// The longest chain by the rule of thumb: lock + retries × cap + margin.
    pub chain: Option<Vec<Term>>,
    /// An upper bound on the time from the first delivery to the end of the last one.
    pub bound: Option<Vec<Term>>,
    /// The longest sum of waits of one class.
    pub waits_to_dead_letter: Option<Duration>,
    /// The time to the dead letters if every delivery hangs until its lock runs out.
    pub worst_to_dead_letter: Option<Duration>,
}

impl Retries {
    /// The retries of `contract`.
    pub fn new(contract: &Contract, resolved: &Resolved, timing: &Timing, policy: &Policy) -> Self {
        let classes = if contract.at_most_once() { Vec::new() } else { retrying(contract, timing) };
        let redeliveries = most_redeliveries(contract, &classes, resolved);
        let margin = Term::derived("margin", policy.margin);
        let known = classes.iter().all(|class| class.waits_known);
        let chain = timing.lock.filter(|_| known).and_then(|lock| {
            let sums = classes.iter().map(|class| chain_of(class, lock, margin));
            sums.max_by_key(|terms| sum(terms))
        });
        let n = redeliveries.map(|known| u64::from(known.value));
        let bound = n.and_then(|n| bound(n, &classes, timing, margin));
        let longest_class = classes.iter().map(|class| class.waits.longest_total(class.retries()));
        let worst = match (n, timing.hold, timing.stay) {
            (Some(n), Some(hold), Some(stay)) => {
                let cycles = total(n, |i| hold.max(stay + longest_over(&classes, i)));
                Some(cycles + hold.max(stay))
            }
            _ => None,
        };
        Self {
            waits_to_dead_letter: known.then(|| longest_class.max().unwrap_or_default()),
            worst_to_dead_letter: worst,
            classes,
            redeliveries,
            chain,
            bound,
        }
    }

    /// The bound on redeliveries as one length of time.
    pub fn bound_total(&self) -> Option<Duration> {
        self.bound.as_deref().map(sum)
    }

    /// The retry chain as one length of time.
    pub fn chain_total(&self) -> Option<Duration> {
        self.chain.as_deref().map(sum)
    }

    /// The most deliveries of one message.
    pub fn deliveries(&self) -> Option<u64> {
        self.redeliveries.map(|known| u64::from(known.value) + 1)
    }
}

impl RetryingClass {
    /// The most redeliveries as a count.
    pub fn retries(&self) -> u64 {
        u64::from(self.max_retries.value)
    }

    /// The longest time from a message's sending to the end of its last try, where each try takes `p99`:
    /// all waits, lengthened by jitter, and the tries themselves.
    pub fn until_last_try(&self, p99: Duration) -> Duration {
        let waits = self.waits.plain_total(self.retries()).scale(self.waits.jitter_factor());
        waits + p99 * self.retries().saturating_add(1)
    }
}

fn retrying(contract: &Contract, timing: &Timing) -> Vec<RetryingClass> {
    match contract.failures.get() {
        None => Vec::new(),
        Some(Failures::Standard) => standard(contract.failures.span()),
        Some(Failures::Mapping(classes)) => classes
            .iter()
            .filter_map(|entry| Some((entry, entry.value.get()?)))
            .filter(|(_, class)| class.action.get() == Some(&Action::Retry))
            .map(|(entry, class)| retrying_class(&entry.name, class, timing))
            .collect(),
    }
}

fn retrying_class(name: &str, class: &FailureClass, timing: &Timing) -> RetryingClass {
    let steps = match class.backoff.get() {
        Some(BackoffChoice::Mapping(backoff)) if !backoff.steps.is_empty() => Some(Known {
            value: u32::try_from(backoff.steps.len()).unwrap_or(u32::MAX),
            span: backoff.steps.span(),
            origin: crate::resolve::Origin::Written,
        }),
        _ => None,
    };
    let written = steps.or_else(|| Known::written(&class.max_retries));
    let max_retries = written.unwrap_or(Known::derived(0));
    let mut waits_known = true;
    let waits = match class.backoff.get() {
        None => Waits::none(),
        Some(BackoffChoice::LockExpiry) => {
            let wait = timing.hold.zip(timing.work).map(|(hold, work)| hold - work.value);
            waits_known = wait.is_some();
            Waits::until_lock_expiry(wait.unwrap_or_default())
        }
        Some(BackoffChoice::Mapping(backoff)) => Waits::of(backoff, u64::from(max_retries.value)),
    };
    let then = class.then.get().copied();
    RetryingClass { name: name.to_owned(), max_retries, limited: written.is_some(), waits, waits_known, then }
}

/// The classes that `failures: standard` stands for.
fn standard(span: Span) -> Vec<RetryingClass> {
    let class = |name: &str, retries: u32| RetryingClass {
        name: name.to_owned(),
        max_retries: Known { value: retries, span, origin: crate::resolve::Origin::Derived },
        limited: true,
        waits: Waits::standard(span),
        waits_known: true,
        then: Some(Then::DeadLetter),
    };
    vec![class("transient", 6), class("unknown", 3)]
}

/// The most redeliveries of one message: the largest of all classes and of what crashes may cause.
fn most_redeliveries(
    contract: &Contract,
    classes: &[RetryingClass],
    resolved: &Resolved,
) -> Option<Known<u32>> {
    if contract.at_most_once() {
        return Some(Known::derived(0));
    }
    let by_class = classes.iter().map(|class| class.max_retries).max_by_key(|known| known.value);
    if classes.iter().any(|class| !class.limited) {
        return None;
    }
    match resolved.crash_limit {
        CrashLimit::Redeliveries(limit) => {
            Some(by_class.filter(|class| class.value >= limit.value).unwrap_or(limit))
        }
        CrashLimit::Classes if contract.redelivery.given() && contract.redelivery_limits().is_none() => {
            Some(by_class.unwrap_or(Known::derived(0)))
        }
        CrashLimit::Classes => by_class,
        CrashLimit::Uncounted(_) | CrashLimit::Unknown => None,
    }
}

/// lock + retries × cap × jitter + margin.
fn chain_of(class: &RetryingClass, lock: Known<Duration>, margin: Term) -> Vec<Term> {
    let cap = Term::known("cap", class.waits.cap()).times(class.retries()).by(class.waits.jitter_factor());
    vec![Term::known("lock", lock), cap, margin]
}

/// The longest wait before redelivery `i` over all classes that still retry then.
fn longest_over(classes: &[RetryingClass], i: u64) -> Duration {
    let waits = classes.iter().filter(|class| class.retries() >= i).map(|class| class.waits.longest(i));
    waits.max().unwrap_or_default()
}

/// Σ max(hold, stay + wait) + stay + margin, with equal cycles taken together.
fn bound(n: u64, classes: &[RetryingClass], timing: &Timing, margin: Term) -> Option<Vec<Term>> {
    let stay = timing.stay?;
    let mut terms = Vec::new();
    if n > 0 {
        let hold = timing.hold?;
        let (mut held, mut longer) = (0, Duration::ZERO);
        for i in 1..=n.min(STEPS) {
            let cycle = stay + longest_over(classes, i);
            if cycle <= hold { held += 1 } else { longer = longer + cycle }
        }
        let last = stay + longest_over(classes, n.min(STEPS));
        let beyond = n.saturating_sub(STEPS);
        if last <= hold {
            held += beyond
        } else {
            longer = longer + last * beyond
        }
        if held > 0 {
            let name = if timing.renewed { "hold" } else { "lock" };
            let span = timing.lock.map_or(Span::default(), |lock| lock.span);
            let lock = timing.lock.filter(|lock| lock.value == hold);
            let known = lock.unwrap_or(Known { value: hold, span, origin: crate::resolve::Origin::Derived });
            terms.push(Term::known(name, known).times(held));
        }
        if !longer.is_zero() {
            terms.push(Term::derived("handling and waits", longer));
        }
    }
    let work = timing.work.filter(|work| work.value == stay);
    terms.push(match work {
        Some(work) if timing.work_is_limited => Term::known("handler", work),
        Some(work) => Term::known("p99", work),
        None => Term::derived("stay", stay),
    });
    terms.push(margin);
    Some(terms)
}
