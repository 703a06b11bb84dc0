//! See `endless_retry.md`.

use super::retrying;
use crate::analysis::{Analysis, RetryingClass};
use crate::diagnostic::{Diagnostic, Level};
use crate::model::{BackoffChoice, FailureClass};
use crate::resolve::Known;
use crate::rules::{Check, Rule};
use crate::units::Duration;

/// The rule.
pub static RULE: Rule = Rule::new(
    "AK304",
    "endless-retry",
    Level::Error,
    include_str!("endless_retry.md"),
    Check::Contract(check),
);

fn check(analysis: &Analysis<'_>, out: &mut Vec<Diagnostic>) {
    for (entry, class, retries) in retrying(analysis) {
        if retries.limited || class.max_retries.given() {
            continue;
        }
        let finding = |message: String| {
            Diagnostic::new(RULE.code, class.action.span(), message)
                .at("nothing ends this")
                .help("write `max_retries: 5`, or the waits one by one as `backoff.steps`")
        };
        let name = &entry.name;
        let retention = analysis.contract.retention.get().copied();
        let counted = retention.zip(interval(analysis, class, retries));
        let Some((kept, (interval, what))) = counted.filter(|(_, (interval, _))| !interval.value.is_zero())
        else {
            out.push(finding(format!("`{name}` is retried without a limit")));
            continue;
        };
        let deliveries = kept.ratio(interval.value).floor();
        let kept = analysis.written(kept, analysis.contract.retention.span());
        let each = analysis.written(interval.value, interval.span);
        out.push(
            finding(format!("`{name}` is retried without a limit: {deliveries} deliveries of one message until its retention ends"))
                .label(analysis.contract.retention.span(), "then it is lost all the same")
                .label(interval.span, "one delivery in this time")
                .note(format!("{kept} retention ÷ {each} {what} = {deliveries} deliveries")),
        );
    }
}

/// The time from one delivery to the next once the waits no longer grow.
fn interval(
    analysis: &Analysis<'_>,
    class: &FailureClass,
    retries: &RetryingClass,
) -> Option<(Known<Duration>, &'static str)> {
    match class.backoff.get()? {
        BackoffChoice::LockExpiry => {
            let lock = analysis.timing.lock?;
            Some((Known { value: analysis.timing.hold?, ..lock }, "lock"))
        }
        // Without a written cap the waits grow for ever.
        BackoffChoice::Mapping(backoff) => backoff.cap.get().map(|_| (retries.waits.cap(), "cap")),
    }
}
