//! Inputs that nobody thought of: what the fuzz targets do for hours, for a moment.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::withstand;

/// Pieces of contracts, right and wrong, that any number of them may be put together of.
fn structured() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("queue: a\n".to_owned()),
        Just("ackord: v1\nqueue: a\nflow: money\ndelivery: {guarantee: at-least-once}\n".to_owned()),
        Just(
            "failures: {timeout: {action: retry, max_retries: 5, backoff: {initial: 1s, factor: 2}}}\n"
                .to_owned()
        ),
        Just("idempotency: {key: [id], ttl: 1m}\n".to_owned()),
        Just("delivery: {guarentee: at-least-once, ack: yes}\n".to_owned()),
        Just("retention: 10\nprocessing: {lock: {timeout: 30}}\n".to_owned()),
        Just("# ackord: ignore[AK201] -- why\n".to_owned()),
        Just("---\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("x-a: &a {b: 1}\nx-b: {<<: *a}\n".to_owned()),
        "[a-z_]{1,12}: [a-z0-9]{0,6}\n",
        " {0,6}- [a-z:{}\\[\\],\"'#&*!|> ]{0,12}\n",
        "\\PC{0,12}",
    ];
    proptest::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

fn runner(cases: u32) -> TestRunner {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]);
    TestRunner::new_with_rng(Config { cases, failure_persistence: None, ..Config::default() }, rng)
}

#[test]
fn any_bytes_are_withstood() {
    let bytes = proptest::collection::vec(any::<u8>(), 0..200);
    runner(700)
        .run(&bytes, |bytes| {
            withstand::check(&bytes);
            withstand::fix(&bytes);
            Ok(())
        })
        .unwrap();
}

#[test]
fn any_structure_is_withstood() {
    runner(1_500)
        .run(&structured(), |text| {
            withstand::check(text.as_bytes());
            withstand::fix(text.as_bytes());
            Ok(())
        })
        .unwrap();
}
