//! Random numbers for jitter and for names that nobody else has. Nothing secret depends on them.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A number that nobody can foresee. The standard library seeds each of its hashers from the system.
#[must_use]
pub fn number() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A share from 0 up to, but not including, 1.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "53 bits are what a share can hold"
)]
pub fn share() -> f64 {
    (number() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A name that no other process and no other call has.
#[must_use]
pub fn name() -> String {
    format!("{:016x}", number())
}
