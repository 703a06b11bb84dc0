//! One process of the demonstration: works on the queue in a folder, to its end or to its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tokio::sync::watch;

use super::column::DemoError;
use super::{KILLED_AT, LOCK};
use crate::act::{Actor, Mode};
use crate::broker::Broker;
use crate::broker::embedded::Embedded;
use crate::contract::Contract;
use crate::delivery::Delivery;
use crate::handler::Handler;
use crate::metrics::Metrics;
use crate::stand_in::StandIn;
use crate::steps::{Nobody, Step, Watcher};
use crate::store::Store;
use crate::store::sqlite::Sqlite;
use crate::worker::{Until, Worker};
use crate::{random, setup};

/// What a process says when it has come to the step at which it is to die.
pub(super) const THERE: &str = "there";
/// What a process says of the key whose effect outside it found.
pub(super) const RECONCILED: &str = "reconciled ";

/// Queue, store and the world outside, in a folder.
pub(super) struct Site {
    pub(super) broker: Arc<dyn Broker>,
    pub(super) store: Arc<dyn Store>,
    pub(super) outside: StandIn,
}

impl Site {
    pub(super) async fn open(contract: &Contract, folder: &Path) -> Result<Self, DemoError> {
        let broker = Arc::new(Embedded::open(&folder.join("queue.db"), LOCK).await?);
        let store = Arc::new(Sqlite::open(&folder.join("store.db")).await?);
        setup::tables(contract, &*store).await?;
        let answer = contract.demo.answered.1;
        let outside = StandIn::open(&folder.join("outside.db"), answer).await?;
        Ok(Self {
            broker,
            store,
            outside,
        })
    }

    pub(super) async fn close(self) -> Result<(), DemoError> {
        self.broker.close().await?;
        self.store.close().await;
        Ok(())
    }
}

/// The step after which a crash does the most harm.
pub(super) fn worst_moment(contract: &Contract, mode: Mode) -> Step {
    match (contract.external_effects.is_empty(), mode) {
        // It happened outside, and nobody has written it down.
        (false, _) => Step::Performed,
        // Acknowledged, and rolled back.
        (true, Mode::PopAndForget) => Step::Recorded,
        // Committed, and not acknowledged.
        (true, Mode::Reliable | Mode::WithoutDedupe) => Step::Committed,
    }
}

/// The word for a mode on a command line.
pub(super) fn word(mode: Mode) -> &'static str {
    match mode {
        Mode::Reliable => "reliable",
        Mode::WithoutDedupe => "without-dedupe",
        Mode::PopAndForget => "pop-and-forget",
    }
}

/// Runs as one process of the demonstration.
///
/// # Errors
///
/// If it was called otherwise than by the demonstration, or a file fails.
pub async fn run<H: Handler>(
    contract: &Contract,
    handler: H,
    arguments: &[String],
) -> Result<(), DemoError> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (mode, folder, step) = match words.as_slice() {
        [mode, folder] => (mode, folder, None),
        [mode, folder, "--until", step] => (mode, folder, Step::named(step)),
        _ => {
            return Err(DemoError::Worker(
                "demo-worker is for the demonstration only".to_owned(),
            ));
        }
    };
    let modes = [Mode::Reliable, Mode::WithoutDedupe, Mode::PopAndForget];
    let mode = modes.into_iter().find(|one| word(*one) == *mode);
    let mode = mode.ok_or_else(|| DemoError::Worker("no such mode".to_owned()))?;
    let site = Site::open(contract, &PathBuf::from(folder)).await?;
    let mut contract = *contract;
    // One message in hand, so that the ledger is the same each time.
    contract.processing.concurrency = 1;
    contract.processing.lock = LOCK;
    contract.processing.lock_renewed = false;
    let watcher: Arc<dyn Watcher> = match step {
        Some(step) => Arc::new(Dying {
            step,
            seen: AtomicU64::new(0),
        }),
        None => Arc::new(Nobody),
    };
    let actor = Arc::new(Actor {
        contract,
        broker: Arc::clone(&site.broker),
        store: Arc::clone(&site.store),
        handler,
        mode,
        watcher,
        metrics: Arc::new(Metrics::new(contract)),
        stand_in: Some(site.outside.clone()),
        owner: random::name(),
    });
    let (_stop, told) = watch::channel(false);
    Worker::new(Arc::clone(&actor))
        .run(&told, Until::Drained)
        .await?;
    if let Some(key) = actor.metrics.last_reconciled() {
        println!("{RECONCILED}{key}");
    }
    site.close().await
}

/// Says when the step is reached for the last time, and goes no further.
struct Dying {
    step: Step,
    seen: AtomicU64,
}

#[async_trait]
impl Watcher for Dying {
    async fn at(&self, step: Step, _delivery: &Delivery) {
        if step == self.step && self.seen.fetch_add(1, Ordering::Relaxed) + 1 == KILLED_AT {
            println!("{THERE}");
            std::future::pending::<()>().await;
        }
    }
}
