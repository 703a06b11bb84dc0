//! Depth, aliases and size: texts that are small to write and large to read.

use std::fmt::Write as _;
use std::time::Instant;

use super::ackord;
use crate::withstand::judge;

/// Nesting in five shapes.
fn nested(levels: usize) -> [(&'static str, String); 5] {
    let lines: String = (0..levels).fold(String::new(), |mut out, level| {
        // A million lines, each a blank longer, would be larger than any file that is read.
        writeln!(out, "{}a:", " ".repeat(level.min(2_000))).unwrap();
        out
    });
    [
        ("flow lists", "[".repeat(levels) + &"]".repeat(levels)),
        ("flow mappings", "{a: ".repeat(levels) + &"}".repeat(levels)),
        ("compact lists", "- ".repeat(levels) + "a"),
        ("compact keys", "? ".repeat(levels) + "a"),
        ("blocks", lines),
    ]
}

#[test]
fn any_depth_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    for levels in [64, 65, 1_000, 100_000, 1_000_000] {
        for (shape, text) in nested(levels) {
            let what = format!("{levels} {shape}");
            let run = ackord(folder.path(), &["check", "-"], text.as_bytes()).held(&what, 0).found(&what);
            let deep = run.out.contains("AK009");
            // Two thousand blanks are where the lines stop to be indented further.
            assert_eq!(deep, levels > 64, "{what}: {:.600}", run.out);
        }
    }
}

/// The limit, not the stack, ends the reading: a small thread is as good as a large one.
#[test]
fn any_depth_is_a_finding_on_a_small_stack() {
    let work = || {
        for levels in [64, 65, 1_000, 100_000, 1_000_000] {
            for (_, text) in nested(levels) {
                let mut found = Vec::new();
                let limits = ackord::syntax::Limits::default();
                let tree = ackord::syntax::parse(ackord::source::FileId(0), &text, &limits, &mut found);
                for document in tree.documents() {
                    ackord::syntax::load::<ackord::model::Contract>(&tree, document, &mut found);
                }
                assert!(!found.is_empty());
            }
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

/// Twelve ways to make much of little.
fn bombs() -> Vec<(&'static str, String)> {
    let levels = |first: &str, next: fn(usize) -> String, count: usize| {
        (1..count).fold(first.to_owned(), |text, level| text + &next(level))
    };
    let many = |count: usize, one: &str| one.repeat(count);
    vec![
        (
            "eleven to the ninth",
            levels(
                "x-0: &a0 [a,a,a,a,a,a,a,a,a,a,a]\n",
                |level| {
                    let to = level - 1;
                    format!("x-{level}: &a{level} [{}]\n", format!("*a{to},").repeat(11))
                },
                10,
            ),
        ),
        (
            "doubling lists",
            levels(
                "x-0: &a0 [a]\n",
                |level| {
                    let to = level - 1;
                    format!("x-{level}: &a{level} [*a{to}, *a{to}]\n")
                },
                400,
            ),
        ),
        (
            "doubling mappings",
            levels(
                "x-0: &a0 {a: 1}\n",
                |level| {
                    let to = level - 1;
                    format!("x-{level}: &a{level} {{a: *a{to}, b: *a{to}}}\n")
                },
                400,
            ),
        ),
        (
            "a chain of merges",
            levels(
                "x-0: &m0 {k0: 1}\n",
                |level| {
                    let to = level - 1;
                    format!("x-{level}: &m{level} {{<<: *m{to}, k{level}: 1}}\n")
                },
                900,
            ),
        ),
        (
            "merges of lists",
            levels(
                "x-0: &m0 {k0: 1}\n",
                |level| {
                    let to = level - 1;
                    format!("x-{level}: &m{level} {{<<: [*m{to}, *m{to}, *m{to}], k{level}: 1}}\n")
                },
                300,
            ),
        ),
        (
            "one large mapping, merged often",
            format!(
                "x-a: &a {{{}}}\n{}",
                (0..900).map(|key| format!("k{key}: 1, ")).collect::<String>(),
                (0..900).map(|key| format!("x-b{key}: {{<<: *a}}\n")).collect::<String>(),
            ),
        ),
        ("into itself", "x-a: &a [*a, *a]\n".to_owned()),
        ("a merge into itself", "x-a: &a {<<: *a, b: *a}\n".to_owned()),
        (
            "an anchor over and over",
            "x-0: &a [a]\n".to_owned()
                + &(1..900).map(|key| format!("x-{key}: &a [*a, *a]\n")).collect::<String>(),
        ),
        ("a hundred thousand aliases", format!("x-a: &a 1\nx-b: [{}]\n", many(100_000, "*a,"))),
        ("a hundred thousand lost aliases", format!("x-b: [{}]\n", many(100_000, "*a,"))),
        (
            "a hundred thousand anchors",
            (0..100_000).map(|key| format!("x-{key}: &a{key} 1\n")).collect::<String>() + "y: *a9\n",
        ),
    ]
}

#[test]
fn no_bomb_goes_off() {
    let folder = tempfile::tempdir().unwrap();
    let bombs = bombs();
    assert_eq!(bombs.len(), 12);
    for (what, text) in bombs {
        ackord(folder.path(), &["check", "-"], text.as_bytes()).held(what, 0).found(what);
    }
}

#[test]
fn size_alone_is_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let keys: String = (0..100_000).map(|key| format!("key{key}: {key}\n")).collect();
    let mebibyte = "a".repeat(1 << 20);
    let texts = [
        ("ten thousand documents", "---\na: 1\n".repeat(10_000)),
        ("a hundred thousand documents", "---\na\n".repeat(100_000)),
        ("a hundred thousand keys", keys.clone()),
        ("a hundred thousand keys of the user's own", keys.replace("key", "x-key")),
        ("a hundred thousand equal keys", "queue: a\n".repeat(100_000)),
        (
            "a hundred thousand keys in a list",
            format!("message: {{fields: {{{}}}}}\n", keys.replace('\n', ",")),
        ),
        ("a mebibyte, plain", format!("queue: {mebibyte}\n")),
        ("a mebibyte, quoted", format!("queue: \"{mebibyte}\"\n")),
        ("a mebibyte, block", format!("queue: |\n  {mebibyte}\n")),
        ("a mebibyte as a key", format!("\"{mebibyte}\": 1\n")),
        ("a mebibyte of broken brackets", "[}".repeat(1 << 19)),
        ("a mebibyte of colons", "a: ".repeat(350_000)),
        ("a mebibyte of quotes", "\"a\" ".repeat(260_000)),
        ("a mebibyte of tabs", "\t".repeat(1 << 20)),
        ("a mebibyte of broken lines", "a: b: c\n".repeat(1 << 17)),
        ("eight mebibytes", "# comment\n".repeat((8 << 20) / 10)),
        ("more than eight mebibytes", "# comment\n".repeat((8 << 20) / 10 + 1)),
        ("eight mebibytes in a line", "a".repeat(8 << 20)),
    ];
    for (what, text) in texts {
        ackord(folder.path(), &["check", "-", "--output-format", "concise"], text.as_bytes())
            .held(what, 0)
            .found(what);
    }
}

/// Twice the text takes at most about twice the time; four times leaves room for a busy machine, and is
/// still far from the sixteen of a square of four times the text.
#[test]
fn time_grows_with_the_text() {
    /// A text of so many parts.
    type Shape = fn(usize) -> String;
    let shapes: [(&str, Shape); 8] = [
        ("unknown keys", |count| (0..count).map(|key| format!("key{key}: 1\n")).collect()),
        ("equal keys", |count| "queue: a\n".repeat(count)),
        ("documents", |count| "---\nqueue: a\n".repeat(count / 2)),
        ("comments", |count| "# x\n".repeat(count * 2)),
        ("names", |count| {
            format!(
                "message: {{fields: {{{}}}}}\n",
                (0..count).map(|key| format!("k{key}: string, ")).collect::<String>()
            )
        }),
        ("classes", |count| {
            format!(
                "failures: {{{}}}\n",
                (0..count / 8).map(|key| format!("k{key}: {{action: retry}}, ")).collect::<String>()
            )
        }),
        ("effects", |count| format!("effects:\n{}", "- {target: a}\n".repeat(count / 8))),
        ("broken lines", |count| "a: b: c\n".repeat(count)),
    ];
    for (what, text) in shapes {
        let least = |count: usize| {
            let text = text(count);
            let once = |_| {
                let started = Instant::now();
                let report = judge(&text, &crate::judge::settings());
                std::hint::black_box(report);
                started.elapsed()
            };
            (0..3).map(once).min().unwrap()
        };
        // The first attempt that shows it is enough: a busy machine may disturb one.
        let grows = (0..3).any(|_| least(16_000) <= 6 * least(4_000) + std::time::Duration::from_millis(2));
        assert!(grows, "{what}: four times the text takes more than six times the time");
    }
}
