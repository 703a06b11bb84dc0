//! What every broker has to keep, on a real one. `RABBITMQ_URL` and `POSTGRES_URL` say where there is one
//! with the topology of the proof; without them nothing is tested.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at what it did not expect"
)]
#![cfg(all(feature = "rabbitmq", feature = "postgres-queue"))]

use std::env;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ackord_runtime::broker::{Broker, BrokerError};
use ackord_runtime::connect;
use ackord_runtime::contract::{Contract, Processing, Strategy};
use ackord_runtime::delivery::{Delivery, Headers, Outgoing, Place, header};
use ackord_runtime::demo::Words;
use ackord_runtime::tables::Tables;

const WAIT: Duration = Duration::from_secs(10);
const LOCK: Duration = Duration::from_millis(600);

fn contract(queue: &'static str, dead_letters: &'static str) -> Contract {
    let delays = env::var("DELAYS").unwrap_or_default();
    let delays = delays.split(',').filter_map(|wait| wait.parse().ok());
    Contract {
        name: "proof",
        version: "1.0.0",
        queue,
        dead_letter_queue: Some(dead_letters),
        tables: Tables::STANDARD,
        event_id: None,
        business_id: None,
        key: &[],
        schema: None,
        strategy: Strategy::DedupeTable,
        keep_keys: None,
        external_effects: &[],
        processing: Processing {
            lock: LOCK,
            lock_renewed: true,
            handler_timeout: Duration::from_secs(5),
            shutdown_grace: Duration::from_secs(5),
            concurrency: 4,
            prefetch: 4,
        },
        most_deliveries: 6,
        delivery_limit: Some(5),
        retention: None,
        age_buckets: &[],
        delays: delays.map(Duration::from_millis).collect::<Vec<_>>().leak(),
        demo: Words {
            messages: "",
            moment: "",
            outside: None,
            recorded: "",
            count: "",
            lock: "",
            verdicts: ["", "", ""],
            answered: ("", ""),
            again: "",
            tables: &[],
            seed: None,
            indexes: &[],
        },
    }
}

/// A broker, and another process's view of the same queue.
struct Pair {
    one: Arc<dyn Broker>,
    other: Arc<dyn Broker>,
}

async fn pair(variable: &str, queue: &'static str, dead_letters: &'static str) -> Option<Pair> {
    let Ok(url) = env::var(variable) else {
        eprintln!("NOT TESTED: {variable} is not set");
        return None;
    };
    let contract = contract(queue, dead_letters);
    let open = || connect::broker(&url, &contract);
    Some(Pair {
        one: open().await.unwrap(),
        other: open().await.unwrap(),
    })
}

fn message(id: &str) -> Outgoing {
    Outgoing {
        id: id.to_owned(),
        // Any bytes at all.
        body: vec![0, 1, 127, 128, 255, b'\'', b'\\', b'\n'],
        headers: Headers::from([
            (header::PUBLISHED_AT.to_owned(), "1700000000123".to_owned()),
            ("tenant é".to_owned(), "\"x\" '; -- é 🙂".to_owned()),
        ]),
        order_key: None,
    }
}

/// The one message that comes.
async fn one(broker: &dyn Broker, from: Place) -> Delivery {
    let mut all = broker.receive(from, 4, WAIT).await.unwrap();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

async fn none(broker: &dyn Broker) {
    let all = broker
        .receive(Place::Work, 4, Duration::from_millis(200))
        .await
        .unwrap();
    assert!(all.is_empty(), "{all:?}");
}

/// How many messages wait or are in this process's hands, wait for a retry, and are dead. A broker that
/// hands out ahead has what waits in hand at once.
async fn counts(broker: &dyn Broker) -> (u64, u64, u64) {
    let depth = broker.depth().await.unwrap();
    (depth.ready + depth.in_flight, depth.delayed, depth.dead)
}

/// Everything that a message may go through.
async fn keeps_its_promises(pair: &Pair, lock_is_time: bool) {
    let broker = &*pair.one;
    broker.publish(Place::Work, &message("m1")).await.unwrap();
    assert_eq!(counts(broker).await, (1, 0, 0));

    // It arrives as it was sent.
    let first = one(broker, Place::Work).await;
    assert_eq!((first.id.as_str(), first.attempt()), ("m1", 1));
    assert_eq!(
        (&first.body, &first.headers),
        (&message("m1").body, &message("m1").headers)
    );
    let depth = broker.depth().await.unwrap();
    assert_eq!((depth.ready, depth.in_flight), (0, 1));

    // Given back, it is there at once.
    broker.give_back(&first).await.unwrap();
    assert!(matches!(
        broker.ack(&first).await,
        Err(BrokerError::LockLost)
    ));
    let again = one(broker, Place::Work).await;
    assert_eq!(again.id, "m1");

    // A retry waits at the broker, and comes back with what it was given and nothing lost.
    let mut headers = again.headers.clone();
    headers.insert(header::ATTEMPT.to_owned(), "1".to_owned());
    let began = Instant::now();
    broker
        .retry(&again, Duration::from_millis(600), headers.clone())
        .await
        .unwrap();
    assert!(matches!(
        broker.ack(&again).await,
        Err(BrokerError::LockLost)
    ));
    assert_eq!(counts(broker).await, (0, 1, 0));
    none(broker).await;
    let second = one(broker, Place::Work).await;
    assert!(
        began.elapsed() >= Duration::from_millis(600),
        "{:?}",
        began.elapsed()
    );
    assert_eq!((second.id.as_str(), second.attempt()), ("m1", 2));
    assert_eq!(
        (&second.body, &second.headers),
        (&message("m1").body, &headers)
    );

    // Extended, it stays ours for longer than its lock.
    for _ in 0..4 {
        broker.extend(&second, LOCK).await.unwrap();
        tokio::time::sleep(LOCK / 3).await;
    }
    if lock_is_time {
        none(&*pair.other).await;
    }

    // Dead, it is found there, untouched, and can be put back.
    headers.insert(header::FAILURE_CLASS.to_owned(), "poison".to_owned());
    broker.dead_letter(&second, headers.clone()).await.unwrap();
    assert_eq!(counts(broker).await, (0, 0, 1));
    let dead = one(broker, Place::DeadLetters).await;
    assert_eq!((&dead.body, &dead.headers), (&message("m1").body, &headers));
    broker.publish(Place::Work, &message("m1")).await.unwrap();
    broker.ack(&dead).await.unwrap();
    assert_eq!(counts(broker).await, (1, 0, 0));
    let last = one(broker, Place::Work).await;
    broker.ack(&last).await.unwrap();
    none(broker).await;

    // A process that goes lets go of what it held, and is told if it comes too late.
    broker.publish(Place::Work, &message("m2")).await.unwrap();
    let held = one(broker, Place::Work).await;
    if lock_is_time {
        tokio::time::sleep(LOCK + Duration::from_millis(100)).await;
    } else {
        broker.close().await.unwrap();
    }
    let taken = one(&*pair.other, Place::Work).await;
    assert_eq!((taken.id.as_str(), taken.attempt()), ("m2", 2));
    for settled in [
        broker.ack(&held).await,
        broker.extend(&held, LOCK).await,
        broker.give_back(&held).await,
        broker.retry(&held, Duration::ZERO, Headers::new()).await,
        broker.dead_letter(&held, Headers::new()).await,
    ] {
        assert!(matches!(settled, Err(BrokerError::LockLost)), "{settled:?}");
    }
    pair.other.ack(&taken).await.unwrap();
    assert_eq!(counts(&*pair.other).await, (0, 0, 0));
    share(pair).await;
}

/// Nobody gets what another one has, and nobody misses anything.
async fn share(pair: &Pair) {
    for number in 0..40 {
        pair.one
            .publish(Place::Work, &message(&format!("n{number}")))
            .await
            .unwrap();
    }
    let (mut ids, brokers) = (Vec::new(), [&pair.one, &pair.other]);
    while ids.len() < 40 {
        for broker in brokers {
            for delivery in broker
                .receive(Place::Work, 3, Duration::from_millis(50))
                .await
                .unwrap()
            {
                broker.ack(&delivery).await.unwrap();
                ids.push(delivery.id);
            }
        }
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 40);
    pair.one.close().await.unwrap();
    pair.other.close().await.unwrap();
}

#[tokio::test]
async fn rabbitmq_keeps_its_promises() {
    if let Some(pair) = pair("RABBITMQ_URL", "payments", "payments-dlq").await {
        keeps_its_promises(&pair, false).await;
    }
}

#[tokio::test]
async fn postgres_keeps_its_promises() {
    if let Some(pair) = pair("POSTGRES_URL", "daily_reports_queue", "daily_reports_dlq").await {
        keeps_its_promises(&pair, true).await;
    }
}
