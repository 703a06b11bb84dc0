//! `processing`: how messages are worked on.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::syntax::{Opt, Req};
use crate::units::{Duration, Rate};

/// How messages are worked on.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Processing {
    /// How long handling one message takes.
    pub duration: Opt<Distribution>,
    /// The hard limit of one delivery's handling, retries in the process included.
    pub handler_timeout: Opt<Duration>,
    /// How long a delivered message is held for the consumer that got it.
    pub lock: Opt<Lock>,
    /// How long a consumer that shuts down may finish its work.
    pub shutdown_grace: Opt<Duration>,
    /// What a consumer that shuts down does with messages in work.
    pub on_shutdown: Opt<OnShutdown>,
    /// How many consumer processes there are.
    pub consumers: Opt<u32>,
    /// How many messages each of them handles at once.
    pub concurrency: Opt<u32>,
    /// How many messages each of them fetches ahead.
    pub prefetch: Opt<u32>,
    /// How many messages come.
    pub load: Opt<Load>,
    /// How messages are taken together.
    pub batch: Opt<Batch>,
}

/// How long handling one message takes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Distribution {
    /// The mean.
    pub mean: Opt<Duration>,
    /// Half of them are faster.
    pub p50: Opt<Duration>,
    /// 95 % are faster.
    pub p95: Opt<Duration>,
    /// 99 % are faster.
    pub p99: Opt<Duration>,
}

/// How long a delivered message is held for the consumer that got it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Lock {
    /// The time after which the broker delivers it to another consumer: visibility timeout,
    /// ack wait, ack deadline, lock duration, poll interval.
    pub timeout: Opt<Duration>,
    /// Whether the lock of every message held, buffered ones too, is renewed.
    pub renewed: Opt<bool>,
    /// How long it is renewed at most.
    pub renew_for: Opt<Duration>,
    /// Who renews it.
    pub renewed_by: Opt<RenewedBy>,
}

/// Who renews a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RenewedBy {
    /// A timer of its own.
    Own,
    /// The thread that the handler runs on, which a long handler blocks.
    HandlerThread,
}

/// What a consumer that shuts down does with messages in work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnShutdown {
    /// It finishes them.
    Finish,
    /// It leaves them to be delivered again.
    Abandon,
}

/// How many messages come.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Load {
    /// On an ordinary day.
    pub steady: Opt<Rate>,
    /// In the busiest hour.
    pub peak: Opt<Rate>,
}

/// How messages are taken together.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Batch {
    /// The most messages of one batch.
    pub size: Req<u32>,
    /// How long a batch waits until it is full.
    pub window: Opt<Duration>,
    /// What fails when one message of the batch fails.
    pub on_failure: Opt<BatchFailure>,
}

/// What fails when one message of a batch fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BatchFailure {
    /// That message.
    Item,
    /// The whole batch.
    All,
    /// That message and all behind it.
    Stop,
}
