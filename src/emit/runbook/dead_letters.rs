//! Who decides on a dead letter until when, and how it gets back.

use serde::Serialize;

use super::super::language::{Ident, Lit};
use super::super::shared::said;
use super::failures;
use crate::analysis::{Analysis, BoundId, bounds};
use crate::model::{DeadLetter, OnDeadLetter, RedriveWithin, Strategy};
use crate::report::figures;

#[derive(Debug, Serialize)]
pub(super) struct DeadLetters {
    owner: Lit,
    on_call: Lit,
    kept: Lit,
    classes: Vec<Class>,
    redrive: Option<Redrive>,
}

/// What is decided about the dead letters of one class.
#[derive(Debug, Serialize)]
struct Class {
    name: Ident,
    resolution: Lit,
    carries: Lit,
    deadline: Lit,
    who: Lit,
}

/// How dead letters get back.
#[derive(Debug, Serialize)]
struct Redrive {
    key: Lit,
    rate: Lit,
    effect: Lit,
    order: Option<Lit>,
}

pub(super) fn dead_letters(analysis: &Analysis<'_>) -> Option<DeadLetters> {
    let contract = analysis.contract;
    let dead_letter: &DeadLetter = contract.dead_letter.get()?;
    let owner = said(&dead_letter.owner, "dead_letter.owner");
    let deadline = dead_letter
        .triage_within
        .get()
        .map_or_else(|| "not stated".to_owned(), |time| format!("within {time}"));
    let class = |answer: &failures::Answer<'_>| Class {
        name: Ident::new(answer.name, "CLASS"),
        resolution: Lit::new(failures::resolved_by(answer)),
        carries: Lit::new(failures::carried(answer)),
        deadline: Lit::new(deadline.clone()),
        who: Lit::new(owner.clone()),
    };
    let on_call = dead_letter.on_call.get().or(contract.on_call.get());
    Some(DeadLetters {
        owner: Lit::new(owner.clone()),
        on_call: Lit::new(on_call.map_or("nobody who is named", String::as_str)),
        kept: Lit::new(kept(dead_letter)),
        classes: failures::answers(analysis)
            .iter()
            .filter(|answer| answer.dead_letters())
            .map(class)
            .collect(),
        redrive: (dead_letter.redrive.get() == Some(&true)).then(|| redrive(analysis, dead_letter)),
    })
}

/// How long a dead letter waits, and what ends it.
fn kept(dead_letter: &DeadLetter) -> String {
    let time = dead_letter.retention.get().map(|time| format!("{time} after it came, a dead letter is gone"));
    let most = dead_letter.max_messages.get().map(|most| format!("{} fit in", figures::count(*most as f64)));
    match (time, most) {
        (Some(time), Some(most)) => format!("{time}; {most}."),
        (Some(time), None) => format!("{time}."),
        (None, Some(most)) => format!("{most}; how long each is kept is not stated."),
        (None, None) => "How long each is kept, and how many, is not stated.".to_owned(),
    }
}

fn redrive(analysis: &Analysis<'_>, dead_letter: &DeadLetter) -> Redrive {
    let rate = match analysis.capacity.spare() {
        Some(spare) if spare > 0.0 => {
            format!(
                "Not faster than {}/s: that is the capacity that the load leaves free.",
                figures::figure(spare)
            )
        }
        Some(_) => {
            "The load leaves no capacity free: wait for a quiet hour or add consumers first.".to_owned()
        }
        None => {
            "As slowly as latency asks: the contract does not give the capacity that the load leaves free."
                .to_owned()
        }
    };
    let effect = if recognised(analysis) {
        "A dead letter that had already taken effect has none again; every other one takes effect now."
    } else {
        "Nothing recognises a message that had already taken effect: look at each before it goes back."
    };
    let order = analysis.contract.order().map(|order| {
        let meanwhile = match order.on_dead_letter.get() {
            Some(OnDeadLetter::Skip) | None => "later messages of its key have taken effect meanwhile",
            Some(OnDeadLetter::ParkKey) => "later messages of its key are set aside and follow it",
            Some(OnDeadLetter::Halt) => "its partition stands still until it is decided on",
        };
        Lit::new(format!("Order: a dead letter that goes back comes late; {meanwhile}."))
    });
    Redrive {
        key: Lit::new(key(analysis, dead_letter)),
        rate: Lit::new(rate),
        effect: Lit::new(effect),
        order,
    }
}

/// Whether a message that had already taken effect has none again.
fn recognised(analysis: &Analysis<'_>) -> bool {
    match analysis.contract.idempotency.strategy.get() {
        Some(Strategy::DedupeTable | Strategy::StateGuard | Strategy::UniqueIndex | Strategy::Natural) => {
            true
        }
        Some(Strategy::BrokerWindow | Strategy::None) | None => false,
    }
}

/// How old a dead letter may be, by what its key allows.
fn key(analysis: &Analysis<'_>, dead_letter: &DeadLetter) -> String {
    let Some(list) = bounds::key(analysis) else {
        return if recognised(analysis) {
            "Age: no key expires, so the age of a dead letter does not matter for its effect.".to_owned()
        } else {
            "Age: no key tells a repeated message from a new one, so each may take effect twice at any age."
                .to_owned()
        };
    };
    if list.forever {
        return "Age: keys are kept for ever, so a dead letter of any age may go back.".to_owned();
    }
    let ttl = list.value.map_or_else(|| "a time that is not stated".to_owned(), |ttl| ttl.to_string());
    match dead_letter.redrive_within.get() {
        Some(RedriveWithin::Ttl) => format!(
            "Age: keys live for {ttl}. The redrive refuses what is older than its key allows; what it refuses is decided on by hand."
        ),
        Some(RedriveWithin::Scalar(_)) | None => {
            let need = figures::needs(analysis, &list).into_iter().find(|need| need.id == BoundId::Redrive);
            match need {
                Some(need) if need.slack.is_empty() => {
                    format!("Age: keys live for {ttl}; a redrive needs {} ({}).", need.needs, need.derivation)
                }
                Some(need) if need.slack.ends_with("short") => {
                    format!(
                        "Age: keys live for {ttl}, and the oldest redrive needs {} ({}): {}. The oldest dead letters may take effect twice.",
                        need.needs, need.derivation, need.slack
                    )
                }
                Some(need) => format!(
                    "Age: keys live for {ttl}, and the oldest redrive needs {} ({}): {} to spare.",
                    need.needs, need.derivation, need.slack
                ),
                None => format!("Age: keys live for {ttl}."),
            }
        }
    }
}
