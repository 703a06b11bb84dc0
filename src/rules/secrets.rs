//! Credentials in a text: known prefixes and forms, never guesses by entropy.
//!
//! `literal-secret` reports them; whoever shows a line or a value of a contract masks them.

use std::borrow::Cow;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// A credential in a text.
pub(super) struct Found {
    pub(super) range: Range<usize>,
    /// What it is, with its article.
    pub(super) what: &'static str,
}

/// The places of all credentials in `text`, in its order. Takes time in proportion to the text.
pub fn find(text: &str) -> Vec<Range<usize>> {
    scan(text).into_iter().map(|found| found.range).collect()
}

/// `text` with a `*` for each byte of a credential. White space stays, and so do all offsets, so that
/// places of the original are places of the result.
pub fn mask(text: &str) -> Cow<'_, str> {
    let secrets = find(text);
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut behind = 0;
    for secret in secrets {
        masked.push_str(text.get(behind..secret.start).unwrap_or(""));
        for character in text.get(secret.clone()).unwrap_or("").chars() {
            match character.is_ascii_whitespace() {
                true => masked.push(character),
                false => masked.extend(std::iter::repeat_n('*', character.len_utf8())),
            }
        }
        behind = secret.end;
    }
    masked.push_str(text.get(behind..).unwrap_or(""));
    Cow::Owned(masked)
}

/// Tokens that begin with letters nobody else uses.
struct Prefix {
    text: &'static str,
    /// The least number of characters behind it.
    least: usize,
    set: Set,
    what: &'static str,
}

/// The characters that a token consists of.
#[derive(Clone, Copy)]
enum Set {
    /// Letters and digits.
    Alphanumeric,
    /// These with `-`, `_`, `.` and `/`.
    Path,
    /// Capital letters and digits, and exactly the least number of them.
    Capitals,
}

impl Set {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Path => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/'),
            Self::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }
}

const fn prefix(text: &'static str, least: usize, set: Set, what: &'static str) -> Prefix {
    Prefix { text, least, set, what }
}

/// The prefixes that begin with `letter`, which is all that most words of a text are compared with.
fn beginning_with(letter: u8) -> &'static [Prefix] {
    match letter {
        b'A' => {
            const {
                &[
                    prefix("AKIA", 16, Set::Capitals, "an access key of AWS"),
                    prefix("ASIA", 16, Set::Capitals, "an access key of AWS"),
                    prefix("AGE-SECRET-KEY-1", 50, Set::Capitals, "a private key of age"),
                    prefix("AIza", 35, Set::Path, "an API key of Google"),
                ]
            }
        }
        b'S' => const { &[prefix("SG.", 40, Set::Path, "an API key of SendGrid")] },
        b'd' => {
            const {
                &[
                    prefix("dckr_pat_", 20, Set::Path, "an access token of Docker"),
                    prefix("dop_v1_", 60, Set::Alphanumeric, "an access token of DigitalOcean"),
                ]
            }
        }
        b'g' => {
            const {
                &[
                    prefix("ghp_", 30, Set::Alphanumeric, "an access token of GitHub"),
                    prefix("gho_", 30, Set::Alphanumeric, "an access token of GitHub"),
                    prefix("ghu_", 30, Set::Alphanumeric, "an access token of GitHub"),
                    prefix("ghs_", 30, Set::Alphanumeric, "an access token of GitHub"),
                    prefix("ghr_", 30, Set::Alphanumeric, "an access token of GitHub"),
                    prefix("github_pat_", 22, Set::Path, "an access token of GitHub"),
                    prefix("glpat-", 20, Set::Path, "an access token of GitLab"),
                    prefix("glsa_", 30, Set::Path, "an access token of Grafana"),
                ]
            }
        }
        b'h' => {
            const {
                &[
                    prefix("hf_", 30, Set::Alphanumeric, "an access token of Hugging Face"),
                    prefix("hooks.slack.com/services/", 30, Set::Path, "a webhook of Slack"),
                    prefix("hvs.", 24, Set::Path, "a token of Vault"),
                ]
            }
        }
        b'l' => const { &[prefix("lin_api_", 32, Set::Alphanumeric, "an API key of Linear")] },
        b'n' => const { &[prefix("npm_", 36, Set::Alphanumeric, "an access token of npm")] },
        b'p' => const { &[prefix("pypi-", 50, Set::Path, "an access token of PyPI")] },
        b'r' => {
            const {
                &[
                    prefix("rk_live_", 16, Set::Alphanumeric, "an API key of Stripe"),
                    prefix("rk_test_", 16, Set::Alphanumeric, "an API key of Stripe"),
                    prefix("rubygems_", 40, Set::Alphanumeric, "an API key of RubyGems"),
                ]
            }
        }
        b's' => {
            const {
                &[
                    prefix("shpat_", 32, Set::Alphanumeric, "an access token of Shopify"),
                    prefix("sk-", 32, Set::Path, "an API key"),
                    prefix("sk_live_", 16, Set::Alphanumeric, "an API key of Stripe"),
                    prefix("sk_test_", 16, Set::Alphanumeric, "an API key of Stripe"),
                ]
            }
        }
        b'w' => const { &[prefix("whsec_", 24, Set::Alphanumeric, "a webhook secret of Stripe")] },
        b'x' => {
            const {
                &[
                    prefix("xapp-", 20, Set::Path, "a token of Slack"),
                    prefix("xoxa-", 20, Set::Path, "a token of Slack"),
                    prefix("xoxb-", 20, Set::Path, "a token of Slack"),
                    prefix("xoxe-", 20, Set::Path, "a token of Slack"),
                    prefix("xoxp-", 20, Set::Path, "a token of Slack"),
                    prefix("xoxr-", 20, Set::Path, "a token of Slack"),
                    prefix("xoxs-", 20, Set::Path, "a token of Slack"),
                ]
            }
        }
        b'y' => const { &[prefix("ya29.", 20, Set::Path, "an access token of Google")] },
        _ => &[],
    }
}

/// How the name before a `=` ends when its value is a credential, separators left out.
const SECRET_NAMES: [&str; 14] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "secretkey",
    "accesskey",
    "accountkey",
    "sharedaccesskey",
    "privatekey",
    "apikey",
    "accesstoken",
    "authtoken",
    "apitoken",
];

/// Values that say that a credential belongs there.
const STAND_INS: [&str; 12] = [
    "required",
    "optional",
    "string",
    "redacted",
    "hidden",
    "masked",
    "password",
    "secret",
    "example",
    "placeholder",
    "changeme",
    "unset",
];

/// The longest name before a `=` that is looked at.
const LONGEST_NAME: usize = 64;

/// Every credential in `text`, in its order. Each step either moves on or costs what it moves by.
pub(super) fn scan(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found: Vec<Found> = Vec::new();
    let mut at = 0;
    let mut ends = KeyEnds { seen: 0, next: None };
    while let Some(byte) = bytes.get(at) {
        let hit = match byte {
            b'=' => assigned(bytes, at),
            b':' => password_in_url(bytes, at),
            b'-' => private_key(text, at, &mut ends),
            b'a'..=b'z' | b'A'..=b'Z' if starts_word(bytes, at) => match byte {
                b'B' | b'b' => bearer(bytes, at),
                b'e' => web_token(bytes, at),
                _ => prefixed(bytes, at),
            },
            _ => None,
        };
        at = match hit {
            Some(hit) => {
                let end = hit.range.end.max(at + 1);
                found.push(hit);
                end
            }
            // Words are what a text mostly consists of, and nothing begins inside of one.
            None => at + run(bytes, at, is_word).max(1),
        };
    }
    found
}

/// Which bytes words consist of: looked up, because every byte of every contract is asked for.
static WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        #[allow(clippy::indexing_slicing, reason = "while it is compiled, and the table has every byte")]
        {
            word[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        }
        byte += 1;
    }
    word
};

fn is_word(byte: u8) -> bool {
    WORD.get(usize::from(byte)).copied().unwrap_or(false)
}

fn behind(bytes: &[u8], at: usize) -> &[u8] {
    bytes.get(at..).unwrap_or(&[])
}

/// How many bytes from `at` on satisfy `ok`.
fn run(bytes: &[u8], at: usize, ok: impl Fn(u8) -> bool) -> usize {
    behind(bytes, at).iter().take_while(|byte| ok(**byte)).count()
}

fn before(bytes: &[u8], at: usize) -> Option<u8> {
    bytes.get(at.checked_sub(1)?).copied()
}

/// Whether no letter, digit or `_` stands before `at`.
fn starts_word(bytes: &[u8], at: usize) -> bool {
    before(bytes, at).is_none_or(|byte| !is_word(byte))
}

/// Whether a digit is among the first `least` bytes, as in all that is random and in few names.
fn has_digit(bytes: &[u8], at: usize, least: usize) -> bool {
    behind(bytes, at).iter().take(least).any(u8::is_ascii_digit)
}

fn has_capital(bytes: &[u8], at: usize, least: usize) -> bool {
    behind(bytes, at).iter().take(least).any(u8::is_ascii_uppercase)
}

fn prefixed(bytes: &[u8], at: usize) -> Option<Found> {
    let rest = behind(bytes, at);
    let prefixes = beginning_with(*rest.first()?);
    let prefix = prefixes.iter().find(|prefix| rest.starts_with(prefix.text.as_bytes()))?;
    let start = at + prefix.text.len();
    // What follows is looked at only as far as the least length, unless it is a token.
    let enough =
        behind(bytes, start).iter().take(prefix.least).take_while(|byte| prefix.set.has(**byte)).count();
    let random = match prefix.text {
        // Keys of this kind need not have a digit.
        "AKIA" => true,
        // Three letters that names begin with, too; names have no capitals.
        "sk-" => has_digit(bytes, start, prefix.least) && has_capital(bytes, start, prefix.least),
        _ => has_digit(bytes, start, prefix.least),
    };
    if enough < prefix.least || !random {
        return None;
    }
    let end = match prefix.set {
        Set::Capitals => {
            let end = start + run(bytes, start, |byte| Set::Capitals.has(byte)).min(prefix.least + 16);
            let fits = prefix.least > 16 || end == start + prefix.least;
            let ends = bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
            Some(end).filter(|_| fits && ends)?
        }
        Set::Alphanumeric | Set::Path => start + run(bytes, start, |byte| prefix.set.has(byte)),
    };
    Some(Found { range: at..end, what: prefix.what })
}

fn is_web_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// `eyJ….eyJ….…`: two JSON objects and a signature.
fn web_token(bytes: &[u8], at: usize) -> Option<Found> {
    // A part of another token does not start one, which also keeps a part from being read again.
    let inside = matches!(before(bytes, at), Some(byte) if is_web_safe(byte) || byte == b'.');
    if inside || !behind(bytes, at).starts_with(b"eyJ") {
        return None;
    }
    let payload = at + run(bytes, at, is_web_safe) + 1;
    if before(bytes, payload) != Some(b'.') || !behind(bytes, payload).starts_with(b"eyJ") {
        return None;
    }
    let signature = payload + run(bytes, payload, is_web_safe) + 1;
    let length = run(bytes, signature, is_web_safe);
    let signed = before(bytes, signature) == Some(b'.') && length >= 10;
    signed.then(|| Found { range: at..signature + length, what: "a JSON web token" })
}

/// `Bearer …`.
fn bearer(bytes: &[u8], at: usize) -> Option<Found> {
    const WORD: &[u8] = b"bearer ";
    let word = behind(bytes, at).get(..WORD.len())?;
    if !word.eq_ignore_ascii_case(WORD) {
        return None;
    }
    let start = at + WORD.len();
    let length =
        run(bytes, start, |byte| is_web_safe(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'='));
    (length >= 20 && has_digit(bytes, start, length))
        .then(|| Found { range: start..start + length, what: "a bearer token" })
}

/// `password=…` and its like.
fn assigned(bytes: &[u8], at: usize) -> Option<Found> {
    let from = at.saturating_sub(LONGEST_NAME);
    let name = bytes.get(from..at)?.iter().rev().take_while(|byte| is_web_safe(**byte));
    let mut name: Vec<u8> =
        name.filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    name.reverse();
    if !SECRET_NAMES.iter().any(|secret| name.ends_with(secret.as_bytes())) {
        return None;
    }
    let quoted = matches!(bytes.get(at + 1), Some(b'"' | b'\''));
    let start = at + 1 + usize::from(quoted);
    if stands_in(bytes, start) {
        return None;
    }
    let ends = |byte: u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'"' | b'\'' | b'`' | b'&' | b';' | b',' | b')' | b'}' | b']' | b'<' | b'>')
    };
    let length = run(bytes, start, |byte| !ends(byte));
    let value = bytes.get(start..start + length)?;
    let named = STAND_INS.iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes()));
    let blank = value.iter().all(|byte| matches!(byte.to_ascii_lowercase(), b'x' | b'.' | b'-' | b'_'));
    (length >= 6 && !named && !blank)
        .then(|| Found { range: start..start + length, what: "a password or key" })
}

/// `scheme://user:password@host`: the password.
fn password_in_url(bytes: &[u8], at: usize) -> Option<Found> {
    if !behind(bytes, at).starts_with(b"://") || !before(bytes, at)?.is_ascii_alphanumeric() {
        return None;
    }
    let start = at + 3;
    let stops = |byte: u8| {
        byte.is_ascii_whitespace() || matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'<' | b'>')
    };
    let authority = behind(bytes, start).get(..run(bytes, start, |byte| !stops(byte)))?;
    let end = start + authority.iter().rposition(|byte| *byte == b'@')?;
    let colon = start + authority.iter().position(|byte| *byte == b':')?;
    if colon + 1 >= end || stands_in(bytes, colon + 1) {
        return None;
    }
    Some(Found { range: colon + 1..end, what: "a password in a URL" })
}

/// Whether what begins here is a variable or a row of stars.
fn stands_in(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b'$' | b'{' | b'<' | b'%' | b'*' | b'[' | b'('))
}

/// Where the next private key ends, looked for once and not again for each beginning.
struct KeyEnds {
    /// Up to here all ends are known.
    seen: usize,
    /// The last one that was found.
    next: Option<usize>,
}

impl KeyEnds {
    /// The place behind the first `-----END …-----` from `at` on.
    fn from(&mut self, text: &str, at: usize) -> Option<usize> {
        if self.seen <= at {
            self.next = Self::find(text, at);
            self.seen = self.next.unwrap_or(text.len());
        }
        self.next
    }

    fn find(text: &str, at: usize) -> Option<usize> {
        const END: &str = "-----END ";
        let label = at + text.get(at..)?.find(END)? + END.len();
        let close = text.get(label..)?.find("-----")?;
        Some(label + close + "-----".len())
    }
}

/// `-----BEGIN … PRIVATE KEY-----` to its end. Without an end, to the last character that can belong to it.
fn private_key(text: &str, at: usize, ends: &mut KeyEnds) -> Option<Found> {
    const OPEN: &str = "-----BEGIN ";
    const CLOSE: &str = "PRIVATE KEY";
    let bytes = text.as_bytes();
    let rest = behind(bytes, at);
    if !rest.starts_with(OPEN.as_bytes()) {
        return None;
    }
    let label = at + OPEN.len();
    let length = run(bytes, label, |byte| byte.is_ascii_uppercase() || byte == b' ').min(40);
    let title = text.get(label..label + length)?;
    if !title.trim_end_matches(" BLOCK").ends_with(CLOSE) {
        return None;
    }
    let body = label + length + run(bytes, label + length, |byte| byte == b'-').min(5);
    if let Some(end) = ends.from(text, body) {
        return Some(Found { range: at..end, what: "a private key" });
    }
    let belongs = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || byte.is_ascii_whitespace()
            || matches!(byte, b'+' | b'/' | b'=' | b'\\')
    };
    let length = run(bytes, body, belongs);
    (length >= 16).then(|| Found { range: at..body + length, what: "a private key" })
}
