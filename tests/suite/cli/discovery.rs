use super::{BROKEN, Repository, finish};

/// The files that a check would read, a line each.
#[track_caller]
fn files(repository: &Repository, folder: &str, paths: &[&str]) -> Vec<String> {
    let mut arguments = vec!["check", "--show-files"];
    arguments.extend(paths);
    finish(&mut repository.command(folder, &arguments)).code(0).out.lines().map(str::to_owned).collect()
}

#[test]
fn contracts_are_found_below_and_named_from_here() {
    let repository = Repository::new();
    repository
        .file("b/z.queue.yaml", "")
        .file("b/a.queue.yml", "")
        .file("a.queue.yaml", "")
        .file("b/other.yaml", "");
    assert_eq!(files(&repository, ".", &[]), ["a.queue.yaml", "b/a.queue.yml", "b/z.queue.yaml"]);
    assert_eq!(files(&repository, "b", &[]), ["a.queue.yml", "z.queue.yaml"]);
    assert_eq!(files(&repository, "b", &[".."]), ["../a.queue.yaml", "a.queue.yml", "z.queue.yaml"]);
    assert_eq!(
        files(&repository, ".", &["b", "./b/../b", "b/z.queue.yaml"]),
        ["b/a.queue.yml", "b/z.queue.yaml"]
    );
    // What is named is read, whatever it is called.
    assert_eq!(files(&repository, ".", &["b/other.yaml"]), ["b/other.yaml"]);
    let absolute = repository.path("a.queue.yaml").to_string_lossy().into_owned();
    assert_eq!(files(&repository, ".", &[&absolute]), ["a.queue.yaml"]);
}

#[test]
fn ignore_files_count_down_from_the_root_only() {
    let outer = Repository::new();
    std::fs::remove_dir(outer.path(".git")).expect("no repository");
    outer.file(".ignore", "*.queue.yaml\n").file(".gitignore", "*.queue.yaml\n");
    outer.file("repo/.git/HEAD", "").file("repo/.gitignore", "/build\n").file("repo/sub/.ignore", "skip*\n");
    outer
        .file("repo/a.queue.yaml", "")
        .file("repo/build/b.queue.yaml", "")
        .file("repo/sub/skip.queue.yaml", "");
    outer.file("repo/sub/keep.queue.yaml", "");
    assert_eq!(files(&outer, "repo", &[]), ["a.queue.yaml", "sub/keep.queue.yaml"]);
    assert_eq!(files(&outer, "repo/sub", &[]), ["keep.queue.yaml"]);
    // A folder or a file that is named is read though it is ignored.
    assert_eq!(files(&outer, "repo", &["build"]), ["build/b.queue.yaml"]);
    assert_eq!(files(&outer, "repo", &["sub/skip.queue.yaml"]), ["sub/skip.queue.yaml"]);
}

#[test]
fn nothing_to_check_is_a_failure_unless_allowed() {
    let repository = Repository::new();
    repository.file("other.yaml", "");
    repository.run(&["check"]).fails("`.` holds no `*.queue.yaml`");
    let run = repository.run(&["check", "--allow-empty"]).code(0);
    assert!(run.err.starts_with("checked 0 contracts"), "{}", run.err);
    repository
        .run(&["check", "--allow-empty", "missing.queue.yaml"])
        .fails("`missing.queue.yaml` does not exist");
    repository.file("a.queue.yaml", BROKEN);
    // An unset variable of a shell must not turn into the whole folder.
    repository.run(&["check", ""]).fails("needs a value");
    repository
        .run(&["check", "a.queue.yaml", "missing.queue.yaml"])
        .fails("`missing.queue.yaml` does not exist");
}

#[test]
fn what_cannot_be_decoded_is_a_finding_and_never_skipped() {
    let repository = Repository::new();
    repository.file("utf16.queue.yaml", b"\xFF\xFEa\0").file("latin.queue.yaml", BROKEN);
    repository.file("large.queue.yaml", vec![b'#'; 8 * 1024 * 1024 + 1]);
    let run = repository.run(&["check", "--output-format", "concise"]).code(1);
    for words in ["UTF-16", "the byte 0xE9 is not UTF-8", "larger than 8 MiB"] {
        assert!(run.out.contains(words), "{}", run.out);
    }
    assert!(run.out.contains("AK009"), "{}", run.out);
}

#[test]
fn only_what_was_named_is_reported() {
    let repository = Repository::new();
    repository.file("a.queue.yaml", BROKEN).file("b/b.queue.yaml", BROKEN);
    let run = repository.run(&["check", "b", "--output-format", "concise"]).code(1);
    assert!(run.out.lines().all(|line| line.starts_with("b/b.queue.yaml")), "{}", run.out);
    assert_eq!(run.out.lines().count(), 1);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn links_out_of_the_workspace_are_not_followed() {
        let outside = Repository::new();
        outside.file("secret.queue.yaml", "secret: \u{9}x");
        let repository = Repository::new();
        repository.file("a.queue.yaml", "").file("inner.yaml", "").file("sub/b.queue.yaml", "");
        symlink(outside.path("secret.queue.yaml"), repository.path("out.queue.yaml")).expect("a link");
        symlink(outside.path("."), repository.path("folder")).expect("a link");
        symlink("inner.yaml", repository.path("in.queue.yaml")).expect("a link");
        symlink("..", repository.path("sub/loop")).expect("a link");
        symlink("nowhere", repository.path("dangling.queue.yaml")).expect("a link");
        assert_eq!(files(&repository, ".", &[]), ["a.queue.yaml", "in.queue.yaml", "sub/b.queue.yaml"]);
    }

    #[test]
    fn a_file_without_permission_is_a_finding() {
        let repository = Repository::new();
        repository.file("a.queue.yaml", "");
        let path = repository.path("a.queue.yaml");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).expect("permissions");
        if std::fs::read(&path).is_ok() {
            return; // The superuser reads everything.
        }
        let run = repository.run(&["check", "--output-format", "concise"]).code(1);
        assert!(run.out.contains("cannot be read: permission denied"), "{}", run.out);
    }
}
