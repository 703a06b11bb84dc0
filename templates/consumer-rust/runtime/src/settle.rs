//! What follows a failure: a retry, the dead letters, or nothing; and what the message then carries.

use std::time::Duration;

use crate::contract::{Answer, Class, Contract, Last};
use crate::delivery::{Delivery, Headers, header};
use crate::failure::Error;
use crate::intake::Names;
use crate::random;
use crate::tables::State;
use crate::time::Millis;

/// What is done with a message whose handling failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It comes back after a while.
    Retry(Duration),
    /// It goes to the dead letters.
    DeadLetter,
    /// It is settled, and that was that.
    Drop,
}

impl Verdict {
    /// What `class` says about a message whose attempt `attempt` failed.
    #[must_use]
    pub fn of(class: &Class, attempt: u32) -> Self {
        match class.answer {
            Answer::Retry { most, backoff, .. } if attempt <= most => {
                Self::Retry(backoff.wait(attempt, random::share()))
            }
            Answer::Retry {
                then: Last::DeadLetter,
                ..
            }
            | Answer::DeadLetter => Self::DeadLetter,
            Answer::Retry {
                then: Last::Drop, ..
            }
            | Answer::Drop => Self::Drop,
        }
    }

    /// Where the event is then.
    #[must_use]
    pub fn state(&self) -> State {
        match self {
            Self::Retry(_) => State::Waiting,
            Self::DeadLetter => State::Dead,
            Self::Drop => State::Dropped,
        }
    }
}

/// The longest error text in a header: brokers limit all headers of a message together.
const LONGEST_ERROR: usize = 1000;

/// The headers of a message that comes back: its attempts, and when it failed first and last.
#[must_use]
pub fn headers_for_retry(delivery: &Delivery, class: &Class, error: &Error) -> Headers {
    let now = Millis::now().0.to_string();
    let mut headers = delivery.headers.clone();
    headers.insert(header::ATTEMPT.to_owned(), delivery.attempt().to_string());
    headers
        .entry(header::FIRST_FAILURE_AT.to_owned())
        .or_insert_with(|| now.clone());
    headers.insert(header::LAST_FAILURE_AT.to_owned(), now);
    headers.insert(header::FAILURE_CLASS.to_owned(), class.name.to_owned());
    headers.insert(
        header::ERROR.to_owned(),
        error.to_string().chars().take(LONGEST_ERROR).collect(),
    );
    headers
}

/// The headers of a dead letter: everything that somebody needs who has nothing else.
#[must_use]
pub fn headers_for_dead_letter(
    contract: &Contract,
    names: &Names,
    delivery: &Delivery,
    class: &Class,
    error: &Error,
) -> Headers {
    let mut headers = headers_for_retry(delivery, class, error);
    headers.insert(header::ORIGIN_QUEUE.to_owned(), contract.queue.to_owned());
    headers.insert(
        header::CONTRACT_VERSION.to_owned(),
        contract.version.to_owned(),
    );
    if let Some(business_id) = &names.business_id {
        headers.insert(header::BUSINESS_ID.to_owned(), business_id.clone());
    }
    headers
}

/// The headers of a message that comes back although nothing failed: this attempt does not count.
#[must_use]
pub fn headers_uncounted(delivery: &Delivery) -> Headers {
    let mut headers = delivery.headers.clone();
    headers.insert(
        header::ATTEMPT.to_owned(),
        delivery.attempt().saturating_sub(1).to_string(),
    );
    headers
}
