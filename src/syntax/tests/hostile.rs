//! Texts that want to cost time, memory or the stack.

use super::*;

fn refused(text: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let tree = parse(FileId(0), text, &Limits::default(), &mut found);
    assert!(tree.is_refused());
    let hostile = found.iter().filter(|found| found.code == HOSTILE_INPUT).count();
    assert_eq!(hostile, 1, "{found:?}");
    found
}

fn nested(levels: usize) -> [String; 5] {
    [
        "[".repeat(levels),
        "{a: ".repeat(levels),
        "- ".repeat(levels),
        "? ".repeat(levels),
        (0..levels.min(3000)).map(|level| format!("{}a:\n", " ".repeat(level))).collect(),
    ]
}

#[test]
fn deep_nesting_is_refused_in_every_shape_on_a_small_stack() {
    let work = || {
        for text in [nested(100_000), nested(65)].concat() {
            let found = refused(&text);
            assert_eq!(found.len(), 1, "{found:?}");
        }
        refused(&"[".repeat(1_000_000));
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap();
}

#[test]
fn as_many_levels_as_are_allowed_are_read() {
    let text = format!("{}x{}", "[".repeat(64), "]".repeat(64));
    let mut found = Vec::new();
    let tree = parse(FileId(0), &text, &Limits::default(), &mut found);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(tree.node_count(), 65);
}

/// Ten aliases to ten aliases, nine times.
fn bomb() -> String {
    let mut text = "x-0: &a0 [a,a,a,a,a,a,a,a,a,a]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(",");
        text += &format!("x-{level}: &a{level} [{aliases}]\n");
    }
    text
}

#[test]
fn an_alias_bomb_is_refused_at_the_alias() {
    let text = bomb();
    let found = refused(&text);
    // 11 nodes in a0; each level multiplies by ten: the limit is passed inside the fourth.
    assert!(text[found[0].primary.span.range()].starts_with("*a"));
    assert!((found[0].primary.span.start as usize) < text.find("x-5").unwrap());
}

#[test]
fn a_chain_of_merges_is_refused() {
    let mut text = "x-0: &m0 {k0: 1}\n".to_owned();
    for level in 1..900 {
        text += &format!("x-{level}: &m{level} {{<<: *m{}, k{level}: 1}}\n", level - 1);
    }
    refused(&text);
}

#[test]
fn too_many_aliases_are_refused() {
    refused(&format!("x-a: &a 1\nx-b: [{}]\n", "*a,".repeat(1001)));
    refused(&format!("x-b: [{}]\n", "*a,".repeat(1001)));
    let mut found = Vec::new();
    let text = format!("x-a: &a 1\nx-b: [{}]\n", "*a,".repeat(1000));
    assert!(!parse(FileId(0), &text, &Limits::default(), &mut found).is_refused());
    assert!(found.is_empty());
}

#[test]
fn an_alias_into_itself_is_one_finding() {
    for text in ["x-a: &a [*a]\n", "x-a: &a {b: [*a]}\n", "x-a: &a {<<: *a}\n"] {
        let mut found = Vec::new();
        let tree = parse(FileId(0), text, &Limits::default(), &mut found);
        assert_eq!(
            found.iter().map(|found| (found.code, &text[found.primary.span.range()])).collect::<Vec<_>>(),
            [(HOSTILE_INPUT, "*a")]
        );
        assert_eq!(tree.documents().len(), 1);
    }
    assert_eq!(check("queue: &a [*a]\nguarantee: at-most-once\n").brief(), ["AK009 *a", "AK005 [*a]"]);
}

#[test]
fn control_characters_are_refused() {
    for (text, at) in
        [("a: \0\n", 3), ("a: b\u{1b}[1m\n", 4), ("# \u{7}\na: 1\n", 2), ("a: \u{9b}\n", 3), ("\u{7f}", 0)]
    {
        let found = refused(text);
        assert_eq!(found[0].primary.span.start, at, "{text:?}");
    }
    assert_eq!(refused("a: \0\nb: \0\0\n")[0].notes, ["2 more such characters follow"]);
    assert_eq!(check("queue: \"größe – 漢字 🎉\"\nguarantee: at-most-once\n").brief(), [""; 0]);
}

#[test]
fn sizes_past_the_limits_are_refused() {
    refused(&format!("a: {}\n", "x".repeat((256 << 10) + 1)));
    refused(&format!("a: \"{}\"\n", "x ".repeat(500_000)));
    refused(&"---\na: 1\n".repeat(10_001));
    refused(&format!("# {}\n", "x".repeat(8 << 20)));
    let mut found = Vec::new();
    let text = "---\na: 1\n".repeat(10_000);
    assert_eq!(parse(FileId(0), &text, &Limits::default(), &mut found).documents().len(), 10_000);
    assert!(found.is_empty());
}

#[test]
fn more_values_than_are_read_are_refused() {
    assert_eq!(Limits::default().nodes, 1_000_000);
    let limits = Limits { nodes: 100, ..Limits::default() };
    // A mapping, a key and a list are three values.
    for (elements, refused) in [(97, false), (98, true)] {
        let text = format!("a: [{}]\n", "1,".repeat(elements));
        let mut found = Vec::new();
        assert_eq!(parse(FileId(0), &text, &limits, &mut found).is_refused(), refused);
        assert_eq!(found.len(), usize::from(refused));
    }
}

#[test]
fn many_comments_and_many_mistakes_are_no_trouble() {
    let comments = format!("{}queue: q\nguarantee: at-most-once\n", "# x\n".repeat(100_000));
    assert_eq!(check(&comments).brief(), [""; 0]);
    let mut keys = "queue: q\nguarantee: at-most-once\n".to_owned();
    for key in 0..11_000 {
        keys += &format!("key{key}: 1\n");
    }
    let checked = check(&keys);
    assert_eq!(checked.found.len(), 10_001, "the rest is not judged, and that is said");
    assert_eq!(checked.found.iter().filter(|found| found.code == HOSTILE_INPUT).count(), 1);
}

/// Counted, not timed: twice the text is twice the nodes, items and pairs.
#[test]
fn the_tree_grows_with_the_text() {
    let sizes = |count: usize| {
        let text = format!("a:\n{}", "- {b: [c, d], e: f}\n".repeat(count));
        let mut found = Vec::new();
        let tree = parse(FileId(0), &text, &Limits::default(), &mut found);
        assert!(found.is_empty());
        (tree.nodes.len() - 3, tree.items.len(), tree.pairs.len() - 1)
    };
    // A mapping with b, a list, c, d, e and f; three elements of lists; two pairs.
    let (nodes, items, pairs) = sizes(1000);
    assert_eq!((nodes, items, pairs), (7 * 1000, 3 * 1000, 2 * 1000));
    assert_eq!(sizes(2000), (2 * nodes, 2 * items, 2 * pairs));
}
