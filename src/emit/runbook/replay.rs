//! How past messages are handled again, and what must hold before that.

use serde::Serialize;

use super::super::language::Lit;
use crate::analysis::{Analysis, BoundId, bounds};
use crate::model::{MessageId, ReplaySource, ReplayTarget};
use crate::report::figures;

#[derive(Debug, Serialize)]
pub(super) struct Replay {
    what: Lit,
    reach: Lit,
    before: Vec<Check>,
    verifies: bool,
    no_op: Lit,
}

/// Something that must hold before a replay.
#[derive(Debug, Serialize)]
struct Check {
    what: Lit,
    needs: Lit,
    has: Lit,
}

pub(super) fn replay(analysis: &Analysis<'_>) -> Option<Replay> {
    let replay = analysis.contract.replay.get()?;
    let from = match replay.from.get() {
        Some(ReplaySource::Broker) => " from the broker, which still has them",
        Some(ReplaySource::Outbox) => " from the producer's outbox",
        Some(ReplaySource::Archive) => " from the archive",
        None => "",
    };
    let by = replay.by.get().map_or_else(String::new, |by| format!(", selected by a {}", by.words()));
    let window =
        replay.window.get().map_or_else(|| "The past".to_owned(), |window| format!("The last {window}"));
    let messages = analysis
        .capacity
        .replay_messages
        .map_or_else(String::new, |count| format!(": {} messages at the usual load", figures::count(count)));
    let to = match replay.to.get() {
        Some(ReplayTarget::Topic) => "Every subscriber of the topic gets them again, not only this consumer.",
        Some(ReplayTarget::ThisConsumer) | None => "Only this consumer gets them.",
    };
    let id = match replay.message_id.get() {
        Some(MessageId::New) => {
            " Each has a new message id, so only its business key tells that it is a repetition."
        }
        Some(MessageId::Same) => " Each keeps its message id.",
        None => "",
    };
    let share = replay.expected_no_op.get().map_or(1.0, |share| share.share());
    Some(Replay {
        what: Lit::new(format!("{window}{from}{by}{messages}.")),
        reach: Lit::new(format!("{to}{id}")),
        before: before(analysis),
        verifies: replay.verifies(),
        no_op: Lit::new(figures::percent(share)),
    })
}

fn before(analysis: &Analysis<'_>) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut check = |what: &str, needs: String, has: String| {
        checks.push(Check { what: Lit::new(what), needs: Lit::new(needs), has: Lit::new(has) });
    };
    if let Some(list) = bounds::key(analysis) {
        let need = figures::needs(analysis, &list).into_iter().find(|need| need.id == BoundId::Replay);
        let needs = need
            .as_ref()
            .map_or_else(|| "nothing".to_owned(), |need| format!("{} ({})", need.needs, need.derivation));
        let slack = need.map_or_else(String::new, |need| need.slack);
        let has = match (list.forever, list.value) {
            (true, _) => "for ever".to_owned(),
            (false, Some(ttl)) if slack.is_empty() => ttl.to_string(),
            (false, Some(ttl)) if slack.ends_with("short") => format!("{ttl}: {slack}"),
            (false, Some(ttl)) => format!("{ttl}: {slack} to spare"),
            (false, None) => "not stated".to_owned(),
        };
        check("The keys live long enough", needs, has);
    }
    let capacity = &analysis.capacity;
    let spare = match (capacity.spare(), capacity.per_second, capacity.load) {
        (Some(spare), Some(rate), Some(load)) => {
            format!("{}/s ({}/s less {})", figures::figure(spare), figures::figure(rate), load.value)
        }
        _ => "not known".to_owned(),
    };
    let needs = capacity.replay.map_or_else(
        || "more than the load uses".to_owned(),
        |time| format!("all of it for {}", time.ceil_to(figures::SECOND)),
    );
    check("Capacity is to spare", needs, spare);
    if analysis.contract.idempotency.store.given() {
        let engine = analysis.contract.idempotency.store.engine.get().map_or("store", |engine| engine.word());
        let rows = capacity
            .dedupe_rows
            .map_or_else(String::new, |rows| format!(", about {} rows", figures::count(rows)));
        check(
            "The store of keys is whole",
            "no restore, failover or clean-up in the window".to_owned(),
            format!("{engine}{rows}"),
        );
    }
    checks
}
