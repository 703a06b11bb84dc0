//! `flow_control`: how consumers adapt to load.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Slug;
use crate::syntax::{Opt, Req};
use crate::units::Duration;

/// How consumers adapt to load, and which bottleneck they share.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct FlowControl {
    /// Whether the number of workers follows the load.
    pub limiter: Opt<Limiter>,
    /// How often a consumer reports its capacity.
    pub report_every: Opt<Duration>,
    /// The least and the most workers.
    pub workers: Opt<Workers>,
    /// A bottleneck that several contracts share.
    pub shared_limit: Opt<SharedLimit>,
    /// The p95 of the database above which workers are taken away.
    pub database_p95: Opt<Duration>,
    /// Where new messages go when the backlog is too long.
    pub shed: Opt<Shed>,
}

/// How the number of workers is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Limiter {
    /// It follows CPU, backlog and database.
    Adaptive,
    /// It is fixed.
    Fixed,
}

/// The least and the most workers.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Workers {
    /// The least.
    pub min: Opt<u32>,
    /// The most.
    pub max: Req<u32>,
}

/// A bottleneck that several contracts share.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct SharedLimit {
    /// Its name, the same in every contract.
    pub name: Req<Slug>,
    /// How many workers may use it at once.
    pub connections: Req<u32>,
}

/// Where new messages go when the backlog is too long.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Shed {
    /// The time to drain the backlog from which on they go there.
    pub drain_time_above: Req<Duration>,
    /// The queue of the degraded route.
    pub to: Req<Slug>,
}
