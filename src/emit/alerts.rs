//! The alerts of a contract as rules of Prometheus, and the tests that hold each to its figures.

mod cases;
mod rules;

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use super::Failure;
use super::language::{Done, Remark, Scalar, promql};
use super::metrics;
use super::shared::{Names, header};
use super::target::{self, Target, View, texts};
use crate::analysis::Analysis;
use crate::lint::Clean;
use crate::model::Broker;
use crate::syntax::Scalar as _;
use crate::units::{Duration, Ratio};

use rules::Rule;

/// The target.
pub(super) const SOURCE: target::Source =
    target::Source { texts: texts!("alerts": "target.yaml", "rules.yml.j2", "rules_test.yml.j2"), view };

/// What both templates see.
#[derive(Debug, Serialize)]
struct Shape {
    header: Remark,
    notes: Vec<Remark>,
    group: Scalar,
    interval: Scalar,
    test_interval: Scalar,
    rules: Vec<Shown>,
    cases: Vec<cases::Case>,
}

/// A rule as it is placed.
#[derive(Debug, Serialize)]
struct Shown {
    record: bool,
    name: Done,
    expr: Scalar,
    hold: Option<Scalar>,
    labels: Vec<Pair>,
    annotations: Vec<Pair>,
}

/// A name of ours with what it is.
#[derive(Debug, Serialize)]
struct Pair {
    name: Done,
    value: Scalar,
}

impl Pair {
    fn new(name: &'static str, value: impl Into<String>) -> Self {
        Self { name: Done::new(name), value: Scalar::new(value) }
    }
}

/// What rules and tests are computed from.
struct Source<'a> {
    analysis: &'a Analysis<'a>,
    target: &'a Target,
    names: Names,
}

impl Source<'_> {
    fn constant(&self, name: &str) -> &str {
        self.target.constants().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    fn time(&self, name: &str) -> Duration {
        Duration::parse(self.constant(name)).unwrap_or_default()
    }

    /// A share of `target.yaml` as a number.
    fn share(&self, name: &str) -> f64 {
        Ratio::parse(self.constant(name)).map_or(1.0, Ratio::share)
    }

    /// A metric of the consumer, with further conditions.
    fn own(&self, metric: &str, more: &str) -> String {
        metrics::own(metric, self.analysis.contract.name(), more)
    }

    fn rabbitmq(&self) -> bool {
        matches!(self.analysis.contract.broker.get(), Some(Broker::Rabbitmq(_)))
    }
}

/// What the templates of the target see.
fn view(clean: &Clean<'_>, target: &Target) -> Result<View, Failure> {
    let analysis = clean.analysis();
    let source = Source { analysis, target, names: Names::of(analysis) };
    let rules = rules::rules(&source);
    let cases = cases::cases(&source, &rules);
    Ok(View::new(Value::from(Serde(Shape {
        header: Remark::new(header(analysis)),
        notes: notes(&source).into_iter().map(Remark::new).collect(),
        group: Scalar::new(format!("ackord-{}", analysis.contract.name())),
        interval: Scalar::new(source.constant("interval")),
        test_interval: Scalar::new(source.constant("test_interval")),
        rules: rules.iter().map(shown).collect(),
        cases,
    }))))
}

fn shown(rule: &Rule) -> Shown {
    // Prometheus fills in labels and annotations alike.
    let pair = |name: &'static str, text: &str| Pair::new(name, promql::annotation(text));
    Shown {
        record: rule.severity.is_none(),
        name: Done::new(rule.name),
        expr: Scalar::new(rule.expr.as_str()),
        hold: rule.hold.filter(|hold| !hold.is_zero()).map(|hold| Scalar::new(promql::duration(hold))),
        labels: rule.labels().map(|(name, text)| pair(name, text)).collect(),
        annotations: rule.annotations.iter().map(|(name, text)| pair(name, text)).collect(),
    }
}

/// What somebody must know who loads the rules.
fn notes(source: &Source<'_>) -> Vec<String> {
    let mut notes =
        vec!["The metrics `ackord_*` come from the consumer, which starts each counter at zero.".to_owned()];
    if let Some(above) = source.analysis.latency.alert {
        notes.push(format!(
            "The histogram of message age has a bound at {} and one above it, or its alert cannot fire.",
            above.value
        ));
    }
    notes.push(if source.rabbitmq() {
        "RabbitMQ is scraped at `/metrics/detailed` with queue_coarse_metrics, queue_consumer_count and queue_delivery_metrics.".to_owned()
    } else {
        "Only the consumer's metrics are used: these rules ask this broker for none of its own.".to_owned()
    });
    notes
}
