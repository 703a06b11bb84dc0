//! `ackord init`: a first contract, or the sections that a contract lacks.

mod questions;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Component, Path};

use super::args::Init;
use super::discover::Place;
use super::output::{self, Streams, shown};
use super::stop::Stop;
use super::{CLEAN, FINDINGS, judged, load};
use crate::init::{self, Completed, FLOWS};
use crate::lint::{Inputs, Settings};
use crate::model::{BrokerKind, Flow, Slug};
use crate::report::{self, text::printable};

/// The schema that the editor checks contracts by; it is ours, so it follows the program's version.
const SCHEMA: &str = ".ackord/ackord.v1.json";

/// So many contracts of one file are told of by name.
const MOST_QUEUES: usize = 10;

/// What a new contract is about.
#[derive(Debug)]
struct Wish {
    name: Slug,
    flow: Flow,
    broker: BrokerKind,
}

/// The words of all flows.
pub(super) fn flows() -> Vec<&'static str> {
    FLOWS.map(Flow::word).to_vec()
}

/// The words of all brokers.
pub(super) fn brokers() -> Vec<&'static str> {
    BrokerKind::ALL.map(BrokerKind::word).to_vec()
}

/// Runs the command.
pub(super) fn run(args: &Init, streams: &mut Streams) -> Result<u8, Stop> {
    match &args.complete {
        Some(file) => complete(file, streams),
        None => start(args, streams),
    }
}

fn start(args: &Init, streams: &mut Streams) -> Result<u8, Stop> {
    let flow = args.flow.as_deref().and_then(flow);
    let broker = args.broker.as_deref().and_then(broker);
    // A name that cannot be is told before anything is asked.
    let name = args.name.as_deref().map(|text| name(text, flow, broker)).transpose()?;
    let wish = match (name, flow, broker) {
        (Some(name), Some(flow), Some(broker)) => Wish { name, flow, broker },
        (name, flow, broker) if io::stdin().is_terminal() && io::stderr().is_terminal() => {
            questions::ask(name, flow, broker, &mut io::stdin().lock(), &mut |line| streams.ask(line))?
        }
        (name, flow, broker) => return Err(unsaid(name.is_some(), flow.is_some(), broker.is_some())),
    };
    write(&wish, &args.dir, streams)
}

fn flow(word: &str) -> Option<Flow> {
    FLOWS.into_iter().find(|flow| flow.word() == word)
}

fn broker(word: &str) -> Option<BrokerKind> {
    BrokerKind::ALL.into_iter().find(|broker| broker.word() == word)
}

fn name(text: &str, flow: Option<Flow>, broker: Option<BrokerKind>) -> Result<Slug, Stop> {
    init::name(text).map_err(|unfit| {
        let mut command = format!("ackord init {}", unfit.instead);
        if let (Some(flow), Some(broker)) = (flow, broker) {
            command = format!("{command} --flow {} --broker {}", flow.word(), broker.word());
        }
        Stop::with_help(format!("`{}` {}", printable(text), unfit.why), command)
    })
}

fn unsaid(name: bool, flow: bool, broker: bool) -> Stop {
    let wanted = [(name, "NAME"), (flow, "--flow"), (broker, "--broker")];
    let missing: Vec<&str> = wanted.into_iter().filter(|(said, _)| !said).map(|(_, word)| word).collect();
    let list = match missing.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => missing.concat(),
    };
    let message = format!("`ackord init` needs {list}, and no terminal is here to ask on");
    Stop::with_help(message, "ackord init payment-capture --flow money --broker rabbitmq")
}

/// Writes the contract and its schema: both, or nothing where the contract's place is taken.
fn write(wish: &Wish, dir: &Path, streams: &mut Streams) -> Result<u8, Stop> {
    let place = Place::of(&[])?;
    let folder = place.name(dir);
    let parts: Vec<Component<'_>> = Path::new(&folder).components().collect();
    if !parts.iter().all(|part| matches!(part, Component::Normal(_))) {
        let message =
            format!("`{}` is not below this folder, where the schema for it is written", shown(dir));
        return Err(Stop::with_help(
            message,
            "write a folder such as queues, or start from the one above both",
        ));
    }
    let file = format!("{}.queue.yaml", wish.name);
    let path = if folder.is_empty() { file } else { format!("{folder}/{file}") };
    if place.here.join(&path).symlink_metadata().is_ok() {
        let message = format!("`{}` exists already; it is left as it was", printable(&path));
        return Err(Stop::with_help(message, format!("ackord init --complete {}", printable(&path))));
    }
    let up = "../".repeat(parts.len());
    let started =
        init::contract(&wish.name, wish.flow, wish.broker, &format!("{up}{SCHEMA}")).map_err(broken)?;
    let schema = output::json(&crate::schema())?;
    let known = std::fs::read(place.here.join(SCHEMA)).ok();
    let mut lines = Vec::new();
    let findings = match started.report.findings.len() {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        several => format!("{several} findings"),
    };
    lines.push((
        "created",
        path.as_str(),
        format!("{findings}; {} marked `# guess` are ours", lines_of(started.guesses)),
    ));
    if known.as_deref() != Some(schema.as_bytes()) {
        output::below(&place.here, SCHEMA, schema.as_bytes())?;
        let word = if known.is_some() { "updated" } else { "created" };
        lines.push((word, SCHEMA, "schema for your editor".to_owned()));
    }
    // The contract comes last: where it is, everything is.
    output::below(&place.here, &path, started.text.as_bytes())?;
    let width = lines.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or(0);
    for (word, name, remark) in lines {
        streams.tell(&format!("{word}  {:width$}   {remark}", printable(name)));
    }
    streams.tell("next     replace the guesses, then: ackord check");
    Ok(CLEAN)
}

fn lines_of(count: usize) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

fn broken(error: init::Error) -> Stop {
    Stop::io(Path::new("the contract"), "cannot be written", io::Error::other(error))
}

fn complete(file: &Path, streams: &mut Streams) -> Result<u8, Stop> {
    let paths = [file.to_owned()];
    let place = Place::of(&paths)?;
    let (report, decided) = judged::judge(&paths, streams.color())?;
    if report.unreadable() {
        let options = report::Options { color: streams.color() };
        streams.result(&report::render(decided.format, &report, &options))?;
        streams.tell(report::summary(&report).trim_end());
        return Ok(FINDINGS);
    }
    let Some((_, source)) = report.sources.iter().next() else { return Ok(CLEAN) };
    let mut inputs = Inputs { sources: report.sources.clone(), ..Inputs::default() };
    load::references(&place, &mut inputs);
    // What the configuration ignores is not missed; what it does not select is.
    let settings = Settings { selected: BTreeSet::new(), ..decided.settings };
    let completed = init::complete(source, &inputs.referenced, &settings).map_err(broken)?;
    if completed.text != source.text {
        let path = place.here.join(file);
        output::replace(&place.root, &path, &source.name, source.text.as_bytes(), completed.text.as_bytes())?;
    }
    tell(&completed, &source.text, &shown(file), streams);
    Ok(if completed.left.is_empty() { CLEAN } else { FINDINGS })
}

fn tell(completed: &Completed, before: &str, file: &str, streams: &mut Streams) {
    let Completed { text, added, left } = completed;
    if added.is_empty() && left.is_empty() {
        streams.tell(&format!("complete   {file}   no section is missing"));
        return;
    }
    let several = added.len() > 1;
    if !added.is_empty() {
        let ours = lines_of(init::guesses(text).saturating_sub(init::guesses(before)));
        streams.tell(&format!("completed  {file}   {ours} marked `# guess` are ours"));
        for (queue, sections) in added.iter().take(MOST_QUEUES) {
            let of = if several { format!("{}: ", printable(queue)) } else { String::new() };
            streams.tell(&format!("added      {of}{}", sections.join(", ")));
        }
        if added.len() > MOST_QUEUES {
            streams.tell(&format!("added      and so on, in {} contracts", added.len()));
        }
    }
    for left in left.iter().take(MOST_QUEUES) {
        let queue = printable(&left.queue);
        streams.tell(&format!("left       `{}` of {queue}: {}", left.section, left.why));
    }
    if !added.is_empty() {
        streams.tell(&format!("next       replace the guesses, then: ackord check {file}"));
    }
}
