//! What follows when a message fails, for each class.

use serde::Serialize;

use super::super::language::{Ident, Lit};
use super::super::shared::in_words;
use crate::analysis::{Analysis, RetryingClass};
use crate::model::{self, Action, LogStyle, Resolution, Then};
use crate::report::figures;
use crate::resolve::CrashLimit;

/// So many retries of a class are shown.
const MOST_STEPS: u64 = 8;

#[derive(Debug, Serialize)]
pub(super) struct Failures {
    classes: Vec<Class>,
    schedules: Vec<Schedule>,
    crash: Lit,
    to_dead_letter: Option<Lit>,
}

/// One class of failures, in a line.
#[derive(Debug, Serialize)]
struct Class {
    name: Ident,
    words: Lit,
    answer: Lit,
    waits: Lit,
    then: Lit,
}

/// The retries of one class.
#[derive(Debug, Serialize)]
struct Schedule {
    name: Ident,
    steps: Vec<Step>,
}

#[derive(Debug, Serialize)]
struct Step {
    retry: Lit,
    wait: Lit,
    elapsed: Lit,
}

/// What a contract answers to one class of failures, written or standard.
pub(super) struct Answer<'a> {
    pub(super) name: &'a str,
    pub(super) action: Action,
    pub(super) then: Option<Then>,
    pub(super) resolution: Option<Resolution>,
    pub(super) class: Option<&'a model::FailureClass>,
    pub(super) retrying: Option<&'a RetryingClass>,
}

impl Answer<'_> {
    /// Behind the answer, why it is right: `: the bank said no`.
    fn reason(&self) -> String {
        let reason = self.class.and_then(|class| class.reason.get());
        reason.map_or_else(String::new, |reason| format!(": {reason}"))
    }

    /// Whether a message of this class can become a dead letter.
    pub(super) fn dead_letters(&self) -> bool {
        match self.action {
            Action::DeadLetter => true,
            Action::Retry => self.then != Some(Then::Drop),
            Action::Drop => false,
        }
    }
}

/// The answers in the order of the contract.
pub(super) fn answers<'a>(analysis: &'a Analysis<'_>) -> Vec<Answer<'a>> {
    let retrying = |name: &str| analysis.retries.classes.iter().find(|class| class.name == name);
    match analysis.contract.failures.get() {
        None => Vec::new(),
        Some(model::Failures::Standard) => {
            let usual = [
                ("transient", Action::Retry, Some(Resolution::Replay)),
                ("poison", Action::DeadLetter, Some(Resolution::Repair)),
                ("business", Action::Drop, None),
                ("unknown", Action::Retry, Some(Resolution::Repair)),
            ];
            let answer = |(name, action, resolution)| {
                let retrying = retrying(name);
                Answer {
                    name,
                    action,
                    then: retrying.and_then(|class| class.then),
                    resolution,
                    class: None,
                    retrying,
                }
            };
            usual.into_iter().map(answer).collect()
        }
        Some(model::Failures::Mapping(classes)) => {
            let answer = |entry: &'a crate::syntax::Entry<model::FailureClass>| {
                let class = entry.value.get()?;
                Some(Answer {
                    name: &entry.name,
                    action: *class.action.get()?,
                    then: class.then.get().copied(),
                    resolution: class.resolution.get().copied(),
                    class: Some(class),
                    retrying: retrying(&entry.name),
                })
            };
            classes.iter().filter_map(answer).collect()
        }
    }
}

pub(super) fn failures(analysis: &Analysis<'_>) -> Failures {
    let retries = &analysis.retries;
    let schedules =
        retries.classes.iter().filter(|class| class.retries() > 0).map(|class| schedule(analysis, class));
    let dead_letters = analysis.contract.dead_letter.given() && analysis.contract.at_least_once();
    let to_dead_letter = dead_letters.then(|| {
        let worst = match retries.worst_to_dead_letter {
            Some(worst) => format!(
                "{} at worst, if every delivery hangs until its lock runs out",
                worst.ceil_to(figures::SECOND)
            ),
            None => "how long at worst is not known".to_owned(),
        };
        let waits = retries
            .waits_to_dead_letter
            .map_or_else(|| "unknown waits".to_owned(), |waits| format!("{waits} of waits"));
        Lit::new(format!("A message that keeps failing becomes a dead letter after {waits}; {worst}."))
    });
    Failures {
        classes: answers(analysis).iter().map(|answer| class(analysis, answer)).collect(),
        schedules: schedules.collect(),
        crash: Lit::new(crash(analysis)),
        to_dead_letter,
    }
}

fn class(analysis: &Analysis<'_>, answer: &Answer<'_>) -> Class {
    let words = answer
        .class
        .map(|class| class.r#match.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(", "));
    let words = match words.filter(|words| !words.is_empty()) {
        Some(words) => words,
        None if answer.name == "unknown" => "whatever no other class names".to_owned(),
        None => "as the handler decides".to_owned(),
    };
    let dead_letters = || {
        analysis
            .contract
            .dead_letter
            .queue
            .get()
            .map_or_else(|| "dead letters".to_owned(), ToString::to_string)
    };
    let (does, waits, then) = match (answer.action, answer.retrying) {
        (Action::Retry, Some(class)) => {
            let n = class.retries();
            let then = match answer.then {
                Some(Then::Drop) => "dropped".to_owned(),
                Some(Then::DeadLetter) => dead_letters(),
                None => "nothing is said".to_owned(),
            };
            (n.to_string(), figures::total_wait(class, n), then)
        }
        (Action::Retry, None) => ("not stated".to_owned(), "not stated".to_owned(), dead_letters()),
        (Action::DeadLetter, _) => ("none".to_owned(), "–".to_owned(), format!("{} at once", dead_letters())),
        (Action::Drop, _) => {
            let logged = answer.class.is_none_or(|class| class.log.get() == Some(&LogStyle::Structured));
            let does = if logged { "dropped, one log line" } else { "dropped" };
            ("none".to_owned(), "–".to_owned(), format!("{does}{}", answer.reason()))
        }
    };
    Class {
        name: Ident::new(answer.name, "CLASS"),
        words: Lit::new(words),
        answer: Lit::new(does),
        waits: Lit::new(waits),
        then: Lit::new(then),
    }
}

fn schedule(analysis: &Analysis<'_>, class: &RetryingClass) -> Schedule {
    let step = |step: Option<figures::Step>| match step {
        Some(step) => Step {
            retry: Lit::new(step.retry.to_string()),
            wait: Lit::new(step.wait),
            elapsed: Lit::new(step.elapsed),
        },
        None => Step { retry: Lit::new("…"), wait: Lit::new("…"), elapsed: Lit::new("…") },
    };
    let steps = figures::steps(analysis, class, MOST_STEPS).into_iter().map(step).collect();
    Schedule { name: Ident::new(class.name.as_str(), "CLASS"), steps }
}

/// What becomes of the messages that a consumer held when it died.
fn crash(analysis: &Analysis<'_>) -> String {
    let contract = analysis.contract;
    if contract.at_most_once() {
        return "A consumer that dies takes the messages in its hands with it; nobody delivers them again."
            .to_owned();
    }
    let held = match analysis.timing.hold {
        Some(hold) => format!("Messages of a consumer that died are delivered again after {hold}"),
        None => "Messages of a consumer that died are delivered again once the broker notices".to_owned(),
    };
    let limit = match analysis.resolved.crash_limit {
        CrashLimit::Redeliveries(limit) => format!(", {} times at most{}", limit.value, limit.aside()),
        CrashLimit::Classes => ", and count as retries".to_owned(),
        CrashLimit::Uncounted(_) => ", and nobody counts how often".to_owned(),
        CrashLimit::Unknown => ", and the contract does not say how often at most".to_owned(),
    };
    let lanes = match contract.order().and_then(|order| order.on_retry.get()) {
        Some(model::OnRetry::BlockKey) => {
            " While a message waits for its retry, later ones with its key wait behind it."
        }
        Some(model::OnRetry::ParkKey) => {
            " While a message waits for its retry, later ones with its key are set aside."
        }
        Some(model::OnRetry::MayReorder) => {
            " While a message waits for its retry, later ones with its key overtake it."
        }
        None => "",
    };
    format!("{held}{limit}.{lanes}")
}

/// What is done about a dead letter of a class, in a sentence.
pub(super) fn resolved_by(answer: &Answer<'_>) -> String {
    let does = match answer.resolution {
        Some(Resolution::Replay) => "put it back as it is, once the cause is gone",
        Some(Resolution::Repair) => "mend it or the consumer by hand, then put it back",
        Some(Resolution::Discard) => "throw it away, and record why",
        None => "the contract does not say: decide, and write it into the contract",
    };
    format!("{does}{}", answer.reason())
}

/// What a dead letter of a class carries.
pub(super) fn carried(answer: &Answer<'_>) -> String {
    let words = answer.class.map(|class| {
        class.attach.iter().map(|(one, _)| match one {
            model::Attachment::Payload => "the message",
            model::Attachment::Error => "the last error",
        })
    });
    match words {
        Some(words) if answer.class.is_some_and(|class| class.attach.given()) => in_words(words),
        Some(_) => "what the consumer attaches".to_owned(),
        None => "the message and the last error".to_owned(),
    }
}
