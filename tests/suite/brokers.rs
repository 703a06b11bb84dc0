//! The runtime's brokers on real servers: consumers that are killed, servers that are killed, settings that
//! were changed behind a consumer's back.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::emit::topology::{base, changed, file, topology};
use crate::servers::{self, Postgres, Rabbitmq};

/// So many messages, and so many deaths on the way.
const MESSAGES: u64 = 1000;
const KILLS: u64 = 20;

/// The consumer of the proofs, built once.
fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let target = root.join("target/generated");
        let build = Command::new(root.join("scripts/runtime"))
            .args(["build", "--example", "proof", "--features", "rabbitmq,postgres-queue"])
            .env("CARGO_TARGET_DIR", &target)
            .output()
            .expect("cargo");
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
        target.join("debug/examples/proof")
    })
}

/// A queue with its topology, and a store.
struct Site {
    folder: tempfile::TempDir,
    url: String,
    queue: &'static str,
    dead_letters: &'static str,
    delays: String,
}

impl Site {
    fn rabbitmq(server: &Rabbitmq) -> Self {
        let text = changed(
            &base("money-rabbitmq"),
            &[("version: \"4.2\"", "version: \"3.10\""), ("initial: 4s", "initial: 1s")],
        );
        let files = topology("x.queue.yaml", &text).expect("a topology");
        let definitions = file(&files, "definitions.json");
        let vhost = server.vhost();
        assert!(vhost.post("definitions", "", definitions).code < 300);
        let definitions: Value = serde_json::from_str(definitions).expect("JSON");
        let queues = definitions["queues"].as_array().expect("queues");
        let waits = queues.iter().filter_map(|queue| queue["arguments"]["x-message-ttl"].as_u64());
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            url: vhost.url(),
            queue: "payments",
            dead_letters: "payments-dlq",
            delays: waits.map(|wait| wait.to_string()).collect::<Vec<_>>().join(","),
        }
    }

    fn postgres(server: &Postgres) -> Self {
        let files = topology("x.queue.yaml", &base("task-postgres")).expect("a topology");
        let database = server.database();
        database.sql(file(&files, "queue.sql")).expect("tables");
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            url: database.url(),
            queue: "daily_reports_queue",
            dead_letters: "daily_reports_dlq",
            delays: String::new(),
        }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .args(words)
            .env("BROKER_URL", &self.url)
            .env("STORE", self.folder.path().join("store.db"))
            .env("QUEUE", self.queue)
            .env("DEAD_LETTERS", self.dead_letters)
            .env("DELAYS", &self.delays)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    #[track_caller]
    fn run(&self, words: &[&str]) -> Output {
        let output = self.command(words).output().expect("a process");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    fn spawn(&self, words: &[&str]) -> Process {
        let log = std::fs::File::create(self.log(words[0])).expect("a log");
        Process(self.command(words).stderr(log).spawn().expect("a process"))
    }

    /// What processes of this kind said, the last one's.
    fn log(&self, word: &str) -> PathBuf {
        self.folder.path().join(format!("{word}.log"))
    }

    /// The consumer is still at work, or this is what it said.
    #[track_caller]
    fn assert_runs(&self, consumer: &mut Process) {
        let said = std::fs::read_to_string(self.log("work")).unwrap_or_default();
        assert!(consumer.runs(), "the consumer ended: {said}");
    }

    fn ledger(&self) -> Value {
        serde_json::from_slice(&self.run(&["ledger"]).stdout).expect("JSON")
    }

    /// Waits until the store holds so many different acts.
    fn wait_for(&self, acts: u64) {
        let end = Instant::now() + Duration::from_secs(300);
        while self.ledger()["acts"].as_u64().expect("a count") < acts {
            assert!(Instant::now() < end, "no progress: {}", self.ledger());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Everything that was produced had its effect once, and nothing is left anywhere.
    #[track_caller]
    fn assert_whole(&self) {
        self.run(&["work", "reliable", "drained"]);
        let expected = serde_json::json!({
            "effects": MESSAGES, "acts": MESSAGES, "ready": 0, "in_flight": 0, "delayed": 0, "dead": 0,
        });
        assert_eq!(self.ledger(), expected);
    }
}

/// A process that does not outlive its test.
struct Process(Child);

impl Process {
    fn runs(&mut self) -> bool {
        self.0.try_wait().expect("a state").is_none()
    }

    /// SIGKILL: nothing of it has a chance to tidy up.
    fn kill(mut self) {
        self.0.kill().expect("a kill");
        let _ = self.0.wait();
    }

    #[track_caller]
    fn finish(mut self) {
        assert!(self.0.wait().expect("an end").success(), "it failed");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A producer runs, and consumers are killed on the way: after so many messages each, at whatever moment
/// of the act that happens to be.
fn killed_on_the_way(site: &Site, mode: &str) {
    let producer = site.spawn(&["produce", "0", &MESSAGES.to_string()]);
    for kill in 1..=KILLS {
        let consumer = site.spawn(&["work", mode, "killed"]);
        site.wait_for(kill * MESSAGES / (KILLS + 5));
        // Some are killed while they read, some while they write, some while they wait.
        std::thread::sleep(Duration::from_millis(kill * 7 % 23));
        consumer.kill();
    }
    producer.finish();
}

#[test]
fn rabbitmq_loses_and_repeats_nothing_when_consumers_are_killed() {
    let Some(server) = servers::rabbitmq() else { return };
    let site = Site::rabbitmq(server);
    site.run(&["assert"]);
    killed_on_the_way(&site, "reliable");
    site.assert_whole();
}

#[test]
fn postgres_loses_and_repeats_nothing_when_consumers_are_killed() {
    let Some(server) = servers::postgres() else { return };
    let site = Site::postgres(server);
    killed_on_the_way(&site, "reliable");
    site.assert_whole();
}

/// What the runtime itself tests about each broker, one message at a time.
#[test]
fn every_broker_keeps_its_promises() {
    let (Some(rabbitmq), Some(postgres)) = (servers::rabbitmq(), servers::postgres()) else { return };
    let (rabbitmq, postgres) = (Site::rabbitmq(rabbitmq), Site::postgres(postgres));
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(root.join("scripts/runtime"))
        .args(["test", "--test", "brokers", "--features", "rabbitmq,postgres-queue"])
        .env("CARGO_TARGET_DIR", root.join("target/generated"))
        .env("RABBITMQ_URL", &rabbitmq.url)
        .env("DELAYS", &rabbitmq.delays)
        .env("POSTGRES_URL", &postgres.url)
        .output()
        .expect("cargo");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("2 passed"), "{said}");
}

/// What a consumer says that does not start.
fn refusal(site: &Site) -> String {
    let output = site.command(&["assert"]).output().expect("a process");
    assert!(!output.status.success());
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn a_postgres_that_is_not_as_the_contract_says_is_refused_at_the_start() {
    let Some(server) = servers::postgres() else { return };
    let site = Site::postgres(server);
    // The server of the tests does not wait for its disk.
    assert_eq!(refusal(&site), "durable: the contract says true, the broker has false\n");
    let Some(server) = Postgres::start_with("fsync=on") else { return };
    let site = Site::postgres(&server);
    site.run(&["assert"]);
    let sql = |text: &str| {
        let name = site.url.rsplit('/').next().expect("a name").to_owned();
        servers::Database { port: server.port, name }.sql(text).expect(text)
    };
    sql("drop table daily_reports_dlq");
    let said = "dead-letter queue: the contract says \"daily_reports_dlq\", the broker has none\n";
    assert_eq!(refusal(&site), said);
    sql("alter table daily_reports_queue set unlogged");
    assert!(refusal(&site).contains("durable: the contract says true, the broker has false"));
    sql("drop table daily_reports_queue");
    assert!(refusal(&site).contains("there is no table \"daily_reports_queue\"; see the topology"));
}

#[test]
fn a_rabbitmq_that_is_not_as_the_contract_says_is_refused_at_the_start() {
    let Some(server) = servers::rabbitmq() else { return };
    let site = Site::rabbitmq(server);
    site.run(&["assert"]);
    let vhost = server.named(site.url.rsplit('/').next().expect("a name"));
    let declare = |arguments: Value| {
        assert!(vhost.delete("queues", "/payments").code < 300);
        let queue = serde_json::json!({"durable": true, "arguments": arguments}).to_string();
        assert!(vhost.put("queues", "/payments", &queue).code < 300);
    };
    let mut arguments = vhost.get("queues", "/payments").json()["arguments"].clone();
    arguments["x-delivery-limit"] = 20.into();
    declare(arguments.clone());
    assert_eq!(refusal(&site), "delivery limit: the contract says 5, the broker has 20\n");
    arguments["x-dead-letter-routing-key"] = "nowhere".into();
    declare(arguments.clone());
    let both = "delivery limit: the contract says 5, the broker has 20\n\
                dead-letter queue: the contract says \"payments-dlq\", the broker has none\n";
    assert_eq!(refusal(&site), both);
    declare(serde_json::json!({"x-queue-type": "quorum"}));
    assert!(refusal(&site).starts_with("delivery limit: the contract says 5, the broker has none\n"));
    assert!(vhost.delete("queues", "/payments").code < 300);
    assert!(refusal(&site).contains("no queue 'payments'"));
}

/// A policy is not seen by clients, but by the management interface.
#[test]
fn what_a_policy_changed_is_noticed_where_the_management_may_be_asked() {
    let Some(server) = servers::rabbitmq() else { return };
    let site = Site::rabbitmq(server);
    let vhost = server.named(site.url.rsplit('/').next().expect("a name"));
    let said = || {
        let mut command = site.command(&["assert"]);
        let address = format!("http://guest:guest@127.0.0.1:{}", server.management);
        let output = command.env("RABBITMQ_MANAGEMENT_URL", address).output().expect("a process");
        (output.status.success(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    assert_eq!(said(), (true, String::new()));
    // No wait: the server applies a policy to a queue in its own time.
    let until = |expected: &str| {
        let end = Instant::now() + Duration::from_secs(60);
        while said() != (false, expected.to_owned()) {
            assert!(Instant::now() < end, "{:?}", said());
        }
    };
    let policy =
        serde_json::json!({"pattern": "^payments$", "definition": {"delivery-limit": 2}, "priority": 50});
    assert!(vhost.put("policies", "/behind-your-back", &policy.to_string()).code < 300);
    until("delivery limit: the contract says 5, the broker has 2\n");
    assert!(vhost.delete("policies", "/behind-your-back").code < 300);
    let binding = "/e/payments-dlq/q/payments-dlq/payments-dlq";
    assert!(vhost.delete("bindings", binding).code < 300);
    until("dead-letter queue: the contract says \"payments-dlq\", the broker has none\n");
}

/// Dead letters that have no room wait at the broker, and nothing else waits for them.
#[test]
fn dead_letters_without_room_are_kept() {
    let Some(server) = servers::rabbitmq() else { return };
    let site = Site::rabbitmq(server);
    let vhost = server.named(site.url.rsplit('/').next().expect("a name"));
    let full =
        serde_json::json!({"pattern": "^payments-dlq$", "definition": {"max-length": 1}, "priority": 50});
    assert!(vhost.put("policies", "/full", &full.to_string()).code < 300);
    const POISON: u64 = 20;
    for number in 0..POISON {
        let message = serde_json::json!({
            "routing_key": "payments", "payload": "no JSON", "payload_encoding": "string",
            "properties": {"delivery_mode": 2, "message_id": format!("p{number}")},
        });
        assert!(vhost.post("exchanges", "/payments/publish", &message.to_string()).code < 300);
    }
    let mut consumer = site.spawn(&["work", "reliable", "killed"]);
    // More than a consumer holds: it would stand still if each stayed in its hands.
    let producer = site.spawn(&["produce", "0", "100"]);
    site.wait_for(100);
    producer.finish();
    let dead = || site.ledger()["dead"].as_u64().expect("a count");
    assert!(dead() < POISON, "{}", site.ledger());
    site.assert_runs(&mut consumer);
    assert!(vhost.delete("policies", "/full").code < 300);
    let end = Instant::now() + Duration::from_secs(120);
    while dead() < POISON {
        assert!(Instant::now() < end, "{}", site.ledger());
        std::thread::sleep(Duration::from_millis(100));
    }
    consumer.kill();
    assert_eq!(site.ledger()["effects"], 100);
}

/// The control: the same, and an effect happens twice. A kill between the commit and the acknowledgement
/// is a matter of luck, so there may have to be more of them.
fn repeats_without_dedupe(site: &Site) {
    for round in 0..5 {
        let (from, to) = (round * MESSAGES, (round + 1) * MESSAGES);
        let producer = site.spawn(&["produce", &from.to_string(), &to.to_string()]);
        for kill in 1..=KILLS {
            let consumer = site.spawn(&["work", "without-dedupe", "killed"]);
            site.wait_for(from + kill * MESSAGES / (KILLS + 5));
            std::thread::sleep(Duration::from_millis(kill * 7 % 23));
            consumer.kill();
        }
        producer.finish();
        site.run(&["work", "without-dedupe", "drained"]);
        let ledger = site.ledger();
        assert_eq!(ledger["acts"], to, "{ledger}");
        if ledger["effects"].as_u64() > Some(to) {
            return;
        }
    }
    panic!("nothing happened twice: {}", site.ledger());
}

#[test]
fn without_dedupe_the_same_kills_repeat_effects_on_rabbitmq() {
    let Some(server) = servers::rabbitmq() else { return };
    repeats_without_dedupe(&Site::rabbitmq(server));
}

#[test]
fn without_dedupe_the_same_kills_repeat_effects_on_postgres() {
    let Some(server) = servers::postgres() else { return };
    repeats_without_dedupe(&Site::postgres(server));
}

/// The server is killed while a producer publishes and a consumer works; neither of them ends.
#[test]
fn a_rabbitmq_that_is_killed_under_load_loses_nothing() {
    let Some(mut server) = Rabbitmq::start() else { return };
    let site = Site::rabbitmq(&server);
    let mut consumer = site.spawn(&["work", "reliable", "killed"]);
    let mut producer = site.spawn(&["produce", "0", &MESSAGES.to_string()]);
    // Early, since on a busy machine the consumer lags behind a producer that must still be at work.
    site.wait_for(MESSAGES / 50);
    assert!(producer.runs());
    server.restart();
    producer.finish();
    site.assert_runs(&mut consumer);
    consumer.kill();
    site.assert_whole();
}

#[test]
fn a_postgres_that_is_killed_under_load_loses_nothing() {
    let Some(mut server) = Postgres::start_with("fsync=on") else { return };
    let site = Site::postgres(&server);
    site.run(&["assert"]);
    let mut consumer = site.spawn(&["work", "reliable", "killed"]);
    let mut producer = site.spawn(&["produce", "0", &MESSAGES.to_string()]);
    for part in 1..=2 {
        site.wait_for(part * MESSAGES / 50);
        assert!(producer.runs());
        server.restart();
        site.assert_runs(&mut consumer);
    }
    producer.finish();
    consumer.kill();
    site.assert_whole();
}
