//! What follows from a contract: every derived quantity with its derivation.
//!
//! This is the only place that does arithmetic on contracts. Messages, `inspect`, the runbook and
//! the editor show what is computed here; nobody computes it twice.

pub mod address;
pub mod bounds;
pub mod capacity;
pub mod chains;
pub mod evidence;
pub mod guarantee;
pub mod distribution;
pub mod latency;
pub mod retries;
pub mod term;
pub mod timing;
pub mod waits;

use crate::model::Contract;
use crate::policy::Policy;
use crate::resolve::{Resolved, resolve};
use crate::source::{Sources, Span};
use crate::units::Duration;

pub use address::Address;
pub use bounds::{Bound, BoundId, BoundList, ListId};
pub use capacity::Capacity;
pub use latency::Latency;
pub use retries::{Retries, RetryingClass};
pub use term::Term;
pub use timing::Timing;

/// One contract, resolved, with what follows from it.
#[derive(Debug)]
pub struct Analysis<'a> {
    /// What the contract says.
    pub contract: &'a Contract,
    /// The settings that can come from elsewhere.
    pub resolved: Resolved,
    /// The organisation's figures.
    pub policy: &'a Policy,
    /// The texts, to show a value as it was written.
    pub sources: &'a Sources,
    /// How long a message is worked on and held.
    pub timing: Timing,
    /// How often and how long a message is retried.
    pub retries: Retries,
    /// How much work comes and how much can be done.
    pub capacity: Capacity,
    /// How late messages are, and how soon somebody knows.
    pub latency: Latency,
}

impl<'a> Analysis<'a> {
    /// Everything that follows from `contract`.
    pub fn new(contract: &'a Contract, policy: &'a Policy, sources: &'a Sources) -> Self {
        let resolved = resolve(contract);
        let timing = Timing::new(contract, &resolved);
        let retries = Retries::new(contract, &resolved, &timing, policy);
        let capacity = Capacity::new(contract, &resolved, &retries);
        let latency = Latency::new(contract, &capacity);
        Self { contract, resolved, policy, sources, timing, retries, capacity, latency }
    }

    /// A duration as the user wrote it at `span`, else in its usual form.
    pub fn written(&self, value: Duration, span: Span) -> String {
        let text = self.sources.slice(span).trim_matches(['"', '\'']);
        if crate::syntax::Scalar::parse(text).is_ok_and(|read: Duration| read == value) {
            return text.to_owned();
        }
        value.to_string()
    }
}
