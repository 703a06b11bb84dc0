//! `failures`: what follows when handling a message fails.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{FailureWord, LogStyle};
use crate::diagnostic::Code;
use crate::syntax::{List, Map, Opt, Problem, Req, Scalar};
use crate::units::Duration;

/// What follows when handling a message fails, for each class of failure.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Failures#?", rename_all = "kebab-case")]
#[schemars(rename = "Failures")]
pub enum Failures {
    /// The four classes with their usual answers: transient failures are retried 6 times from 1s
    /// doubling to 5m with 50% jitter, then dead-lettered for replay; poison is dead-lettered at
    /// once for repair; business outcomes are dropped and logged; unknown failures are retried
    /// 3 times, then dead-lettered for repair.
    Standard,
    /// Classes by name; `transient`, `poison`, `business` and `unknown` are expected.
    #[schemars(untagged)]
    Mapping(Map<FailureClass>),
}

/// The answer to one class of failures.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct FailureClass {
    /// The kinds of failure that belong to the class.
    pub r#match: Opt<List<FailureWord>>,
    /// What happens to the message.
    pub action: Opt<Action>,
    /// The most redeliveries after the first delivery.
    pub max_retries: Opt<u32>,
    /// How long a retry waits.
    pub backoff: Opt<BackoffChoice>,
    /// Where a retry waits.
    pub wait: Opt<Wait>,
    /// Tries inside one delivery, before the message is given back.
    pub in_process: Opt<InProcess>,
    /// What happens after the last retry.
    pub then: Opt<Then>,
    /// What is done about a message of this class that was dead-lettered.
    pub resolution: Opt<Resolution>,
    /// What a dead letter carries.
    pub attach: Opt<List<Attachment>>,
    /// How the outcome is logged.
    pub log: Opt<LogStyle>,
    /// Why this answer is right.
    pub reason: Opt<String>,
    /// Other layers that retry, with the retries of each.
    pub layers: Opt<Map<u32>>,
    /// The outage that retries must outlast.
    pub survives_outage: Opt<Duration>,
}

/// What happens to a message that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// It is delivered again.
    Retry,
    /// It goes to the dead letters.
    DeadLetter,
    /// It is acknowledged and gone.
    Drop,
}

/// What happens after the last retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// The message goes to the dead letters.
    DeadLetter,
    /// It is gone.
    Drop,
}

/// Where a retry waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wait {
    /// At the broker.
    Broker,
    /// In the consumer, under its lock.
    InProcess,
    /// In a store of its own.
    Parked,
}

/// What is done about a dead letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// It is put back as it is.
    Replay,
    /// It is mended by hand, then put back.
    Repair,
    /// It is thrown away, with a recorded reason.
    Discard,
}

/// What a dead letter carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Attachment {
    /// The message as it came.
    Payload,
    /// The last error.
    Error,
}

/// How long a retry waits.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "BackoffChoice#?", rename_all = "kebab-case")]
#[schemars(rename = "BackoffChoice")]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every class has a mapping, so a box would only add to it"
)]
pub enum BackoffChoice {
    /// Until the lock runs out.
    LockExpiry,
    /// By a formula, or by steps.
    #[schemars(untagged)]
    Mapping(Backoff),
}

/// The waits before redeliveries: `initial`, `factor` and `cap`, or `steps`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Backoff {
    /// The first wait.
    pub initial: Opt<Duration>,
    /// By how much each wait is longer than the one before; unsaid, 2.
    pub factor: Opt<Factor>,
    /// The longest wait.
    pub cap: Opt<Duration>,
    /// How waits are spread.
    pub jitter: Opt<Jitter>,
    /// The waits one by one, instead of the formula.
    pub steps: Opt<List<Duration>>,
}

/// A factor from 1 to 1000.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Factor(pub f64);

impl TryFrom<f64> for Factor {
    type Error = String;

    fn try_from(factor: f64) -> Result<Self, String> {
        if (1.0..=1000.0).contains(&factor) {
            Ok(Self(factor))
        } else {
            Err(format!("a factor of {factor} is not between 1 and 1000"))
        }
    }
}

impl JsonSchema for Factor {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Factor".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "number", "minimum": 1, "maximum": 1000})
    }
}

/// How waits are spread, so that consumers do not come back all at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Jitter {
    /// Not at all.
    None,
    /// Anything from nothing to the wait.
    Full,
    /// From half of the wait to the wait.
    Equal,
    /// From the first wait to three times the wait before.
    Decorrelated,
    /// So much more or less, as a share of the wait.
    Share(f64),
}

impl Scalar for Jitter {
    const EXPECTED: &'static str = "none, full, equal, decorrelated or a percentage";

    fn parse(text: &str) -> Result<Self, Problem> {
        match text {
            "none" => return Ok(Self::None),
            "full" => return Ok(Self::Full),
            "equal" => return Ok(Self::Equal),
            "decorrelated" => return Ok(Self::Decorrelated),
            _ => {}
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return crate::units::Ratio::parse(text).map(|ratio| Self::Share(ratio.share()));
        }
        Err(Problem {
            code: Code("AK008"),
            message: format!("`{text}` is not a jitter"),
            help: Some("allowed: none, full, equal, decorrelated, or a percentage such as 50%".to_owned()),
            replacement: None,
        })
    }

    fn schema() -> serde_json::Value {
        serde_json::json!({
            "type": "string",
            "pattern": r"^(none|full|equal|decorrelated|0{0,15}(100(\.0{1,18})?|[0-9]{1,2}(\.[0-9]{1,18})?)%)$",
        })
    }
}

crate::syntax::scalar!(Jitter);

/// Tries inside one delivery.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct InProcess {
    /// The most tries after the first.
    pub max_retries: Req<u32>,
    /// How long each waits.
    pub backoff: Opt<Backoff>,
}
