//! The tokens are put together here, so that no scanner of this repository takes them for real ones.

use super::{find, mask};
use crate::rules::operation::literal_secret::findings;
use crate::source::FileId;

/// Forty credentials, none of them real: what stands around them, and the part that is secret.
fn fakes() -> Vec<(String, String)> {
    let random = "Zx9Kq2Lm7Np4Rt6Vw8Yb3Cd5Fg1Hj0SaQeUiOpAsDfGhJkLzXcVbNm4567890qwerty";
    let hex = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    let capitals = "Q2W3E4R5T6Y7U8I9O0P1A2S3D4F5G6H7J8K9L0Z1X2C3V4B5N6M7Q8W9E0R1";
    let cut = |text: &str, length: usize| text.chars().take(length).collect::<String>();
    let prefixed = [
        ("AKIA", cut(capitals, 16)),
        ("ASIA", cut(capitals, 16)),
        ("AKIA", "QWERTYUIOPASDFGH".to_owned()),
        ("AGE-SECRET-KEY-1", cut(capitals, 58)),
        ("AIza", cut(random, 35)),
        ("SG.", format!("{}.{}", cut(random, 22), cut(random, 43))),
        ("dckr_pat_", cut(random, 27)),
        ("dop_v1_", cut(hex, 64)),
        ("ghp_", cut(random, 36)),
        ("gho_", cut(random, 36)),
        ("ghu_", cut(random, 36)),
        ("ghs_", cut(random, 36)),
        ("ghr_", cut(random, 36)),
        ("github_pat_", format!("{}_{}", cut(random, 22), cut(random, 59))),
        ("glpat-", cut(random, 20)),
        ("glsa_", format!("{}_a1b2c3d4", cut(random, 32))),
        ("hf_", cut(random, 34)),
        (
            "hooks.slack.com/services/",
            format!("T{}/B{}/{}", cut(capitals, 8), cut(capitals, 8), cut(random, 24)),
        ),
        ("hvs.", cut(random, 60)),
        ("lin_api_", cut(random, 40)),
        ("npm_", cut(random, 36)),
        ("pypi-", format!("AgEI{}", cut(random, 60))),
        ("rk_live_", cut(random, 24)),
        ("rubygems_", cut(hex, 48)),
        ("shpat_", cut(hex, 32)),
        ("sk-", format!("proj-{}", cut(random, 40))),
        ("sk_live_", cut(random, 24)),
        ("sk_test_", cut(random, 24)),
        ("whsec_", cut(random, 32)),
        ("xapp-", format!("1-{}", cut(capitals, 30))),
        ("xoxb-", format!("123456789012-{}", cut(random, 24))),
        ("xoxp-", format!("123456789012-{}", cut(random, 24))),
        ("ya29.", cut(random, 60)),
    ];
    let mut all: Vec<(String, String)> =
        prefixed.into_iter().map(|(prefix, rest)| ("{}".to_owned(), format!("{prefix}{rest}"))).collect();
    all.push(("{}".to_owned(), ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", &cut(random, 43)].join(".")));
    all.push(("Authorization: Bearer {}".to_owned(), cut(random, 40)));
    all.push(("host=db user=app password={} port=5432".to_owned(), "hunter2!".to_owned()));
    all.push((
        "Endpoint=sb://x/;SharedAccessKey={};EntityPath=q".to_owned(),
        format!("{}=", cut(random, 43)),
    ));
    all.push(("aws_secret_access_key={}".to_owned(), cut(random, 40)));
    all.push(("amqp://app:{}@broker:5672/%2F".to_owned(), "grüße-9".to_owned()));
    all.push((
        "key: |\n  {}".to_owned(),
        ["-----BEGIN RSA ", "PRIVATE KEY-----\n  ", random, "\n  -----END RSA PRIVATE KEY-----"].concat(),
    ));
    all
}

#[test]
fn every_fake_is_found_and_none_is_echoed() {
    let fakes = fakes();
    assert_eq!(fakes.len(), 40);
    for (around, secret) in &fakes {
        let text = format!("summary: Ruft « {} » auf # seit 2024\n", around.replace("{}", secret));
        let places = find(&text);
        let [place] = places.as_slice() else { panic!("{} places in {text}", places.len()) };
        assert_eq!(text.get(place.clone()), Some(secret.as_str()));
        let masked = mask(&text);
        assert_eq!(masked.len(), text.len());
        for word in secret.split_whitespace().filter(|word| word.len() > 5) {
            assert!(!masked.contains(word), "{masked}");
            for finding in findings(FileId(0), &text) {
                assert!(!format!("{finding:?}").contains(word));
            }
        }
        assert_eq!(findings(FileId(0), &text).count(), 1);
        assert_eq!(mask(&masked), masked, "what is masked is nothing to mask");
    }
}

#[test]
fn several_in_one_line_are_all_found() {
    let all: String = fakes().iter().map(|(around, secret)| around.replace("{}", secret) + " ").collect();
    assert_eq!(find(&all).len(), 40);
}

#[test]
fn a_key_that_was_cut_off_is_masked_to_its_last_character() {
    let cut = ["text -----BEGIN ", "PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC… more"].concat();
    let (secret, rest) = cut.split_at(cut.find('…').unwrap_or_default());
    let secret = secret.strip_prefix("text ").unwrap_or_default();
    let stars: String = secret.chars().map(|letter| if letter == ' ' { ' ' } else { '*' }).collect();
    assert_eq!(mask(&cut), format!("text {stars}{rest}"));
}

#[test]
fn names_and_stand_ins_are_no_credentials() {
    for text in [
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "table: ghp_orders_processed",
        "table: sk_live_orders",
        "queue: sk-orders-eu-west-1.payments-captured-v2",
        "queue: npm_packages_published",
        "fields: {password: string, api_key: optional string, token: uuid}",
        "password=${DB_PASSWORD}",
        "password=$DB_PASSWORD&user=app",
        "password=<yours>",
        "password={{ vault.db }}",
        "password=******",
        "password=xxxxxxxx",
        "password=required",
        "pwd=app",
        "next_page=a0eebc999c0b4ef8bb6d6bb9bd380a11",
        "SharedAccessKeyName=RootManageSharedAccessKey",
        "https://example.com:8443/a@b",
        "amqp://app@broker:5672",
        "amqp://app:${PASSWORD}@broker:5672",
        "amqp://app:<password>@broker:5672",
        "git@github.com:owner/name.git",
        "mailto:somebody@example.com",
        "Bearer tokens are checked by the gateway before",
        "a JWT begins with eyJ, then a dot",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----",
        "a line that says -----BEGIN PRIVATE KEY----- and no more",
        "ASIAPACIFICREGIONALX",
        "XAKIAQ2W3E4R5T6Y7U8I9",
        "AKIAQ2W3E4R5T6Y7U8I9X",
    ] {
        assert!(find(text).is_empty(), "{text}");
        assert_eq!(mask(text), text);
    }
}

#[test]
fn hostile_repetition_costs_no_more_than_its_length() {
    let pieces = [
        "-----BEGIN PRIVATE KEY-----",
        "eyJ",
        "eyJ-",
        "eyJa.",
        "password=${",
        "Bearer ",
        "sk-",
        "://",
        "a://b:",
        "xoxb-1",
        "=",
    ];
    for piece in pieces {
        let start = std::time::Instant::now();
        let _ = find(&piece.repeat((1 << 20) / piece.len()));
        assert!(start.elapsed().as_secs() < 20, "{piece}");
    }
}
