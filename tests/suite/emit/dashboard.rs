//! The dashboard of each contract, held to the rules that Grafana's linter documents, and its expressions
//! judged by promtool.

use std::collections::BTreeSet;

use ackord::policy::Policy;
use ackord::report::inspect;
use serde_json::Value;

use super::alerts::known_in_promql;
use super::figures::{Figure, Known, figures};
use super::prometheus::{Pair, contracts, promtool, refused, tokens};
use super::{generated, judged, root};

/// The dashboards of a text.
#[track_caller]
fn dashboards(text: &str) -> Vec<Value> {
    let parsed = |file: &ackord::emit::GeneratedFile| {
        serde_json::from_str(&file.text).unwrap_or_else(|error| panic!("{error}\n{}", file.text))
    };
    generated("dashboard", "x.queue.yaml", text).iter().map(parsed).collect()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn expressions(dashboard: &Value) -> impl Iterator<Item = &str> {
    list(dashboard, "panels")
        .iter()
        .flat_map(|panel| list(panel, "targets"))
        .map(|target| text(target, "expr"))
}

/// What the linter's documentation asks of a dashboard, as what it would find.
fn lint(dashboard: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut ask = |holds: bool, rule: &str, at: &str| {
        if !holds {
            found.push(format!("{rule}: {at}"));
        }
    };
    ask(dashboard["editable"] == false, "uneditable-dashboard", "");
    let variables = list(&dashboard["templating"], "list");
    let sources: Vec<_> = variables.iter().filter(|one| text(one, "type") == "datasource").collect();
    let source_is_known = matches!(sources.as_slice(), [one]
        if text(one, "name") == "datasource" && text(one, "label") == "Data source" && text(one, "query") == "prometheus");
    ask(source_is_known, "template-datasource-rule", "");
    for (name, label) in [("job", "Job"), ("instance", "Instance")] {
        let one = variables.iter().find(|one| text(one, "name") == name).unwrap_or(&Value::Null);
        let holds = text(&one["datasource"], "uid") == "${datasource}"
            && text(one, "type") == "query"
            && text(one, "label") == label
            && one["multi"] == true
            && text(one, "allValue") == ".+";
        ask(holds, &format!("template-{name}-rule"), "");
    }
    for one in variables.iter().filter(|one| text(one, "type") == "query") {
        ask(one["refresh"] == 2, "template-on-time-change-reload-rule", text(one, "name"));
        ask(
            text(one, "query").starts_with("label_values("),
            "template-label-promql-rule",
            text(one, "query"),
        );
    }
    for panel in list(dashboard, "panels").iter().filter(|panel| text(panel, "type") != "row") {
        let title = text(panel, "title");
        ask(
            !title.is_empty() && !text(panel, "description").is_empty(),
            "panel-title-description-rule",
            title,
        );
        ask(text(&panel["datasource"], "uid") == "${datasource}", "panel-datasource-rule", title);
        let unit = text(&panel["fieldConfig"]["defaults"], "unit");
        ask(["s", "short", "mps", "percentunit"].contains(&unit), "panel-units-rule", title);
        ask(!list(panel, "targets").is_empty(), "panel-no-targets-rule", title);
        for target in list(panel, "targets") {
            let expr = text(target, "expr");
            ask(text(&target["datasource"], "uid") == "${datasource}", "target datasource", expr);
            let (selectors, ranges) = (expr.matches('{').count(), expr.matches('[').count());
            ask(selectors > 0 && expr.matches("job=~\"$job\"").count() == selectors, "target-job-rule", expr);
            let instances = expr.matches("instance=~\"$instance\"").count();
            ask(instances == selectors, "target-instance-rule", expr);
            ask(expr.matches("[$__rate_interval]").count() == ranges, "target-rate-interval-rule", expr);
            let counted = |name: &str| expr.split(name).count() - 1;
            let counters = counted("_total{") + counted("_bucket{");
            ask(counters == counted("rate(ackord_") && counters == ranges, "target-counter-agg-rule", expr);
        }
    }
    found
}

#[test]
fn every_dashboard_keeps_the_rules_of_grafanas_linter() {
    for (path, contract) in contracts() {
        for dashboard in dashboards(&contract) {
            assert_eq!(lint(&dashboard), Vec::<String>::new(), "{path}");
        }
    }
}

/// The control: a dashboard that breaks a rule is noticed under its name.
#[test]
fn a_dashboard_that_breaks_a_rule_is_noticed() {
    let (_, contract) =
        contracts().into_iter().find(|(path, _)| path.contains("payment-capture")).expect("it");
    let file = generated("dashboard", "x.queue.yaml", &contract).remove(0).text;
    for (from, to, rule) in [
        ("\"editable\": false", "\"editable\": true", "uneditable-dashboard"),
        ("\"Data source\"", "\"Source\"", "template-datasource-rule"),
        ("\"Job\"", "\"job\"", "template-job-rule"),
        ("\"allValue\": \".+\"", "\"allValue\": \".*\"", "template-instance-rule"),
        ("\"refresh\": 2", "\"refresh\": 1", "template-on-time-change-reload-rule"),
        ("label_values(", "values(", "template-label-promql-rule"),
        ("\"description\": \"", "\"describes\": \"", "panel-title-description-rule"),
        ("${datasource}", "prometheus-1", "panel-datasource-rule"),
        ("\"unit\": \"s\"", "\"unit\": \"seconds\"", "panel-units-rule"),
        ("\"targets\": [", "\"none\": [", "panel-no-targets-rule"),
        ("job=~", "job=", "target-job-rule"),
        ("instance=~", "host=~", "target-instance-rule"),
        ("[$__rate_interval]", "[5m]", "target-rate-interval-rule"),
        ("sum(rate(ackord_lock", "sum(max(ackord_lock", "target-counter-agg-rule"),
    ] {
        assert!(file.contains(from), "{from}");
        let broken = serde_json::from_str(&file.replace(from, to)).expect("JSON");
        assert!(lint(&broken).iter().any(|found| found.starts_with(rule)), "{rule} is not noticed");
    }
}

#[test]
fn promtool_reads_every_expression() {
    if !promtool() {
        return;
    }
    let all: Vec<Value> = contracts().iter().flat_map(|(_, contract)| dashboards(contract)).collect();
    let mut rules = String::from("groups:\n- name: all\n  rules:\n");
    let mut every: BTreeSet<String> = all.iter().flat_map(expressions).map(str::to_owned).collect();
    every.extend(
        all.iter().flat_map(|one| list(&one["annotations"], "list")).map(|one| text(one, "expr").to_owned()),
    );
    for variable in all.iter().flat_map(|one| list(&one["templating"], "list")) {
        let asked =
            text(variable, "query").strip_prefix("label_values(").and_then(|query| query.rsplit_once(", "));
        every.extend(asked.map(|(series, _)| series.to_owned()));
    }
    assert!(every.len() > 200, "{}", every.len());
    for (number, expr) in every.iter().enumerate() {
        let plain = expr.replace("$__rate_interval", "5m");
        let quoted = serde_json::to_string(&plain).expect("a string");
        rules.push_str(&format!("  - record: one:{number}\n    expr: {quoted}\n"));
    }
    let tests = "rule_files: [rules.yml]\ntests: []\n".to_owned();
    // The control: one that is no expression is refused.
    let broken = Pair { rules: rules.replacen("sum(", "sum((", 1), tests: tests.clone() };
    let found = refused(&[Pair { rules, tests }, broken]);
    assert_eq!(found.iter().map(|(at, _)| *at).collect::<BTreeSet<_>>(), BTreeSet::from([1]), "{found:?}");
}

/// The alerts and the dashboard speak of the same series.
#[test]
fn the_dashboard_shows_what_the_alerts_ask_for() {
    let names = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "_:".contains(c)));
        words
            .filter(|word| {
                !word.ends_with('_') && (word.starts_with("ackord_") || word.starts_with("rabbitmq_"))
            })
            .map(str::to_owned)
            .collect()
    };
    for (path, contract) in contracts() {
        let rules = generated("alerts", "x.queue.yaml", &contract);
        let boards = generated("dashboard", "x.queue.yaml", &contract);
        for (rules, board) in rules.chunks(2).zip(boards) {
            let shown = names(&board.text);
            let asked = names(&rules[0].text);
            // An alert about all queues, and series that the dashboard shows in another way.
            let elsewhere = |name: &&String| {
                name.starts_with("rabbitmq_global_")
                    || [
                        "ackord_message_age_seconds_count",
                        "ackord_replay_effects_total",
                        "ackord_failures_total",
                        "ackord_bypass_active",
                        "rabbitmq_detailed_queue_messages_acked_total",
                        "rabbitmq_detailed_queue_messages_delivered_total",
                        "rabbitmq_detailed_queue_messages_delivered_ack_total",
                        "rabbitmq_detailed_queue_messages_redelivered_total",
                    ]
                    .contains(&name.as_str())
            };
            let missing: Vec<_> = asked.difference(&shown).filter(|name| !elsewhere(name)).collect();
            assert!(missing.is_empty(), "{path}: {missing:?}");
        }
    }
}

/// Grafana knows a dashboard by its uid, panels by an id of their own, and nothing by where it was made.
#[test]
fn a_dashboard_is_the_same_wherever_it_is_loaded() {
    let mut uids = BTreeSet::new();
    for (path, contract) in contracts() {
        for dashboard in dashboards(&contract) {
            let uid = text(&dashboard, "uid");
            assert!(uid.len() <= 40 && uid.starts_with("ackord-"), "{uid}");
            assert!(uids.insert(uid.to_owned()), "{path}: {uid} is there twice");
            assert!(dashboard["id"].is_null());
            let panels = list(&dashboard, "panels");
            let ids: BTreeSet<_> = panels.iter().filter_map(|panel| panel["id"].as_u64()).collect();
            assert_eq!(ids.len(), panels.len());
            let place = |panel: &Value| {
                ["x", "y", "w", "h"].map(|side| panel["gridPos"][side].as_u64().expect("a side"))
            };
            for (at, one) in panels.iter().enumerate() {
                let [x, y, w, h] = place(one);
                assert!(x + w <= 24 && w > 0 && h > 0);
                for other in &panels[at + 1..] {
                    let [ox, oy, ow, oh] = place(other);
                    let apart = x + w <= ox || ox + ow <= x || y + h <= oy || oy + oh <= y;
                    assert!(apart, "{path}: {} lies over {}", text(one, "title"), text(other, "title"));
                }
            }
        }
    }
}

/// Every figure that somebody reads is one of the contract, of `inspect`, or of `target.yaml`.
#[test]
fn every_figure_of_a_dashboard_is_known() {
    let target =
        std::fs::read_to_string(root().join("templates/dashboard/target.yaml")).expect("target.yaml");
    let mut seen = 0;
    for (path, contract) in contracts() {
        let report = judged("x.queue.yaml", &contract);
        let policy = Policy::default();
        for (analysis, dashboard) in report.analyses(&policy).iter().zip(dashboards(&contract)) {
            let mut known = Known::default();
            known.json("", &inspect::json(analysis));
            known.text(&contract);
            known.text(&target);
            for panel in list(&dashboard, "panels") {
                for (shown, figure) in figures(text(panel, "description")) {
                    seen += 1;
                    assert!(known.has(&shown, figure), "{path}: {shown} in {}", text(panel, "description"));
                }
                for step in list(&panel["fieldConfig"]["defaults"]["thresholds"], "steps") {
                    let Some(line) = step["value"].as_f64() else { continue };
                    seen += 1;
                    // What is nearly full is a share of what fits in.
                    let share =
                        known.numbers.iter().any(|most| (most * 0.8 - line).abs() < 1e-6 && *most > 1.0);
                    let full = text(panel, "title") == "Dead letters" && share;
                    let known =
                        known.has("", Figure::Number(line)) || known.has("", Figure::Time(line * 1e3));
                    assert!(known || full, "{path}: {line} in {}", text(panel, "title"));
                }
            }
            for part in expressions(&dashboard).flat_map(|expr| tokens(expr).0) {
                seen += usize::from(part.starts_with(|c: char| c.is_ascii_digit()));
                assert!(known_in_promql(&known, &part), "{path}: {part}");
            }
        }
    }
    assert!(seen > 300, "only {seen} figures were found");
}

#[test]
fn the_committed_dashboard_is_fresh() {
    super::fresh("payment-capture", "dashboard");
}
