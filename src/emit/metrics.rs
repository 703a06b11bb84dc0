//! The names of all metrics, once: the consumer exports them, alerts and dashboard ask for them.
//!
//! Each `ackord_*` series carries the label `contract`, the name of the queue. Counters start at zero when
//! the consumer starts, or an increase from nothing is not seen.

use super::language::promql;

/// 1 as long as a consumer runs.
pub(super) const INFO: &str = "ackord_contract_info";
/// Seconds from publication to the end of handling, as a histogram; its bounds hold the objective, the
/// threshold of the page, and one above it.
pub(super) const AGE_BUCKET: &str = "ackord_message_age_seconds_bucket";
/// How many messages the histogram has seen.
pub(super) const AGE_COUNT: &str = "ackord_message_age_seconds_count";
/// The age in seconds of the oldest message in hand; zero with none.
pub(super) const OLDEST_HELD: &str = "ackord_oldest_held_seconds";
/// Messages that the publisher handed to the broker, each confirmed.
pub(super) const PRODUCED: &str = "ackord_messages_produced_total";
/// Messages that are done with for good: taken effect, known already, dropped, or dead-lettered.
pub(super) const SETTLED: &str = "ackord_messages_settled_total";
/// Settled messages that a failure class or staleness drops.
pub(super) const DROPPED: &str = "ackord_messages_dropped_total";
/// Settled messages that became dead letters, by `class`.
pub(super) const DEAD_LETTERED: &str = "ackord_messages_dead_lettered_total";
/// Deliveries whose handling began.
pub(super) const ATTEMPTS: &str = "ackord_attempts_total";
/// Attempts that failed, by `class`.
pub(super) const FAILURES: &str = "ackord_failures_total";
/// Messages that were sent to wait for a further attempt, by `class`.
pub(super) const RETRIES: &str = "ackord_retries_total";
/// Deliveries that the broker had made before, and that nobody had asked for.
pub(super) const REDELIVERIES: &str = "ackord_redeliveries_total";
/// Deliveries whose key was there already.
pub(super) const DEDUPE_HITS: &str = "ackord_dedupe_hits_total";
/// Questions to the store of keys that failed.
pub(super) const DEDUPE_ERRORS: &str = "ackord_dedupe_errors_total";
/// Effects of replayed messages, by `outcome`: `applied` or `no-op`.
pub(super) const REPLAY_EFFECTS: &str = "ackord_replay_effects_total";
/// Locks that ran out while a handler worked.
pub(super) const LOCK_LOST: &str = "ackord_lock_lost_total";
/// Messages in hand.
pub(super) const IN_FLIGHT: &str = "ackord_messages_in_flight";
/// Messages that wait in the queue.
pub(super) const DEPTH: &str = "ackord_queue_depth";
/// Workers that may work now, as flow control has it.
pub(super) const WORKERS: &str = "ackord_workers";
/// Workers that work.
pub(super) const BUSY: &str = "ackord_workers_busy";
/// Dead letters that wait for a decision.
pub(super) const DEAD_LETTERS: &str = "ackord_dead_letters";
/// The age in seconds of the oldest dead letter; zero with none.
pub(super) const DEAD_LETTER_OLDEST: &str = "ackord_dead_letter_oldest_seconds";
/// 1 as long as the emergency bypass is on.
pub(super) const BYPASS: &str = "ackord_bypass_active";

/// What RabbitMQ shows below `/metrics/detailed`, by queue.
pub(super) mod rabbitmq {
    /// Messages that wait.
    pub(in crate::emit) const READY: &str = "rabbitmq_detailed_queue_messages_ready";
    /// Messages in hand.
    pub(in crate::emit) const UNACKED: &str = "rabbitmq_detailed_queue_messages_unacked";
    /// Both together.
    pub(in crate::emit) const MESSAGES: &str = "rabbitmq_detailed_queue_messages";
    /// Consumers that are connected.
    pub(in crate::emit) const CONSUMERS: &str = "rabbitmq_detailed_queue_consumers";
    /// Messages that consumers acknowledged.
    pub(in crate::emit) const ACKED: &str = "rabbitmq_detailed_queue_messages_acked_total";
    /// Messages that were delivered and done with at once, as nobody acknowledges them.
    pub(in crate::emit) const DELIVERED: &str = "rabbitmq_detailed_queue_messages_delivered_total";
    /// Deliveries that wait to be acknowledged.
    pub(in crate::emit) const DELIVERED_ACK: &str = "rabbitmq_detailed_queue_messages_delivered_ack_total";
    /// Deliveries that were not the first of their message.
    pub(in crate::emit) const REDELIVERED: &str = "rabbitmq_detailed_queue_messages_redelivered_total";
    /// Messages of all queues together that had no way to the dead letters, by cause.
    pub(in crate::emit) const DEAD_LETTERED: [&str; 4] = [
        "rabbitmq_global_messages_dead_lettered_rejected_total",
        "rabbitmq_global_messages_dead_lettered_delivery_limit_total",
        "rabbitmq_global_messages_dead_lettered_expired_total",
        "rabbitmq_global_messages_dead_lettered_maxlen_total",
    ];
    /// The label of [`DEAD_LETTERED`] under which messages are gone.
    pub(in crate::emit) const GONE: &str = "dead_letter_strategy=\"disabled\"";
}

/// The series of a metric of ours about `contract`, with further conditions that begin with a comma.
pub(super) fn own(metric: &str, contract: &str, more: &str) -> String {
    format!("{metric}{{contract={}{more}}}", promql::string(contract))
}

/// The series of a broker's metric about `queue`.
pub(super) fn of_queue(metric: &str, queue: &str, more: &str) -> String {
    format!("{metric}{{queue={}{more}}}", promql::string(queue))
}
