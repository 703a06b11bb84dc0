//! What a broker calls the things that a contract needs there. The topology declares them and the
//! generated consumer uses them, so that both read their names here.

use std::collections::BTreeSet;

use super::Failure;
use super::shared::Names;
use super::target::Target;
use crate::analysis::{Analysis, RetryingClass};
use crate::model::{BackoffChoice, Broker, FailureClass, Failures, PostgresTable, Wait};
use crate::units::Duration;

/// The things that a queue consists of at its broker.
pub(super) struct Places {
    /// The queue, or the table that stands for it.
    pub(super) queue: String,
    /// The queue or the table of the dead letters.
    pub(super) dead_letters: Option<String>,
    /// The waits that have a delay queue each, ascending.
    pub(super) delays: Vec<Duration>,
}

impl Places {
    /// The things that `analysis` needs at its broker.
    pub(super) fn of(analysis: &Analysis<'_>) -> Result<Self, Failure> {
        let names = Names::of(analysis);
        let (queue, dead_letters) = (names.queue, names.dead_letters);
        match analysis.contract.broker.get() {
            Some(Broker::Rabbitmq(_)) => {
                let target = super::find("topology")?;
                Ok(Self { delays: delays(analysis, &target)?, queue, dead_letters })
            }
            Some(Broker::Postgres(broker)) => {
                let pgmq = broker.table.get() == Some(&PostgresTable::Pgmq);
                // A name that somebody wrote for the broker is meant as it stands. Ours need no quotes.
                let queue = if broker.queue.get().is_some() { queue } else { plain(&queue) };
                let queue =
                    if pgmq || broker.queue.get().is_some() { queue } else { format!("{queue}_queue") };
                Ok(Self { queue, dead_letters: dead_letters.as_deref().map(plain), delays: Vec::new() })
            }
            _ => Ok(Self { queue, dead_letters, delays: Vec::new() }),
        }
    }
}

/// The delay queue in which a message waits for `delay`. Its time is a part of its name, because a queue
/// cannot change it: another time is another queue.
pub(super) fn delay_queue(queue: &str, delay: Duration) -> String {
    format!("{queue}.retry.{}ms", delay.as_millis())
}

fn plain(name: &str) -> String {
    name.replace('-', "_")
}

/// The waits of delay queues. A step with jitter is spread over several: each stands for a part of the
/// times that the step may wait, and is named by the longest of its part, so that no retry comes early and
/// none later than the contract says.
fn delays(analysis: &Analysis<'_>, target: &Target) -> Result<Vec<Duration>, Failure> {
    let [parts, most] = ["delay_queues", "most_delay_queues"].map(|name| target.number(name));
    let mut waits = BTreeSet::new();
    for class in analysis.retries.classes.iter().filter(|class| waits_at_broker(analysis, class)) {
        for retry in 1..=class.retries() {
            let (least, longest) = (class.waits.shortest(retry), class.waits.longest(retry));
            let width = longest.saturating_sub(least);
            let spread = if width.is_zero() { 1 } else { parts };
            for part in 1..=spread {
                let wait = least + width.scale(part as f64 / spread as f64);
                waits.insert(Duration::from_millis(wait.as_millis()));
            }
            if waits.len() as u64 > most {
                return Err(too_many(analysis, most));
            }
            if longest == class.waits.longest_plain() && retry > STEPS {
                break;
            }
        }
    }
    waits.remove(&Duration::ZERO);
    Ok(waits.into_iter().collect())
}

/// Waits have grown to their cap by then.
const STEPS: u64 = 10_000;

fn too_many(analysis: &Analysis<'_>, most: u64) -> Failure {
    let name = analysis.contract.name();
    let message = format!("`{name}` waits for more different times than {most} delay queues have");
    Failure::new("emit::delays", message).help("write fewer `steps`, a larger `factor` or a lower `cap`")
}

fn waits_at_broker(analysis: &Analysis<'_>, class: &RetryingClass) -> bool {
    let Some(Failures::Mapping(classes)) = analysis.contract.failures.get() else { return true };
    let written = classes.iter().find(|entry| entry.name == class.name).and_then(|entry| entry.value.get());
    let elsewhere = |class: &FailureClass| {
        let waits_there = matches!(class.wait.get(), Some(Wait::InProcess | Wait::Parked));
        waits_there || matches!(class.backoff.get(), Some(BackoffChoice::LockExpiry))
    };
    !written.is_some_and(elsewhere)
}
