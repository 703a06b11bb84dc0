//! What only the broker sees.

use super::super::super::metrics::rabbitmq;
use super::super::rules::{done, patience};
use super::{Cases, FLOW};
use crate::resolve::Prefetch;
use crate::units::trim;

pub(super) fn cases(cases: &mut Cases<'_>) {
    nobody(cases);
    standing(cases);
    around(cases);
    dropping(cases);
}

fn nobody(cases: &mut Cases<'_>) {
    let (settle, gone) = (cases.settle, cases.held("QueueNoConsumer"));
    let end = settle + gone;
    let consumers = [(cases.queue(rabbitmq::CONSUMERS), format!("1x{settle} 0x{gone}"))];
    let checks = [(settle, "QueueNoConsumer", false), (end, "QueueNoConsumer", true)];
    cases.case("nobody is connected", &consumers, &checks);
}

fn standing(cases: &mut Cases<'_>) {
    let settle = cases.settle;
    let rest = settle + cases.steps(patience(cases.source)) + 3;
    let end = settle + rest;
    let stopped = (cases.queue(done(cases.source)), format!("0+{FLOW}x{settle} {}x{rest}", FLOW * settle));
    let waiting = (cases.queue(rabbitmq::READY), format!("0x{settle} 1x{rest}"));
    let checks = [(settle, "QueueStanding", false), (end, "QueueStanding", true)];
    cases.case("messages wait, none is done", &[stopped.clone(), waiting], &checks);
    cases.case("none is done, for none waits", &[stopped], &[(end, "QueueStanding", false)]);
}

/// Three thresholds, each just not reached and then just passed: a backlog, hands, and redeliveries.
fn around(cases: &mut Cases<'_>) {
    let alerts = ["QueueDrain", "QueueHandsFull", "QueueRedelivers"];
    let held = alerts.iter().map(|alert| cases.held(alert)).max().unwrap_or(0);
    let end = cases.settle + held;
    for (name, times, fires) in [("just below", 0.9, false), ("just above", 1.1, true)] {
        let mut lines = Vec::new();
        let mut line = |metric, values: String| lines.push((cases.queue(metric), values));
        if let Some(above) = cases.source.analysis.latency.alert {
            // So many are settled each second.
            let rate = FLOW as f64 / cases.step.as_secs_f64();
            line(rabbitmq::READY, format!("{}x{end}", trim(above.value.as_secs_f64() * rate * times)));
        }
        let prefetch = cases.source.analysis.resolved.prefetch.map(|known| known.value);
        if let Some(Prefetch::Count(count)) = prefetch {
            let level = if fires { count } else { count / 2 };
            line(rabbitmq::UNACKED, format!("{level}x{end}"));
        }
        let again = FLOW as f64 * cases.source.share("redelivered_share") * times;
        line(rabbitmq::REDELIVERED, format!("0+{}x{end}", trim(again)));
        cases.case(name, &lines, &alerts.map(|alert| (end, alert, fires)));
    }
}

fn dropping(cases: &mut Cases<'_>) {
    for metric in rabbitmq::DEAD_LETTERED {
        let series = |strategy: &str| {
            [(format!("{metric}{{queue_type=\"rabbit_quorum_queue\",{strategy}}}"), "0x3 1x3".to_owned())]
        };
        let checks = [(2, "QueueDropping", false), (6, "QueueDropping", true)];
        cases.case("the broker drops", &series(rabbitmq::GONE), &checks);
    }
}
