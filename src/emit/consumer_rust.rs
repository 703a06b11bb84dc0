//! A consumer in Rust: one runtime for all queues of a folder, and for each queue a thin package with what
//! its contract says and the files that are the user's own.

mod contract;
mod demo;
mod failures;
mod handler;
mod message;
mod unsupported;

use std::collections::BTreeSet;

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use super::Failure;
use super::language::{Done, rust};
use super::shared::header;
use super::target::{self, Target, View, texts};
use crate::analysis::Analysis;
use crate::analysis::guarantee;
use crate::lint::Clean;
use crate::model::{Broker, EffectKind};

/// The target.
pub(super) const SOURCE: target::Source = target::Source {
    texts: texts!("consumer-rust":
        "target.yaml",
        "workspace.toml",
        "consumer/Cargo.toml.j2",
        "consumer/classify.rs.j2",
        "consumer/contract.rs.j2",
        "consumer/handler.rs.j2",
        "consumer/main.rs.j2",
        "consumer/message.rs.j2",
        "consumer/reconcile.rs.j2",
        "runtime/package.toml",
        "runtime/src/act.rs",
        "runtime/src/act/fail.rs",
        "runtime/src/act/hold.rs",
        "runtime/src/arguments.rs",
        "runtime/src/backoff.rs",
        "runtime/src/broker.rs",
        "runtime/src/broker/embedded.rs",
        "runtime/src/broker/postgres.rs",
        "runtime/src/broker/postgres/row.rs",
        "runtime/src/broker/rabbitmq.rs",
        "runtime/src/broker/rabbitmq/incoming.rs",
        "runtime/src/broker/rabbitmq/management.rs",
        "runtime/src/broker/rabbitmq/message.rs",
        "runtime/src/broker/rabbitmq/session.rs",
        "runtime/src/broker/rabbitmq/settings.rs",
        "runtime/src/connect.rs",
        "runtime/src/contract.rs",
        "runtime/src/dedupe.rs",
        "runtime/src/delivery.rs",
        "runtime/src/demo.rs",
        "runtime/src/demo/column.rs",
        "runtime/src/demo/ledger.rs",
        "runtime/src/demo/worker.rs",
        "runtime/src/effect.rs",
        "runtime/src/failure.rs",
        "runtime/src/handler.rs",
        "runtime/src/http.rs",
        "runtime/src/intake.rs",
        "runtime/src/lib.rs",
        "runtime/src/metrics.rs",
        "runtime/src/program.rs",
        "runtime/src/random.rs",
        "runtime/src/settle.rs",
        "runtime/src/setup.rs",
        "runtime/src/stand_in.rs",
        "runtime/src/startup.rs",
        "runtime/src/status.rs",
        "runtime/src/steps.rs",
        "runtime/src/store.rs",
        "runtime/src/store/sqlite.rs",
        "runtime/src/tables.rs",
        "runtime/src/time.rs",
        "runtime/src/worker.rs",
    ),
    view,
};

/// What the templates see.
#[derive(Debug, Serialize)]
struct Shape {
    header: Done,
    queue: Done,
    package: Done,
    version: Done,
    edition: Done,
    serde: Done,
    production: Done,
    guarantee: Done,
    external: bool,
    database: bool,
    #[serde(flatten)]
    message: message::Shape,
    contract: contract::Shape,
    demo: demo::Shape,
    #[serde(flatten)]
    failures: failures::Shape,
    #[serde(flatten)]
    handler: handler::Shape,
}

/// What the parts are computed from.
struct Source<'a> {
    analysis: &'a Analysis<'a>,
    target: &'a Target,
}

impl Source<'_> {
    fn constant(&self, name: &str) -> &str {
        self.target.constants().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// The effects of a kind, by their names.
    fn effects(&self, kind: EffectKind) -> Vec<&str> {
        let effects = self.analysis.contract.effects();
        let named = effects.filter(|(effect, _)| effect.kind.get() == Some(&kind));
        named.filter_map(|(effect, _)| effect.name.get().map(|name| name.as_str())).collect()
    }

    fn external(&self) -> bool {
        !self.effects(EffectKind::External).is_empty()
    }
}

/// What the templates of the target see.
fn view(clean: &Clean<'_>, target: &Target) -> Result<View, Failure> {
    let analysis = clean.analysis();
    let source = Source { analysis, target };
    unsupported::refuse(analysis)?;
    let queue = analysis.contract.name();
    let message = message::shape(analysis);
    let shape = Shape {
        header: Done::new(rust::line(&header(analysis))),
        queue: Done::new(rust::code(queue)),
        package: Done::new(rust::string(&package(queue))),
        version: text(analysis.contract.version.get().map_or("0.1.0", |version| version.as_str())),
        edition: Done::new(source.constant("edition")),
        serde: Done::new(source.constant("serde")),
        production: Done::new(production(analysis)),
        guarantee: Done::new(rust::comment(&guarantee::sentence(analysis.contract))),
        external: source.external(),
        database: !handler::tables(analysis).is_empty(),
        contract: contract::shape(&source)?,
        demo: demo::shape(&source, &message),
        failures: failures::shape(analysis),
        handler: handler::shape(&source, &message),
        message,
    };
    let has = if shape.external { BTreeSet::from(["external"]) } else { BTreeSet::new() };
    Ok(View { value: Value::from(Serde(shape)), has })
}

/// A text of the contract as a literal.
fn text(text: &str) -> Done {
    Done::new(rust::string(text))
}

/// A text that may be absent.
fn maybe(value: Option<String>) -> Done {
    Done::new(value.map_or_else(|| "None".to_owned(), |value| format!("Some({value})")))
}

/// Texts as a slice.
fn texts<S: AsRef<str>>(all: impl IntoIterator<Item = S>) -> Done {
    let all: Vec<String> = all.into_iter().map(|one| rust::string(one.as_ref())).collect();
    Done::new(format!("&[{}]", all.join(", ")))
}

/// The name of the package. No two queues have the same: a queue's name has neither two dashes in a row nor
/// an underscore at its start.
fn package(queue: &str) -> String {
    let name = format!("{}-consumer", queue.replace('.', "--"));
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// The features of the runtime for the broker of the contract. Its stores other than SQLite are to come.
fn production(analysis: &Analysis<'_>) -> String {
    let feature = match analysis.contract.broker.get() {
        Some(Broker::Rabbitmq(_)) => "rabbitmq",
        Some(Broker::Postgres(_)) => "postgres-queue",
        _ => return String::new(),
    };
    rust::string(&format!("ackord-runtime/{feature}"))
}
