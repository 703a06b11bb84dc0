//! Any bytes can be judged and shown in every format.
#![no_main]

#[allow(dead_code, reason = "the other target calls the rest")]
#[path = "../../tests/suite/withstand.rs"]
mod withstand;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| withstand::check(bytes));
