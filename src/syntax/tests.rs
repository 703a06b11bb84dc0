use super::*;
#[test]
fn probe() {
    let cases = [
        "a:\n  b: 1\n c: 2\nd: 1\n",
        "a: 1\n\tb: 2\n",
        "a:\n\tb: 2\n\tc: 3\nd: 1\n",
        "a: 1\n- b\nc: 2\n",
        "%FOO\na: 1\n",
        "a: 1\n---\nb: [\n---\nc: 1\n",
        "---\na: 1\n--- x: 1\n",
        "a: [b] c\nd: 1\n",
        "a: {b: 1} c: 2\nd: 1\n",
        "- \ta: 1\n  b: 2\n",
        "  a: 1\nb: 2\n",
        "",
        "# x\n",
        "---\n---\n",
        "a: 1\n...\n",
        "--- # c\na: 1\n",
    ];
    for case in cases {
        let mut out = Vec::new();
        let tree = parse(FileId(0), case, &Limits::default(), &mut out);
        println!(
            "{case:?} => {} nodes, {:?}",
            tree.node_count(),
            tree.documents()
                .iter()
                .map(|d| (d.damaged, d.span.range(), tree.node(d.root).span.range()))
                .collect::<Vec<_>>()
        );
        for d in out {
            println!(
                "    => {} {:?} `{}` {:?}",
                d.message,
                d.primary.span.range(),
                case.get(d.primary.span.range()).unwrap_or("?"),
                d.help
            );
        }
    }
}
