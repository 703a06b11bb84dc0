//! A consumer for proofs: a process that somebody else starts, kills and counts after.
//!
//! Its effect is a row without a key, so that one that happened twice is seen twice. Some messages fail at
//! first and come back. `BROKER_URL`, `STORE` (a file) and `DELAYS` (milliseconds, with commas) say where.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use ackord_runtime::act::{Actor, Mode};
use ackord_runtime::broker::{Broker, BrokerError};
use ackord_runtime::contract::{
    Answer, Backoff, Class, Contract, Jitter, Last, Processing, Strategy,
};
use ackord_runtime::delivery::{Headers, Outgoing, Place, header};
use ackord_runtime::demo::Words;
use ackord_runtime::failure::{Error, word};
use ackord_runtime::handler::{Applied, Context, Done, Handler};
use ackord_runtime::metrics::Metrics;
use ackord_runtime::steps::Nobody;
use ackord_runtime::store::sqlite::Sqlite;
use ackord_runtime::store::{Store, Transaction};
use ackord_runtime::tables::Tables;
use ackord_runtime::time::Millis;
use ackord_runtime::worker::{Until, Worker};
use ackord_runtime::{async_trait, connect, random, setup, startup};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::sync::watch;

type Failure = Box<dyn std::error::Error + Send + Sync>;

const TRANSIENT: Class = Class {
    name: "transient",
    words: &[word::TIMEOUT, word::STORE_UNAVAILABLE],
    answer: Answer::Retry {
        most: 5,
        backoff: Backoff {
            steps: &[Duration::from_secs(1), Duration::from_secs(2)],
            cap: Duration::from_secs(2),
            jitter: Jitter::Equal,
        },
        then: Last::DeadLetter,
    },
};

const POISON: Class = Class {
    name: "poison",
    words: &[word::INVALID_PAYLOAD],
    answer: Answer::DeadLetter,
};

/// One message in so many fails at its first try and perhaps at its next.
const FAILS: f64 = 0.05;

/// The contract that the topology of the proof was made from, as far as it matters here.
fn contract() -> Result<Contract, Failure> {
    let delays = env::var("DELAYS").unwrap_or_default();
    let delays = delays.split(',').filter(|wait| !wait.is_empty());
    let delays: Vec<Duration> = delays
        .map(|wait| wait.parse().map(Duration::from_millis))
        .collect::<Result<_, _>>()?;
    let name = |variable: &str| -> Result<&'static str, Failure> {
        Ok(Box::leak(env::var(variable)?.into_boxed_str()))
    };
    Ok(Contract {
        name: "proof",
        version: "1.0.0",
        queue: name("QUEUE")?,
        dead_letter_queue: Some(name("DEAD_LETTERS")?),
        tables: Tables::STANDARD,
        event_id: Some("event_id"),
        business_id: Some("act"),
        key: &["act"],
        schema: None,
        strategy: Strategy::DedupeTable,
        keep_keys: None,
        external_effects: &[],
        processing: Processing {
            // Only the table's lock is a time, and a killed process leaves it to run out.
            lock: Duration::from_secs(2),
            lock_renewed: true,
            handler_timeout: Duration::from_secs(5),
            shutdown_grace: Duration::from_secs(5),
            concurrency: 8,
            prefetch: 8,
        },
        most_deliveries: 6,
        delivery_limit: Some(5),
        retention: None,
        age_buckets: &[1.0, 10.0],
        delays: Vec::leak(delays),
        demo: Words {
            messages: "messages",
            moment: "",
            outside: None,
            recorded: "",
            count: "",
            lock: "",
            verdicts: ["", "", ""],
            answered: ("", ""),
            again: "",
            tables: &["create table if not exists effects (act text not null)"],
            seed: None,
            indexes: &[],
        },
    })
}

struct Proof;

#[derive(Debug, Deserialize)]
struct Message {
    act: String,
}

#[async_trait]
impl Handler for Proof {
    type Message = Message;

    async fn perform(&self, _: &Message, _: &Context) -> Result<Done, Error> {
        Ok(Done::default())
    }

    async fn record(
        &self,
        message: &Message,
        _: &Context,
        _: &Done,
        transaction: &mut dyn Transaction,
    ) -> Result<Applied, Error> {
        let insert = "insert into effects values (?)";
        transaction
            .execute(insert, &[message.act.as_str().into()])
            .await?;
        if random::share() < FAILS {
            return Err(Error::new(word::TIMEOUT, "as the proof wants it"));
        }
        Ok(Applied::Yes)
    }

    async fn reconcile(&self, _: &Message, _: &Context) -> Result<Option<Done>, Error> {
        Ok(None)
    }

    fn classify(&self, error: &Error) -> Class {
        if error.is_one_of(POISON.words) {
            POISON
        } else {
            TRANSIENT
        }
    }

    fn sample(&self, number: u64) -> Json {
        json!({"event_id": format!("e{number}"), "act": format!("a{number}")})
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match run(&words).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(words: &[String]) -> Result<(), Failure> {
    let contract = contract()?;
    let broker = connect::broker(&env::var("BROKER_URL")?, &contract).await?;
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&PathBuf::from(env::var("STORE")?)).await?);
    setup::tables(&contract, &*store).await?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["assert"] => startup::assert(&contract, &*broker, &*store).await?,
        ["produce", from, to] => produce(&*broker, from.parse()?..to.parse()?).await?,
        ["work", mode, until] => work(&contract, &broker, &store, mode, until).await?,
        ["ledger"] => ledger(&*broker, &*store).await?,
        _ => return Err("assert, produce FROM TO, work MODE UNTIL, or ledger".into()),
    }
    broker.close().await?;
    store.close().await;
    Ok(())
}

/// Publishes each message until the broker has confirmed it: a copy too many is what dedupe is for.
async fn produce(broker: &dyn Broker, numbers: std::ops::Range<u64>) -> Result<(), Failure> {
    for number in numbers {
        let sample = Proof.sample(number);
        let published_at = Millis::now().0.to_string();
        let message = Outgoing {
            id: format!("m{number}"),
            body: serde_json::to_vec(&sample)?,
            headers: Headers::from([(header::PUBLISHED_AT.to_owned(), published_at)]),
            order_key: None,
        };
        while let Err(error) = broker.publish(Place::Work, &message).await {
            let BrokerError::Unavailable(reason) = error else {
                return Err(error.into());
            };
            eprintln!("again: {reason}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // It is still at work when something is killed.
        tokio::time::sleep(Duration::from_millis(4)).await;
    }
    Ok(())
}

async fn work(
    contract: &Contract,
    broker: &Arc<dyn Broker>,
    store: &Arc<dyn Store>,
    mode: &str,
    until: &str,
) -> Result<(), Failure> {
    let actor = Actor {
        contract: *contract,
        broker: Arc::clone(broker),
        store: Arc::clone(store),
        handler: Proof,
        mode: if mode == "reliable" {
            Mode::Reliable
        } else {
            Mode::WithoutDedupe
        },
        watcher: Arc::new(Nobody),
        metrics: Arc::new(Metrics::new(*contract)),
        stand_in: None,
        owner: random::name(),
    };
    let (_stop, told) = watch::channel(false);
    let until = if until == "drained" {
        Until::Drained
    } else {
        Until::Told
    };
    Ok(Worker::new(Arc::new(actor)).run(&told, until).await?)
}

/// What is where, as JSON.
async fn ledger(broker: &dyn Broker, store: &dyn Store) -> Result<(), Failure> {
    let mut transaction = store.begin().await?;
    let counts = "select count(*), count(distinct act) from effects";
    let rows = transaction.query(counts, &[]).await?;
    let count = |column: usize| rows.first().and_then(|row| row.integer(column));
    let depth = broker.depth().await?;
    println!(
        "{}",
        json!({
            "effects": count(0), "acts": count(1), "ready": depth.ready, "in_flight": depth.in_flight,
            "delayed": depth.delayed, "dead": depth.dead,
        })
    );
    Ok(())
}
