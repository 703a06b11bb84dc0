//! `slo`: how late is too late, and what an alert means.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::syntax::{Opt, Req};
use crate::units::Duration;

/// How late is too late, and what an alert means.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Slo {
    /// From publication to the effect, on an ordinary day.
    pub latency: Opt<SloLatency>,
    /// When a person is paged.
    pub alert: Opt<SloAlert>,
    /// What the first page asks for.
    pub first_page: Opt<String>,
    /// What a second page asks for.
    pub repeat_page: Opt<RepeatPage>,
    /// The limit over a whole chain of queues.
    pub end_to_end: Opt<Duration>,
}

/// The latency objective.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct SloLatency {
    /// 95 % of messages take effect sooner.
    pub p95: Opt<Duration>,
}

/// When a person is paged about latency.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct SloAlert {
    /// The p95 latency …
    pub above: Req<Duration>,
    /// … held for this long.
    pub r#for: Opt<Duration>,
}

/// What a second page asks for.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct RepeatPage {
    /// How soon after the first page.
    pub within: Req<Duration>,
    /// What to do.
    pub r#do: Req<String>,
}
