//! The tests of the rules: each just below its threshold, and just above it.

use serde::Serialize;

use super::super::language::promql::{duration, seconds, string};
use super::super::language::{Done, Scalar};
use super::rules::{Rule, depth};
use super::{Pair, Source};
use crate::model::DeadLetterAlert;
use crate::resolve::Prefetch;
use crate::units::{Duration, trim};

/// One test.
#[derive(Debug, Serialize)]
pub(super) struct Case {
    name: Scalar,
    series: Vec<Series>,
    checks: Vec<Check>,
}

#[derive(Debug, Serialize)]
struct Series {
    name: Scalar,
    value: Scalar,
}

/// What an alert does at a time.
#[derive(Debug, Serialize)]
struct Check {
    at: Scalar,
    alert: Done,
    fires: bool,
    labels: Vec<Pair>,
    annotations: Vec<Pair>,
}

/// So many messages come and go in one step: more than one, so that a share of them can fail.
const FLOW: u64 = 30;

/// The tests of one contract.
struct Cases<'a> {
    source: &'a Source<'a>,
    rules: &'a [Rule],
    step: Duration,
    all: Vec<Case>,
}

pub(super) fn cases(source: &Source<'_>, rules: &[Rule]) -> Vec<Case> {
    let mut cases = Cases { source, rules, step: source.time("interval"), all: Vec::new() };
    let settle = cases.steps(source.time("rate_window")) + 2;
    let names: Vec<&str> =
        rules.iter().filter(|rule| !rule.severity.is_empty()).map(|rule| rule.name).collect();
    let quiet: Vec<_> = names.iter().map(|name| (settle + cases.longest(), *name, false)).collect();
    cases.case("fine", &[], &quiet);
    cases.latency(settle);
    cases.consumer(settle);
    cases.dead_letters();
    cases.rabbitmq(settle);
    cases.all
}

impl Cases<'_> {
    fn steps(&self, time: Duration) -> u64 {
        time.as_millis().div_ceil(self.step.as_millis().max(1))
    }

    fn longest(&self) -> u64 {
        self.rules.iter().map(|rule| self.steps(rule.hold.unwrap_or_default())).max().unwrap_or(0) + 2
    }

    fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// The steps from a condition to its alert, with some to spare.
    fn held(&self, name: &str) -> u64 {
        self.steps(self.rule(name).and_then(|rule| rule.hold).unwrap_or_default()) + 3
    }

    /// A day on which all is well, as far as `over` does not say otherwise.
    fn case(&mut self, name: &str, over: &[(String, String)], checks: &[(u64, &str, bool)]) {
        let steps = checks.iter().map(|(at, ..)| *at).max().unwrap_or(0) + 1;
        let mut series = self.fine(steps);
        for (name, value) in over {
            match series.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => known.clone_from(value),
                None => series.push((name.clone(), value.clone())),
            }
        }
        let check = |&(at, name, fires): &(u64, &str, bool)| {
            let rule = self.rule(name)?;
            let pair = |(name, text): &(&'static str, String)| Pair::new(name, text.as_str());
            Some(Check {
                at: Scalar::new(duration(self.step * at)),
                alert: Done::new(rule.name),
                fires,
                labels: rule.labels(),
                annotations: rule.annotations.iter().map(pair).collect(),
            })
        };
        let checks: Vec<Check> = checks.iter().filter_map(check).collect();
        if checks.is_empty() {
            return;
        }
        let series = series
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| Series { name: Scalar::new(name), value: Scalar::new(value) });
        self.all.push(Case { name: Scalar::new(name), series: series.collect(), checks });
    }

    fn own(&self, metric: &str) -> String {
        self.source.own(metric, "")
    }

    fn queue(&self, metric: &str) -> String {
        self.source.broker(metric, &self.source.names.queue, ",vhost=\"/\"")
    }

    /// The depth of the dead letters as one series.
    fn depth(&self) -> String {
        match &self.source.names.dead_letters {
            Some(queue) if self.source.rabbitmq() => self.source.broker("messages", queue, ",vhost=\"/\""),
            _ => depth(self.source),
        }
    }

    fn bucket(&self, le: &str) -> String {
        self.source.own("ackord_message_age_seconds_bucket", &format!(",le={}", string(le)))
    }

    fn applied(&self) -> String {
        self.source.own("ackord_replay_effects_total", ",outcome=\"applied\"")
    }

    /// The bounds of the histogram: the threshold, and three times that.
    fn bounds(&self) -> Option<(String, String)> {
        let above = self.source.analysis.latency.alert?.value;
        Some((seconds(above), seconds(above * 3)))
    }

    fn fine(&self, steps: u64) -> Vec<(String, String)> {
        let flow = format!("0+{FLOW}x{steps}");
        let flat = |level: u64| format!("{level}x{steps}");
        let mut series = vec![
            (self.own("ackord_contract_info"), flat(1)),
            (self.own("ackord_attempts_total"), flow.clone()),
            (self.own("ackord_messages_settled_total"), flow.clone()),
            (self.own("ackord_oldest_held_seconds"), flat(0)),
            (self.own("ackord_lock_lost_total"), flat(0)),
            (self.own("ackord_dead_letter_oldest_seconds"), flat(0)),
            (self.applied(), flat(0)),
            (self.depth(), flat(0)),
        ];
        if let Some((at, over)) = self.bounds() {
            for le in [at.as_str(), over.as_str(), "+Inf"] {
                series.push((self.bucket(le), flow.clone()));
            }
        }
        if self.source.rabbitmq() {
            series.extend([
                (self.queue("messages_ready"), flat(0)),
                (self.queue("messages_unacked"), flat(0)),
                (self.queue("consumers"), flat(1)),
                (self.queue("messages_acked_total"), flow),
            ]);
        }
        series
    }

    fn latency(&mut self, settle: u64) {
        let Some((at, _)) = self.bounds() else { return };
        let (bucket, hold) = (self.bucket(&at), self.held("QueueLatency"));
        let slow = settle + hold;
        let good = FLOW * settle;
        // From then on, no message is as early as the threshold.
        let late = format!("0+{FLOW}x{settle} {good}x{hold}");
        let checks = [
            (settle, "QueueLatency", false),
            (slow, "QueueLatency", true),
            (slow, "QueueLatencyAgain", false),
        ];
        self.case("slow: the first page", &[(bucket.clone(), late)], &checks);

        let flow = format!("0+{FLOW}x{settle} {good}x{hold}");
        let above = self.source.analysis.latency.alert.map(|above| above.value).unwrap_or_default();
        let held = |age: Duration| format!("0x{settle} {}x{hold}", seconds(age));
        let settled = self.own("ackord_messages_settled_total");
        let oldest = self.own("ackord_oldest_held_seconds");
        // What was settled before must have left the window.
        let end = slow + settle;
        let stop = |value: String| {
            format!(
                "{value} {}",
                value.rsplit(' ').next().map_or(String::new(), |last| {
                    format!("{}x{settle}", last.split('x').next().unwrap_or("0"))
                })
            )
        };
        let mut over =
            vec![(settled, stop(flow.clone())), (oldest.clone(), stop(held(above + Duration::from_secs(1))))];
        for le in self.bounds().into_iter().flat_map(|(at, over)| [at, over, "+Inf".to_owned()]) {
            over.push((self.bucket(&le), stop(flow.clone())));
        }
        self.case(
            "stall: p95 sees nothing",
            &over,
            &[(settle, "QueueStalled", false), (end, "QueueStalled", true), (end, "QueueLatency", false)],
        );
        if let Some(one) = over.iter_mut().find(|(name, _)| *name == oldest) {
            one.1 = stop(held(above));
        }
        self.case("stall: not yet", &over, &[(end, "QueueStalled", false)]);

        let within = self.source.analysis.contract.slo.repeat_page.within.get().copied().unwrap_or_default();
        let calm = settle + 3;
        // Where two pages do not fit into the time, there is nothing to see.
        if hold + calm + 4 < self.steps(within) {
            let second = slow + calm + hold;
            let (rest, then) = (FLOW * calm, good + FLOW * calm);
            let two = format!("0+{FLOW}x{settle} {good}x{} {good}+{FLOW}x{calm} {then}x{hold}", hold - 1);
            debug_assert!(rest < then);
            let checks = [
                (slow - 1, "QueueLatency", true),
                (slow + calm - 1, "QueueLatency", false),
                (second, "QueueLatency", true),
                (second, "QueueLatencyAgain", true),
            ];
            self.case("slow twice: the second page", &[(bucket.clone(), two)], &checks);
            let calm = self.steps(within) + 3;
            let (second, then) = (slow + calm + hold, good + FLOW * calm);
            let far = format!("0+{FLOW}x{settle} {good}x{} {good}+{FLOW}x{calm} {then}x{hold}", hold - 1);
            let checks = [(second, "QueueLatency", true), (second, "QueueLatencyAgain", false)];
            self.case("slow again, but later: a first page", &[(bucket, far)], &checks);
        }
    }

    fn consumer(&mut self, settle: u64) {
        let silent = self.held("QueueConsumerSilent");
        let info = self.own("ackord_contract_info");
        let checks =
            [(settle, "QueueConsumerSilent", false), (settle + 12 + silent, "QueueConsumerSilent", true)];
        self.case("no data", &[(info, format!("1x{settle} stale"))], &checks);

        if let Some(deliveries) = self.source.analysis.retries.deliveries() {
            let end = self.held("QueueRedelivery") + 2;
            let attempts = self.own("ackord_attempts_total");
            let tries = |each: u64| (attempts.clone(), format!("0+{each}x{end}"));
            let most = deliveries * FLOW;
            self.case(
                "redelivered as often as may be",
                &[tries(most - 1)],
                &[(end, "QueueRedelivery", false)],
            );
            self.case("redelivered too often", &[tries(most + 1)], &[(end, "QueueRedelivery", true)]);
        }
        let once = |name: String| [(name, "0x3 1x3".to_owned())];
        let (applied, lost) = (self.applied(), self.own("ackord_lock_lost_total"));
        self.case(
            "a replay takes effect",
            &once(applied),
            &[(2, "QueueReplayApplied", false), (6, "QueueReplayApplied", true)],
        );
        self.case("a lock is lost", &once(lost), &[(2, "QueueLockLost", false), (6, "QueueLockLost", true)]);
    }

    fn dead_letters(&mut self) {
        let dead_letter = &self.source.analysis.contract.dead_letter;
        if !dead_letter.given() {
            return;
        }
        let depth = self.depth();
        let to = |count: u64| [(depth.clone(), format!("0x3 {count}x3"))];
        self.case("one dead letter", &to(1), &[(2, "QueueDeadLetter", false), (5, "QueueDeadLetter", true)]);
        match dead_letter.alert.get() {
            Some(DeadLetterAlert::Mapping(at)) => {
                let most = at.messages.get().copied().unwrap_or(1).max(1);
                self.case("one less than pages", &to(most - 1), &[(4, "QueueDeadLetters", false)]);
                self.case("as many as page", &to(most), &[(4, "QueueDeadLetters", true)]);
                let within = at.within.get().copied().unwrap_or_default();
                let late = self.steps(within) + 6;
                let slowly = [(depth.clone(), format!("0x3 {most}x{late}"))];
                self.case("as many, long ago", &slowly, &[(late, "QueueDeadLetters", false)]);
            }
            Some(DeadLetterAlert::Any) => {
                self.case("the first pages", &to(1), &[(5, "QueueDeadLetters", true)])
            }
            None => {}
        }
        if let (Some(_), Some(most)) = (self.rule("QueueDeadLettersFull"), dead_letter.max_messages.get()) {
            let share = match dead_letter.full_alert.get() {
                Some(crate::model::FullAlert::Scalar(share)) => share.share(),
                Some(crate::model::FullAlert::None) | None => self.source.share("full_alert"),
            };
            let full = (share * *most as f64 - 1e-6).ceil() as u64;
            self.case("not yet full", &to(full.saturating_sub(1)), &[(5, "QueueDeadLettersFull", false)]);
            self.case("nearly full", &to(full), &[(5, "QueueDeadLettersFull", true)]);
        }
        if let Some(triage) = dead_letter.triage_within.get() {
            let oldest = self.own("ackord_dead_letter_oldest_seconds");
            let values = format!("{}x3 {}x3", seconds(*triage), seconds(*triage + Duration::from_secs(1)));
            let checks = [(3, "QueueDeadLetterOverdue", false), (6, "QueueDeadLetterOverdue", true)];
            self.case("the oldest is overdue", &[(oldest, values)], &checks);
        }
    }

    fn rabbitmq(&mut self, settle: u64) {
        if !self.source.rabbitmq() {
            return;
        }
        let gone = self.held("QueueNoConsumer");
        let consumers = [(self.queue("consumers"), format!("1x{settle} 0x{gone}"))];
        let end = settle + gone;
        self.case(
            "nobody is connected",
            &consumers,
            &[(settle, "QueueNoConsumer", false), (end, "QueueNoConsumer", true)],
        );
        if let Some(above) = self.source.analysis.latency.alert {
            // So many are settled each second.
            let rate = FLOW as f64 / self.step.as_secs_f64();
            let end = settle + self.held("QueueDrain");
            let ready = |times: f64| {
                let level = above.value.as_secs_f64() * rate * times;
                [(self.queue("messages_ready"), format!("{}x{end}", trim(level)))]
            };
            let (less, more) = (ready(0.9), ready(1.1));
            self.case("the backlog can be drained in time", &less, &[(end, "QueueDrain", false)]);
            self.case("the backlog takes too long", &more, &[(end, "QueueDrain", true)]);
        }
        if let Some(Prefetch::Count(count)) = self.source.analysis.resolved.prefetch.map(|known| known.value)
        {
            let end = self.held("QueueHandsFull");
            let unacked = |level: u32| [(self.queue("messages_unacked"), format!("{level}x{end}"))];
            let (all, half) = (unacked(count), unacked(count / 2));
            self.case("hands full", &all, &[(end, "QueueHandsFull", true)]);
            self.case("hands half full", &half, &[(end, "QueueHandsFull", false)]);
        }
        for cause in ["rejected", "delivery_limit", "expired", "maxlen"] {
            let counter = format!(
                "rabbitmq_global_messages_dead_lettered_{cause}_total{{queue_type=\"rabbit_quorum_queue\",dead_letter_strategy=\"disabled\"}}"
            );
            self.case(
                "the broker drops",
                &[(counter, "0x3 1x3".to_owned())],
                &[(2, "QueueDropping", false), (6, "QueueDropping", true)],
            );
        }
    }
}
