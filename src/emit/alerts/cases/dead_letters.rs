//! Dead letters: the first, many at once, too many, too old.

use super::super::super::language::promql::seconds;
use super::super::super::metrics;
use super::super::rules::full_share;
use super::{Cases, Line};
use crate::model::DeadLetterAlert;
use crate::units::Duration;

pub(super) fn cases(cases: &mut Cases<'_>) {
    if !cases.source.analysis.contract.dead_letter.given() {
        return;
    }
    let one = to(cases, 1);
    cases.case("one dead letter", &one, &[(2, "QueueDeadLetter", false), (5, "QueueDeadLetter", true)]);
    many(cases);
    full(cases);
    overdue(cases);
}

/// None for a while, then so many.
fn to(cases: &Cases<'_>, count: u64) -> [Line; 1] {
    [(cases.depth(), format!("0x3 {count}x3"))]
}

fn many(cases: &mut Cases<'_>) {
    match cases.source.analysis.contract.dead_letter.alert.get() {
        Some(DeadLetterAlert::Mapping(at)) => {
            let most = at.messages.get().copied().unwrap_or(1).max(1);
            let (less, enough) = (to(cases, most - 1), to(cases, most));
            cases.case("one less than pages", &less, &[(4, "QueueDeadLetters", false)]);
            cases.case("as many as page", &enough, &[(4, "QueueDeadLetters", true)]);
            let late = cases.steps(at.within.get().copied().unwrap_or_default()) + 6;
            let slowly = [(cases.depth(), format!("0x3 {most}x{late}"))];
            cases.case("as many, long ago", &slowly, &[(late, "QueueDeadLetters", false)]);
        }
        Some(DeadLetterAlert::Any) => {
            let one = to(cases, 1);
            cases.case(
                "the first pages",
                &one,
                &[(2, "QueueDeadLetters", false), (5, "QueueDeadLetters", true)],
            );
        }
        None => {}
    }
}

fn full(cases: &mut Cases<'_>) {
    let most = cases.source.analysis.contract.dead_letter.max_messages.get();
    let Some((share, most)) = full_share(cases.source).zip(most) else { return };
    let full = (share * *most as f64 - 1e-6).ceil() as u64;
    let (less, enough) = (to(cases, full.saturating_sub(1)), to(cases, full));
    cases.case("not yet full", &less, &[(5, "QueueDeadLettersFull", false)]);
    cases.case("nearly full", &enough, &[(5, "QueueDeadLettersFull", true)]);
}

fn overdue(cases: &mut Cases<'_>) {
    let Some(triage) = cases.source.analysis.contract.dead_letter.triage_within.get() else { return };
    let values = format!("{}x3 {}x3", seconds(*triage), seconds(*triage + Duration::from_secs(1)));
    let checks = [(3, "QueueDeadLetterOverdue", false), (6, "QueueDeadLetterOverdue", true)];
    cases.case("the oldest is overdue", &[(cases.own(metrics::DEAD_LETTER_OLDEST), values)], &checks);
}
