//! Which rules a contract has.

use super::super::language::promql::{duration, seconds};
use super::super::shared::said;
use super::{Pair, Source};
use crate::model::{DeadLetterAlert, FullAlert};
use crate::resolve::Prefetch;
use crate::syntax::Opt;
use crate::units::{Duration, trim};

/// An alert, or a recorded series where it has no severity.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) expr: String,
    pub(super) hold: Option<Duration>,
    pub(super) severity: &'static str,
    pub(super) stage: Option<&'static str>,
    pub(super) annotations: Vec<(&'static str, String)>,
    contract: String,
}

impl Rule {
    pub(super) fn labels(&self) -> Vec<Pair> {
        let mut labels =
            vec![Pair::new("contract", self.contract.as_str()), Pair::new("severity", self.severity)];
        labels.extend(self.stage.map(|stage| Pair::new("stage", stage)));
        labels
    }
}

/// Rules in their order.
struct Rules<'a> {
    source: &'a Source<'a>,
    all: Vec<Rule>,
}

impl Rules<'_> {
    fn record(&mut self, name: &'static str, expr: String) {
        let contract = self.source.analysis.contract.name().to_owned();
        let rule =
            Rule { name, expr, hold: None, severity: "", stage: None, annotations: Vec::new(), contract };
        self.all.push(rule);
    }

    /// An alert with what it sees and what its reader does.
    fn alert(
        &mut self,
        (name, severity): (&'static str, &'static str),
        expr: String,
        hold: Option<Duration>,
        (summary, description): (String, String),
        who: &Opt<String>,
    ) {
        let queue = self.source.analysis.contract.name();
        let who = said(who, if severity == "page" { "on_call" } else { "dead_letter.owner" });
        let annotations = vec![
            ("summary", format!("{queue}: {summary}")),
            ("description", description),
            ("who", who),
            ("runbook", format!("{queue}/runbook.md")),
        ];
        self.all.push(Rule {
            name,
            expr,
            hold,
            severity,
            stage: None,
            annotations,
            contract: queue.to_owned(),
        });
    }

    fn stage(&mut self, stage: &'static str) {
        if let Some(last) = self.all.last_mut() {
            last.stage = Some(stage);
        }
    }
}

pub(super) fn rules(source: &Source<'_>) -> Vec<Rule> {
    let mut rules = Rules { source, all: Vec::new() };
    latency(&mut rules);
    consumer(&mut rules);
    dead_letters(&mut rules);
    if source.rabbitmq() {
        rabbitmq(&mut rules);
    }
    rules.all
}

fn latency(rules: &mut Rules<'_>) {
    let source = rules.source;
    let (contract, latency) = (source.analysis.contract, &source.analysis.latency);
    let Some(above) = latency.alert else { return };
    let (window, interval) = (source.constant("rate_window"), source.constant("interval"));
    let held = latency.sustained.map(|time| time.value);
    let for_long = held.map_or_else(String::new, |time| format!(" for {time}"));
    let objective =
        latency.objective.map_or_else(String::new, |p95| format!(" The objective is {}.", p95.value));
    let first = contract.slo.first_page.get().map_or("investigate", String::as_str);
    let age = source.own("ackord_message_age_seconds_bucket", "");
    rules.alert(
        ("QueueLatency", "page"),
        format!(
            "histogram_quantile({}, sum by (le) (rate({age}[{window}]))) > {}",
            source.constant("quantile"),
            seconds(above.value)
        ),
        held,
        (
            format!("messages take effect too late, p95 above {}{for_long}", above.value),
            format!(
                "From publication to effect, p95 is above {}{for_long}.{objective} Do: {first}",
                above.value
            ),
        ),
        &contract.on_call,
    );
    rules.stage("investigate");
    let (held_age, settled) =
        (source.own("ackord_oldest_held_seconds", ""), source.own("ackord_messages_settled_total", ""));
    rules.alert(
        ("QueueStalled", "page"),
        format!("max({held_age}) > {} and sum(rate({settled}[{window}])) == 0", seconds(above.value)),
        held,
        (
            "a stall: messages are in hand, none is settled".to_owned(),
            format!("A message in hand is older than {}, and nothing is settled{for_long}. p95 does not show that: it sees only what is done. Do: {first}", above.value),
        ),
        &contract.on_call,
    );
    rules.stage("investigate");
    let repeat = contract.slo.repeat_page.get();
    let Some((within, todo)) = repeat.and_then(|page| page.within.get().zip(page.r#do.get())) else { return };
    if within.is_zero() {
        return;
    }
    let active = source.own("ackord:latency_page:active", "");
    let firing = source.own("ALERTS", ",alertname=\"QueueLatency\",alertstate=\"firing\"");
    rules.record("ackord:latency_page:active", format!("max by (contract) ({firing})"));
    // One less the page falls where a page begins; where no page is recorded, the consumer's own series
    // stands for none.
    let none = source.own("ackord_contract_info", "");
    rules.alert(
        ("QueueLatencyAgain", "page"),
        format!(
            "resets((1 - (max by (contract) ({active}) or max by (contract) (0 * {none})))[{}:{interval}]) >= {} and on (contract) {active} == 1",
            duration(*within),
            source.constant("pages")
        ),
        None,
        (
            format!("the second page about latency within {within}"),
            format!("The first remedy did not hold. Do: {todo}"),
        ),
        &contract.on_call,
    );
    rules.stage("rollback");
}

fn consumer(rules: &mut Rules<'_>) {
    let source = rules.source;
    let (analysis, contract) = (source.analysis, source.analysis.contract);
    let silent = source.time("silent_for");
    rules.alert(
        ("QueueConsumerSilent", "page"),
        format!("absent({})", source.own("ackord_contract_info", "")),
        Some(silent),
        (
            "no consumer reports".to_owned(),
            format!("For {silent} no consumer has shown its metrics. No data is no good news: start the consumers, look at the last release."),
        ),
        &contract.on_call,
    );
    if let Some(deliveries) = analysis.retries.deliveries().filter(|_| contract.at_least_once()) {
        let worst = analysis.retries.worst_to_dead_letter.unwrap_or_default();
        let window = source.time("redelivery_window").max(worst.ceil_to(Duration::from_secs(1)));
        let sum = |metric: &str| format!("sum(increase({}[{}]))", source.own(metric, ""), duration(window));
        rules.alert(
            ("QueueRedelivery", "ticket"),
            format!("{} / {} > {deliveries}", sum("ackord_attempts_total"), sum("ackord_messages_settled_total")),
            Some(window),
            (
                format!("more than {deliveries} deliveries for each message"),
                format!("The contract allows {deliveries} deliveries of one message, the first one included; the mean over {window} is above. A limit is not kept, or locks are lost."),
            ),
            &contract.owners.consumer,
        );
    }
    let no_op = contract.replay.expected_no_op.get().is_some_and(|share| share.share() >= 1.0);
    if no_op {
        let window = source.constant("replay_window");
        let applied = source.own("ackord_replay_effects_total", ",outcome=\"applied\"");
        rules.alert(
            ("QueueReplayApplied", "page"),
            format!("sum(increase({applied}[{window}])) > 0"),
            None,
            (
                "a replayed message took effect".to_owned(),
                "A replay must change nothing, and one of its messages did. Stop the replay: either the effect had been missing, or the key does not recognise it.".to_owned(),
            ),
            &contract.on_call,
        );
    }
    if analysis.timing.lock.is_some() && contract.at_least_once() {
        let (window, lost) = (source.constant("lock_window"), source.own("ackord_lock_lost_total", ""));
        let lock = analysis.timing.lock.map_or_else(String::new, |lock| lock.value.to_string());
        rules.alert(
            ("QueueLockLost", "ticket"),
            format!("sum(increase({lost}[{window}])) > 0"),
            None,
            (
                "a lock was lost".to_owned(),
                format!(
                    "Work took longer than the lock of {lock}, and the message went to a second consumer."
                ),
            ),
            &contract.owners.consumer,
        );
    }
}

fn dead_letters(rules: &mut Rules<'_>) {
    let source = rules.source;
    let contract = source.analysis.contract;
    let dead_letter = &contract.dead_letter;
    if !dead_letter.given() {
        return;
    }
    let depth = depth(source);
    let on_call = if dead_letter.on_call.given() { &dead_letter.on_call } else { &contract.on_call };
    let waits = "A message could not be handled and waits for a decision.";
    let first = || ("there is a dead letter".to_owned(), waits.to_owned());
    let any = format!("max({depth}) > 0");
    rules.alert(("QueueDeadLetter", "ticket"), any.clone(), None, first(), &dead_letter.owner);
    match dead_letter.alert.get() {
        Some(DeadLetterAlert::Any) => {
            rules.alert(("QueueDeadLetters", "page"), any, None, first(), on_call);
        }
        Some(DeadLetterAlert::Mapping(at)) => {
            if let Some((messages, within)) = at.messages.get().zip(at.within.get())
                && !within.is_zero()
            {
                rules.alert(
                    ("QueueDeadLetters", "page"),
                    format!("max({depth} - min_over_time({depth}[{}])) >= {messages}", duration(*within)),
                    None,
                    (
                        format!("{messages} more dead letters within {within}"),
                        "This is no single bad message: something that every message needs is failing. Find the failing class, and stop its cause before anything is put back.".to_owned(),
                    ),
                    on_call,
                );
            }
        }
        None => {}
    }
    let share = match dead_letter.full_alert.get() {
        Some(FullAlert::None) => None,
        Some(FullAlert::Scalar(share)) => Some(share.share()),
        None => Some(source.share("full_alert")),
    };
    if let Some((share, most)) = share.zip(dead_letter.max_messages.get()) {
        rules.alert(
            ("QueueDeadLettersFull", "page"),
            format!("max({depth}) >= {} * {most}", trim(share)),
            None,
            (
                "the dead letters are nearly full".to_owned(),
                format!("Of {most} dead letters that fit in, {} are there. What comes once it is full is lost or blocks the queue: decide on the oldest.", crate::report::figures::percent(share)),
            ),
            on_call,
        );
    }
    if let Some(triage) = dead_letter.triage_within.get() {
        let oldest = source.own("ackord_dead_letter_oldest_seconds", "");
        rules.alert(
            ("QueueDeadLetterOverdue", "ticket"),
            format!("max({oldest}) > {}", seconds(*triage)),
            None,
            (
                "a dead letter waits for too long".to_owned(),
                format!("The oldest dead letter should have been decided on within {triage}."),
            ),
            &dead_letter.owner,
        );
    }
}

/// How many dead letters there are: asked of the broker where it can say.
pub(super) fn depth(source: &Source<'_>) -> String {
    match &source.names.dead_letters {
        Some(queue) if source.rabbitmq() => source.broker("messages", queue, ""),
        _ => source.own("ackord_dead_letters", ""),
    }
}

/// What only the broker sees. Queues of one name in two virtual hosts count together.
fn rabbitmq(rules: &mut Rules<'_>) {
    let source = rules.source;
    let (analysis, contract) = (source.analysis, source.analysis.contract);
    let metric = |name: &str| source.broker(name, &source.names.queue, "");
    let window = source.constant("rate_window");
    let acked = format!("sum(rate({}[{window}]))", metric("messages_acked_total"));
    let silent = source.time("silent_for");
    rules.alert(
        ("QueueNoConsumer", "page"),
        format!("sum({}) == 0", metric("consumers")),
        Some(silent),
        (
            "no consumer is connected".to_owned(),
            format!("For {silent} the broker has seen no consumer at the queue."),
        ),
        &contract.on_call,
    );
    if let Some(above) = analysis.latency.alert {
        rules.alert(
            ("QueueDrain", "page"),
            format!("sum({}) / clamp_min({acked}, {}) > {}", metric("messages_ready"), source.constant("least_rate"), seconds(above.value)),
            analysis.latency.sustained.map(|time| time.value),
            (
                format!("what waits takes longer than {} to handle", above.value),
                format!("At the present rate, the messages that wait are handled only after {}. The latency of each will show it once it is done.", above.value),
            ),
            &contract.on_call,
        );
    }
    if let Some(Prefetch::Count(count)) = analysis.resolved.prefetch.map(|known| known.value)
        && count > 0
    {
        let (share, held) = (source.share("held_share"), source.time("held_for"));
        rules.alert(
            ("QueueHandsFull", "ticket"),
            format!(
                "sum({}) >= {} * {count} * sum({}) > 0",
                metric("messages_unacked"),
                trim(share),
                metric("consumers")
            ),
            Some(held),
            (
                "the consumers hold all that they may".to_owned(),
                format!("For {held} each consumer has held nearly its {count} messages: they are too slow, or too few."),
            ),
            &contract.owners.consumer,
        );
    }
    if contract.dead_letter.given() {
        let window = source.constant("dropped_window");
        let gone = |cause: &str| {
            format!(
                "sum(increase(rabbitmq_global_messages_dead_lettered_{cause}_total{{dead_letter_strategy=\"disabled\"}}[{window}])) > 0"
            )
        };
        rules.alert(
            ("QueueDropping", "ticket"),
            ["rejected", "delivery_limit", "expired", "maxlen"].map(gone).join(" or "),
            None,
            (
                "the broker drops messages that have no way to the dead letters".to_owned(),
                "The broker counts this over all of its queues: see that this one still has its dead-letter exchange.".to_owned(),
            ),
            &contract.owners.operations,
        );
    }
}
