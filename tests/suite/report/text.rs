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

/// What a terminal, or the eye, takes for something else than a character: the controls, the separators of
/// lines, and the formats that turn directions or are not seen.
const ACTING: [(u32, u32); 12] = [
    (0, 0x1f),
    (0x7f, 0x9f),
    (0x61c, 0x61c),
    (0x180e, 0x180e),
    (0x200b, 0x200b),
    (0x200e, 0x200f),
    (0x2028, 0x202e),
    (0x2060, 0x206f),
    (0xfeff, 0xfeff),
    (0xfff9, 0xfffb),
    (0xfffe, 0xffff),
    (0xe0000, 0xe007f),
];

#[test]
fn every_character_that_acts_is_shown_and_no_other_changes() {
    for character in (0..=0x10_ffff).filter_map(char::from_u32) {
        let code = u32::from(character);
        let shown = printable(&format!("x{character}"));
        if ACTING.iter().any(|(first, last)| (*first..=*last).contains(&code)) {
            let visible = match code {
                0..=0x1f => char::from_u32(0x2400 + code).unwrap().to_string(),
                0x7f => "␡".to_owned(),
                _ => format!("\\u{{{code:x}}}"),
            };
            assert_eq!(shown, format!("x{visible}"));
        } else {
            assert_eq!(shown, format!("x{character}"));
        }
    }
}

#[test]
fn a_command_opens_nowhere() {
    for (text, expected) in [
        (":", "\\u{3a}"),
        ("\u{a0}:x", "\u{a0}\\u{3a}x"),
        ("\t:x", "␉\\u{3a}x"),
        ("é:x:", "é:x:"),
        ("é a ::x", "é a ::x"),
        ("a:\u{1b}", "a:␛"),
        ("é ##[x", "é ##\\u{5b}x"),
        ("###[x", "###\\u{5b}x"),
        ("# #[x", "# #[x"),
        ("#é#[x", "#é#[x"),
        ("##é[", "##é["),
        ("## [", "## ["),
        ("#\u{1b}#[", "#␛#["),
    ] {
        assert_eq!(printable(text), expected, "{text:?}");
    }
}

#[test]
fn what_just_fits_is_whole() {
    assert_eq!(clipped("é23456", 7), "é23456");
    assert_eq!(clipped("é23456", 6), "é2…");
    assert_eq!(clipped("é2345", 6), "é2345");
    assert_eq!(clipped("##[", 8), "##\\u{5b}");
    assert_eq!(clipped("##[", 7), "##…");
    assert_eq!(clipped("", 0), "");
}
