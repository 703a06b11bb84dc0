//! The failure classes as a type, and the question that is asked for each.

use serde::Serialize;

use super::{Done, text, texts};
use crate::analysis::{Analysis, RetryingClass};
use crate::emit::language::rust;
use crate::model::{Action, FailureClass, Failures, Jitter, Then};

/// What the templates see of the classes.
#[derive(Debug, Serialize)]
pub(super) struct Shape {
    classes: Vec<Class>,
    /// Those that an error is looked for in.
    named: Vec<Class>,
    /// The variant of the class for everything else.
    otherwise: Done,
    /// The parameter of the function that asks: unused where there is no question.
    error: Done,
    /// What `classify.rs` uses of the runtime and of the contract.
    #[serde(rename = "class_imports")]
    imports: Done,
    used: Done,
}

#[derive(Debug, Clone, Serialize)]
struct Class {
    variant: Done,
    method: Done,
    name: Done,
    words: Done,
    remark: Done,
    retry: Option<Retry>,
    answer: Done,
    /// What the user's file asks beside the words.
    more: Done,
}

#[derive(Debug, Clone, Serialize)]
struct Retry {
    most: Done,
    steps: Vec<Done>,
    cap: Done,
    jitter: Done,
    then: Done,
}

/// A class before it has a name in Rust.
struct Known<'a> {
    name: &'a str,
    words: Vec<&'a str>,
    action: Action,
}

/// The class for everything that no other names.
const UNKNOWN: &str = "unknown";

pub(super) fn shape(analysis: &Analysis<'_>) -> Shape {
    let known = known(analysis);
    let names = known.iter().map(|class| class.name);
    let variants = rust::distinct(names.clone().map(rust::camel));
    let methods = rust::distinct(names.map(|name| format!("is_{}", rust::snake(name).trim_end_matches('_'))));
    // The store's own failures pass: they belong to the first class that is tried again.
    let first = known.iter().position(|class| class.action == Action::Retry && class.name != UNKNOWN);
    let mut classes = Vec::new();
    for (at, ((class, variant), method)) in known.iter().zip(variants).zip(methods).enumerate() {
        classes.push(shown(analysis, class, variant, method, first == Some(at)));
    }
    let unknown = known.iter().position(|class| class.name == UNKNOWN).unwrap_or(0);
    let otherwise = classes.get(unknown).map_or(Done::new(""), |class| class.variant.clone());
    let others = classes.iter().enumerate().filter(|(at, _)| *at != unknown);
    let named: Vec<Class> = others.map(|(_, class)| class.clone()).collect();
    Shape {
        otherwise,
        error: Done::new(if named.is_empty() { "_error" } else { "error" }),
        imports: Done::new(if first.is_some() { "{Error, word}" } else { "Error" }),
        used: Done::new(if named.is_empty() { "Classify" } else { "{Classify, FailureClass}" }),
        classes,
        named,
    }
}

/// The classes of the contract, and the one for everything else where it names none.
fn known<'a>(analysis: &Analysis<'a>) -> Vec<Known<'a>> {
    let mut known: Vec<Known<'a>> = match analysis.contract.failures.get() {
        None => Vec::new(),
        Some(Failures::Standard) => vec![
            Known { name: "transient", words: STANDARD_TRANSIENT.to_vec(), action: Action::Retry },
            Known { name: "poison", words: STANDARD_POISON.to_vec(), action: Action::DeadLetter },
            Known { name: UNKNOWN, words: Vec::new(), action: Action::Retry },
        ],
        Some(Failures::Mapping(classes)) => {
            let named = classes.iter().filter_map(|entry| Some((entry, entry.value.get()?)));
            named.map(|(entry, class)| written(&entry.name, class)).collect()
        }
    };
    if !known.iter().any(|class| class.name == UNKNOWN) {
        let dead_letters = analysis.contract.dead_letter.queue.given();
        let action = if dead_letters { Action::DeadLetter } else { Action::Drop };
        known.push(Known { name: UNKNOWN, words: Vec::new(), action });
    }
    known
}

/// The words of `failures: standard`.
const STANDARD_TRANSIENT: [&str; 3] = ["timeout", "http-503", "connection-reset"];
const STANDARD_POISON: [&str; 3] = ["invalid-payload", "schema-violation", "missing-field"];

fn written<'a>(name: &'a str, class: &'a FailureClass) -> Known<'a> {
    Known {
        name,
        words: class.r#match.iter().map(|(word, _)| word.as_str()).collect(),
        action: class.action.get().copied().unwrap_or(Action::DeadLetter),
    }
}

fn shown(analysis: &Analysis<'_>, class: &Known<'_>, variant: String, method: String, first: bool) -> Class {
    let retrying = analysis.retries.classes.iter().find(|retrying| retrying.name == class.name);
    let retry = retrying.filter(|_| class.action == Action::Retry).map(retry);
    let answer = if class.action == Action::Drop { "Drop" } else { "DeadLetter" };
    let words = class.words.join(", ");
    let remark = if words.is_empty() { "whatever no other class names" } else { words.as_str() };
    let more = if first { "\n            || error.is_one_of(&[word::STORE_UNAVAILABLE])" } else { "" };
    Class {
        variant: Done::new(variant),
        method: Done::new(method),
        name: text(class.name),
        words: texts(&class.words),
        remark: Done::new(format!("{}: {}.", rust::code(class.name), rust::comment(remark))),
        retry,
        answer: Done::new(answer),
        more: Done::new(more),
    }
}

/// Waits beyond this one are the same: a schedule that long has reached its cap.
const STEPS: u64 = 64;

fn retry(class: &RetryingClass) -> Retry {
    let most = class.retries();
    let mut steps: Vec<_> = (1..=most.clamp(1, STEPS)).map(|number| class.waits.plain(number)).collect();
    // The last one stands for all further.
    while let [.., before, last] = steps.as_slice()
        && before == last
    {
        steps.pop();
    }
    let then = if class.then == Some(Then::Drop) { "Drop" } else { "DeadLetter" };
    Retry {
        most: Done::new(rust::number(most)),
        steps: steps.into_iter().map(|step| Done::new(rust::duration(step))).collect(),
        cap: Done::new(rust::duration(class.waits.longest_plain())),
        jitter: Done::new(match class.waits.jitter() {
            Jitter::None => "None".to_owned(),
            Jitter::Full => "Full".to_owned(),
            Jitter::Equal => "Equal".to_owned(),
            Jitter::Decorrelated => "Decorrelated".to_owned(),
            Jitter::Share(share) => format!("Share({})", rust::float(share)),
        }),
        then: Done::new(then),
    }
}
