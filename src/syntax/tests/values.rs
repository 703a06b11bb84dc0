//! What is right arrives, with its place.

use super::*;

#[test]
fn every_form_loads_without_a_finding() {
    let checked = check(VALID);
    assert_eq!(checked.brief(), [""; 0], "{:#?}", checked.found);
    let contract = checked.contract.as_ref().unwrap();
    assert_eq!(contract.queue.get().unwrap(), "invoices");
    assert_eq!(contract.version.get().unwrap().0, "1.10");
    assert_eq!(contract.guarantee.get(), Some(&Guarantee::AtLeastOnce));
    assert_eq!(contract.processing.lock.timeout.get(), Some(&Seconds(300)));
    assert_eq!(contract.processing.consumers.get(), Some(&4));
    assert_eq!(contract.processing.ordered.get(), Some(&true));
    assert_eq!(contract.processing.share.get(), Some(&0.5));
    let keys: Vec<(&String, &str)> =
        contract.processing.key.iter().map(|(key, span)| (key, checked.at(span))).collect();
    assert_eq!(keys, [(&"a".to_owned(), "a"), (&"b".to_owned(), "\"b\"")]);
    assert!(
        matches!(contract.ordering.get(), Some(Ordering::Mapping(lock)) if lock.timeout.get() == Some(&Seconds(10)))
    );
    assert!(matches!(contract.evidence.get(), Some(Evidence::All)));
    assert!(matches!(contract.outbox.get(), Some(Outbox::Mapping(_))));
    assert!(matches!(contract.ttl.get(), Some(Ttl::Forever)));
    assert!(
        matches!(contract.broker.get(), Some(Broker::Kafka(kafka)) if kafka.group.get().unwrap() == "billing")
    );
    let examples: Vec<&serde_json::Value> = contract.examples.iter().map(|(value, _)| value).collect();
    assert_eq!(
        examples,
        [&serde_json::json!({"flag": true, "none": null}), &serde_json::json!(5), &serde_json::json!("text")]
    );
}

#[test]
fn merges_give_way_to_explicit_keys_and_to_earlier_merges() {
    let contract = check(VALID).contract.unwrap();
    let of = |name: &str| {
        let failure = contract.failures.named(name).unwrap().value.clone();
        (failure.max_retries.get().copied(), failure.initial.get().copied(), failure.cap.get().copied())
    };
    let names: Vec<&str> = contract.failures.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["transient", "poison", "unknown"]);
    assert_eq!(of("transient"), (Some(5), Some(Seconds(4)), Some(Seconds(64))));
    assert_eq!(of("poison"), (Some(0), Some(Seconds(4)), Some(Seconds(64))));
    assert_eq!(of("unknown"), (Some(5), Some(Seconds(4)), Some(Seconds(16))));
}

#[test]
fn places_are_those_of_the_source() {
    let checked = check(VALID);
    let contract = checked.contract.as_ref().unwrap();
    assert_eq!(checked.at(contract.queue.span()), "invoices");
    assert_eq!(checked.at(contract.queue.key()), "queue");
    assert_eq!(checked.at(contract.processing.lock.span()), "{timeout: 5m, owner: payments}");
    assert_eq!(checked.at(contract.processing.lock.timeout.span()), "5m");
    let poison = contract.failures.named("poison").unwrap();
    assert_eq!(checked.at(poison.key), "poison");
    assert_eq!(checked.at(poison.value.span()), "<<: *base\n    max_retries: 0");
    assert_eq!(checked.at(contract.broker.span()), "kind: kafka\n  group: billing");
}

#[test]
fn what_is_not_written_is_empty() {
    let contract = check("queue: q\nguarantee: at-most-once\n").contract.unwrap();
    assert!(!contract.processing.given());
    assert!(!contract.processing.lock.timeout.given());
    assert_eq!(contract.processing.lock.timeout.get(), None);
    assert_eq!(contract.processing.key.iter().count(), 0);
    assert!(contract.failures.is_empty());
    let wrong = check("queue: q\nguarantee: at-most-once\nprocessing: 5\n").contract.unwrap();
    assert!(wrong.processing.given() && wrong.processing.get().is_none());
}

#[test]
fn the_other_variants_load() {
    let with = |line: &str| {
        let checked = check(&format!("queue: q\nguarantee: at-most-once\n{line}\n"));
        assert_eq!(checked.brief(), [""; 0], "{line}");
        checked.contract.unwrap()
    };
    assert!(matches!(with("ordering: none").ordering.get(), Some(Ordering::None)));
    assert!(
        matches!(with("evidence: [at-most-once]").evidence.get(), Some(Evidence::List(list)) if list.len() == 1)
    );
    assert!(matches!(with("outbox: none").outbox.get(), Some(Outbox::None)));
    assert!(matches!(with("outbox: orders").outbox.get(), Some(Outbox::Scalar(name)) if name.0 == "orders"));
    assert!(matches!(with("ttl: 30s").ttl.get(), Some(Ttl::Scalar(Seconds(30)))));
    assert!(matches!(with("ttl: false").ttl.get(), Some(Ttl::Off)));
    assert!(matches!(with("broker: {kind: memory}").broker.get(), Some(Broker::Memory)));
    assert!(
        matches!(with("broker: {fifo: true, kind: sqs}").broker.get(), Some(Broker::Sqs { fifo }) if fifo.get() == Some(&true))
    );
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_change_nothing() {
    let text = format!("\u{feff}{}", VALID.replace('\n', "\r\n"));
    let checked = check(&text);
    assert_eq!(checked.brief(), [""; 0], "{:#?}", checked.found);
    let contract = checked.contract.as_ref().unwrap();
    assert_eq!(checked.at(contract.queue.key()), "queue");
    assert_eq!(checked.at(contract.processing.lock.timeout.span()), "5m");
}

#[test]
fn each_document_is_a_contract_of_its_own() {
    let checked =
        check("queue: a\nguarantee: at-most-once\n---\nqueue: 5\n---\nguarantee: at-most-once\nqueue: c\n");
    assert_eq!(checked.brief(), ["AK004 queue", "AK007 5"]);
}

/// Another reader of YAML, which knows no places, sees the same values.
#[test]
fn a_second_reader_sees_the_same() {
    let more = "\
a: [1, -2, 0x1f, 1.5, 1e3, ~, null, true, False, text, 'it''s', \"tab\\there\", '']
block: |
  first
    second

folded: >-
  one
  two

  three
over: two
  lines
nested: {a: {b: [{c: d}, [e]]}}
";
    for text in [VALID, more, "- &a {x: 1}\n- <<: *a\n  z: 2\n- *a\n"] {
        let mut found = Vec::new();
        let tree = parse(FileId(0), text, &Limits::default(), &mut found);
        let ours: serde_json::Value = load(&tree, &tree.documents()[0], &mut found).unwrap();
        assert!(found.is_empty(), "{found:#?}");
        let mut theirs: serde_yaml::Value = serde_yaml::from_str(text).unwrap();
        theirs.apply_merge().unwrap();
        assert_eq!(ours, serde_json::to_value(&theirs).unwrap());
    }
}

/// Each text is right; the second part is where its list or mapping with the most text in it stands.
#[test]
fn values_over_several_lines_are_read_at_their_places() {
    for (text, list) in [
        ("x-a:\n- [x,\n  y]\n", "- [x,\n  y]"),
        ("x-a:\n- [x,\n y]\n- z\n", "- [x,\n y]\n- z"),
        ("x-a: # b\n- -1\n-  &c-d y\n", "- -1\n-  &c-d y"),
        ("x-a:\n  - [x,\n   y]\n", "- [x,\n   y]"),
        ("x-a:\n  - k: [x,\n     y\n    ]\n", "- k: [x,\n     y\n    ]"),
        ("x-a:\n- {b: 'x\n  y'}\n", "- {b: 'x\n  y'}"),
        ("x-a: [\n  x,\n  y\n]\n", "[\n  x,\n  y\n]"),
        ("x-a:\n  - 'a\n\n    b\n    '\n", "- 'a\n\n    b\n    '"),
        ("x-a: ['a\n b\n']\n", "['a\n b\n']"),
        ("- [x,\n y]\n", "- [x,\n y]"),
    ] {
        let mut found = Vec::new();
        let tree = parse(FileId(0), text, &Limits::default(), &mut found);
        assert!(found.is_empty(), "{text:?} {found:#?}");
        let mut lists = tree.nodes.iter().filter(|node| matches!(node.kind, Kind::List(_)));
        assert_eq!(&text[lists.next().unwrap().span.range()], list);
    }
    assert_eq!(check("x-a: 'a\n b\n'\nqueue: a\nguarantee: at-most-once\n").brief(), [""; 0]);
}
