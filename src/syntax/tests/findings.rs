//! What is wrong is said: all of it, once, at its place.

use super::*;

/// The valid text with one thing replaced gives exactly these findings.
fn one(old: &str, new: &str, expected: &[&str]) -> Checked {
    assert!(VALID.contains(old), "{old:?}");
    let checked = check(&VALID.replacen(old, new, 1));
    assert_eq!(checked.brief(), expected, "{new:?}: {:#?}", checked.found);
    checked
}

/// The same, and the fix gives this in the place of `new`.
fn mended(old: &str, new: &str, expected: &[&str], fixed: &str) {
    assert_eq!(one(old, new, expected).fixed(), VALID.replacen(old, fixed, 1), "{new:?}");
}

#[test]
fn planted_mistakes_are_found_and_no_others() {
    let text = "\
queue: 0123
guarantee: at-least-onec
processing:
  lock: {owner: no}
  consumers: \"4\"
  ordered: yes
  consumers: 5
  keys: [a]
  key: [a, {b: 1}, c, ~]
ordering: [1]
ttl: 5:00
failures:
  transient: {max_retries: 300, initial: 30}
  x-poison: {max_retries: 1}
  unknown:
broker: {kind: kafka, fifo: true}
";
    let checked = check(text);
    assert_eq!(
        checked.brief(),
        [
            "AK002 consumers",
            "AK007 0123",
            "AK008 at-least-onec",
            "AK004 lock",
            "AK007 no",
            "AK005 \"4\"",
            "AK007 yes",
            "AK003 keys",
            "AK005 {b: 1}",
            "AK005 ~",
            "AK005 [1]",
            "AK007 5:00",
            "AK005 300",
            "AK006 30",
            "AK003 x-poison",
            "AK005 unknown",
            "AK004 broker",
            "AK003 fifo",
        ],
        "{:#?}",
        checked.found
    );
    let contract = checked.contract.as_ref().unwrap();
    assert_eq!(contract.queue.get().unwrap(), "0123", "the text is read on");
    let keys: Vec<&str> = contract.processing.key.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["a", "c"], "the good elements stay");
    assert!(contract.failures.named("unknown").unwrap().value.get().is_none());
    assert!(contract.failures.named("x-poison").is_none());
}

#[test]
fn both_places_of_a_repeated_key_are_shown_and_the_first_one_counts() {
    let checked = one("consumers: 4", "consumers: 4\n  consumers: 5", &["AK002 consumers"]);
    let found = &checked.found[0];
    assert_eq!(checked.at(found.labels[0].span), "consumers");
    assert!(found.labels[0].span.start < found.primary.span.start);
    assert_eq!(checked.contract.unwrap().processing.consumers.get(), Some(&4));
}

#[test]
fn unknown_fields_are_named_and_renamed_where_one_name_is_near() {
    mended("consumers: 4", "consumer: 4", &["AK003 consumer"], "consumers: 4");
    mended("max_retries: 0", "maxRetries: 0", &["AK003 maxRetries"], "max_retries: 0");
    let far = one("consumers: 4", "threads: 4", &["AK003 threads"]);
    assert!(far.found[0].fix.is_none());
    assert!(far.found[0].help.as_ref().unwrap().contains("`consumers`"), "{:?}", far.found[0].help);
    let taken = one("consumers: 4", "consumers: 4\n  consumer: 5", &["AK003 consumer"]);
    assert!(taken.found[0].fix.is_none(), "a rename would repeat the key");
    one("consumers: 4", "x-consumers: 4", &[]);
}

#[test]
fn missing_fields_are_shown_at_the_key_of_their_mapping() {
    one("timeout: 5m, ", "", &["AK004 lock"]);
    one("  group: billing\n", "", &["AK004 broker"]);
    one("  kind: kafka\n", "", &["AK004 broker"]);
    one("queue: invoices\n", "", &["AK004 version"]);
    let two = check("x-a: 1\n");
    assert_eq!(two.brief(), ["AK004 x-a", "AK004 x-a"]);
    let messages: Vec<&str> = two.found.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(messages, ["`queue` is missing", "`guarantee` is missing"]);
}

#[test]
fn numbers_are_whole_in_range_and_without_quotes() {
    mended("consumers: 4", "consumers: \"4\"", &["AK005 \"4\""], "consumers: 4");
    one("consumers: 4", "consumers: -1", &["AK005 -1"]);
    one("consumers: 4", "consumers: 4294967296", &["AK005 4294967296"]);
    one(
        "consumers: 4",
        "consumers: 99999999999999999999999999999999999999999999",
        &["AK005 99999999999999999999999999999999999999999999"],
    );
    one("consumers: 4", "consumers: 4.5", &["AK005 4.5"]);
    one("consumers: 4", "consumers: four", &["AK005 four"]);
    one("consumers: 4", "consumers: [4]", &["AK005 [4]"]);
    one("consumers: 4", "consumers: 0x10", &[]);
    one("share: 0.5", "share: half", &["AK005 half"]);
    one("share: 0.5", "share: .inf", &["AK005 .inf"]);
    one("share: 0.5", "share: 1e1", &[]);
}

#[test]
fn scalars_that_two_yamls_read_in_two_ways_are_refused() {
    mended("consumers: 4", "consumers: 1_000", &["AK007 1_000"], "consumers: 1000");
    mended("consumers: 4", "consumers: 0o17", &["AK007 0o17"], "consumers: 15");
    assert!(one("consumers: 4", "consumers: 010", &["AK007 010"]).found[0].fix.is_none());
    assert!(one("consumers: 4", "consumers: 5:00", &["AK007 5:00"]).found[0].fix.is_none());
    mended("ordered: true", "ordered: yes", &["AK007 yes"], "ordered: true");
    mended("ordered: true", "ordered: off", &["AK007 off"], "ordered: false");
    mended("ordered: true", "ordered: True", &["AK005 True"], "ordered: true");
    mended("ordered: true", "ordered: \"true\"", &["AK005 \"true\""], "ordered: true");
    one("ordered: true", "ordered: 1", &["AK005 1"]);
    mended("owner: payments", "owner: no", &["AK007 no"], "owner: \"no\"");
    mended("owner: payments", "owner: 1.10", &["AK007 1.10"], "owner: \"1.10\"");
    mended("owner: payments", "owner: true", &["AK007 true"], "owner: \"true\"");
    one("owner: payments", "owner: \"no\"", &[]);
    one("owner: payments", "owner: !!str no", &[]);
    one("timeout: 5m", "timeout: 5:00", &["AK007 5:00"]);
    mended("version: '1.10'", "version: 5:00", &["AK007 5:00"], "version: \"5:00\"");
    mended("  unknown:\n", "  no:\n", &["AK007 no"], "  \"no\":\n");
}

#[test]
fn a_scalar_type_reports_what_it_found() {
    mended("timeout: 5m", "timeout: 30", &["AK006 30"], "timeout: 30s");
    one("timeout: 5m", "timeout: \"30s\"", &[]);
    let list = one("timeout: 5m", "timeout: [5m]", &["AK005 [5m]"]);
    assert_eq!(list.found[0].message, "`timeout` takes a duration such as 30s, found a list");
}

#[test]
fn a_key_without_a_value_says_so() {
    one("owner: payments", "owner: ", &["AK005 owner"]);
    one("owner: payments", "owner: null", &["AK005 null"]);
    one("consumers: 4", "consumers:", &["AK005 consumers"]);
    one("guarantee: at-least-once", "guarantee:", &["AK005 guarantee"]);
    one("evidence: all", "evidence:", &["AK005 evidence"]);
    one("  kind: kafka", "  kind:", &["AK005 kind"]);
    one("key: [a, \"b\"]", "key: [a, ]", &[]);
}

#[test]
fn unknown_words_come_with_all_allowed_ones() {
    mended("at-least-once", "at-least-onec", &["AK008 at-least-onec"], "at-least-once");
    let checked = one("at-least-once", "always", &["AK008 always"]);
    let help = checked.found[0].help.as_ref().unwrap();
    assert!(help.contains("`at-least-once`") && help.contains("`at-most-once`"), "{help}");
    mended("kind: kafka", "kind: kafak", &["AK008 kafak"], "kind: kafka");
    one("ordering: {timeout: 10s}", "ordering: nine", &["AK008 nine"]);
    one("ordering: {timeout: 10s}", "ordering: [none]", &["AK005 [none]"]);
    one("evidence: all", "evidence: [never]", &["AK008 never"]);
    one("evidence: all", "evidence: {a: 1}", &["AK005 {a: 1}"]);
    one("ttl: forever", "ttl: 30", &["AK006 30"]);
    one("outbox: {timeout: 20s}", "outbox: {timeuot: 20s}", &["AK004 outbox", "AK003 timeuot"]);
}

#[test]
fn the_wrong_shape_is_said_with_the_right_one() {
    one("  lock: {timeout: 5m, owner: payments}", "  lock: 5m", &["AK005 5m"]);
    mended("key: [a, \"b\"]", "key: a", &["AK005 a"], "key: [a]");
    one("key: [a, \"b\"]", "key: {a: 1}", &["AK005 {a: 1}"]);
    one("  kind: kafka\n", "  kind: [kafka]\n", &["AK005 [kafka]"]);
    one("x-note:", "[a, b]:", &["AK005 [a, b]"]);
    for text in ["- a\n", "5\n", "text\n"] {
        assert_eq!(check(text).brief(), [format!("AK005 {}", text.trim())]);
    }
}

#[test]
fn what_is_reached_through_an_alias_is_said_once_with_the_way() {
    let checked = one("    cap: 64s\n", "    cap: 64\n", &["AK006 64"]);
    assert!(checked.found[0].labels.is_empty(), "seen at the anchor first");
    let text = VALID.replacen("x-note: {any: [thing, 1]}", "x-base: &lock {timeout: 5m, ownr: a}", 1);
    let text = text.replacen("lock: {timeout: 5m, owner: payments}", "lock: *lock", 1);
    let checked = check(&text);
    assert_eq!(checked.brief(), ["AK003 ownr"]);
    assert_eq!(checked.at(checked.found[0].labels[0].span), "*lock");
    assert_eq!(checked.found[0].labels[0].text, "reached through this alias");
    one("<<: *base\n", "<<: 5\n", &["AK005 5"]);
    one("<<: *base\n", "\"<<\": *base\n", &["AK003 \"<<\""]);
}

#[test]
fn an_alias_to_nothing_names_the_nearest_anchor() {
    let checked = one("*base\n    max", "*bsae\n    max", &["AK001 *bsae"]);
    assert!(checked.found[0].help.as_ref().unwrap().contains("`*base`"));
}

#[test]
fn foreign_tags_are_refused_and_core_ones_read() {
    one("owner: payments", "owner: !vault payments", &["AK001 !vault"]);
    one("key: [a", "key: !!set [a", &["AK001 !!set"]);
    one("consumers: 4", "consumers: !!int \"4\"", &[]);
    one("processing:\n", "processing: !!map\n", &[]);
    one("key: [a", "key: !!seq [a", &[]);
}
