//! See `ack_before_effect.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Level};
use crate::model::{Ack, AutoCommit, Mark, Redelivery};
use crate::rules::{Check, Rule};
use crate::source::Span;
use crate::units::Duration;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK105",
    "ack-before-effect",
    Level::Error,
    include_str!("ack_before_effect.md"),
    Check::Contract(check),
);

/// How often Kafka's client commits where nobody says: `auto.commit.interval.ms`.
const USUAL_COMMIT: Duration = Duration::from_secs(5);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let contract = analysis.contract;
    if !contract.at_least_once() {
        return;
    }
    let ways = [
        auto_commit(analysis).or_else(|| early_ack(analysis)),
        late_mark(analysis),
        lost_redelivery(analysis),
    ];
    let guarantee = contract.delivery.guarantee.span();
    out.extend(ways.into_iter().flatten().map(|finding| finding.label(guarantee, "what is promised")));
}

/// The consumer settles the message before its effect.
fn early_ack(analysis: &Analysis<'_>) -> Option<Diagnostic> {
    let ack = &analysis.contract.delivery.ack;
    let (word, when) = match ack.get()? {
        Ack::OnReceive => ("on-receive", "as soon as it is received"),
        Ack::Auto => ("auto", "at the client library's own time"),
        Ack::AfterEffect => return None,
    };
    let message = format!("`ack: {word}` settles a message {when}, so a crash before its effect loses it");
    Some(
        Diagnostic::new(RULE.code, ack.span(), message)
            .at("the broker forgets the message here")
            .help("write `ack: after-effect`")
            .replace(
                Applicability::Unsafe,
                ack.span(),
                "after-effect",
                format!("ack: {word} -> after-effect"),
            ),
    )
}

/// Kafka's client commits offsets on a timer, whatever has become of the records.
fn auto_commit(analysis: &Analysis<'_>) -> Option<Diagnostic> {
    let field = &analysis.contract.kafka()?.auto_commit;
    let (interval, place, at) = match field.get()? {
        AutoCommit::Scalar(false) => return None,
        AutoCommit::Scalar(true) => (USUAL_COMMIT, field.span(), "on a timer; Kafka's own interval is 5s"),
        AutoCommit::Mapping(commit) => {
            (*commit.interval.get()?, commit.interval.span(), "on a timer, not after the effect")
        }
    };
    let every = analysis.written(interval, place);
    let threads = analysis.resolved.concurrency;
    let mut faults = Vec::new();
    let mut finding =
        Diagnostic::new(RULE.code, place, "").at(at).fix(commit_after_effect(analysis, field.span()));
    if let Some(p99) = analysis.timing.p99.filter(|p99| !p99.value.is_zero()) {
        let count = between_commits(interval, p99.value);
        let each = analysis.written(p99.value, p99.span);
        let messages = if count == 1.0 { "message" } else { "messages" };
        faults.push(format!("repeats {count} {messages} per partition after a crash"));
        finding = finding
            .label(p99.span, "handling one message takes up to this long")
            .note(format!("messages between two commits = ⌊{every} ÷ {each}⌋ + 1 = {count}"));
    }
    if threads.value > 1 {
        faults.push(format!("loses what its {} threads still have in hand", threads.value));
        finding = finding.label(threads.span, "handled beside the thread that commits");
    }
    if faults.is_empty() {
        faults.push("repeats after a crash what was handled since the last commit".to_owned());
    }
    finding.message = format!("`auto_commit` every {every} {}", faults.join(" and "));
    Some(finding.help("write `auto_commit: false`; the consumer commits after each effect"))
}

/// How many messages of one partition are handled from one commit to the next, if each takes `p99`.
fn between_commits(interval: Duration, p99: Duration) -> f64 {
    interval.ratio(p99).floor() + 1.0
}

/// Turns the timer at `place` off, and with it an ack that says the same.
fn commit_after_effect(analysis: &Analysis<'_>, place: Span) -> Fix {
    let ack = &analysis.contract.delivery.ack;
    let mut edits = vec![Edit { span: place, text: "false".to_owned() }];
    if matches!(ack.get(), Some(Ack::Auto | Ack::OnReceive)) {
        edits.push(Edit { span: ack.span(), text: "after-effect".to_owned() });
    }
    Fix { title: "auto_commit: false".to_owned(), applicability: Applicability::Unsafe, edits }
}

/// The key is written when the message is already gone.
fn late_mark(analysis: &Analysis<'_>) -> Option<Diagnostic> {
    let mark = &analysis.contract.idempotency.mark;
    let message = "`mark: after-ack` writes the key when the message is already settled";
    (mark.get() == Some(&Mark::AfterAck)).then(|| {
        Diagnostic::new(RULE.code, mark.span(), message)
            .at("a crash in between leaves an effect that nothing remembers")
            .label(analysis.contract.delivery.ack.span(), "settled here")
            .help("write `mark: with-effect`, or `before-effect` with `in_flight` where an effect lies outside the database")
    })
}

/// The broker does not deliver again what a dead consumer held.
fn lost_redelivery(analysis: &Analysis<'_>) -> Option<Diagnostic> {
    let redelivery = &analysis.contract.redelivery;
    let message = "`redelivery: lost` gives up every message that a dead consumer had in hand";
    matches!(redelivery.get(), Some(Redelivery::Lost)).then(|| {
        Diagnostic::new(RULE.code, redelivery.span(), message)
            .at("settled, or forgotten, when the consumer dies")
            .help("make the consumer settle only what it has finished, and write `redelivery: {counted: true, max_retries: 5}`")
    })
}

#[cfg(test)]
mod tests {
    use super::between_commits;
    use crate::units::Duration;

    #[test]
    fn messages_between_two_commits() {
        let interval = Duration::from_secs(5);
        // The one in hand counts, too.
        assert_eq!(between_commits(interval, Duration::from_millis(4_800)), 2.0);
        assert_eq!(between_commits(interval, Duration::from_millis(5_000)), 2.0);
        assert_eq!(between_commits(interval, Duration::from_millis(5_001)), 1.0);
        assert_eq!(between_commits(interval, Duration::from_millis(50)), 101.0);
    }
}
