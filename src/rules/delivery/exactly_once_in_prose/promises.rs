//! Promises about delivery in the words of a text.

use std::ops::Range;

/// What a text promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Promise {
    /// That each message is delivered exactly once.
    ExactlyOnce,
    /// That a person notices something at least once.
    Experience,
}

/// A word in lower case, with its place and the clause that it stands in.
struct Word {
    text: String,
    place: Range<usize>,
    clause: usize,
}

/// How far behind a phrase a unit of time makes it a frequency: "exactly once in each hour".
const FREQUENCY_WITHIN: usize = 3;
/// So many words before a phrase say who or what it is about.
const CLAUSE_WITHIN: usize = 60;

const PEOPLE: &[&str] = &[
    "anybody",
    "anyone",
    "buyer",
    "buyers",
    "customer",
    "customers",
    "everybody",
    "everyone",
    "member",
    "members",
    "patient",
    "patients",
    "people",
    "person",
    "recipient",
    "recipients",
    "user",
    "users",
    "visitor",
    "visitors",
];

const NOTICING: &[&str] = &[
    "alerted",
    "contacted",
    "emailed",
    "get",
    "gets",
    "got",
    "hear",
    "hears",
    "informed",
    "mailed",
    "messaged",
    "notified",
    "paged",
    "reached",
    "receive",
    "received",
    "receives",
    "reminded",
    "see",
    "sees",
    "told",
    "warned",
];

const BEFORE_TIME: &[&str] = &["a", "an", "at", "each", "every", "in", "per", "within"];

const TIMES: &[&str] = &[
    "annually",
    "daily",
    "day",
    "days",
    "evening",
    "fortnight",
    "hour",
    "hourly",
    "hours",
    "midnight",
    "minute",
    "minutes",
    "month",
    "monthly",
    "months",
    "morning",
    "night",
    "nightly",
    "noon",
    "quarter",
    "quarterly",
    "second",
    "seconds",
    "week",
    "weekday",
    "weekly",
    "weeks",
    "year",
    "yearly",
    "years",
];

const NEGATIONS: &[&str] =
    &["cannot", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "without"];

/// The promises of `text`, each with the place of its words.
pub(super) fn promises(text: &str) -> Vec<(Promise, Range<usize>)> {
    let words = words(text);
    (0..words.len()).filter_map(|at| promise_at(&words, at)).collect()
}

fn promise_at(words: &[Word], at: usize) -> Option<(Promise, Range<usize>)> {
    let rest = words.get(at..)?;
    let says = |phrase: &[&str]| {
        let same = |(word, said): (&Word, &&str)| word.text == **said;
        rest.len() >= phrase.len() && rest.iter().zip(phrase).all(same)
    };
    let exactly = [&["exactly", "once"][..], &["precisely", "once"], &["once", "and", "only", "once"]];
    let least = &["at", "least", "once"][..];
    let (promise, length) = match exactly.iter().find(|phrase| says(phrase)) {
        Some(phrase) => (Promise::ExactlyOnce, phrase.len()),
        None if says(least) => (Promise::Experience, least.len()),
        None => return None,
    };
    let last = rest.get(length.checked_sub(1)?)?;
    let clause = rest.first()?.clause;
    // The nearest first. Who writes a longer clause is not read to its beginning for each phrase in it.
    let before = words.get(..at)?.iter().rev().take_while(|word| word.clause == clause).take(CLAUSE_WITHIN);
    let before: Vec<&str> = before.map(|word| word.text.as_str()).collect();
    let holds = match promise {
        // That an effect happens once is what idempotency does; only delivery cannot.
        Promise::ExactlyOnce => !before.iter().take(2).any(|word| word.starts_with("effect")),
        Promise::Experience => {
            before.iter().any(|word| PEOPLE.contains(word))
                && before.iter().any(|word| NOTICING.contains(word))
        }
    };
    let place = rest.first()?.place.start..last.place.end;
    let denied = before.iter().any(|word| NEGATIONS.contains(word) || word.ends_with("n't"));
    (holds && !denied && !frequency(rest.get(length..)?)).then_some((promise, place))
}

/// Whether the words behind a phrase make it a frequency: "exactly once a day".
fn frequency(behind: &[Word]) -> bool {
    let Some(first) = behind.first() else { return false };
    let first = first.text.as_str();
    TIMES.contains(&first)
        || BEFORE_TIME.contains(&first)
            && behind.iter().take(FREQUENCY_WITHIN).any(|word| TIMES.contains(&word.text.as_str()))
}

/// The words of a text. A clause ends at its punctuation, and where "and", "but" or "so" begins another.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut clause = 0;
    let mut start = None;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, character) in ends {
        let apostrophe = matches!(character, '\'' | '’');
        if character.is_alphanumeric() || (apostrophe && start.is_some()) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            // A quote that closes the text is no part of its last word.
            let said = text.get(from..at).unwrap_or("").trim_end_matches(['\'', '’']);
            let (word, at) = (said.to_lowercase().replace('’', "'"), from + said.len());
            let joins = matches!(word.as_str(), "and" | "but" | "so" | "yet");
            let inside = word == "and" && words.last().is_some_and(|before| before.text == "once");
            if joins && !inside {
                clause += 1;
            }
            words.push(Word { text: word, place: from..at, clause });
        }
        if matches!(character, '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')') {
            clause += 1;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{Promise, promises};

    fn said(text: &str) -> Vec<(Promise, &str)> {
        promises(text).into_iter().map(|(promise, place)| (promise, text.get(place).unwrap_or("?"))).collect()
    }

    #[test]
    fn what_is_promised_is_pointed_at() {
        let once = |words| vec![(Promise::ExactlyOnce, words)];
        assert_eq!(said("Each order is delivered exactly once."), once("exactly once"));
        assert_eq!(said("'Exactly-Once'"), once("Exactly-Once"));
        assert_eq!(said("seen once and only once"), once("once and only once"));
        assert_eq!(said("exactly once per user"), once("exactly once"));
        assert_eq!(said("It is never late and delivers exactly once"), once("exactly once"));
        assert_eq!(
            said("Every customer gets the mail at least once"),
            [(Promise::Experience, "at least once")]
        );
    }

    #[test]
    fn what_only_sounds_like_a_promise_is_left_alone() {
        for text in [
            "not exactly once",
            "it can’t be exactly once",
            "there is no such thing as exactly once",
            "exactly once a day",
            "exactly once every 5 minutes",
            "takes effect exactly once",
            "delivered at least once, and a user may get two mails",
            "the user is reminded at least once a week",
            "once",
            "exactly",
            "",
        ] {
            assert_eq!(said(text), [], "{text}");
        }
    }
}
