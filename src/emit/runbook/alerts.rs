//! What each page and ticket means, and what its reader does first.

use serde::Serialize;

use super::super::language::Lit;
use super::super::shared::said;
use super::super::target::Target;
use crate::analysis::Analysis;
use crate::model::{DeadLetterAlert, FullAlert, Outbox};
use crate::report::figures;
use crate::units::Ratio;

/// One alert.
#[derive(Debug, Serialize)]
pub(super) struct Alert {
    name: Lit,
    fires: Lit,
    means: Lit,
    first: Lit,
}

/// What a second page asks for.
#[derive(Debug, Serialize)]
pub(super) struct Repeat {
    within: Lit,
    todo: Lit,
}

/// What somebody sees, what it most likely is, and what helps.
#[derive(Debug, Serialize)]
pub(super) struct Sign {
    sees: Lit,
    is: Lit,
    helps: Lit,
}

pub(super) fn repeat(analysis: &Analysis<'_>) -> Option<Repeat> {
    let page = analysis.contract.slo.repeat_page.get()?;
    Some(Repeat { within: Lit::new(page.within.get()?.to_string()), todo: Lit::new(page.r#do.get()?) })
}

pub(super) fn alerts(analysis: &Analysis<'_>, target: &Target) -> Vec<Alert> {
    let contract = analysis.contract;
    let latency = &analysis.latency;
    let mut alerts = Vec::new();
    let mut alert = |name: &str, fires: String, means: String, first: String| {
        alerts.push(Alert {
            name: Lit::new(name),
            fires: Lit::new(fires),
            means: Lit::new(means),
            first: Lit::new(first),
        });
    };
    if let Some(above) = latency.alert {
        let held = latency.sustained.map_or_else(String::new, |time| format!(" for {}", time.value));
        let ratio = match (latency.alert_ratio, latency.objective) {
            (Some(ratio), Some(p95)) => {
                format!("; that is {} × the objective of {}", figures::figure(ratio), p95.value)
            }
            _ => String::new(),
        };
        let detection = latency
            .detection
            .map_or_else(String::new, |time| format!(" A full stall fires it after about {time}."));
        let first = contract.slo.first_page.get().map_or_else(|| "investigate".to_owned(), Clone::clone);
        alert(
            "Page: latency",
            format!("p95 from publication to effect above {}{held}{ratio}", above.value),
            format!("Messages take effect too late.{detection}"),
            first,
        );
        if let Some(page) = contract.slo.repeat_page.get() {
            let within = page
                .within
                .get()
                .map_or_else(String::new, |time| format!(" within {time} of the first page"));
            let todo = page.r#do.get().map_or_else(String::new, Clone::clone);
            alert(
                "Second page: latency",
                format!("the same again{within}"),
                "The first remedy did not hold.".to_owned(),
                todo,
            );
        }
    }
    let dead_letter = &contract.dead_letter;
    if dead_letter.given() {
        let owner = said(&dead_letter.owner, "dead_letter.owner");
        let ticket = format!("{owner} decides what becomes of it");
        alert(
            "Ticket: dead letter",
            "at the first dead letter".to_owned(),
            "A message could not be handled and waits for a decision.".to_owned(),
            ticket,
        );
        let page = match dead_letter.alert.get() {
            Some(DeadLetterAlert::Any) => Some("at the first dead letter, beside the ticket".to_owned()),
            Some(DeadLetterAlert::Mapping(at)) => {
                at.messages.get().zip(at.within.get()).map(|(messages, within)| {
                    format!("{} dead letters within {within}", figures::count(*messages as f64))
                })
            }
            None => None,
        };
        if let Some(fires) = page {
            alert(
                "Page: dead letters",
                fires,
                "This is no single bad message: something that every message needs is failing.".to_owned(),
                "find the failing class below, and stop what causes it before anything is put back"
                    .to_owned(),
            );
        }
        if let Some(fires) = full(dead_letter.full_alert.get(), dead_letter.max_messages.get(), target) {
            alert(
                "Page: dead letters nearly full",
                fires,
                "What comes once it is full is lost or blocks the queue, as the broker does.".to_owned(),
                "decide on the oldest; raise the limit only to gain time".to_owned(),
            );
        }
    }
    alerts
}

fn full(at: Option<&FullAlert>, most: Option<&u64>, target: &Target) -> Option<String> {
    let share = match at {
        Some(FullAlert::None) => return None,
        Some(FullAlert::Scalar(share)) => share.to_string(),
        None => {
            let usual = target.constants().find(|(name, _)| *name == "full_alert");
            usual.map(|(_, share)| share.to_owned())?
        }
    };
    let share =
        crate::syntax::Scalar::parse(&share).map_or(share, |share: Ratio| figures::percent(share.share()));
    Some(format!("{share} of {} dead letters", figures::count(*most? as f64)))
}

pub(super) fn signs(analysis: &Analysis<'_>) -> Vec<Sign> {
    let contract = analysis.contract;
    let capacity = &analysis.capacity;
    let mut signs = Vec::new();
    let mut sign = |sees: &str, is: &str, helps: String| {
        signs.push(Sign { sees: Lit::new(sees), is: Lit::new(is), helps: Lit::new(helps) });
    };
    let drained = capacity.drain.filter(|_| contract.at_least_once()).map_or_else(String::new, |drain| {
        format!(
            "; after {} without any, the backlog is gone {} later",
            capacity.outage,
            drain.ceil_to(figures::SECOND)
        )
    });
    sign(
        "no consumer is connected",
        "the consumers are down",
        format!("start them; look at the last release first{drained}"),
    );
    let hold = analysis
        .timing
        .hold
        .filter(|_| contract.at_least_once())
        .map_or_else(String::new, |hold| format!("; what they hold comes back after {hold}"));
    sign(
        "consumers are connected, messages are in hand, none is settled",
        "a stall: a dependency hangs, or every handler waits for one lock",
        format!("find what the handlers wait for; restart the consumers one by one{hold}"),
    );
    let rate = capacity.per_second.map_or_else(String::new, |rate| {
        format!("; the present ones handle {}/s at most", figures::figure(rate))
    });
    let most = contract
        .flow_control
        .workers
        .max
        .get()
        .map_or_else(String::new, |most| format!(", up to {most} workers"));
    let shared = contract
        .flow_control
        .shared_limit
        .get()
        .and_then(|limit| Some((limit.name.get()?, limit.connections.get()?)));
    let shared = shared.map_or_else(String::new, |(name, connections)| {
        format!(", within the {connections} connections of {name} that other queues use too")
    });
    sign(
        "messages are settled as fast as ever, and more arrive",
        "a surge",
        format!("slow down the producer, or add consumers{most}{shared}{rate}"),
    );
    sign(
        "fewer are settled, none fails",
        "a slow dependency",
        "help the dependency; more consumers make it worse".to_owned(),
    );
    if contract.at_least_once() {
        let end = if contract.dead_letter.given() {
            "the same messages come back, dead letters grow"
        } else {
            "the same messages come back"
        };
        sign(
            end,
            "a bad message, or a release that cannot handle a good one",
            "roll back if there was a release; else look at the dead letters".to_owned(),
        );
    }
    let kept = match contract.producer.outbox.get() {
        Some(Outbox::Scalar(_) | Outbox::Mapping(_)) => "the outbox keeps what could not be sent",
        Some(Outbox::None) | None => "no outbox keeps what cannot be sent meanwhile",
    };
    let broker = "the broker: disk, memory, replication";
    sign(
        "the broker refuses publishers, or raises an alarm of its own",
        broker,
        format!("the broker's own runbook; {kept}"),
    );
    signs
}
