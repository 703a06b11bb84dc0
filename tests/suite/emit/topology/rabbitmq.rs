//! Definitions, imported into a real RabbitMQ.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::hostile::{filled, hostile};
use super::{base, changed, file, topology};
use crate::servers::{self, Vhost};

/// The definitions of a text.
#[track_caller]
fn definitions(text: &str) -> Value {
    let files = topology("x.queue.yaml", text).unwrap_or_else(|said| panic!("{said}"));
    serde_json::from_str(file(&files, "/topology/definitions.json")).expect("JSON")
}

/// The server that the tests have is old, and refuses what only newer ones know.
fn old() -> String {
    changed(&base("money-rabbitmq"), &[("version: \"4.2\"", "version: \"3.10\"")])
}

fn import(vhost: &Vhost, definitions: &Value) {
    let answer = vhost.post("definitions", "", &definitions.to_string());
    assert!(answer.code == 200 || answer.code == 204, "{answer:?}");
}

/// What definitions hold of a kind, in an order of their own, without the virtual host.
fn parts(definitions: &Value, kind: &str) -> Vec<Value> {
    let mut all: Vec<Value> = definitions[kind].as_array().into_iter().flatten().cloned().collect();
    for part in &mut all {
        let fields = part.as_object_mut().expect("an object");
        fields.remove("vhost");
        // Newer servers name the type of a queue beside its arguments, too.
        if kind == "queues" {
            fields.remove("type");
        }
        part.sort_all_objects();
    }
    all.sort_by_key(ToString::to_string);
    all
}

/// What a virtual host holds is what was written. A broker that has just started may still be at it.
#[track_caller]
fn assert_same(vhost: &Vhost, written: &Value) {
    let mut read = vhost.get("definitions", "").json();
    for _ in 0..120 {
        if parts(&read, "queues").len() >= parts(written, "queues").len() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(250));
        read = vhost.get("definitions", "").json();
    }
    for kind in ["exchanges", "queues", "bindings", "policies"] {
        assert_eq!(parts(&read, kind), parts(written, kind), "{kind}");
        assert!(!parts(written, kind).is_empty());
    }
}

#[test]
fn what_is_imported_is_read_back() {
    let Some(server) = servers::rabbitmq() else { return };
    let every = [
        old(),
        changed(&old(), &[("queue_type: quorum", "queue_type: classic")]),
        changed(
            &old(),
            &[
                (
                    "queue_type: quorum",
                    "queue_type: quorum\n  single_active_consumer: true\n  durability:\n    replicas: 3",
                ),
                (
                    "redelivery:",
                    "retention: 20d\nmax_length: {messages: 5000000, overflow: reject}\nredelivery:",
                ),
                ("unroutable: error", "unroutable: alternate"),
            ],
        ),
    ];
    for text in every {
        let vhost = server.vhost();
        let definitions = definitions(&text);
        import(&vhost, &definitions);
        assert_same(&vhost, &definitions);
        // A second time nothing changes, and nothing is refused.
        import(&vhost, &definitions);
        assert_same(&vhost, &definitions);
    }
}

#[test]
fn a_broker_that_starts_with_definitions_has_them() {
    let files = topology("x.queue.yaml", &old()).expect("files");
    let text = file(&files, "/topology/definitions.json");
    // Users are somebody else's business, but nobody could look without one.
    let users = r#"{ "users": [{"name": "guest", "password": "guest", "tags": "administrator"}],
        "permissions": [{"user": "guest", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"}], "#;
    let with_users = text.replacen("{ ", users, 1);
    let Some(server) = servers::Rabbitmq::start_with(Some(&with_users)) else { return };
    assert_same(&server.named("/"), &serde_json::from_str(text).expect("JSON"));
}

/// The arguments of the queue whose name ends so.
fn arguments(definitions: &Value, end: &str) -> Value {
    let queues = definitions["queues"].as_array().expect("queues");
    let found = queues.iter().find(|queue| queue["name"].as_str().is_some_and(|name| name.ends_with(end)));
    found.unwrap_or_else(|| panic!("no queue {end}"))["arguments"].clone()
}

#[test]
fn limits_and_times_are_those_of_the_contract() {
    let newest = definitions(&base("money-rabbitmq"));
    assert_eq!(
        arguments(&newest, "payments"),
        json!({
            "x-queue-type": "quorum",
            "x-dead-letter-exchange": "payments-dlq",
            "x-dead-letter-routing-key": "payments-dlq",
            "x-dead-letter-strategy": "at-least-once",
            "x-overflow": "reject-publish",
            "x-delivery-limit": 5,
        })
    );
    assert_eq!(
        arguments(&newest, "payments-dlq"),
        json!({"x-queue-type": "quorum", "x-overflow": "reject-publish", "x-delivery-limit": -1})
    );
    let policies = newest["policies"].as_array().expect("policies");
    assert_eq!(policies[0]["definition"], json!({"consumer-timeout": 300_000}));
    assert_eq!(policies[1]["definition"], json!({"message-ttl": 1_209_600_000, "max-length": 100_000}));
    assert_eq!(policies[1]["pattern"], "^payments-dlq$");
    // Waits of 2s-4s up to 32s-64s, each in three parts; 4s, 8s and so on end one part and no other.
    let waits: Vec<u64> = newest["queues"]
        .as_array()
        .expect("queues")
        .iter()
        .filter_map(|queue| queue["arguments"]["x-message-ttl"].as_u64())
        .collect();
    let expected: Vec<u64> = [2000.0, 4000.0, 8000.0, 16000.0, 32000.0_f64]
        .iter()
        .flat_map(|least| [4.0, 5.0, 6.0].map(|thirds| (least * thirds / 3.0).round() as u64))
        .collect();
    assert_eq!(waits, expected);
    let oldest = definitions(&old());
    assert_eq!(oldest["policies"].as_array().map(Vec::len), Some(1));
    assert!(arguments(&oldest, "-dlq").get("x-delivery-limit").is_none());
}

/// One message from a queue, put back, acknowledged or rejected.
fn get(vhost: &Vhost, queue: &str, mode: &str) -> Option<Value> {
    let body = json!({"count": 1, "ackmode": mode, "encoding": "auto"}).to_string();
    vhost.post("queues", &format!("/{queue}/get"), &body).json().as_array()?.first().cloned()
}

fn publish(vhost: &Vhost, exchange: &str, key: &str, text: &str) {
    let body = json!({
        "routing_key": key, "payload": text, "payload_encoding": "string",
        "properties": {"delivery_mode": 2, "message_id": "m1", "headers": {"x-attempt": "1"}},
    });
    let answer = vhost.post("exchanges", &format!("/{exchange}/publish"), &body.to_string()).json();
    assert_eq!(answer["routed"], true, "{answer}");
}

fn wait_for(mut look: impl FnMut() -> Option<Value>) -> Value {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "it never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_retry_comes_back_after_its_wait_and_a_rejected_message_is_among_the_dead() {
    let Some(server) = servers::rabbitmq() else { return };
    let short = changed(&old(), &[("initial: 4s", "initial: 1s")]);
    let vhost = server.vhost();
    import(&vhost, &definitions(&short));
    let began = Instant::now();
    publish(&vhost, "amq.default", "payments.retry.667ms", "again");
    assert_eq!(get(&vhost, "payments", "ack_requeue_true"), None);
    let message = wait_for(|| get(&vhost, "payments", "reject_requeue_false"));
    assert!(began.elapsed() >= Duration::from_millis(667), "it came early");
    assert_eq!(message["payload"], "again");
    let properties = &message["properties"];
    assert_eq!(properties["headers"]["x-attempt"], "1");
    assert_eq!(properties["message_id"], "m1");
    assert_eq!(properties["headers"]["x-death"][0]["reason"], "expired");
    let dead = wait_for(|| get(&vhost, "payments-dlq", "ack_requeue_true"));
    assert_eq!(dead["payload"], "again");
    assert_eq!(dead["properties"]["headers"]["x-death"][0]["reason"], "rejected");
    // The exchange that producers know leads to the queue.
    publish(&vhost, "payments", "payments", "new");
    assert_eq!(wait_for(|| get(&vhost, "payments", "ack_requeue_false"))["payload"], "new");
}

#[test]
fn a_message_that_kills_its_consumers_is_among_the_dead_after_the_limit() {
    let Some(server) = servers::rabbitmq() else { return };
    let vhost = server.vhost();
    import(&vhost, &definitions(&old()));
    publish(&vhost, "payments", "payments", "poison");
    let mut deliveries = 0;
    let dead = wait_for(|| {
        if get(&vhost, "payments", "reject_requeue_true").is_some() {
            deliveries += 1;
        }
        get(&vhost, "payments-dlq", "ack_requeue_true")
    });
    assert_eq!(dead["properties"]["headers"]["x-death"][0]["reason"], "delivery_limit");
    assert_eq!(deliveries, 6);
}

#[test]
fn what_rabbitmq_cannot_do_is_said() {
    let kind = "queue_type: quorum";
    for (from, to, said) in [
        ("version: \"4.2\"", "version: \"3.9\"", "before 3.10"),
        (kind, "queue_type: quorum\n  delay: native", "something else than delay queues"),
        (kind, "queue_type: quorum\n  queue: amq.x", "which RabbitMQ keeps for itself"),
        (kind, "queue_type: quorum\n  queue: \"\"", "is empty"),
    ] {
        let refused = topology("x.queue.yaml", &changed(&base("money-rabbitmq"), &[(from, to)]));
        assert!(refused.as_ref().is_err_and(|failure| failure.contains(said)), "{to}: {refused:?}");
    }
    let long = format!("queue_type: quorum\n  queue: {}", "x".repeat(201));
    let refused = topology("x.queue.yaml", &changed(&base("money-rabbitmq"), &[(kind, &long)]));
    assert!(refused.is_err_and(|failure| failure.contains("201 bytes")));
}

/// What definitions are made of: every name stands for itself.
fn skeleton(definitions: &Value, name: &str) -> Value {
    fn walk(value: &mut Value, name: &str) {
        match value {
            Value::Object(fields) => {
                fields.retain(|field, _| !["generated", "pattern"].contains(&field.as_str()));
                fields.values_mut().for_each(|value| walk(value, name));
            }
            Value::Array(items) => items.iter_mut().for_each(|value| walk(value, name)),
            Value::String(text) if text == name => *text = "NAME".to_owned(),
            Value::String(text) => {
                if let Some(rest) = text.strip_prefix(name).filter(|rest| rest.starts_with(".retry.")) {
                    *text = format!("NAME{rest}");
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut copy = definitions.clone();
    walk(&mut copy, name);
    copy
}

#[test]
fn no_text_of_a_contract_changes_the_definitions() {
    let mut case = filled(&case(), "@@");
    case = case.replace("version: \"@@\"", "version: \"3.10\"");
    let expected = skeleton(&definitions(&filled(&case, "harmless words")), "harmless words");
    let vhost = servers::rabbitmq().map(servers::Rabbitmq::vhost);
    let (mut written, mut refused) = (0, 0);
    for (place, text) in hostile().into_iter().enumerate() {
        let files = match topology(&format!("{text}.queue.yaml"), &filled(&case, &text)) {
            Ok(files) => files,
            Err(said) => {
                assert!(said.contains("control characters"), "{text:?}: {said}");
                assert!(text.contains(char::is_control), "{text:?}");
                refused += 1;
                continue;
            }
        };
        written += 1;
        let document = file(&files, ".json");
        let first = document.lines().next().unwrap_or_default();
        assert!(first.starts_with("{ \"generated\": \"Code generated by ackord from "), "{text:?}: {first}");
        assert!(!document.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        let read: Value = serde_json::from_str(document).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(read["queues"][0]["name"], text.as_str());
        assert_eq!(skeleton(&read, &text), expected, "{text:?}");
        // The server itself: a part of the texts, as a queue costs it something.
        if let (Some(vhost), true) = (&vhost, place % 20 == 0) {
            let mut few = read.clone();
            few["queues"].as_array_mut().expect("queues").truncate(2);
            import(vhost, &few);
            let there = vhost.get("queues", "?columns=name,policy").json();
            let found = there.as_array().expect("queues").iter().find(|queue| queue["name"] == text.as_str());
            assert!(found.is_some(), "{text:?}: {there}");
        }
    }
    assert!(written > 150 && refused > 10, "{written} {refused}");
}

fn case() -> String {
    super::super::hostile::cases().remove(0).1
}

/// A policy of ours is for one queue: its pattern fits that name and no other.
#[test]
fn a_policy_is_for_one_queue() {
    let Some(server) = servers::rabbitmq() else { return };
    let vhost = server.vhost();
    let named = |queue: &str| {
        changed(&old(), &[("queue_type: quorum", &format!("queue_type: quorum\n  queue: '{queue}'"))])
    };
    let text = named("a.b").replace("redelivery:", "retention: 20d\nredelivery:");
    import(&vhost, &definitions(&text));
    let mut other = definitions(&named("axb"));
    other["policies"] = json!([]);
    import(&vhost, &other);
    let policy = |queue: &str| {
        let read = vhost.get("queues", &format!("/{queue}")).json();
        read["policy"].as_str().map(str::to_owned)
    };
    assert_eq!(wait_for(|| policy("a.b").map(Value::from)), "a.b");
    assert_eq!(policy("axb"), None);
}
