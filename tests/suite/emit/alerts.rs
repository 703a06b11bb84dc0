//! The alerts of each contract, judged by promtool.

use std::collections::BTreeMap;

use ackord::policy::Policy;
use ackord::report::inspect;
use serde_yaml::Value;

use super::figures::{Figure, Known, figures};
use super::prometheus::{Pair, contracts, only, promtool, refused, tokens};
use super::{generated, judged, root};

/// The alerts of a text, each contract's rules with their tests.
#[track_caller]
fn alerts(text: &str) -> Vec<Pair> {
    let files = generated("alerts", "x.queue.yaml", text);
    let pair = |files: &[ackord::emit::GeneratedFile]| Pair {
        rules: files[0].text.clone(),
        tests: files[1].text.clone(),
    };
    files.chunks(2).map(pair).collect()
}

/// The names of the alerts of a file.
fn names(rules: &str) -> Vec<String> {
    let rules: Value = serde_yaml::from_str(rules).expect("YAML");
    let rules = rules["groups"][0]["rules"].as_sequence().cloned().expect("rules");
    rules.iter().filter_map(|rule| Some(rule["alert"].as_str()?.to_owned())).collect()
}

fn payment_capture() -> Pair {
    let (_, text) = contracts().into_iter().find(|(path, _)| path.contains("payment-capture")).expect("it");
    alerts(&text).remove(0)
}

/// Each alert is tested in three contracts at least, and in CI in all that have it.
#[test]
fn promtool_accepts_the_alerts_of_every_contract() {
    if !promtool() {
        return;
    }
    let all = std::env::var("CI").as_deref() == Ok("true");
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let (mut paths, mut pairs) = (Vec::new(), Vec::new());
    for (path, text) in contracts() {
        for mut pair in alerts(&text) {
            let names = names(&pair.rules);
            let tested = all || names.iter().any(|name| seen.get(name).is_none_or(|times| *times < 3));
            if tested {
                names.into_iter().for_each(|name| *seen.entry(name).or_default() += 1);
            } else {
                pair.tests = only(&pair.tests, |_| false);
            }
            paths.push(path.clone());
            pairs.push(pair);
        }
    }
    assert!(seen.len() >= 20, "{seen:?}");
    if let Some((at, said)) = refused(&pairs).first() {
        panic!("{}: {said}", paths[*at]);
    }
}

/// Every alert is shown to fire, and not to fire.
#[test]
fn every_alert_is_tested_both_ways() {
    for (path, text) in contracts() {
        for pair in alerts(&text) {
            let mut shown: BTreeMap<(String, bool), usize> = BTreeMap::new();
            only(&pair.tests, |checks| {
                checks.iter().for_each(|check| *shown.entry(check.clone()).or_default() += 1);
                true
            });
            for name in names(&pair.rules) {
                // Two pages need time between them.
                let far = name == "QueueLatencyAgain";
                for fires in [true, false] {
                    assert!(far || shown.contains_key(&(name.clone(), fires)), "{path}: {name} {fires}");
                }
            }
        }
    }
}

/// The control: each rule whose threshold moves is noticed by the tests beside it.
#[test]
fn a_threshold_that_moved_fails_the_generated_tests() {
    if !promtool() {
        return;
    }
    let good = payment_capture();
    let moved = [
        ("QueueLatency", "))) > 300 and", "))) > 3000 and"),
        ("QueueLatency", "))) > 300 and", "))) > 30 and"),
        ("QueueLatency", "[5m])) >= 20", "[5m])) >= 18"),
        ("QueueLatency", "[5m])) >= 20", "[5m])) >= 22"),
        ("QueueStalled", ") > 300 and sum(increase", ") > 3000 and sum(increase"),
        ("QueueStalled", ") > 300 and sum(increase", ") > 30 and sum(increase"),
        ("QueueStalled", "[5m])) < 20", "[5m])) < 2000"),
        ("QueueStalled", "[5m])) < 20", "[5m])) == 0"),
        ("QueueLatencyAgain", "[1h])) >= 2", "[1h])) >= 3"),
        ("QueueLatencyAgain", "[1h])) >= 2", "[1h])) >= 1"),
        ("QueueLatencyAgain", "[1h])) >= 2", "[3h])) >= 2"),
        ("QueueRetries", ") > 1.5\"", ") > 1.6\""),
        ("QueueRetries", ") > 1.5\"", ") > 1.4\""),
        ("QueueRedelivery", ") > 6\"", ") > 7\""),
        ("QueueRedelivery", ") > 6\"", ") > 5\""),
        ("QueueDedupeFailing", ") > 0.01\"", ") > 0.02\""),
        ("QueueDedupeFailing", ") > 0.01\"", ") > 0.008\""),
        ("QueueDeadLetters", "[15m])) >= 10\"", "[15m])) >= 11\""),
        ("QueueDeadLetters", "[15m])) >= 10\"", "[15m])) >= 9\""),
        ("QueueDeadLetters", "[15m])) >= 10\"", "[5h])) >= 10\""),
        ("QueueDeadLettersFull", ">= 0.8 * 100000", ">= 0.8 * 100002"),
        ("QueueDeadLettersFull", ">= 0.8 * 100000", ">= 0.79 * 100000"),
        ("QueueDeadLetterOverdue", ") > 14400\"", ") > 14401\""),
        ("QueueDeadLetterOverdue", ") > 14400\"", ") > 14399\""),
        ("QueueConsumerSilent", "absent(ackord_contract_info{", "absent(ackord_other_info{"),
        ("QueueNoConsumer", ") < 1\"", ") < 2\""),
        ("QueueNoConsumer", ") < 1\"", ") < 0\""),
        ("QueueStanding", ") > 0 and", ") >= 0 and"),
        ("QueueDrain", ", 0.001) > 300\"", ", 0.001) > 360\""),
        ("QueueDrain", ", 0.001) > 300\"", ", 0.001) > 240\""),
        ("QueueHandsFull", ">= 0.95 * 8", ">= 1.05 * 8"),
        ("QueueHandsFull", ">= 0.95 * 8", ">= 0.45 * 8"),
        ("QueueRedelivers", ", 0.001) > 0.05\"", ", 0.001) > 0.06\""),
        ("QueueRedelivers", ", 0.001) > 0.05\"", ", 0.001) > 0.04\""),
    ];
    let pairs: Vec<Pair> = moved
        .iter()
        .map(|(alert, from, to)| {
            let start = good.rules.find(&format!("- alert: {alert}\n")).expect("the alert");
            let (before, rule) = good.rules.split_at(start);
            assert!(rule.lines().take(2).any(|line| line.contains(from)), "{alert}: no {from} in\n{rule}");
            Pair {
                rules: format!("{before}{}", rule.replacen(from, to, 1)),
                tests: only(&good.tests, |checks| checks.iter().any(|(name, _)| name == alert)),
            }
        })
        .collect();
    let noticed: Vec<usize> = refused(&pairs).into_iter().map(|(at, _)| at).collect();
    for (at, change) in moved.iter().enumerate() {
        assert!(noticed.contains(&at), "{change:?} was not noticed");
    }
}

/// Each carries what its reader needs, and leads to a part of the runbook that is there.
#[test]
fn every_alert_says_whom_it_calls_and_what_to_do() {
    for (path, text) in contracts() {
        let pages = generated("runbook", "x.queue.yaml", &text);
        for (pair, page) in alerts(&text).iter().zip(pages) {
            let rules: Value = serde_yaml::from_str(&pair.rules).expect("YAML");
            for rule in rules["groups"][0]["rules"].as_sequence().expect("rules") {
                let Some(name) = rule["alert"].as_str() else { continue };
                let text = |part: &str, name: &str| rule[part][name].as_str().unwrap_or_default().to_owned();
                assert!(["page", "ticket"].contains(&text("labels", "severity").as_str()), "{path}: {name}");
                let said = [("labels", "contract"), ("labels", "owner"), ("annotations", "summary")];
                for (part, field) in
                    said.into_iter().chain([("annotations", "description"), ("annotations", "action")])
                {
                    assert!(!text(part, field).is_empty(), "{path}: {name} has no {field}");
                }
                let runbook = text("annotations", "runbook");
                let (file, anchor) = runbook.split_once('#').expect("an anchor");
                assert_eq!(file, page.path);
                assert!(
                    headings(&page.text).iter().any(|heading| heading == anchor),
                    "{path}: {name}: {runbook}"
                );
            }
        }
    }
}

/// The headings of a page as they are addressed.
fn headings(page: &str) -> Vec<String> {
    let heading = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        title.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect::<String>()
    };
    page.lines().filter(|line| line.starts_with('#')).map(heading).collect()
}

/// Every figure of a rule is one of the contract, of `inspect`, or of `target.yaml`.
#[test]
fn every_figure_of_a_rule_is_known() {
    let target = std::fs::read_to_string(root().join("templates/alerts/target.yaml")).expect("target.yaml");
    let mut seen = 0;
    for (path, contract) in contracts() {
        let report = judged("x.queue.yaml", &contract);
        let policy = Policy::default();
        for (analysis, pair) in report.analyses(&policy).iter().zip(alerts(&contract)) {
            let mut known = Known::default();
            known.json("", &inspect::json(analysis));
            known.text(&contract);
            known.text(&target);
            let rules: Value = serde_yaml::from_str(&pair.rules).expect("YAML");
            for rule in rules["groups"][0]["rules"].as_sequence().expect("rules") {
                let annotations = rule["annotations"].as_mapping().into_iter().flatten();
                let said = annotations.filter(|(name, _)| name.as_str() != Some("runbook"));
                let said: Vec<String> =
                    said.filter_map(|(_, text)| Some(text.as_str()?.to_owned())).collect();
                let hold = rule["for"].as_str().unwrap_or_default().to_owned();
                for (shown, figure) in said.iter().chain([&hold]).flat_map(|text| figures(text)) {
                    seen += 1;
                    assert!(known.has(&shown, figure), "{path}: {shown} in {said:?} {hold}");
                }
                for part in tokens(rule["expr"].as_str().expect("an expression")).0 {
                    seen += usize::from(part.starts_with(|c: char| c.is_ascii_digit()));
                    assert!(known_in_promql(&known, &part), "{path}: {part} in {:?}", rule["expr"]);
                }
            }
        }
    }
    assert!(seen > 1000, "only {seen} figures were found");
}

/// Whether a part of an expression is no figure, or a known one; a time may stand there in seconds. None
/// and one are no figures: they ask whether something is there.
pub fn known_in_promql(known: &Known, part: &str) -> bool {
    if !part.starts_with(|c: char| c.is_ascii_digit()) || part == "0" || part == "1" {
        return true;
    }
    let found = figures(part);
    !found.is_empty()
        && found.iter().all(|(shown, figure)| {
            let seconds = match *figure {
                Figure::Number(number) => known.has(shown, Figure::Time(number * 1e3)),
                Figure::Time(_) => false,
            };
            seconds || known.has(shown, *figure)
        })
}

#[test]
fn the_committed_alerts_are_fresh() {
    super::fresh("payment-capture", "alerts");
}
