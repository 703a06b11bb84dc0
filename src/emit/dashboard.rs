//! A contract as a dashboard of Grafana: what it promises beside what happens.

mod panels;

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Failure;
use super::language::{Json, promql};
use super::metrics;
use super::shared::{Names, header};
use super::target::{self, Target, View, texts};
use crate::analysis::Analysis;
use crate::lint::Clean;
use crate::model::Broker;
use crate::syntax::Scalar as _;
use crate::units::Ratio;

use panels::{Panel, Row};

/// The target.
pub(super) const SOURCE: target::Source =
    target::Source { texts: texts!("dashboard": "target.yaml", "dashboard.json.j2"), view };

/// What the template sees.
#[derive(Debug, Serialize)]
struct Shape {
    header: Json,
    uid: Json,
    title: Json,
    tag: Json,
    no_id: Json,
    nothing: Json,
    everything: Json,
    schema: Json,
    on_time_change: Json,
    refresh: Json,
    time_from: Json,
    datasource: Json,
    pages: Json,
    page_title: Json,
    page_text: Json,
    variables: Vec<Variable>,
    rows: Vec<PlacedRow>,
}

/// A choice at the head of the dashboard.
#[derive(Debug, Serialize)]
struct Variable {
    name: Json,
    label: Json,
    query: Json,
}

/// A rectangle of the grid.
#[derive(Debug, Serialize)]
struct Place {
    h: Json,
    w: Json,
    x: Json,
    y: Json,
}

#[derive(Debug, Serialize)]
struct PlacedRow {
    id: Json,
    title: Json,
    place: Place,
    panels: Vec<PlacedPanel>,
}

#[derive(Debug, Serialize)]
struct PlacedPanel {
    id: Json,
    title: Json,
    description: Json,
    unit: Json,
    place: Place,
    lines: Json,
    steps: Vec<Step>,
    targets: Vec<Series>,
}

/// From a value on, a colour.
#[derive(Debug, Serialize)]
struct Step {
    color: Json,
    value: Json,
}

#[derive(Debug, Serialize)]
struct Series {
    name: Json,
    expr: Json,
    legend: Json,
}

/// What panels are computed from.
struct Source<'a> {
    analysis: &'a Analysis<'a>,
    target: &'a Target,
    names: Names,
}

/// The choices of the dashboard, which each series keeps to.
const CHOSEN: &str = ",job=~\"$job\",instance=~\"$instance\"";

impl Source<'_> {
    fn constant(&self, name: &str) -> &str {
        self.target.constants().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    fn count(&self, name: &str) -> u32 {
        self.constant(name).parse().unwrap_or(1)
    }

    /// A share of `target.yaml` as a number.
    fn share(&self, name: &str) -> f64 {
        Ratio::parse(self.constant(name)).map_or(1.0, Ratio::share)
    }

    /// A metric of the consumer.
    fn own(&self, metric: &str) -> String {
        metrics::own(metric, self.analysis.contract.name(), CHOSEN)
    }

    /// A metric of the broker about the queue.
    fn queue(&self, metric: &str) -> String {
        metrics::of_queue(metric, &self.names.queue, CHOSEN)
    }

    fn rabbitmq(&self) -> bool {
        matches!(self.analysis.contract.broker.get(), Some(Broker::Rabbitmq(_)))
    }
}

/// What the template of the target sees.
fn view(clean: &Clean<'_>, target: &Target) -> Result<View, Failure> {
    let analysis = clean.analysis();
    let source = Source { analysis, target, names: Names::of(analysis) };
    let contract = analysis.contract.name();
    let number = |name: &str| Json::count(source.count(name));
    let text = |name: &str| Json::text(source.constant(name));
    Ok(View::new(Value::from(Serde(Shape {
        header: Json::text(header(analysis)),
        uid: Json::text(uid(contract)),
        title: Json::text(format!("Queue {contract}")),
        tag: Json::text("ackord"),
        no_id: Json::Null,
        nothing: Json::count(0),
        everything: Json::text("$__all"),
        schema: number("schema"),
        on_time_change: number("on_time_change"),
        refresh: text("refresh"),
        time_from: text("time_from"),
        datasource: Json::text("${datasource}"),
        pages: Json::text(metrics::own("ALERTS", contract, ",severity=\"page\",alertstate=\"firing\"")),
        page_title: Json::text("{{alertname}}"),
        page_text: Json::text("pages {{owner}}"),
        variables: variables(&source),
        rows: placed(&source, panels::rows(&source)),
    }))))
}

/// Grafana knows a dashboard by it, in at most 40 characters.
fn uid(contract: &str) -> String {
    const FITS: usize = 40;
    const PREFIX: &str = "ackord-";
    if PREFIX.len() + contract.len() <= FITS {
        return format!("{PREFIX}{contract}");
    }
    let mut uid = PREFIX.to_owned();
    for byte in Sha256::digest(contract.as_bytes()).iter().take((FITS - PREFIX.len()) / 2) {
        uid.push_str(&format!("{byte:02x}"));
    }
    uid
}

/// The jobs and instances of the consumers, and of the broker where it is asked.
fn variables(source: &Source<'_>) -> Vec<Variable> {
    let anchor = if source.rabbitmq() {
        format!(
            "__name__=~{}",
            promql::string(&format!("{}|{}", metrics::INFO, metrics::rabbitmq::CONSUMERS))
        )
    } else {
        format!(
            "__name__={},contract={}",
            promql::string(metrics::INFO),
            promql::string(source.analysis.contract.name())
        )
    };
    let variable = |name: &str, label: &str, more: &str| Variable {
        name: Json::text(name),
        label: Json::text(label),
        query: Json::text(format!("label_values({{{anchor}{more}}}, {name})")),
    };
    vec![variable("job", "Job", ""), variable("instance", "Instance", ",job=~\"$job\"")]
}

/// Rows one below the other, their panels side by side as far as they fit.
fn placed(source: &Source<'_>, rows: Vec<Row>) -> Vec<PlacedRow> {
    let [columns, width, height, head] =
        ["columns", "panel_width", "panel_height", "row_height"].map(|name| source.count(name));
    let place = |h: u32, w: u32, x: u32, y: u32| Place {
        h: Json::count(h),
        w: Json::count(w),
        x: Json::count(x),
        y: Json::count(y),
    };
    let (mut id, mut y) = (0, 0);
    let mut next = || {
        id += 1;
        Json::count(id)
    };
    let mut out = Vec::new();
    for row in rows {
        let (own, at) = (next(), place(head, columns, 0, y));
        y += head;
        let mut x = 0;
        let mut panels = Vec::new();
        for panel in row.panels {
            if x + width > columns {
                (x, y) = (0, y + height);
            }
            panels.push(shown(panel, next(), place(height, width, x, y)));
            x += width;
        }
        y += height;
        out.push(PlacedRow { id: own, title: Json::text(row.title), place: at, panels });
    }
    out
}

fn shown(panel: Panel, id: Json, place: Place) -> PlacedPanel {
    let lines = if panel.lines.is_empty() { "off" } else { "line" };
    let ground = Step { color: Json::text("green"), value: Json::Null };
    let line = |(color, value): (&str, f64)| Step { color: Json::text(color), value: Json::Number(value) };
    let series = |(at, (expr, legend)): (char, (String, String))| Series {
        name: Json::text(at),
        expr: Json::text(expr),
        legend: Json::text(legend),
    };
    PlacedPanel {
        id,
        title: Json::text(panel.title),
        description: Json::text(panel.description),
        unit: Json::text(panel.unit),
        place,
        lines: Json::text(lines),
        steps: std::iter::once(ground).chain(panel.lines.into_iter().map(line)).collect(),
        targets: ('A'..='Z').zip(panel.series).map(series).collect(),
    }
}
