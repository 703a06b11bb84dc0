//! The escaper by itself.

use ackord::report::text::{clipped, printable};

#[test]
fn what_acts_is_shown() {
    let cases = [
        ("plain text, ünïcode 値", "plain text, ünïcode 値"),
        ("\u{1b}[31m", "␛[31m"),
        ("a\r\nb\tc\0", "a␍␊b␉c␀"),
        ("\u{7f}", "␡"),
        ("\u{9b}", "\\u{9b}"),
        ("\u{202e}x\u{2066}", "\\u{202e}x\\u{2066}"),
        ("\u{feff}\u{61c}\u{2028}", "\\u{feff}\\u{61c}\\u{2028}"),
        ("::error::x", "\\u{3a}:error::x"),
        ("  ::error::x", "  \\u{3a}:error::x"),
        ("a ::error::x", "a ::error::x"),
        ("##[error]", "##\\u{5b}error]"),
        ("#[error] ## [x]", "#[error] ## [x]"),
        ("\u{1f468}\u{200d}\u{1f469}", "\u{1f468}\u{200d}\u{1f469}"),
    ];
    for (text, expected) in cases {
        assert_eq!(printable(text), expected, "{text:?}");
    }
}

#[test]
fn a_cut_keeps_whole_characters_within_the_limit() {
    assert_eq!(clipped("abcdef", 6), "abcdef");
    assert_eq!(clipped("abcdefg", 6), "abc…");
    assert_eq!(clipped("\u{202e}\u{202e}", 12), "\\u{202e}…");
    for limit in 3..40 {
        assert!(clipped("値\u{1b}ä\u{202e}x##[".repeat(3).as_str(), limit).len() <= limit);
    }
}

#[test]
fn what_is_printable_stays() {
    for text in ["\u{1b}[31m", "::x", "##[x", "\u{202e}"] {
        assert_eq!(printable(&printable(text)), printable(text));
    }
}
