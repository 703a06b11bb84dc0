//! What only the broker sees. Queues of one name in two virtual hosts count together.

use super::super::super::language::promql::seconds;
use super::super::super::metrics::{self, rabbitmq};
use super::super::Source;
use super::{Rules, Told, part};
use crate::resolve::Prefetch;
use crate::units::{Duration, trim};

pub(super) fn rules(rules: &mut Rules<'_>) {
    nobody(rules);
    standing(rules);
    drain(rules);
    if rules.source.analysis.contract.at_least_once() {
        hands_full(rules);
        redelivers(rules);
    }
    dropping(rules);
}

fn of(source: &Source<'_>, metric: &str) -> String {
    metrics::of_queue(metric, &source.names.queue, "")
}

/// The counter of what is done with: without an acknowledgement, a delivery is all that the broker sees.
pub(in super::super) fn done(source: &Source<'_>) -> &'static str {
    if source.analysis.contract.at_least_once() { rabbitmq::ACKED } else { rabbitmq::DELIVERED }
}

/// How long nothing may be done: at least as long as one message may be held.
pub(in super::super) fn patience(source: &Source<'_>) -> Duration {
    source.time("silent_for").max(source.analysis.timing.hold.unwrap_or_default())
}

fn rate_done(source: &Source<'_>) -> String {
    format!("sum(rate({}[{}]))", of(source, done(source)), source.constant("rate_window"))
}

fn nobody(rules: &mut Rules<'_>) {
    let source = rules.source;
    let silent = source.time("silent_for");
    let told = Told {
        summary: "no consumer is connected".to_owned(),
        means: format!("For {silent} the broker has seen no consumer at the queue."),
        action: "Start the consumers; look at the last release first.".to_owned(),
        part: part::FIRST,
    };
    let expr = format!("sum({}) < 1", of(source, rabbitmq::CONSUMERS));
    rules.page("QueueNoConsumer", &source.analysis.contract.on_call, expr, told).hold = Some(silent);
}

fn standing(rules: &mut Rules<'_>) {
    let source = rules.source;
    let patience = patience(source);
    let told = Told {
        summary: "messages wait, and none is taken off the queue".to_owned(),
        means: format!("For {patience} the broker has had messages to deliver and has seen none done."),
        action: "Find what the handlers wait for; restart the consumers one by one.".to_owned(),
        part: part::FIRST,
    };
    let expr = format!("sum({}) > 0 and {} == 0", of(source, rabbitmq::READY), rate_done(source));
    rules.page("QueueStanding", &source.analysis.contract.on_call, expr, told).hold = Some(patience);
}

fn drain(rules: &mut Rules<'_>) {
    let source = rules.source;
    let latency = &source.analysis.latency;
    let Some(above) = latency.alert.map(|above| above.value) else { return };
    let told = Told {
        summary: format!("what waits takes longer than {above} to handle"),
        means: format!(
            "At the present rate, the messages that wait are handled only after {above}. The latency of each will show it once it is done."
        ),
        action: "See whether more messages come or fewer are settled: that decides whether consumers help."
            .to_owned(),
        part: part::FIRST,
    };
    let expr = format!(
        "sum({}) / clamp_min({}, {}) > {}",
        of(source, rabbitmq::READY),
        rate_done(source),
        source.constant("least_rate"),
        seconds(above)
    );
    let held = latency.sustained.map(|time| time.value);
    rules.page("QueueDrain", &source.analysis.contract.on_call, expr, told).hold = held;
}

fn hands_full(rules: &mut Rules<'_>) {
    let source = rules.source;
    let Some(Prefetch::Count(count)) = source.analysis.resolved.prefetch.map(|known| known.value) else {
        return;
    };
    if count == 0 {
        return;
    }
    let held = source.time("held_for");
    let told = Told {
        summary: "the consumers hold all that they may".to_owned(),
        means: format!(
            "For {held} each consumer has held nearly its {count} messages: they are too slow, or too few."
        ),
        action: "Compare the time of one message with the contract's; add consumers if it is as stated."
            .to_owned(),
        part: part::CAPACITY,
    };
    let expr = format!(
        "sum({}) >= {} * {count} * sum({}) > 0",
        of(source, rabbitmq::UNACKED),
        trim(source.share("held_share")),
        of(source, rabbitmq::CONSUMERS)
    );
    rules.ticket("QueueHandsFull", &source.analysis.contract.owners.consumer, expr, told).hold = Some(held);
}

fn redelivers(rules: &mut Rules<'_>) {
    let source = rules.source;
    let (window, share) = (source.constant("redelivered_window"), source.constant("redelivered_share"));
    let rate = |metric: &str| format!("sum(rate({}[{window}]))", of(source, metric));
    let told = Told {
        summary: format!("more than {share} of the deliveries are repeated ones"),
        means: "Consumers die or lose their connection with messages in hand, or give them back: each is delivered again.".to_owned(),
        action: "Look for restarts of the consumers, for lost locks, and for one message that comes back each time.".to_owned(),
        part: part::FAILURES,
    };
    let expr = format!(
        "{} / clamp_min({}, {}) > {}",
        rate(rabbitmq::REDELIVERED),
        rate(rabbitmq::DELIVERED_ACK),
        source.constant("least_rate"),
        trim(source.share("redelivered_share"))
    );
    rules.ticket("QueueRedelivers", &source.analysis.contract.owners.consumer, expr, told).hold =
        Some(source.time("redelivered_for"));
}

/// A ticket, and no page: other queues may drop by design, and the broker counts all together.
fn dropping(rules: &mut Rules<'_>) {
    let source = rules.source;
    let contract = source.analysis.contract;
    if !contract.dead_letter.given() {
        return;
    }
    let window = source.constant("dropped_window");
    let gone = rabbitmq::DEAD_LETTERED
        .map(|metric| format!("sum(increase({metric}{{{}}}[{window}])) > 0", rabbitmq::GONE));
    let told = Told {
        summary: "the broker drops messages that have no way to the dead letters".to_owned(),
        means: "A dead-letter exchange is missing, or leads nowhere. The broker counts this over all of its queues.".to_owned(),
        action: "See that this queue still has its dead-letter exchange, and the exchange its queue.".to_owned(),
        part: part::DEAD_LETTERS,
    };
    rules.ticket("QueueDropping", &contract.owners.operations, gone.join(" or "), told);
}
