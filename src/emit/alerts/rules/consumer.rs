//! What the consumers tell about themselves.

use super::super::super::language::promql::duration;
use super::super::super::metrics;
use super::{Rules, Told, part};
use crate::model::Strategy;
use crate::units::{Duration, trim};

pub(super) fn rules(rules: &mut Rules<'_>) {
    silent(rules);
    if rules.source.analysis.contract.at_least_once() {
        retried(rules);
        over_the_limit(rules);
        unknown(rules);
        lock_lost(rules);
    }
    dedupe(rules);
    replayed(rules);
    bypassed(rules);
}

fn silent(rules: &mut Rules<'_>) {
    let source = rules.source;
    let silent = source.time("silent_for");
    let told = Told {
        summary: "no consumer reports".to_owned(),
        means: format!("For {silent} no consumer has shown its metrics. No data is no good news."),
        action: "Start the consumers; look at the last release first.".to_owned(),
        part: part::FIRST,
    };
    let expr = format!("absent({})", source.own(metrics::INFO, ""));
    rules.page("QueueConsumerSilent", &source.analysis.contract.on_call, expr, told).hold = Some(silent);
}

/// Attempts for each settled message, over a time.
fn attempts(rules: &Rules<'_>, window: &str) -> String {
    let sum = |metric: &str| format!("sum(increase({}[{window}]))", rules.source.own(metric, ""));
    format!("{} / {}", sum(metrics::ATTEMPTS), sum(metrics::SETTLED))
}

fn retried(rules: &mut Rules<'_>) {
    let source = rules.source;
    let Some(deliveries) = source.analysis.retries.deliveries().filter(|most| *most > 1) else { return };
    let (window, mean) = (source.constant("retries_window"), source.constant("retries_mean"));
    let told = Told {
        summary: format!("each message takes more than {mean} attempts on average"),
        means: format!(
            "Failing messages are tried again, up to {deliveries} times each, and that is load on top of the load."
        ),
        action: "Find the failing class and what it depends on; more consumers would make it worse."
            .to_owned(),
        part: part::FAILURES,
    };
    let expr = format!("{} > {mean}", attempts(rules, window));
    rules.ticket("QueueRetries", &source.analysis.contract.owners.consumer, expr, told).hold =
        Some(source.time("retries_window"));
}

fn over_the_limit(rules: &mut Rules<'_>) {
    let source = rules.source;
    let Some(deliveries) = source.analysis.retries.deliveries() else { return };
    let worst = source.analysis.retries.worst_to_dead_letter.unwrap_or_default();
    let window = source.time("redelivery_window").max(worst.ceil_to(Duration::from_secs(1)));
    let told = Told {
        summary: format!("more than {deliveries} deliveries for each message"),
        means: format!(
            "The contract allows {deliveries} deliveries of one message, the first one included; the mean over {window} is above."
        ),
        action: "Compare the broker's delivery limit with the contract's; look whether locks are lost."
            .to_owned(),
        part: part::FAILURES,
    };
    let expr = format!("{} > {deliveries}", attempts(rules, &duration(window)));
    rules.ticket("QueueRedelivery", &source.analysis.contract.owners.consumer, expr, told).hold =
        Some(window);
}

fn unknown(rules: &mut Rules<'_>) {
    let source = rules.source;
    if !source.analysis.contract.failures.given() {
        return;
    }
    let failures = source.own(metrics::FAILURES, ",class=\"unknown\"");
    let told = Told {
        summary: "a failure belongs to no class".to_owned(),
        means: "The handler failed in a way that the contract does not name, so that nobody has decided what becomes of it.".to_owned(),
        action: "Look up the error in the consumer's log and put it into a class of `failures`.".to_owned(),
        part: part::FAILURES,
    };
    let expr = format!("sum(increase({failures}[{}])) > 0", source.constant("unknown_window"));
    rules.ticket("QueueUnknownFailure", &source.analysis.contract.owners.consumer, expr, told);
}

fn lock_lost(rules: &mut Rules<'_>) {
    let source = rules.source;
    let Some(lock) = source.analysis.timing.lock.map(|lock| lock.value) else { return };
    let lost = source.own(metrics::LOCK_LOST, "");
    let told = Told {
        summary: "a lock was lost".to_owned(),
        means: format!(
            "Work took longer than the lock of {lock}, and the message went to a second consumer."
        ),
        action: "Find what was slow; raise the lock in the contract if that is usual.".to_owned(),
        part: part::CAPACITY,
    };
    let expr = format!("sum(increase({lost}[{}])) > 0", source.constant("lock_window"));
    rules.ticket("QueueLockLost", &source.analysis.contract.owners.consumer, expr, told);
}

fn dedupe(rules: &mut Rules<'_>) {
    let source = rules.source;
    let contract = source.analysis.contract;
    let asked = match contract.idempotency.strategy.get() {
        Some(Strategy::DedupeTable | Strategy::StateGuard | Strategy::UniqueIndex) => true,
        Some(Strategy::Natural | Strategy::BrokerWindow | Strategy::None) | None => false,
    };
    if !asked {
        return;
    }
    let window = source.constant("rate_window");
    let rate = |metric: &str| format!("sum(rate({}[{window}]))", source.own(metric, ""));
    let share = source.constant("dedupe_share");
    let told = Told {
        summary: "the store of keys fails".to_owned(),
        means: format!(
            "More than {share} of the attempts cannot ask whether their message is a repeated one, so they cannot go on."
        ),
        action: "Help the store; no check is skipped meanwhile.".to_owned(),
        part: part::FIRST,
    };
    let expr = format!(
        "{} / {} > {}",
        rate(metrics::DEDUPE_ERRORS),
        rate(metrics::ATTEMPTS),
        trim(source.share("dedupe_share"))
    );
    rules.page("QueueDedupeFailing", &contract.on_call, expr, told).hold = Some(source.time("dedupe_for"));
}

fn replayed(rules: &mut Rules<'_>) {
    let source = rules.source;
    let contract = source.analysis.contract;
    if contract.replay.expected_no_op.get().is_none_or(|share| share.share() < 1.0) {
        return;
    }
    let applied = source.own(metrics::REPLAY_EFFECTS, ",outcome=\"applied\"");
    let told = Told {
        summary: "a replayed message took effect".to_owned(),
        means: "A replay must change nothing, and one of its messages did: either the effect had been missing, or the key does not recognise it.".to_owned(),
        action: "Stop the replay.".to_owned(),
        part: part::REPLAY,
    };
    let expr = format!("sum(increase({applied}[{}])) > 0", source.constant("replay_window"));
    rules.page("QueueReplayApplied", &contract.on_call, expr, told);
}

fn bypassed(rules: &mut Rules<'_>) {
    let source = rules.source;
    let contract = source.analysis.contract;
    if !contract.emergency_bypass.given() {
        return;
    }
    let told = Told {
        summary: "the emergency bypass is on".to_owned(),
        means: "Consumers skip checks that the contract promises.".to_owned(),
        action: "Turn it off as soon as its reason is gone.".to_owned(),
        part: part::BYPASS,
    };
    let expr = format!("max({}) > 0", source.own(metrics::BYPASS, ""));
    rules.ticket("QueueBypassOn", &contract.owners.operations, expr, told);
}
