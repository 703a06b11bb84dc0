//! The difference of two texts, as `diff -u` writes it.

use std::fmt::Write as _;

use crate::report::text::printable;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// How many changed lines are looked through for the place where both texts agree again.
const FARTHEST: usize = 400;

/// The difference between `old` and `new`; nothing where there is none.
///
/// Characters that steer a terminal are escaped, so a text that holds some cannot be patched with it.
pub(super) fn unified(name: &str, old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let steps = steps(&a, &b);
    let mut out = String::new();
    let mut from = 0;
    while let Some(first) = steps.iter().skip(from).position(|step| step.kind != ' ').map(|at| at + from) {
        // A hunk ends where more unchanged lines follow than two contexts need.
        let mut last = first;
        for (at, step) in steps.iter().enumerate().skip(first) {
            if step.kind != ' ' {
                last = at;
            } else if at - last > 2 * CONTEXT {
                break;
            }
        }
        if out.is_empty() {
            let name = printable(name);
            let _ = writeln!(out, "--- a/{name}\n+++ b/{name}");
        }
        let start = first.saturating_sub(CONTEXT).max(from);
        let hunk = steps.get(start..(last + 1 + CONTEXT).min(steps.len())).unwrap_or_default();
        write_hunk(&mut out, hunk);
        from = start + hunk.len();
    }
    out
}

/// One line of the difference, and how many lines of each text come before it.
struct Step<'a> {
    kind: char,
    line: &'a str,
    a: usize,
    b: usize,
}

fn write_hunk(out: &mut String, hunk: &[Step<'_>]) {
    let Some(first) = hunk.first() else { return };
    let count = |other: char| hunk.iter().filter(|step| step.kind != other).count();
    let range = |before: usize, count: usize| match count {
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        _ => format!("{},{count}", before + 1),
    };
    let _ = writeln!(out, "@@ -{} +{} @@", range(first.a, count('+')), range(first.b, count('-')));
    for step in hunk {
        let (body, end) = step.line.strip_suffix('\n').map_or((step.line, None), |body| (body, Some("\n")));
        let (body, end) = match (body.strip_suffix('\r'), end) {
            (Some(body), Some(_)) => (body, Some("\r\n")),
            _ => (body, end),
        };
        // A tab stays a tab: it steers nothing, and a patch needs it.
        let body = body.split('\t').map(printable).collect::<Vec<_>>().join("\t");
        let _ = write!(out, "{}{body}{}", step.kind, end.unwrap_or("\n\\ No newline at end of file\n"));
    }
}

/// All lines of both texts in order: kept, dropped or added.
fn steps<'a>(a: &[&'a str], b: &[&'a str]) -> Vec<Step<'a>> {
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (a.get(head..).unwrap_or_default(), b.get(head..).unwrap_or_default());
    let tail = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let middle_a = rest_a.get(..rest_a.len() - tail).unwrap_or_default();
    let middle_b = rest_b.get(..rest_b.len() - tail).unwrap_or_default();
    let mut kinds = vec![' '; head];
    kinds.extend(changes(middle_a, middle_b));
    kinds.extend(std::iter::repeat_n(' ', tail));
    let (mut at_a, mut at_b) = (0, 0);
    let step = |kind| {
        let step = Step {
            kind,
            line: if kind == '+' { b.get(at_b) } else { a.get(at_a) }.unwrap_or(&""),
            a: at_a,
            b: at_b,
        };
        at_a += usize::from(kind != '+');
        at_b += usize::from(kind != '-');
        step
    };
    kinds.into_iter().map(step).collect()
}

/// Lines dropped and added until both texts agree again. Fixes are small, so the nearest place where they
/// do is a good one; it need not be the best.
fn changes(a: &[&str], b: &[&str]) -> Vec<char> {
    let (mut x, mut y) = (0, 0);
    let mut kinds = Vec::new();
    while x < a.len() || y < b.len() {
        if a.get(x).is_some() && a.get(x) == b.get(y) {
            kinds.push(' ');
            (x, y) = (x + 1, y + 1);
            continue;
        }
        let (dropped, added) = resume(a.get(x..).unwrap_or_default(), b.get(y..).unwrap_or_default());
        kinds.extend(std::iter::repeat_n('-', dropped).chain(std::iter::repeat_n('+', added)));
        (x, y) = (x + dropped, y + added);
    }
    kinds
}

/// How many lines to drop and to add until a line that says something is the same in both.
fn resume(a: &[&str], b: &[&str]) -> (usize, usize) {
    let same = |dropped: usize, added: usize| {
        a.get(dropped).is_some_and(|line| !line.trim().is_empty() && b.get(added) == Some(line))
    };
    let all = (1..=FARTHEST).flat_map(|both| (0..=both).map(move |dropped| (dropped, both - dropped)));
    all.into_iter().find(|(dropped, added)| same(*dropped, *added)).unwrap_or((a.len(), b.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_changes() {
        let old = "1\n2\n3\n4\nttl: 10m\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\nttl: 15d\n6\n7\n8\n9\n";
        let expected =
            "--- a/q.yaml\n+++ b/q.yaml\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-ttl: 10m\n+ttl: 15d\n 6\n 7\n 8\n";
        assert_eq!(unified("q.yaml", old, new), expected);
        assert_eq!(unified("q.yaml", old, old), "");
    }

    #[test]
    fn far_changes_are_two_hunks_and_near_ones_are_one() {
        let lines = |changed: &[usize]| -> String {
            (1..=20)
                .map(|n| if changed.contains(&n) { format!("x{n}\n") } else { format!("{n}\n") })
                .collect()
        };
        let hunks = |changed: &[usize]| unified("q", &lines(&[]), &lines(changed)).matches("@@ -").count();
        // Six unchanged lines between two changes are the contexts of both; seven leave a gap.
        assert_eq!(hunks(&[5, 12]), 1);
        assert_eq!(hunks(&[5, 13]), 2);
        assert!(unified("q", &lines(&[]), &lines(&[5, 13])).contains("@@ -10,7 +10,7 @@\n 10\n"));
    }

    #[test]
    fn ends_and_insertions() {
        assert_eq!(
            unified("q", "a", "a\nb\n"),
            "--- a/q\n+++ b/q\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n"
        );
        assert_eq!(unified("q", "", "b\n"), "--- a/q\n+++ b/q\n@@ -0,0 +1 @@\n+b\n");
        assert_eq!(unified("q", "a\r\n", "b\r\n"), "--- a/q\n+++ b/q\n@@ -1 +1 @@\n-a\r\n+b\r\n");
    }

    #[test]
    fn nothing_steers_the_terminal() {
        let out = unified("q\n::error::x", "\u{1b}[2J\n", "b\tc\n");
        assert!(!out.contains('\u{1b}') && out.contains("+b\tc\n"), "{out}");
        assert!(out.lines().all(|line| !line.starts_with("::")), "{out}");
    }
}
