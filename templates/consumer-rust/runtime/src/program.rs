//! The program around a handler: arguments, logs, signals, exit codes.

use std::process::ExitCode;
use std::sync::Arc;

use tokio::sync::watch;
use tracing::{error, info};

use crate::act::{Actor, Mode};
use crate::arguments::{self, Command, HELP};
use crate::contract::Contract;
use crate::handler::Handler;
use crate::metrics::Metrics;
use crate::steps::Nobody;
use crate::worker::{Until, Worker};
use crate::{connect, demo, http, random, startup};

/// Everything that can end a consumer.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs what the arguments ask for. 0 is well, 1 is a difference, 2 is a run that failed.
#[must_use]
pub fn main<H: Handler>(contract: &Contract, handler: H) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let command = match arguments::parse(&arguments) {
        Ok(command) => command,
        Err(reason) => return failed(&reason),
    };
    let quiet = matches!(command, Command::Demo { .. } | Command::DemoWorker(_));
    log(quiet);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let outcome = runtime
        .map_err(Failure::from)
        .and_then(|runtime| runtime.block_on(run(contract, handler, command)));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => failed(&error.to_string()),
    }
}

fn failed(reason: &str) -> ExitCode {
    eprintln!("error: {reason}");
    ExitCode::from(2)
}

/// JSON on stderr, one line for each event.
fn log(quiet: bool) {
    let wanted = std::env::var("LOG_LEVEL")
        .ok()
        .and_then(|level| level.parse().ok());
    let usual = if quiet {
        tracing::Level::WARN
    } else {
        tracing::Level::INFO
    };
    let level = wanted.unwrap_or(usual);
    tracing_subscriber::fmt()
        .json()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .init();
}

async fn run<H: Handler>(
    contract: &Contract,
    handler: H,
    command: Command,
) -> Result<bool, Failure> {
    match command {
        Command::Help => print!("{HELP}"),
        Command::Demo { without_dedupe } => {
            return Ok(demo::run(contract, &handler, without_dedupe).await?);
        }
        Command::DemoWorker(arguments) => demo::worker::run(contract, handler, &arguments).await?,
        Command::Run => consume(contract, handler).await?,
    }
    Ok(true)
}

/// Works on messages until SIGTERM or SIGINT.
async fn consume<H: Handler>(contract: &Contract, handler: H) -> Result<(), Failure> {
    let broker = connect::broker(&address("BROKER_URL")?, contract).await?;
    let store = connect::store(&address("STORE_URL")?).await?;
    startup::assert(contract, &*broker, &*store).await?;
    let actor = Arc::new(Actor {
        contract: *contract,
        broker: Arc::clone(&broker),
        store: Arc::clone(&store),
        handler,
        mode: Mode::Reliable,
        watcher: Arc::new(Nobody),
        metrics: Arc::new(Metrics::new(*contract)),
        stand_in: None,
        owner: format!("{}-{}", std::process::id(), random::name()),
    });
    if let Ok(address) = std::env::var("HTTP_ADDR") {
        let pages = http::Pages::new(*contract, Arc::clone(&actor.metrics), Arc::clone(&store));
        let listener = tokio::net::TcpListener::bind(&address).await?;
        info!(
            address,
            "serving /healthz, /metrics and /status/{{event_id}}"
        );
        tokio::spawn(http::serve(listener, pages));
    }
    let (stop, told) = watch::channel(false);
    tokio::spawn(async move {
        if let Err(error) = signal().await {
            error!(%error, "signals cannot be received; the process must be killed to stop");
            return;
        }
        // Nobody listens if the worker has ended meanwhile.
        let _ = stop.send(true);
    });
    info!(
        queue = contract.queue,
        version = contract.version,
        broker = broker.kind(),
        "started"
    );
    Worker::new(actor).run(&told, Until::Told).await?;
    broker.close().await?;
    store.close().await;
    Ok(())
}

fn address(variable: &str) -> Result<String, Failure> {
    std::env::var(variable)
        .map_err(|_| format!("{variable} is not set; --help says what it is").into())
}

/// Waits for SIGTERM or SIGINT.
async fn signal() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}
