//! `status`, `emergency_bypass`, `log`, `runbook`, `evidence` and `links`: what people need around the queue.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Identifier, Slug};
use crate::syntax::{List, Opt, Req};

/// Where the state of each event can be looked up.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Status {
    /// The table that holds it.
    pub table: Req<Identifier>,
}

/// An emergency switch that skips checks; off by default.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct EmergencyBypass {
    /// The environment variable that turns it on.
    pub env: Req<Identifier>,
    /// What it skips.
    pub skips: Req<List<Bypassed>>,
    /// Whether each use is logged.
    pub logged: Opt<bool>,
}

/// A check that a bypass may skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bypassed {
    /// The age of messages.
    Staleness,
    /// The limits on workers.
    FlowControl,
    /// The recognition of repeated messages.
    Dedupe,
}

/// How outcomes are logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LogStyle {
    /// As one structured line each.
    Structured,
    /// Not at all.
    None,
}

/// Links for the people who operate the queue.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Runbook {
    /// The dashboard.
    pub dashboard: Opt<String>,
    /// How a release is rolled back.
    pub rollback: Opt<String>,
}

/// Which proofs the consumer's tests must give.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Evidence#?", rename_all = "kebab-case")]
#[schemars(rename = "Evidence")]
pub enum Evidence {
    /// Every one whose section the contract has.
    All,
    /// These.
    #[schemars(untagged)]
    List(List<Proof>),
}

/// A proof that a consumer's tests give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Proof {
    DuplicateDelivery,
    ConcurrentConsumers,
    HandlerCrash,
    LostAcks,
    FailureClasses,
    DeadLetterRedrive,
    OldMessageReplay,
    ProducerRestart,
    Staleness,
    CapacityAdjustment,
    EndToEnd,
    Reconciliation,
}

impl Proof {
    /// The word in a contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::DuplicateDelivery => "duplicate-delivery",
            Self::ConcurrentConsumers => "concurrent-consumers",
            Self::HandlerCrash => "handler-crash",
            Self::LostAcks => "lost-acks",
            Self::FailureClasses => "failure-classes",
            Self::DeadLetterRedrive => "dead-letter-redrive",
            Self::OldMessageReplay => "old-message-replay",
            Self::ProducerRestart => "producer-restart",
            Self::Staleness => "staleness",
            Self::CapacityAdjustment => "capacity-adjustment",
            Self::EndToEnd => "end-to-end",
            Self::Reconciliation => "reconciliation",
        }
    }
}

/// The queues that this one feeds, and what lies outside the workspace.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Links {
    /// The queues that handling a message publishes to.
    pub produces: Opt<List<Slug>>,
    /// Names that no contract of this workspace describes.
    pub external: Opt<List<Slug>>,
}
