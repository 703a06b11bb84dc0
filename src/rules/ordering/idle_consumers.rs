//! See `idle_consumers.md`.

use crate::analysis::Analysis;
use crate::diagnostic::{Applicability, Diagnostic, Level};
use crate::model::KafkaMode;
use crate::resolve::Known;
use crate::rules::{Check, Rule};

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK505",
    "idle-consumers",
    Level::Warning,
    include_str!("idle_consumers.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    let Some(partitions) = partitions(analysis) else { return };
    let consumers = analysis.resolved.consumers;
    let idle = consumers.value.saturating_sub(partitions.value);
    if idle == 0 {
        return;
    }
    let verb = if idle == 1 { "has" } else { "have" };
    let share = if partitions.value == 1 {
        "1 partition".to_owned()
    } else {
        format!("{} partitions", partitions.value)
    };
    let mut finding = Diagnostic::new(
        RULE.code,
        consumers.span,
        format!("{} consumers share {share}, so {idle} of them {verb} nothing to do", consumers.value),
    )
    .at(format!("{idle} too many"))
    .label(partitions.span, "each is read by one consumer")
    .help(format!(
        "run at most as many consumers as there are partitions, {}, or add partitions",
        partitions.value
    ));
    if partitions.value > 0 {
        let title = format!("consumers: {} -> {}", consumers.value, partitions.value);
        finding = finding.replace(Applicability::Unsafe, consumers.span, partitions.value.to_string(), title);
    }
    out.push(finding);
}

/// The partitions of an ordered queue; on Kafka, where a group divides them, of every queue.
fn partitions(analysis: &Analysis<'_>) -> Option<Known<u32>> {
    let kafka = analysis.contract.kafka();
    if kafka.is_some_and(|kafka| kafka.mode.get() == Some(&KafkaMode::Share)) {
        return None;
    }
    analysis.resolved.partitions.or_else(|| Known::written(&kafka?.partitions))
}
