//! `delivery`, `redelivery` and `max_length`: what the queue promises about each message.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Code;
use crate::syntax::{Opt, Problem, Req, Scalar};
use crate::units::{Duration, Ratio};

/// How often a message is delivered, and when it is acknowledged.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Delivery {
    /// What the queue guarantees about each message.
    pub guarantee: Req<Guarantee>,
    /// When the consumer acknowledges.
    pub ack: Opt<Ack>,
    /// Why this guarantee is right for the flow.
    pub reason: Opt<String>,
    /// The share of messages that may be lost, at most once.
    pub acceptable_loss: Opt<Ratio>,
    /// What serves instead when a message does not come in time.
    pub fallback: Opt<Fallback>,
    /// How far ahead a delivery may be scheduled.
    pub max_delay: Opt<MaxDelay>,
}

/// How often a message is delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guarantee {
    /// Once or more often.
    AtLeastOnce,
    /// Once or not at all.
    AtMostOnce,
    /// What nobody can keep, in the user's spelling; a rule says why.
    ExactlyOnce(String),
}

impl Guarantee {
    /// Whether a text names the guarantee that cannot be kept, in any of its spellings.
    pub fn is_exactly_once(text: &str) -> bool {
        let word: String =
            text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let stem = word
            .strip_prefix("effectively")
            .or_else(|| word.strip_prefix("exactly"))
            .or_else(|| word.strip_prefix("precisely"));
        matches!(word.as_str(), "eos" | "eo" | "exactonce" | "onceandonlyonce" | "onlyonce")
            || stem.is_some_and(|rest| {
                matches!(
                    rest,
                    "1" | "one" | "1x" | "once" | "oncedelivery" | "oncesemantics" | "onceprocessing"
                )
            })
    }
}

impl Scalar for Guarantee {
    const EXPECTED: &'static str = "at-least-once or at-most-once";

    fn parse(text: &str) -> Result<Self, Problem> {
        match text {
            "at-least-once" => Ok(Self::AtLeastOnce),
            "at-most-once" => Ok(Self::AtMostOnce),
            _ if Self::is_exactly_once(text) => Ok(Self::ExactlyOnce(text.to_owned())),
            _ => Err(Problem {
                code: Code("AK008"),
                message: format!("`{text}` is not a guarantee"),
                help: Some("allowed: at-least-once, at-most-once".to_owned()),
                replacement: crate::syntax::nearest::nearest(text, ["at-least-once", "at-most-once"])
                    .first()
                    .map(|near| ((*near).to_owned(), crate::diagnostic::Applicability::Unsafe)),
            }),
        }
    }

    fn schema() -> serde_json::Value {
        serde_json::json!({"enum": ["at-least-once", "at-most-once"]})
    }
}

crate::syntax::scalar!(Guarantee);

/// When the consumer acknowledges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ack {
    /// As soon as the message is received.
    OnReceive,
    /// After its effect has happened.
    AfterEffect,
    /// By the client library, at its own time.
    Auto,
}

/// What serves instead when a message does not come in time.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Fallback {
    /// Where the reader turns to.
    pub to: Req<String>,
    /// How soon.
    pub within: Opt<Duration>,
}

/// How far ahead a delivery may be scheduled.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct MaxDelay {
    /// The longest delay.
    pub longest: Req<Duration>,
    /// Who keeps the message meanwhile.
    pub held_by: Opt<HeldBy>,
}

/// Who keeps a delayed message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HeldBy {
    /// The broker.
    Broker,
    /// The consumer, which holds its lock meanwhile.
    Consumer,
}

/// What follows when a consumer dies and no handler asked for a retry.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename = "Redelivery#?", rename_all = "kebab-case")]
#[schemars(rename = "Redelivery")]
pub enum Redelivery {
    /// The message is gone.
    Lost,
    /// The message is delivered again, so often.
    #[schemars(untagged)]
    Mapping(RedeliveryLimits),
}

/// How often a message is delivered again after crashes.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct RedeliveryLimits {
    /// Whether such deliveries are counted.
    pub counted: Opt<bool>,
    /// The most redeliveries.
    pub max_retries: Opt<u32>,
    /// The limit that the client library puts on deliveries.
    pub client_limit: Opt<u32>,
}

/// How many messages the queue holds.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct MaxLength {
    /// The most messages.
    pub messages: Req<u64>,
    /// What happens to the next one.
    pub overflow: Opt<Overflow>,
}

/// What happens when a queue is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Overflow {
    /// The publisher is told.
    Reject,
    /// The oldest message is lost.
    DropOldest,
    /// A message moves to the dead letters.
    DeadLetter,
}

impl super::Contract {
    /// What is said about redeliveries after a crash; empty where nothing is.
    pub fn redelivery_limits(&self) -> Option<&RedeliveryLimits> {
        match self.redelivery.get() {
            Some(Redelivery::Mapping(limits)) => Some(limits),
            Some(Redelivery::Lost) | None => None,
        }
    }
}
