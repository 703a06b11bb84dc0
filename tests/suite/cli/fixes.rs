use super::{Repository, tree};

/// A contract whose guarantee has a certain mend.
const EXACTLY_ONCE: &str = "ackord: v1\r\nqueue: thumbnails\r\nflow: task\r\ndelivery: {guarantee: exactly-once} # kept\r\n";

#[test]
#[ignore = "until lint::run judges contracts"]
fn a_fix_changes_the_value_and_nothing_else() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", EXACTLY_ONCE);
    let run = repository.run(&["check", "--unsafe-fixes"]);
    assert_eq!(repository.text("a.queue.yaml"), EXACTLY_ONCE.replace("exactly-once", "at-least-once"));
    assert!(run.err.starts_with("fixed    a.queue.yaml:4   "), "{}", run.err);
    assert!(!run.out.contains("AK101"), "{}", run.out);
}

#[test]
#[ignore = "until lint::run judges contracts"]
fn a_difference_is_printed_and_nothing_is_written() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", EXACTLY_ONCE);
    let before = tree(&repository.path("."));
    let run = repository.run(&["check", "--diff", "--unsafe-fixes"]).code(1);
    assert!(run.out.starts_with("--- a/a.queue.yaml\n+++ b/a.queue.yaml\n@@ -1,4 +1,4 @@\n"), "{}", run.out);
    assert!(run.out.contains("\n-delivery: {guarantee: exactly-once} # kept\r\n+delivery: {guarantee: at-least-once}"));
    assert_eq!(tree(&repository.path(".")), before);
}

#[test]
fn without_anything_to_fix_nothing_is_written() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", super::BROKEN);
    let before = tree(&repository.path("."));
    repository.run(&["check", "--unsafe-fixes"]).code(1);
    let run = repository.run(&["check", "--diff"]).code(0);
    assert_eq!(run.out, "");
    assert_eq!(tree(&repository.path(".")), before);
}
