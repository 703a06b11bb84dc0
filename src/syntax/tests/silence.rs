//! Suppressions as written.

use super::*;

fn read(text: &str) -> Vec<Suppression> {
    let mut found = Vec::new();
    let tree = parse(FileId(0), text, &Limits::default(), &mut found);
    assert!(found.is_empty(), "{found:?}");
    suppressions(&tree, text)
}

#[test]
fn all_parts_are_read_with_their_places() {
    let text = "a: 1\n# ackord: ignore[AK201, short-notice,AK016:evidence] until 2027-03-31 -- agreed with sre\n\n# other\nb: 2\n";
    let read = read(text);
    let [suppression] = read.as_slice() else { panic!("{read:?}") };
    let items: Vec<(&str, &str)> =
        suppression.items.iter().map(|(name, span)| (name.as_str(), &text[span.range()])).collect();
    let same = |name| (name, name);
    assert_eq!(items, [same("AK201"), same("short-notice"), same("AK016:evidence")]);
    let (day, place) = suppression.until.as_ref().unwrap();
    assert_eq!((day.as_str(), &text[place.range()]), same("2027-03-31"));
    assert_eq!(suppression.reason.as_deref(), Some("agreed with sre"));
    assert_eq!(suppression.target_line, 4);
    assert!(!suppression.whole_file);
    assert_eq!(suppression.malformed, None);
    assert!(text[suppression.comment.range()].starts_with("# ackord: ignore[AK201"));
    assert!(text[suppression.comment.range()].ends_with("sre"));
}

#[test]
fn a_comment_behind_a_value_speaks_of_its_own_line() {
    let read = read("a: 1\nb: # ackord: ignore[AK1] -- x\n  c: 1  # ackord: ignore[AK2] -- y\n");
    assert_eq!(read.iter().map(|found| found.target_line).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn without_a_reason_or_a_code_it_is_still_read() {
    assert_eq!(read("# ackord: ignore[AK201]\na: 1\n")[0].reason, None);
    assert_eq!(read("# ackord: ignore[AK201] --\na: 1\n")[0].reason, None);
    assert_eq!(read("# nothing\n# ackord is nice\na: 1\n"), []);
    assert_eq!(read("a: \"# ackord: ignore[AK1] -- no\"\n"), []);
}

#[test]
fn a_file_is_silenced_from_its_head_only() {
    let head = read("# ackord: ignore-file[AK201] -- generated\na: 1\n");
    assert!(head[0].whole_file && head[0].malformed.is_none());
    let below = read(&format!(
        "{}# ackord: ignore-file[AK201] -- late\n",
        "a1: 1\n".replace('1', "") + &"# x\n".repeat(19)
    ));
    assert!(below[0].malformed.is_some());
    let last = read(&format!("{}# ackord: ignore-file[AK201] -- just\n", "# x\n".repeat(19)));
    assert!(last[0].malformed.is_none());
}

#[test]
fn what_cannot_be_read_says_why() {
    for (comment, why) in [
        ("# ackord: ignroe[AK201] -- x", "`ignroe[AK201]`"),
        ("# ackord: ignore AK201 -- x", "no code in brackets"),
        ("# ackord: ignore[AK201 -- x", "no `]`"),
        ("# ackord: ignore[] -- x", "a code is missing"),
        ("# ackord: ignore[AK1,,AK2] -- x", "a code is missing"),
        ("# ackord: ignore[AK1] until tomorrow -- x", "`tomorrow` is not a day"),
        ("# ackord: ignore[AK1] because", "`because` stands where"),
    ] {
        let read = read(&format!("{comment}\na: 1\n"));
        let malformed = read[0].malformed.as_deref().unwrap_or("none");
        assert!(malformed.contains(why), "{comment}: {malformed}");
    }
}
