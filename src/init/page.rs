//! One contract as a page: the template of its flow with the holes filled.
//!
//! Nothing reaches a template that is not a word of this crate, a name that was checked by its type, or one
//! that [`scalar`] lets pass: no text of a user can become a line of YAML.

use minijinja::{Environment, UndefinedBehavior, context};

use super::Error;
use super::story::{self, Story, TOUR};
use crate::model::{BrokerKind, Contract, EffectKind, FieldName, Flow, Slug};

const TEMPLATES: [(&str, &str); 6] = [
    ("money", include_str!("../../templates/init/money.yaml")),
    ("notification", include_str!("../../templates/init/notification.yaml")),
    ("telemetry", include_str!("../../templates/init/telemetry.yaml")),
    ("audit", include_str!("../../templates/init/audit.yaml")),
    ("task", include_str!("../../templates/init/task.yaml")),
    ("broker", include_str!("../../templates/init/broker.yaml")),
];

/// What the holes of a template are filled with.
#[derive(Debug)]
pub(super) struct Page {
    flow: Flow,
    broker: BrokerKind,
    name: String,
    schema: String,
    team: String,
    business_id: String,
    key: Vec<String>,
    fields: Vec<(String, &'static str)>,
    external: bool,
    lossy: bool,
}

impl Page {
    /// The page of a new contract.
    pub(super) fn new(name: &Slug, flow: Flow, broker: BrokerKind, schema: &str) -> Self {
        let Story { team, business_id, key, fields, external, .. } = story::of(flow);
        Self {
            flow,
            broker,
            name: name.to_string(),
            schema: schema.to_owned(),
            team: team.to_owned(),
            business_id: business_id.to_owned(),
            key: key.iter().map(|&field| field.to_owned()).collect(),
            fields: fields.iter().map(|&(field, kind)| (field.to_owned(), kind)).collect(),
            external,
            lossy: flow == Flow::Telemetry && forgets(broker),
        }
    }

    /// The page whose sections fit to what a contract says already; `None` where its flow is not known.
    pub(super) fn beside(contract: &Contract) -> Option<Self> {
        // Without a broker, the one that asks for nothing of its own.
        let broker = contract.broker.get().map_or(BrokerKind::Embedded, |broker| broker.kind());
        let mut page = Self::new(contract.queue.get()?, contract.flow()?, broker, "");
        page.lossy = contract.at_most_once();
        if let Some(team) = contract.owners.consumer.get().filter(|team| plain(team)) {
            page.team.clone_from(team);
        }
        if let Some(effects) = contract.effects.get().filter(|effects| !effects.is_empty()) {
            page.external =
                effects.iter().any(|(effect, _)| effect.kind.get() == Some(&EffectKind::External));
        }
        page.take_key(contract);
        page.take_fields(contract);
        Some(page)
    }

    /// The key that the contract has, or one that its messages can give.
    fn take_key(&mut self, contract: &Contract) {
        let written: Vec<String> =
            contract.idempotency.key_fields().map(|(field, _)| field.as_str().to_owned()).collect();
        let message = &contract.message;
        let required = |field: &&FieldName| message.field(field.as_str()).is_some_and(|kind| !kind.optional);
        if let Some(first) = written.first() {
            self.business_id.clone_from(first);
            self.key = written;
        } else if message.given() {
            let ids = [message.business_id.get(), message.event_id.get()].into_iter().flatten();
            let known = message.fields_known();
            let id =
                ids.filter(|field| !known || required(field)).map(|field| field.as_str().to_owned()).next();
            if let Some(id) = id {
                self.business_id.clone_from(&id);
                self.key = vec![id];
            }
        }
    }

    /// The fields that other sections speak of, before those of the story.
    fn take_fields(&mut self, contract: &Contract) {
        let name = |field: &FieldName| field.as_str().to_owned();
        let mut fields: Vec<(String, &'static str)> = Vec::new();
        let mut add = |field: String, kind| {
            if !fields.iter().any(|(known, _)| *known == field) && !PASSING.contains(&field.as_str()) {
                fields.push((field, kind));
            }
        };
        for field in &self.key {
            add(field.clone(), "string");
        }
        let staleness = &contract.staleness;
        staleness.timestamp.get().map(name).into_iter().for_each(|field| add(field, "timestamp"));
        staleness.sequence.get().map(name).into_iter().for_each(|field| add(field, "integer"));
        let ordered = contract.order().and_then(|order| order.key.get());
        let passed = contract.effects().filter_map(|(effect, _)| effect.idempotency_key.get());
        ordered.into_iter().chain(passed).map(name).for_each(|field| add(field, "string"));
        for (field, kind) in &self.fields {
            add(field.clone(), kind);
        }
        self.fields = fields;
    }

    /// The contract.
    pub(super) fn render(&self) -> Result<String, Error> {
        let mut environment = Environment::empty();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.add_filter("pad", pad);
        for (name, text) in TEMPLATES {
            environment.add_template(name, text)?;
        }
        let tour = self.flow == Flow::Money && self.name == TOUR;
        let table = self.table();
        let (outbox, dedupe) = if tour {
            ("order_outbox".to_owned(), "processed_payments".to_owned())
        } else {
            (format!("{table}_outbox"), format!("processed_{table}"))
        };
        let mut fields = vec![("event_id", "uuid")];
        fields.extend(self.fields.iter().map(|(field, kind)| (field.as_str(), *kind)));
        fields.push(("schema_version", "integer"));
        let fields: Vec<String> =
            fields.into_iter().map(|(field, kind)| format!("{}: {kind}", scalar(field))).collect();
        let key: Vec<String> = self.key.iter().map(|field| scalar(field)).collect();
        let broker = environment
            .get_template("broker")?
            .render(context! { kind => self.broker.word(), lossy => self.lossy })?;
        let page = environment.get_template(story::of(self.flow).template)?.render(context! {
            schema => &self.schema,
            name => scalar(&self.name),
            dlq => scalar(&self.dead_letter_queue()),
            broker,
            team => &self.team,
            business_id => scalar(&self.business_id),
            key => format!("[{}]", key.join(", ")),
            fields => format!("{{{}}}", fields.join(", ")),
            table, outbox, dedupe,
            external => self.external,
            lossy => self.lossy,
            locked => !self.lossy && self.broker != BrokerKind::Mqtt,
            returns => self.broker == BrokerKind::Rabbitmq,
            retention => self.retention(),
            // The tour is written for its name; under any other one, its story is a guess too.
            mark => if tour { "" } else { "   # guess" },
            guess => if tour { "" } else { "guess: " },
        })?;
        Ok(page.trim_end().to_owned() + "\n")
    }

    /// The least that can be said where the section of the page does not fit to the rest of a contract.
    pub(super) fn least(&self, section: &str) -> Option<String> {
        let dlq = scalar(&self.dead_letter_queue());
        let (team, key) =
            (&self.team, self.key.iter().map(|field| scalar(field)).collect::<Vec<_>>().join(", "));
        Some(match section {
            "message" => "message: {name: something.happened}   # guess\n".to_owned(),
            "producer" => "producer: {confirms: true}   # guess\n".to_owned(),
            "idempotency" => format!(
                "idempotency:   # guess\n  key: [{key}]\n  strategy: dedupe-table\n  store: {{engine: postgres, table: processed_{}}}\n  mark: before-effect\n  in_flight: reconcile\n  ttl: forever\n",
                self.table()
            ),
            "processing" => "processing: {load: {steady: 1/s}}   # guess\n".to_owned(),
            "failures" => LEAST_FAILURES.to_owned(),
            "dead_letter" => format!(
                "dead_letter:   # guess\n  queue: {dlq}\n  owner: {team}\n  alert: any\n  triage_within: 4h\n  retention: 14d\n  max_messages: 100000\n  redrive: true\n  redrive_within: ttl\n"
            ),
            "slo" => "slo: {first_page: investigate}   # guess\n".to_owned(),
            _ => return None,
        })
    }

    /// The name as a part of a table's name.
    fn table(&self) -> String {
        let table = self.name.replace(['.', '-'], "_");
        let table = if table.starts_with(|first: char| first.is_ascii_digit()) {
            format!("q_{table}")
        } else {
            table
        };
        // With what is put around it, a database takes 63 letters.
        table.chars().take(50).collect()
    }

    fn dead_letter_queue(&self) -> String {
        let name: String = self.name.chars().take(super::LONGEST_NAME).collect();
        format!("{}-dlq", name.trim_end_matches(['.', '_', '-']))
    }

    /// How long the queue keeps a message, on brokers that count its days whether it was read or not.
    fn retention(&self) -> Option<&'static str> {
        let counted = match self.broker {
            BrokerKind::Kafka | BrokerKind::Sqs | BrokerKind::NatsJetstream => true,
            BrokerKind::Pubsub | BrokerKind::ServiceBus => true,
            BrokerKind::Rabbitmq | BrokerKind::RedisStreams | BrokerKind::RedisList => false,
            BrokerKind::Pulsar | BrokerKind::Postgres | BrokerKind::Mqtt | BrokerKind::Embedded => false,
        };
        counted.then_some(match self.flow {
            Flow::Audit => "14d",
            Flow::Money | Flow::Notification | Flow::Task => "7d",
            Flow::Telemetry => "1d",
        })
    }
}

/// Fields that every message of a page has.
const PASSING: [&str; 2] = ["event_id", "schema_version"];

/// Retries that end within seconds.
const LEAST_FAILURES: &str = "\
failures:   # guess
  transient:
    match: [timeout, connection-reset]
    action: retry
    max_retries: 3
    backoff: {initial: 1s, factor: 2, cap: 4s, jitter: equal}
    then: dead-letter
    resolution: replay
  poison:
    match: [invalid-payload, schema-violation]
    action: dead-letter
    attach: [payload, error]
    resolution: repair
  business:
    match: [request-cancelled]
    action: drop
    log: structured
    reason: nobody waits for it any more
  unknown:
    action: retry
    max_retries: 2
    backoff: {initial: 1s, factor: 2, cap: 2s, jitter: equal}
    then: dead-letter
    resolution: repair
";

/// Whether a message that was acknowledged at its receipt never comes again. The others may repeat it
/// whatever the consumer does, so at-most-once would not be true of them.
fn forgets(broker: BrokerKind) -> bool {
    match broker {
        BrokerKind::Sqs | BrokerKind::Pubsub | BrokerKind::Pulsar => false,
        BrokerKind::Kafka | BrokerKind::Rabbitmq | BrokerKind::RedisStreams | BrokerKind::RedisList => true,
        BrokerKind::NatsJetstream | BrokerKind::ServiceBus | BrokerKind::Postgres => true,
        BrokerKind::Mqtt | BrokerKind::Embedded => true,
    }
}

/// A name, whose letters are harmless, as a scalar that no reader of YAML takes for anything else.
fn scalar(name: &str) -> String {
    if plain(name) { name.to_owned() } else { format!("\"{name}\"") }
}

/// Whether a text stands for itself without quotes.
fn plain(text: &str) -> bool {
    const TAKEN: [&str; 10] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan"];
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
        && text.len() <= 60
        && !TAKEN.contains(&text.to_ascii_lowercase().as_str())
}

/// `text` with blanks behind it, three at least, so that the comments of a page stand below each other.
fn pad(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(text.chars().count()).max(3);
    format!("{text}{}", " ".repeat(blanks))
}
