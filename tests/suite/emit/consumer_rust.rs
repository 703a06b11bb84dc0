//! The consumer in Rust: it builds without a warning as it was generated, its demonstration comes out even,
//! and without its keys it does not.

use std::path::{Path, PathBuf};
use std::process::Command;

use ackord::emit::{GeneratedFile, Owner, generate};
use ackord::policy::Policy;

use super::{judged, root};

/// The files for a contract, or why there are none.
fn consumer(name: &str, text: &str) -> Result<Vec<GeneratedFile>, String> {
    let report = judged(name, text);
    let policy = Policy::default();
    let clean = report.clean(&policy).unwrap_or_else(|| panic!("{name}: {:#?}", report.findings));
    generate(&clean, "consumer-rust").map_err(|failure| failure.to_string())
}

fn example(name: &str) -> String {
    std::fs::read_to_string(root().join(format!("examples/{name}/{name}.queue.yaml"))).expect("an example")
}

/// Writes the files into a folder of their own.
fn written(files: &[GeneratedFile]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for file in files {
        let path = folder.path().join(&file.path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, &file.text).expect("a file");
    }
    folder
}

/// Builds the workspace in the target folder that all generated code of the tests shares.
fn build(folder: &Path) -> PathBuf {
    let target = root().join("target/generated");
    let out = Command::new("cargo")
        .args(["build", "--quiet", "--workspace"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", "-Dwarnings")
        .output()
        .expect("cargo");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    target.join("debug")
}

/// Runs a built consumer: its code and what it printed.
fn demo(program: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(program);
    let out = command.arg("demo").args(arguments).current_dir(folder.path()).output().expect("the demo");
    (out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned())
}

/// What a new user sees, to the letter: 250 of 500 were received before the kill, one of them in flight.
const LEDGER: &str = "\
500 payments, one worker, queue and store embedded. SIGKILL at the 250th, after the card was charged
and before the ledger was written: the worst moment. Your 5m lock runs as 2s here.

                      pop and forget    ack, no dedupe    this consumer
at the kill
  processed                      249               249              249
  queued                         250               250              250
  in flight                        0                 1                1
  missing                          1                 0                0
at the end
  deliveries                     500               501              501
  cards charged                  500               501              500
  ledger entries                 499               500              500
               charged, never booked     charged twice       reconciled

pi_0250 came back in_flight; the gateway answered \"captured\": recorded, not charged again.
difference 0 · effects 500 = messages 500
";

/// One test, since cargo would make several wait for each other.
#[test]
fn each_consumer_builds_and_survives_and_without_keys_it_does_not() {
    let texts = ["payment-capture", "order-state"].map(example);
    let mut files: Vec<GeneratedFile> = Vec::new();
    for text in &texts {
        for file in consumer("x.queue.yaml", text).expect("files") {
            if files.iter().all(|there| there.path != file.path) {
                files.push(file);
            }
        }
    }
    let folder = written(&files);
    let programs = build(folder.path());
    let (code, told) = demo(&programs.join("payment-capture-consumer"), &[]);
    assert_eq!((code, told.as_str()), (Some(0), LEDGER));
    for queue in files.iter().filter_map(|file| file.path.strip_suffix("/consumer/Cargo.toml")) {
        let program = programs.join(format!("{queue}-consumer"));
        let (code, told) = demo(&program, &[]);
        let end = "difference 0 · effects 500 = messages 500\n";
        assert!(code == Some(0) && told.ends_with(end), "{queue}: {code:?}\n{told}");
    }
    let (code, told) = demo(&programs.join("payment-capture-consumer"), &["--without-dedupe"]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.ends_with("difference 1 · effects 501 ≠ messages 500\n"), "{told}");
}

#[test]
fn the_files_of_the_user_are_short_and_all_files_are_of_a_size_to_read() {
    let files = consumer("x.queue.yaml", &example("payment-capture")).expect("files");
    let yours: Vec<_> = files.iter().filter(|file| file.owner == Owner::Yours).collect();
    let names: Vec<_> = yours.iter().filter_map(|file| file.path.rsplit('/').next()).collect();
    assert_eq!(names, ["handler.rs", "classify.rs", "reconcile.rs"]);
    for file in yours {
        assert!(file.text.lines().count() < 40, "{}", file.path);
    }
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        assert!(file.text.lines().count() < 400, "{}", file.path);
        assert!(!file.text.contains(".unwrap()"), "{}", file.path);
    }
}

/// What it cannot keep, it says all at once, and generates nothing.
#[test]
fn a_contract_that_it_cannot_keep_is_refused() {
    for (name, reason) in [
        ("account-events", "the broker kafka and ordering"),
        ("inventory", "a unique index as the key"),
        ("telemetry", "the broker mqtt, a guarantee other than at-least-once and an effect without a key"),
    ] {
        let said = consumer("x.queue.yaml", &example(name)).expect_err("a refusal");
        assert!(said.contains("cannot keep all of") && said.contains(reason), "{said}");
    }
}

/// A retry goes to a queue that the topology declares: the consumer's waits are its delay queues' times.
#[test]
fn the_waits_are_those_of_the_delay_queues() {
    let text = example("payment-capture");
    let report = judged("x.queue.yaml", &text);
    let policy = Policy::default();
    let clean = report.clean(&policy).expect("a clean contract");
    let topology = generate(&clean, "topology").expect("files").remove(0).text;
    let definitions: serde_json::Value = serde_json::from_str(&topology).expect("JSON");
    let queues = definitions["queues"].as_array().expect("queues");
    let names: Vec<&str> = queues.iter().filter_map(|queue| queue["name"].as_str()).collect();
    let files = consumer("x.queue.yaml", &text).expect("files");
    let contract = &files.iter().find(|file| file.path.ends_with("src/contract.rs")).expect("it").text;
    let waits = contract.split("delays: &[").nth(1).and_then(|rest| rest.split(']').next()).expect("waits");
    let mut expected = vec!["payment-capture".to_owned(), "payment-capture-dlq".to_owned()];
    for wait in waits.split("Duration::from_").skip(1) {
        let (unit, rest) = wait.split_once('(').expect("a unit");
        let number = rest.split(')').next().expect("a number").replace('_', "");
        let zeros = if unit == "secs" { "000" } else { "" };
        expected.push(format!("payment-capture.retry.{number}{zeros}ms"));
    }
    assert!(expected.len() > 5);
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    names.sort();
    expected.sort();
    assert_eq!(names, expected);
}
