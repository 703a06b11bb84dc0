//! The tests of the rules: each just below its threshold, and just above it.

mod consumer;
mod dead_letters;
mod latency;
mod rabbitmq;

use serde::Serialize;

use super::super::language::promql::{duration, seconds, string};
use super::super::language::{Done, Scalar};
use super::super::metrics::{self, rabbitmq as broker};
use super::rules::{Rule, depth, done};
use super::{Pair, Source};
use crate::units::Duration;

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

/// So many messages come and go in one step: enough that a share of them can fail.
const FLOW: u64 = 100;

/// A series with its values.
type Line = (String, String);

/// The tests of one contract.
struct Cases<'a> {
    source: &'a Source<'a>,
    rules: &'a [Rule],
    step: Duration,
    /// So many steps fill the window of a rate.
    settle: u64,
    all: Vec<Case>,
}

pub(super) fn cases(source: &Source<'_>, rules: &[Rule]) -> Vec<Case> {
    let step = source.time("test_interval");
    let mut cases = Cases { source, rules, step, settle: 0, all: Vec::new() };
    cases.settle = cases.steps(source.time("rate_window")) + 2;
    cases.quiet();
    latency::cases(&mut cases);
    consumer::cases(&mut cases);
    dead_letters::cases(&mut cases);
    if source.rabbitmq() {
        rabbitmq::cases(&mut cases);
    }
    cases.all
}

impl Cases<'_> {
    fn steps(&self, time: Duration) -> u64 {
        time.as_millis().div_ceil(self.step.as_millis().max(1))
    }

    fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// The steps from a condition to its alert, with some to spare.
    fn held(&self, name: &str) -> u64 {
        self.steps(self.rule(name).and_then(|rule| rule.hold).unwrap_or_default()) + 3
    }

    /// On a day on which all is well, nothing fires.
    fn quiet(&mut self) {
        let alerts = self.rules.iter().filter(|rule| rule.severity.is_some());
        let longest = alerts.clone().map(|rule| self.held(rule.name)).max().unwrap_or(0);
        let checks: Vec<_> = alerts.map(|rule| (self.settle + longest, rule.name, false)).collect();
        self.case("fine", &[], &checks);
    }

    /// A day on which all is well, as far as `over` does not say otherwise. What no rule of this contract
    /// asks for is left out.
    fn case(&mut self, name: &str, over: &[Line], checks: &[(u64, &str, bool)]) {
        let checked: Vec<Check> = checks.iter().filter_map(|check| self.check(check)).collect();
        if checked.is_empty() {
            return;
        }
        let steps = checks.iter().map(|(at, ..)| *at).max().unwrap_or(0) + 1;
        let mut series = self.fine(steps);
        for (name, value) in over {
            match series.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => known.clone_from(value),
                None => series.push((name.clone(), value.clone())),
            }
        }
        let asked = |name: &str| {
            let metric = name.split('{').next().unwrap_or(name);
            self.rules.iter().any(|rule| rule.expr.contains(metric))
        };
        let series = series
            .into_iter()
            .filter(|(name, _)| asked(name))
            .map(|(name, value)| Series { name: Scalar::new(name), value: Scalar::new(value) });
        self.all.push(Case { name: Scalar::new(name), series: series.collect(), checks: checked });
    }

    fn check(&self, &(at, name, fires): &(u64, &str, bool)) -> Option<Check> {
        let rule = self.rule(name)?;
        let (labels, annotations) = rule.expected();
        let at = Scalar::new(duration(self.step * at));
        Some(Check { at, alert: Done::new(rule.name), fires, labels, annotations })
    }

    fn own(&self, metric: &str) -> String {
        self.source.own(metric, "")
    }

    fn queue(&self, metric: &str) -> String {
        metrics::of_queue(metric, &self.source.names.queue, ",vhost=\"/\"")
    }

    /// The depth of the dead letters as one series.
    fn depth(&self) -> String {
        match &self.source.names.dead_letters {
            Some(queue) if self.source.rabbitmq() => {
                metrics::of_queue(broker::MESSAGES, queue, ",vhost=\"/\"")
            }
            _ => depth(self.source),
        }
    }

    fn bucket(&self, le: &str) -> String {
        self.source.own(metrics::AGE_BUCKET, &format!(",le={}", string(le)))
    }

    /// The bounds of the histogram: the threshold, three times that, and none.
    fn bounds(&self) -> Option<[String; 3]> {
        let above = self.source.analysis.latency.alert?.value;
        Some([seconds(above), seconds(above * 3), "+Inf".to_owned()])
    }

    fn fine(&self, steps: u64) -> Vec<Line> {
        let flow = format!("0+{FLOW}x{steps}");
        let flat = |level: u64| format!("{level}x{steps}");
        let mut series = vec![(self.own(metrics::INFO), flat(1)), (self.depth(), flat(0))];
        let counted = [metrics::ATTEMPTS, metrics::SETTLED, metrics::AGE_COUNT];
        series.extend(counted.map(|metric| (self.own(metric), flow.clone())));
        let zero = [
            metrics::OLDEST_HELD,
            metrics::LOCK_LOST,
            metrics::DEAD_LETTER_OLDEST,
            metrics::DEDUPE_ERRORS,
            metrics::BYPASS,
        ];
        series.extend(zero.map(|metric| (self.own(metric), flat(0))));
        series.push((self.unknown(), flat(0)));
        series.push((self.applied(), flat(0)));
        let bounds = self.bounds().into_iter().flatten();
        series.extend(bounds.map(|le| (self.bucket(&le), flow.clone())));
        if self.source.rabbitmq() {
            let zero = [broker::READY, broker::UNACKED, broker::REDELIVERED];
            series.extend(zero.map(|metric| (self.queue(metric), flat(0))));
            series.push((self.queue(broker::CONSUMERS), flat(1)));
            series.extend(
                [done(self.source), broker::DELIVERED_ACK].map(|one| (self.queue(one), flow.clone())),
            );
        }
        series
    }

    fn unknown(&self) -> String {
        self.source.own(metrics::FAILURES, ",class=\"unknown\"")
    }

    fn applied(&self) -> String {
        self.source.own(metrics::REPLAY_EFFECTS, ",outcome=\"applied\"")
    }
}
