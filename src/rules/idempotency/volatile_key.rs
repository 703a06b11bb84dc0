//! See `volatile_key.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{BaseType, FieldName, Message};
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK208",
    "volatile-key",
    Level::Warning,
    include_str!("volatile_key.md"),
    Check::Contract(check),
);

/// What differs each time that a message is made, sent or handled, in letters and digits only.
const VOLATILE: [&str; 37] = [
    "attempt",
    "attemptnumber",
    "attempts",
    "createdat",
    "deliveryattempt",
    "deliverycount",
    "enqueuedat",
    "generateduuid",
    "newuuid",
    "nonce",
    "now",
    "processedat",
    "publishedat",
    "rand",
    "random",
    "randomid",
    "randomuuid",
    "receivecount",
    "receivedat",
    "redeliverycount",
    "retries",
    "retry",
    "retrycount",
    "retrynumber",
    "salt",
    "sentat",
    "spanid",
    "timestamp",
    "traceid",
    "traceparent",
    "tries",
    "ts",
    "updatedat",
    "uuidgen",
    "uuidnow",
    "uuidrandom",
    "xtraceid",
];

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    let message = &contract.message;
    for (name, span) in contract.idempotency.key_fields() {
        let Some(why) = volatile(message, name) else { continue };
        let text = format!("`{name}` in the key {why}, so a repeated message is not recognised");
        let mut finding = Diagnostic::new(RULE.code, span, text).at("differs from send to send").help(
            match message.business_id.get() {
                Some(business) => {
                    format!("take `{name}` out of the key; `{business}` names the business act")
                }
                None => format!("take `{name}` out of the key, and name the business act instead"),
            },
        );
        if let Some(entry) = message.fields.named(name.as_str()) {
            finding = finding.label(entry.value.span(), "declared here");
        }
        out.push(finding);
    }
    let Some(key) = contract.order().map(|order| &order.key) else { return };
    let Some((name, why)) = key.get().and_then(|name| Some((name, volatile(message, name)?))) else { return };
    let text = format!("`{name}` as the ordering key {why}, so hardly two messages are in order");
    out.push(
        Diagnostic::new(RULE.code, key.span(), text)
            .at("differs from message to message")
            .help("order by what several messages share, such as the id of an account"),
    );
}

/// Why `name` cannot stand for a business act; `None` where it can.
pub(in crate::rules) fn volatile(message: &Message, name: &FieldName) -> Option<&'static str> {
    let last = name.as_str().rsplit('.').next().unwrap_or("");
    let word: String =
        last.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    if message.field(name.as_str()).is_some_and(|field| field.base == BaseType::Timestamp) {
        return Some("is a time, which a producer that sends again takes anew");
    }
    VOLATILE.contains(&word.as_str()).then_some("is made anew with each send or delivery")
}
