//! The page for the person who was paged: every sentence and every figure, ready to be placed.

mod alerts;
mod capacity;
mod dead_letters;
mod failures;
mod replay;

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use super::language::{Comment, Done, Ident, Lit};
use super::shared::{Names, header, in_words, said};
use super::target::{Source, Target, View, texts};
use super::{Failure, language, render};
use crate::analysis::{Analysis, guarantee};
use crate::lint::Clean;
use crate::model::{Bypassed, Outbox};
use crate::report::figures;

/// The target.
pub(super) const SOURCE: Source = Source {
    texts: texts!("runbook":
        "target.yaml",
        "runbook.md.j2",
        "broker/kafka.sh.j2",
        "broker/nats-jetstream.sh.j2",
        "broker/neutral.sh.j2",
        "broker/postgres.sh.j2",
        "broker/rabbitmq.sh.j2",
        "broker/redis-list.sh.j2",
        "broker/redis-streams.sh.j2",
        "broker/sqs.sh.j2",
    ),
    view,
};

fn view(clean: &Clean<'_>, target: &Target) -> Result<View, Failure> {
    let commands = render(target.part(part(clean)), &checks(clean, target))?;
    Ok(View::new(contract(clean, target, Done::new(commands.trim_end()))))
}

/// A contract as the page shows it.
#[derive(Debug, Serialize)]
struct Contract {
    header: Comment,
    queue: Ident,
    version: Option<Lit>,
    guarantee: Lit,
    summary: Option<Lit>,
    about: Vec<Row>,
    dashboard: Option<Lit>,
    rollback: Option<Lit>,
    repeat_page: Option<alerts::Repeat>,
    alerts: Vec<alerts::Alert>,
    signs: Vec<alerts::Sign>,
    variables: bool,
    checks: Done,
    failures: failures::Failures,
    dead_letters: Option<dead_letters::DeadLetters>,
    replay: Option<replay::Replay>,
    bypass: Option<Bypass>,
    escalation: Vec<Row>,
    capacity: Vec<capacity::Figure>,
    limits: Vec<Lit>,
    time_box: Lit,
    sample: Lit,
    canary: Lit,
}

/// One line of a table with two columns.
#[derive(Debug, Serialize)]
struct Row {
    label: Lit,
    value: Lit,
}

/// The names that commands are about.
#[derive(Debug, Serialize)]
struct Checks {
    queue: Ident,
    group: Ident,
    dead_letters: Option<Ident>,
    quorum: bool,
    pgmq: bool,
    sample: Lit,
    stale_window: Lit,
    stale_period: Lit,
}

/// The emergency switch.
#[derive(Debug, Serialize)]
struct Bypass {
    env: Ident,
    skips: Lit,
    logged: Lit,
}

/// Which part of a target speaks of the contract's broker.
fn part(clean: &Clean<'_>) -> &'static str {
    clean.analysis().contract.broker.get().map_or("neutral", |broker| broker.kind().word())
}

/// What the commands of a broker see.
fn checks(clean: &Clean<'_>, target: &Target) -> Value {
    let names = Names::of(clean.analysis());
    let rabbitmq = clean.analysis().contract.rabbitmq();
    let broker = clean.analysis().contract.broker.get();
    Value::from(Serde(Checks {
        queue: Ident::new(names.queue, "QUEUE"),
        group: Ident::new(names.group, "GROUP"),
        dead_letters: names.dead_letters.map(|name| Ident::new(name, "DLQ")),
        quorum: rabbitmq.is_some_and(|one| one.queue_type.get() == Some(&crate::model::QueueType::Quorum)),
        pgmq: matches!(broker, Some(crate::model::Broker::Postgres(one)) if one.table.get() == Some(&crate::model::PostgresTable::Pgmq)),
        sample: constant(target, "sample"),
        stale_window: constant(target, "stale_window"),
        stale_period: constant(target, "stale_period"),
    }))
}

/// What the templates of a target see.
fn contract(clean: &Clean<'_>, target: &Target, checks: Done) -> Value {
    let analysis = clean.analysis();
    let contract = analysis.contract;
    let names = Names::of(analysis);
    let variables = [&names.queue, &names.group].into_iter().any(|name| !language::is_plain(name));
    let bypass = contract.emergency_bypass.get().map(|bypass| Bypass {
        env: Ident::new(bypass.env.get().map_or("", |env| env.as_str()), "BYPASS"),
        skips: Lit::new(in_words(
            bypass.skips.get().into_iter().flat_map(|skips| skips.iter()).map(|(skip, _)| skipped(*skip)),
        )),
        logged: Lit::new(match bypass.logged.get() {
            Some(true) => "Each use is logged.",
            Some(false) | None => {
                "The contract does not say that a use is logged: write down each one by hand."
            }
        }),
    });
    Value::from(Serde(Contract {
        header: Comment::new(header(analysis)),
        queue: Ident::new(contract.name(), "QUEUE"),
        version: contract.version.get().map(|version| Lit::new(version.as_str())),
        guarantee: Lit::new(guarantee::sentence(contract)),
        summary: contract.summary.get().map(Lit::new),
        about: about(analysis, &names),
        dashboard: contract.runbook.dashboard.get().map(Lit::new),
        rollback: contract.runbook.rollback.get().map(Lit::new),
        repeat_page: alerts::repeat(analysis),
        alerts: alerts::alerts(analysis, target),
        signs: alerts::signs(analysis),
        variables,
        checks,
        failures: failures::failures(analysis),
        dead_letters: dead_letters::dead_letters(analysis),
        replay: replay::replay(analysis),
        bypass,
        escalation: escalation(analysis, target),
        capacity: capacity::figures(analysis),
        limits: capacity::limits(analysis),
        time_box: constant(target, "time_box"),
        sample: constant(target, "sample"),
        canary: constant(target, "canary"),
    }))
}

fn about(analysis: &Analysis<'_>, names: &Names) -> Vec<Row> {
    let contract = analysis.contract;
    let mut rows = Vec::new();
    let mut row =
        |label: &str, value: String| rows.push(Row { label: Lit::new(label), value: Lit::new(value) });
    if let Some(flow) = contract.flow() {
        row("Flow", flow.word().to_owned());
    }
    let broker =
        figures::broker(analysis).unwrap_or_else(|| "a broker that the contract does not name".to_owned());
    let group = contract.broker.get().and_then(|broker| broker.common().group.get());
    let group = group.map_or_else(String::new, |group| format!(", read by the group {group}"));
    row("Broker", format!("{broker}, as {}{group}", names.queue));
    let owners = &contract.owners;
    row("Producer", said(&owners.producer, "owners.producer"));
    row("Consumer", said(&owners.consumer, "owners.consumer"));
    row("Operations", said(&owners.operations, "owners.operations"));
    row("On call", said(&contract.on_call, "on_call"));
    let dead_letter = &contract.dead_letter;
    if let (true, Some(queue)) = (dead_letter.given(), dead_letter.queue.get()) {
        row("Dead letters", format!("{queue}, owned by {}", said(&dead_letter.owner, "dead_letter.owner")));
        if let Some(on_call) = dead_letter.on_call.get() {
            row("On call for dead letters", on_call.clone());
        }
    }
    if let Some(event) = contract.message.event_id.get() {
        let table = contract
            .status
            .table
            .get()
            .map_or_else(String::new, |table| format!(", in the status table {table}"));
        row("One event is found by", format!("{event}{table}"));
    }
    if let Some(business) = contract.message.business_id.get() {
        row("One business act is found by", format!("{business}, in messages, logs, rows and metrics"));
    }
    if let Some(Outbox::Scalar(table)) = contract.producer.outbox.get() {
        row("Outbox of the producer", table.to_string());
    } else if let Some(Outbox::Mapping(outbox)) = contract.producer.outbox.get() {
        let keep =
            outbox.keep.get().map_or_else(String::new, |keep| format!(", sent rows are kept for {keep}"));
        row(
            "Outbox of the producer",
            format!("{}{keep}", outbox.table.get().map_or("", |table| table.as_str())),
        );
    }
    rows
}

fn escalation(analysis: &Analysis<'_>, target: &Target) -> Vec<Row> {
    let contract = analysis.contract;
    let mut rows = Vec::new();
    let mut row =
        |label: String, value: String| rows.push(Row { label: Lit::new(label), value: Lit::new(value) });
    let time_box = target.constants().find(|(name, _)| *name == "time_box").map_or("", |(_, value)| value);
    row("At once".to_owned(), said(&contract.on_call, "on_call"));
    row(
        format!("No cause found after {time_box}"),
        format!("{} (operations)", said(&contract.owners.operations, "owners.operations")),
    );
    row(
        "The handler fails, or an effect happened twice or not at all".to_owned(),
        format!("{} (consumer)", said(&contract.owners.consumer, "owners.consumer")),
    );
    row(
        "Messages are wrong, missing or too many".to_owned(),
        format!("{} (producer)", said(&contract.owners.producer, "owners.producer")),
    );
    if contract.dead_letter.given() {
        row(
            "A dead letter waits for a decision".to_owned(),
            said(&contract.dead_letter.owner, "dead_letter.owner"),
        );
    }
    rows
}

fn constant(target: &Target, name: &str) -> Lit {
    Lit::new(target.constants().find(|(known, _)| *known == name).map_or("", |(_, value)| value))
}

fn skipped(check: Bypassed) -> &'static str {
    match check {
        Bypassed::Staleness => "the check for stale messages",
        Bypassed::FlowControl => "the limits on workers",
        Bypassed::Dedupe => "the recognition of repeated messages",
    }
}
