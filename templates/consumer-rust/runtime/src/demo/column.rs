//! One column: publish, work until the process is killed, count, work on, count again.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use super::{KILLED_AT, MESSAGES, worker};
use crate::act::Mode;
use crate::broker::{Broker, BrokerError, Depth};
use crate::contract::Contract;
use crate::delivery::{Headers, Outgoing, Place, header};
use crate::failure::Error;
use crate::handler::Handler;
use crate::intake;
use crate::stand_in::StandIn;
use crate::store::{Store, StoreError};
use crate::time::Millis;

/// What was counted for one of the three.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    /// At the kill.
    pub(super) killed: Counts,
    /// At the end.
    pub(super) ended: Counts,
    /// The message that the process died with, and whether its effect outside was asked for.
    pub(super) reconciled: Option<String>,
}

/// What is in the queue, the store and outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) depth: Depth,
    /// Events whose status is `succeeded`.
    pub(super) processed: u64,
    /// Effects in the database.
    pub(super) recorded: u64,
    /// Effects outside.
    pub(super) outside: u64,
    /// Events that succeeded and are still at the broker: committed, and not acknowledged.
    pub(super) overlap: u64,
}

impl Counts {
    /// Messages that are nowhere.
    pub(super) fn missing(&self) -> i128 {
        let there = self.processed
            + self.depth.ready
            + self.depth.in_flight
            + self.depth.delayed
            + self.depth.dead;
        i128::from(MESSAGES) + i128::from(self.overlap) - i128::from(there)
    }
}

/// Why nothing can be said.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// A file or a process.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The queue.
    #[error(transparent)]
    Broker(#[from] BrokerError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What stands in for the world outside.
    #[error(transparent)]
    Outside(#[from] Error),
    /// A process did something else than it was started for.
    #[error("{0}")]
    Worker(String),
}

impl Column {
    pub(super) async fn run<H: Handler>(
        contract: &Contract,
        handler: &H,
        mode: Mode,
        folder: PathBuf,
    ) -> Result<Self, DemoError> {
        std::fs::create_dir(&folder)?;
        let site = worker::Site::open(contract, &folder).await?;
        publish(contract, handler, &*site.broker).await?;
        let step = worker::worst_moment(contract, mode);
        work_until_killed(&folder, mode, step.word()).await?;
        let killed = count(contract, &site).await?;
        let reconciled = work_to_the_end(&folder, mode).await?;
        let ended = count(contract, &site).await?;
        site.close().await?;
        Ok(Self {
            killed,
            ended,
            reconciled,
        })
    }
}

async fn publish<H: Handler>(
    contract: &Contract,
    handler: &H,
    broker: &dyn Broker,
) -> Result<(), DemoError> {
    for number in 1..=MESSAGES {
        let message = handler.sample(number);
        let event = contract
            .event_id
            .and_then(|name| intake::field(&message, name));
        let id = event
            .and_then(|id| id.as_str())
            .map_or_else(|| number.to_string(), str::to_owned);
        let now = Millis::now().0.to_string();
        let headers: Headers = [(header::PUBLISHED_AT.to_owned(), now)].into();
        let body = message.to_string().into_bytes();
        broker
            .publish(
                Place::Work,
                &Outgoing {
                    id,
                    body,
                    headers,
                    order_key: None,
                },
            )
            .await?;
    }
    Ok(())
}

/// Starts a process, waits until it says that it has come to the step, and kills it there. It waits for
/// its death, so the signal cannot come too early or too late.
async fn work_until_killed(folder: &Path, mode: Mode, step: &str) -> Result<(), DemoError> {
    let mut child = command(folder, mode)?;
    let mut child = child
        .args(["--until", step])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let output = child
        .stdout
        .take()
        .ok_or_else(|| DemoError::Worker("has no output".to_owned()))?;
    let said = BufReader::new(output).lines().next_line().await?;
    if said.as_deref() != Some(worker::THERE) {
        let status = child.wait().await?;
        return Err(DemoError::Worker(format!(
            "ended before message {KILLED_AT}: {status}"
        )));
    }
    // SIGKILL: no handler runs, nothing is flushed, nothing is given back.
    child.kill().await?;
    Ok(())
}

/// Works on what is left, and returns the key that was reconciled, where one was.
async fn work_to_the_end(folder: &Path, mode: Mode) -> Result<Option<String>, DemoError> {
    let output = command(folder, mode)?
        .stderr(Stdio::inherit())
        .output()
        .await?;
    if !output.status.success() {
        return Err(DemoError::Worker(format!("ended with {}", output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text
        .lines()
        .find_map(|line| line.strip_prefix(worker::RECONCILED))
        .map(str::to_owned))
}

fn command(folder: &Path, mode: Mode) -> Result<Command, DemoError> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg("demo-worker")
        .arg(worker::word(mode))
        .arg(folder);
    Ok(command)
}

async fn count(contract: &Contract, site: &worker::Site) -> Result<Counts, DemoError> {
    let name = site.store.dialect().name(contract.tables.status);
    let succeeded =
        format!("select event_id from {name} where contract = ? and state = 'succeeded'");
    let mut transaction = site.store.begin().await?;
    let rows = transaction
        .query(&succeeded, &[contract.name.into()])
        .await?;
    let done: std::collections::BTreeSet<&str> =
        rows.iter().filter_map(|row| row.text(0)).collect();
    let effects = transaction.query(contract.demo.count, &[]).await?;
    transaction.rollback().await?;
    let recorded = effects
        .first()
        .and_then(|row| row.integer(0))
        .unwrap_or(0)
        .unsigned_abs();
    let still_there = site.broker.ids().await?.unwrap_or_default();
    let overlap = still_there
        .iter()
        .filter(|id| done.contains(id.as_str()))
        .count();
    Ok(Counts {
        depth: site.broker.depth().await?,
        processed: done.len().try_into().unwrap_or(u64::MAX),
        recorded,
        outside: outside(&site.outside).await?,
        overlap: overlap.try_into().unwrap_or(u64::MAX),
    })
}

async fn outside(stand_in: &StandIn) -> Result<u64, DemoError> {
    Ok(stand_in.total().await?)
}
