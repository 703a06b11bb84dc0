//! See `transport_id_as_key.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::{FieldName, Message};
use crate::rules::{Check, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK207",
    "transport-id-as-key",
    Level::Error,
    include_str!("transport_id_as_key.md"),
    Check::Contract(check),
);

/// What brokers and client libraries call the id or the place of one delivery, in letters and digits only.
const TRANSPORT_IDS: [&str; 21] = [
    "ackid",
    "consumersequence",
    "deliverytag",
    "dlqsequence",
    "entryid",
    "ledgerid",
    "locktoken",
    "messageid",
    "messagehandle",
    "msgid",
    "offset",
    "packetid",
    "packetidentifier",
    "partitionoffset",
    "receipthandle",
    "receiptid",
    "redelivered",
    "sequencenumber",
    "streamid",
    "streamseq",
    "streamsequence",
];

/// What such a name may begin with.
const BROKERS: [&str; 15] = [
    "amqp",
    "azure",
    "broker",
    "jetstream",
    "jms",
    "kafka",
    "mqtt",
    "nats",
    "pubsub",
    "pulsar",
    "queue",
    "rabbitmq",
    "redis",
    "servicebus",
    "sqs",
];

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let message = &contract.message;
    for (name, span) in contract.idempotency.key_fields().filter(|(name, _)| is_transport_id(message, name)) {
        let text = format!(
            "`{name}` names a delivery, not the business act, and a message that is sent again gets a new one"
        );
        let finding = Diagnostic::new(RULE.code, span, text).at("given by the transport");
        out.push(replaced(analysis, finding, name, span));
    }
    let Some(key) = contract.order().map(|order| &order.key) else { return };
    let Some(name) = key.get().filter(|name| is_transport_id(message, name)) else { return };
    let text = format!("`{name}` names a delivery, so no two messages share it and none are in order");
    out.push(
        Diagnostic::new(RULE.code, key.span(), text).at("given by the transport").help(
            "order by a field of the message that several messages share, such as the id of an account",
        ),
    );
}

/// Whether `name` is what a transport calls a delivery, and the message has no field of that name.
pub(in crate::rules) fn is_transport_id(message: &Message, name: &FieldName) -> bool {
    let last = name.as_str().rsplit('.').next().unwrap_or("");
    let word: String =
        last.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let known = |word: &str| TRANSPORT_IDS.contains(&word);
    let prefixed = || BROKERS.iter().any(|broker| word.strip_prefix(broker).is_some_and(known));
    (known(&word) || prefixed()) && message.field(name.as_str()).is_none()
}

fn replaced(analysis: &Analysis<'_>, finding: Diagnostic, name: &FieldName, span: Span) -> Diagnostic {
    let contract = analysis.contract;
    let Some(business) = contract.message.business_id.get() else {
        return finding.help("name the field of the message that stands for the business act, and stays the same when it is sent again");
    };
    let finding =
        finding.help(format!("write `{business}`, which stays the same when the act is sent again"));
    if contract.idempotency.key_fields().any(|(field, _)| field == business) {
        return finding;
    }
    finding.replace(Applicability::Unsafe, span, business.as_str(), format!("key: {name} -> {business}"))
}
