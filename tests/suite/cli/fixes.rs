use super::{Repository, tree};

/// A contract whose guarantee has a certain mend.
const EXACTLY_ONCE: &str =
    "ackord: v1\r\nqueue: thumbnails\r\nflow: task\r\ndelivery: {guarantee: exactly-once} # kept\r\n";

#[test]
fn a_fix_changes_the_value_and_nothing_else() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", EXACTLY_ONCE);
    let run = repository.run(&["check", "--unsafe-fixes"]);
    assert_eq!(repository.text("a.queue.yaml"), EXACTLY_ONCE.replace("exactly-once", "at-least-once"));
    assert!(run.err.starts_with("fixed    a.queue.yaml:4   "), "{}", run.err);
    assert!(!run.out.contains("AK101"), "{}", run.out);
}

#[test]
fn a_difference_is_printed_and_nothing_is_written() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", EXACTLY_ONCE);
    let before = tree(&repository.path("."));
    let run = repository.run(&["check", "--diff", "--unsafe-fixes"]).code(1);
    assert!(run.out.starts_with("--- a/a.queue.yaml\n+++ b/a.queue.yaml\n@@ -1,4 +1,4 @@\n"), "{}", run.out);
    assert!(
        run.out.contains(
            "\n-delivery: {guarantee: exactly-once} # kept\r\n+delivery: {guarantee: at-least-once}"
        )
    );
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

#[test]
#[cfg(unix)]
fn a_file_that_may_not_be_written_is_left_as_it_was() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let outside = Repository::new();
    outside.file("target.yaml", EXACTLY_ONCE);
    let repository = Repository::new();
    symlink(outside.path("target.yaml"), repository.path("link.queue.yaml")).expect("a link");
    let run = repository.run(&["check", "link.queue.yaml", "--unsafe-fixes"]).code(2);
    assert!(
        run.err.contains("`link.queue.yaml` is a link that leaves the workspace; it is left as it was"),
        "{}",
        run.err
    );
    assert_eq!(outside.text("target.yaml"), EXACTLY_ONCE);
    repository.file("locked.queue.yaml", EXACTLY_ONCE);
    let path = repository.path("locked.queue.yaml");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o444)).expect("permissions");
    let run = repository.run(&["check", "locked.queue.yaml", "--unsafe-fixes"]).code(2);
    assert!(run.err.contains("`locked.queue.yaml` is read-only; it is left as it was"), "{}", run.err);
    assert_eq!(repository.text("locked.queue.yaml"), EXACTLY_ONCE);
    let names = std::fs::read_dir(repository.path(".")).expect("a folder").count();
    assert_eq!(names, 3, "a temporary file was left behind");
}
