//! What a contract says: one struct for each section, in one file of the same name.
//!
//! A field is declared here once. Its doc comment is what the schema, the reference and the editor
//! show; its type is what the reader accepts. Nothing in here judges.

mod broker;
mod dead_letter;
mod delivery;
mod effect;
mod failures;
mod flow_control;
mod idempotency;
mod message;
mod names;
mod operation;
mod ordering;
mod processing;
mod producer;
mod replay;
mod slo;
mod staleness;

pub use broker::*;
pub use dead_letter::*;
pub use delivery::*;
pub use effect::*;
pub use failures::*;
pub use flow_control::*;
pub use idempotency::*;
pub use message::*;
pub use names::*;
pub use operation::*;
pub use ordering::*;
pub use processing::*;
pub use producer::*;
pub use replay::*;
pub use slo::*;
pub use staleness::*;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::source::Span;
use crate::syntax::{List, Opt, Req};
use crate::units::Duration;

/// A queue contract: what is delivered and how often, what makes its effect happen once, what is
/// retried, dead-lettered or dropped, in which order, how late is too late, and who is paged.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Contract {
    /// The version of the contract language: `v1`.
    pub ackord: Req<LanguageVersion>,
    /// The name of the queue, unique in the workspace.
    pub queue: Req<Slug>,
    /// The version of this contract; a breaking change needs a new major.
    pub version: Opt<ContractVersion>,
    /// What kind of flow it is; decides which sections are expected and how strict the rules are.
    pub flow: Req<Flow>,
    /// What the queue is for, in one sentence.
    pub summary: Opt<String>,
    /// The parties of the contract.
    pub owners: Opt<Owners>,
    /// The rotation that an alert pages.
    pub on_call: Opt<String>,
    /// What one message carries.
    pub message: Opt<Message>,
    /// How messages get into the queue.
    pub producer: Opt<Producer>,
    /// The broker that keeps the queue, with its own settings.
    pub broker: Opt<Broker>,
    /// How often a message is delivered, and when it is acknowledged.
    pub delivery: Req<Delivery>,
    /// What makes the effect of a message happen once.
    pub idempotency: Opt<Idempotency>,
    /// What handling one message changes; what must not happen twice.
    pub effects: Opt<List<Effect>>,
    /// How messages are worked on: durations, locks, consumers, load.
    pub processing: Opt<Processing>,
    /// In which order messages are handled.
    pub ordering: Opt<Ordering>,
    /// What follows when handling a message fails, for each class of failure.
    pub failures: Opt<Failures>,
    /// What follows when a consumer dies and no handler asked for a retry.
    pub redelivery: Opt<Redelivery>,
    /// How long the queue keeps a message that nobody took.
    pub retention: Opt<Duration>,
    /// How many messages the queue holds at most, and what happens to the next one.
    pub max_length: Opt<MaxLength>,
    /// The longest outage of all consumers that no message may be lost in.
    pub outage: Opt<Duration>,
    /// Where messages go that could not be handled, and who looks after them.
    pub dead_letter: Opt<DeadLetter>,
    /// How an operator handles past messages again.
    pub replay: Opt<Replay>,
    /// How late is too late, and what an alert means.
    pub slo: Opt<Slo>,
    /// How consumers adapt to load, and which bottleneck they share.
    pub flow_control: Opt<FlowControl>,
    /// Which messages are too old to be applied.
    pub staleness: Opt<Staleness>,
    /// Where the state of each event can be looked up.
    pub status: Opt<Status>,
    /// An emergency switch that skips checks; off by default.
    pub emergency_bypass: Opt<EmergencyBypass>,
    /// How outcomes are logged.
    pub log: Opt<LogStyle>,
    /// Links for the people who operate the queue.
    pub runbook: Opt<Runbook>,
    /// Which proofs the consumer's tests must give.
    pub evidence: Opt<Evidence>,
    /// The queues that this one feeds or is fed by.
    pub links: Opt<Links>,
    // Whether a part of the text could not be read, so that nothing can be called missing.
    #[serde(skip)]
    #[schemars(skip)]
    #[allow(missing_docs)]
    pub damaged: bool,
}

/// The parties of a contract: a change of it is reviewed by all three.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Owners {
    /// The team that publishes.
    pub producer: Opt<String>,
    /// The team that consumes.
    pub consumer: Opt<String>,
    /// The team that operates the queue.
    pub operations: Opt<String>,
}

/// The kind of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Flow {
    /// Money or goods move: an effect that happens twice or never is a loss.
    Money,
    /// A person is told something.
    Notification,
    /// Measurements, of which some may be lost.
    Telemetry,
    /// A record that must be complete; a duplicate is tolerable, a gap is not.
    Audit,
    /// Any other work.
    Task,
}

impl Flow {
    /// The word in a contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Notification => "notification",
            Self::Telemetry => "telemetry",
            Self::Audit => "audit",
            Self::Task => "task",
        }
    }
}

crate::syntax::sections!(
    Backoff,
    Batch,
    DeadLetter,
    Delivery,
    Distribution,
    Durability,
    EmergencyBypass,
    Fallback,
    FlowControl,
    Guard,
    Idempotency,
    InProcess,
    Links,
    Lock,
    MaxDelay,
    MaxLength,
    Message,
    MessageSchema,
    Owners,
    Processing,
    Producer,
    RedeliveryLimits,
    RepeatPage,
    Replay,
    Runbook,
    SchemaVersion,
    SharedLimit,
    Shed,
    Slo,
    SloAlert,
    SloLatency,
    Staleness,
    Status,
    Store,
    Workers,
    Load,
);

impl Contract {
    /// The place that stands for the whole contract: the name of its queue.
    pub fn place(&self) -> Span {
        if self.queue.given() { self.queue.span() } else { self.ackord.span() }
    }

    /// The name of the queue, or a stand-in where it is missing.
    pub fn name(&self) -> &str {
        self.queue.get().map_or("(unnamed)", |name| name.as_str())
    }

    /// The flow, where it was readable.
    pub fn flow(&self) -> Option<Flow> {
        self.flow.get().copied()
    }

    /// The message, to add what its schema declares.
    pub fn message_mut(&mut self) -> Option<&mut Message> {
        self.message.get_mut()
    }

    /// Whether the flow is `flow`.
    pub fn is(&self, flow: Flow) -> bool {
        self.flow() == Some(flow)
    }

    /// Whether the flow is one in which every message counts.
    pub fn must_not_lose(&self) -> bool {
        self.is(Flow::Money) || self.is(Flow::Audit)
    }

    /// Whether the guarantee is at-least-once, or the one that nobody can keep: what a queue does
    /// then is to deliver at least once, and it is judged by that.
    pub fn at_least_once(&self) -> bool {
        matches!(self.delivery.guarantee.get(), Some(Guarantee::AtLeastOnce | Guarantee::ExactlyOnce(_)))
    }

    /// Whether the guarantee is at-most-once.
    pub fn at_most_once(&self) -> bool {
        matches!(self.delivery.guarantee.get(), Some(Guarantee::AtMostOnce))
    }

    /// The effects, with their places.
    pub fn effects(&self) -> impl Iterator<Item = (&Effect, Span)> {
        self.effects.get().into_iter().flat_map(List::iter)
    }

    /// The order that is promised, where one is.
    pub fn order(&self) -> Option<&Order> {
        match self.ordering.get() {
            Some(Ordering::Mapping(order)) => Some(order),
            Some(Ordering::None) | None => None,
        }
    }
}
