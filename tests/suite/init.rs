//! `ackord init`: contracts that are clean from their first line, and sections put in without harm.

use std::collections::BTreeMap;

use ackord::diagnostic::Level;
use ackord::init::{FLOWS, complete, contract, guesses, name};
use ackord::lint::Settings;
use ackord::model::{BrokerKind, Flow};
use ackord::source::SourceFile;

use crate::cli::Repository;
use crate::judge::{indented, judge, none_of, settings, show};
use crate::patch::{Files, expand, files_below, read};

const TOUR: [&str; 6] = ["init", "payment-capture", "--flow", "money", "--broker", "rabbitmq"];
const FILE: &str = "queues/payment-capture.queue.yaml";

fn files(text: &str) -> Files {
    let mut files = expand("# whole\nackord: v1\n").unwrap();
    files.contracts = vec![("queues/a.queue.yaml".to_owned(), text.to_owned())];
    files
}

fn pedantic() -> Settings {
    Settings { pedantic: true, ..settings() }
}

fn completed(text: &str) -> ackord::init::Completed {
    complete(&SourceFile::new("queues/a.queue.yaml", text), &BTreeMap::new(), &settings()).unwrap()
}

/// The sections that were put in, of all contracts together.
fn added(done: &ackord::init::Completed) -> Vec<&str> {
    done.added.iter().flat_map(|(_, sections)| sections).map(String::as_str).collect()
}

#[test]
fn the_first_minute_is_to_the_letter() {
    let repository = Repository::new();
    let run = repository.run(&TOUR).code(0);
    assert_eq!(run.out, "");
    assert_eq!(
        run.err,
        "\
created  queues/payment-capture.queue.yaml   no findings; 5 lines marked `# guess` are ours
created  .ackord/ackord.v1.json              schema for your editor
next     replace the guesses, then: ackord check
"
    );
    let example = read("examples/payment-capture/payment-capture.queue.yaml");
    let (_, example) = example.split_once('\n').unwrap();
    let modeline = "# yaml-language-server: $schema=../.ackord/ackord.v1.json\n";
    assert_eq!(repository.text(FILE), format!("{modeline}{example}"));
    assert_eq!(repository.text(".ackord/ackord.v1.json"), repository.run(&["schema"]).code(0).out);
    repository.run(&["check"]).code(0);
}

#[test]
fn every_flow_on_every_broker_begins_without_a_finding() {
    let mut failures = Vec::new();
    for flow in FLOWS {
        for broker in BrokerKind::ALL {
            for queue in ["refunds", "payment-capture", "1e3"] {
                let started = contract(&name(queue).unwrap(), flow, broker, "x.json").unwrap();
                let report = judge(&files(&started.text), &settings()).unwrap();
                let kind = report.contracts.first().and_then(|one| one.broker.get()).map(|one| one.kind());
                let named = report.contracts.first().map(|one| (one.name(), one.flow()));
                if !report.findings.is_empty()
                    || kind != Some(broker)
                    || named != Some((queue, Some(flow)))
                    || started.guesses < 5
                    || !started.report.findings.is_empty()
                {
                    let (flow, broker) = (flow.word(), broker.word());
                    failures.push(format!(
                        "{queue} {flow} {broker}\n{}{}",
                        show(&report),
                        indented(&started.text)
                    ));
                }
            }
        }
    }
    none_of(&failures, "first contracts");
}

/// Loss is declared where a message that was acknowledged at its receipt is gone for good, and only there.
#[test]
fn telemetry_may_be_lost_only_where_the_broker_forgets() {
    for broker in BrokerKind::ALL {
        let started = contract(&name("readings").unwrap(), Flow::Telemetry, broker, "x.json").unwrap();
        let repeats = matches!(broker, BrokerKind::Sqs | BrokerKind::Pubsub | BrokerKind::Pulsar);
        let word = if repeats { "guarantee: at-least-once" } else { "guarantee: at-most-once" };
        assert!(started.text.contains(word), "{}\n{}", broker.word(), started.text);
    }
}

#[test]
fn under_another_name_the_story_is_a_guess_too() {
    let started = contract(&name("refunds").unwrap(), Flow::Money, BrokerKind::Rabbitmq, "x.json").unwrap();
    for line in
        ["queue: refunds\n", "queue: refunds-dlq\n", "table: processed_refunds}", "table: refunds_outbox,"]
    {
        assert!(started.text.contains(line), "{line}\n{}", started.text);
    }
    assert!(started.text.contains("name: order.captured   # guess\n"), "{}", started.text);
    assert!(!started.text.contains("payment-capture"), "{}", started.text);
    assert_eq!(started.guesses, started.text.matches("# guess").count());
}

#[test]
fn what_is_there_is_left_as_it_was() {
    let repository = Repository::new();
    repository.file(FILE, "mine\n").run(&TOUR).fails("exists already");
    assert_eq!(repository.text(FILE), "mine\n");
    assert!(!repository.path(".ackord").exists());
}

#[test]
fn an_old_schema_is_ours_to_update() {
    let repository = Repository::new();
    repository.file(".ackord/ackord.v1.json", "{}\n");
    let run = repository.run(&TOUR).code(0);
    assert!(run.err.contains("\nupdated  .ackord/ackord.v1.json "), "{}", run.err);
    let run =
        repository.run(&["init", "refunds", "--flow", "money", "--broker", "sqs", "--dir", "a/b"]).code(0);
    assert!(!run.err.contains("ackord.v1.json"), "{}", run.err);
    let text = repository.text("a/b/refunds.queue.yaml");
    assert!(text.starts_with("# yaml-language-server: $schema=../../.ackord/ackord.v1.json\n"), "{text}");
    repository.run(&["init", "here", "--flow", "task", "--broker", "sqs", "--dir", "."]).code(0);
    assert!(repository.text("here.queue.yaml").contains("$schema=.ackord/ackord.v1.json\n"));
}

#[test]
fn a_wish_that_cannot_be_met_writes_nothing() {
    let repository = Repository::new();
    let money = ["--flow", "money", "--broker", "sqs"];
    for (queue, said) in [
        ("Payment Capture", "ackord init payment-capture --flow money --broker sqs"),
        ("../up", "ackord init up --flow money --broker sqs"),
        ("a\u{1b}[31m", "ackord init a-31m"),
        ("", "ackord init payment-capture"),
    ] {
        let run = repository.run(&[&["init", queue][..], &money].concat()).fails(said);
        assert!(!run.err.contains('\u{1b}'), "{:?}", run.err);
    }
    repository.run(&["init"]).fails("NAME, --flow and --broker");
    repository.run(&["init", "refunds", "--flow", "money"]).fails("`ackord init` needs --broker,");
    repository.run(&["init", "refunds", "--flow", "monye", "--broker", "sqs"]).fails("write `money`");
    repository.run(&["init", "refunds", "--flow", "money", "--broker", "kafak"]).fails("write `kafka`");
    repository
        .run(&[&["init", "refunds", "--dir", ".."][..], &money].concat())
        .fails("not below this folder");
    let names: Vec<_> =
        std::fs::read_dir(repository.path(".")).unwrap().map(|one| one.unwrap().file_name()).collect();
    assert_eq!(names, [".git"]);
}

fn four_lines(flow: Flow, delivery: &str) -> String {
    format!("ackord: v1\nqueue: jobs\nflow: {}\ndelivery: {{{delivery}}}\n", flow.word())
}

#[test]
fn four_lines_of_each_flow_become_a_clean_contract() {
    let mut failures = Vec::new();
    for flow in FLOWS {
        let given = four_lines(flow, "guarantee: at-least-once");
        let done = completed(&given);
        let report = judge(&files(&done.text), &settings()).unwrap();
        if !report.findings.is_empty() || !done.left.is_empty() || added(&done).len() < 9 {
            failures.push(format!(
                "{} {:?}\n{}{}",
                flow.word(),
                done.left,
                show(&report),
                indented(&done.text)
            ));
        }
        let again = completed(&done.text);
        assert_eq!(again.text, done.text, "twice is once");
        assert!(again.added.is_empty());
        assert!(guesses(&done.text) >= 8, "{}", done.text);
    }
    none_of(&failures, "completions");
}

#[test]
fn what_may_be_lost_is_completed_without_retries() {
    let given = four_lines(Flow::Telemetry, "guarantee: at-most-once, acceptable_loss: 1%");
    let done = completed(&given);
    assert_eq!(added(&done), ["owners", "on_call", "message", "processing", "slo", "evidence"]);
    let report = judge(&files(&done.text), &pedantic()).unwrap();
    assert!(
        report.findings.iter().all(|found| found.level == Some(Level::Note) && found.code.0 != "AK016"),
        "{}",
        show(&report)
    );
}

/// What a contract may be told to complete.
const SECTIONS: [&str; 11] = [
    "owners",
    "on_call",
    "message",
    "producer",
    "idempotency",
    "processing",
    "ordering",
    "failures",
    "dead_letter",
    "slo",
    "evidence",
];

/// Each section of a whole contract is left out in turn, and put back.
#[test]
fn a_missing_section_comes_back_at_its_place() {
    let whole = read("examples/payment-capture/payment-capture.queue.yaml");
    for section in SECTIONS {
        let given = without(&whole, section);
        let done = completed(&given);
        assert!(added(&done).contains(&section), "{section}: {:?} {:?}", done.added, done.left);
        let report = judge(&files(&done.text), &settings()).unwrap();
        assert!(report.findings.is_empty(), "{section}\n{}{}", show(&report), indented(&done.text));
        assert_eq!(keys(&done.text), keys(&whole), "{section}");
        assert!(holds_all_lines(&done.text, &given), "{section}\n{}", indented(&done.text));
    }
}

/// Also in contracts that are written in other styles, and whose other sections say something else.
#[test]
fn no_stub_brings_an_error() {
    let mut failures = Vec::new();
    let paths = files_below("tests/bases").into_iter().chain(files_below("examples/broken"));
    let paths: Vec<_> = paths.filter(|path| path.to_str().unwrap().ends_with(".queue.yaml")).collect();
    assert!(paths.len() > 12);
    for path in paths {
        let whole = read(&path);
        let errors = |text: &str| {
            let report = judge(&files(text), &pedantic()).unwrap();
            let count = report.count(Level::Error);
            (count, show(&report), report.findings.iter().any(|found| found.code.0 == "AK016"))
        };
        for section in SECTIONS {
            let given = without(&whole, section);
            let (before, ..) = errors(&given);
            let done = completed(&given);
            let (after, shown, incomplete) = errors(&done.text);
            if after > before || (incomplete && done.left.is_empty()) || !holds_all_lines(&done.text, &given)
            {
                failures.push(format!("{} without {section}: {before} -> {after}\n{shown}", path.display()));
            }
        }
    }
    none_of(&failures, "completions");
}

/// The text without a top-level section.
fn without(text: &str, section: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        if !line.starts_with(' ') {
            inside = line.split(':').next() == Some(section);
        }
        if !inside {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn keys(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    lines.map(|line| line.split(':').next().unwrap().to_owned()).collect()
}

/// Whether all lines of `given` are in `text`, in their order.
fn holds_all_lines(text: &str, given: &str) -> bool {
    let mut lines = text.split_inclusive('\n');
    given.split_inclusive('\n').all(|wanted| lines.any(|line| line == wanted))
}

#[test]
fn comments_layout_and_line_ends_stay() {
    let given = "\u{feff}# ours\r\nackord: v1\r\nqueue: jobs   # a name\r\n\r\n\r\nflow: task\r\n   # of no money\r\n# next\r\ndelivery:\r\n    guarantee: at-least-once\r\n    # a remark\r\nx-note: |+\r\n  text\r\n\r\n";
    let done = completed(given);
    assert!(done.left.is_empty() && added(&done).len() > 8, "{:?}", done.left);
    assert!(!done.text.replace("\r\n", "").contains('\n'), "every line ends as the others do");
    assert!(holds_all_lines(&done.text, given), "{}", done.text);
    assert!(done.text.starts_with("\u{feff}# ours\r\n"));
    assert!(done.text.contains("flow: task\r\n   # of no money\r\n\r\nowners: "), "{}", done.text);
    assert!(done.text.contains("    # a remark\r\n\r\nidempotency:"), "{}", done.text);
    assert_eq!(completed(&done.text).text, done.text);
}

#[test]
fn a_last_line_without_end_and_an_indented_contract() {
    let done =
        completed("  ackord: v1\n  queue: jobs\n  flow: audit\n  delivery: {guarantee: at-least-once}");
    let report = judge(&files(&done.text), &settings()).unwrap();
    assert!(report.findings.is_empty(), "{}{}", show(&report), done.text);
    assert!(done.text.lines().all(|line| line.is_empty() || line.starts_with("  ")), "{}", done.text);
}

/// A key is never written twice, whatever stands behind it.
#[test]
fn an_empty_section_is_the_users_to_fill() {
    let repository = Repository::new();
    let given =
        "ackord: v1\nqueue: jobs\nflow: audit\nowners:   # who?\ndelivery: {guarantee: at-least-once}\n";
    repository.file("q.queue.yaml", given);
    let run = repository.run(&["init", "--complete", "q.queue.yaml"]).code(1);
    assert!(run.out.contains("`owners` has no value"), "{}", run.out);
    assert_eq!(repository.text("q.queue.yaml"), given);
    assert_eq!(completed(given).text.matches("\nowners:").count(), 1);
}

#[test]
fn each_contract_of_a_file_is_completed() {
    let second = "queue: jobs-2\n";
    let given = format!(
        "{}---\n# the second\n{}",
        four_lines(Flow::Audit, "guarantee: at-least-once"),
        four_lines(Flow::Money, "guarantee: at-least-once").replace("queue: jobs\n", second)
    );
    let done = completed(&given);
    assert!(done.left.is_empty() && holds_all_lines(&done.text, &given), "{}", done.text);
    assert_eq!(added(&done).iter().filter(|section| **section == "slo").count(), 2);
    let report = judge(&files(&done.text), &settings()).unwrap();
    assert!(report.findings.is_empty() && report.contracts.len() == 2, "{}{}", show(&report), done.text);
}

/// The key that the contract has is a field of the message that is put in.
#[test]
fn a_stub_speaks_of_the_contracts_own_fields() {
    let tour = read("examples/payment-capture/payment-capture.queue.yaml")
        .replace("key: [payment_intent_id]", "key: [capture_no, \"no\"]");
    let done = completed(&without(&tour, "message"));
    assert!(done.text.contains("business_id: capture_no "), "{}", done.text);
    assert!(done.text.contains("{event_id: uuid, capture_no: string, \"no\": string, "), "{}", done.text);
}

/// A lifetime of ten minutes leaves no room for the retries of the tour.
#[test]
fn a_stub_makes_way_for_what_is_written() {
    let tour = read("examples/payment-capture/payment-capture.queue.yaml")
        .replace("ttl: 15d", "ttl: 10m")
        .replace("redrive: true", "redrive: false");
    let given = without(&without(&tour, "failures"), "replay");
    let errors = |text: &str| judge(&files(text), &settings()).unwrap().count(Level::Error);
    let done = completed(&given);
    assert!(added(&done).contains(&"failures"), "{:?}", done.left);
    assert!(errors(&done.text) <= errors(&without(&given, "nothing")), "{}", done.text);
}

#[test]
fn the_command_completes_a_file() {
    let repository = Repository::new();
    repository.file("q.queue.yaml", four_lines(Flow::Money, "guarantee: at-least-once"));
    let run = repository.run(&["init", "--complete", "q.queue.yaml"]).code(0);
    assert!(
        run.err.starts_with("completed  q.queue.yaml   ")
            && run.err.ends_with("then: ackord check q.queue.yaml\n"),
        "{}",
        run.err
    );
    repository.run(&["check"]).code(0);
    let before = repository.text("q.queue.yaml");
    let run = repository.run(&["init", "--complete", "q.queue.yaml"]).code(0);
    assert_eq!(run.err, "complete   q.queue.yaml   no section is missing\n");
    assert_eq!(repository.text("q.queue.yaml"), before);
}

#[test]
fn what_cannot_be_read_is_not_touched() {
    let repository = Repository::new();
    let broken = "ackord: v1\nqueue: [jobs\nflow: task\n";
    repository.file("q.queue.yaml", broken);
    let run = repository.run(&["init", "--complete", "q.queue.yaml"]).code(1);
    assert!(run.out.contains("AK001"), "{}", run.out);
    assert_eq!(repository.text("q.queue.yaml"), broken);
    let braces = "{ackord: v1, queue: jobs, flow: audit, delivery: {guarantee: at-least-once}}\n";
    repository.file("q.queue.yaml", braces);
    let run = repository.run(&["init", "--complete", "q.queue.yaml"]).code(1);
    assert!(run.err.contains("stands in braces"), "{}", run.err);
    assert_eq!(repository.text("q.queue.yaml"), braces);
    repository.run(&["init", "--complete", "missing.queue.yaml"]).fails("cannot be read");
}

#[test]
fn a_section_that_the_contract_excuses_is_not_missed() {
    let given = four_lines(Flow::Audit, "guarantee: at-least-once")
        .replace("queue: jobs", "queue: jobs   # ackord: ignore[AK016:evidence] -- proven elsewhere");
    let done = completed(&given);
    assert!(!added(&done).contains(&"evidence") && added(&done).contains(&"slo"), "{:?}", done.added);
}
