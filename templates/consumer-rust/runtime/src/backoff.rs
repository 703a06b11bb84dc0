//! How long a message waits before it is tried again.

use std::time::Duration;

use crate::contract::{Backoff, Jitter};

impl Backoff {
    /// The wait before retry `number`, from 1, where `share` is chance: from 0 up to 1.
    #[must_use]
    pub fn wait(&self, number: u32, share: f64) -> Duration {
        let plain = self.plain(number);
        let wait = match self.jitter {
            Jitter::None => plain,
            Jitter::Full => plain.mul_f64(share),
            Jitter::Equal => plain.mul_f64(0.5 + share / 2.0),
            Jitter::Share(most) => return plain.mul_f64(1.0 + most * (2.0 * share - 1.0)),
            Jitter::Decorrelated => self.decorrelated(number, share),
        };
        wait.min(self.cap)
    }

    fn plain(&self, number: u32) -> Duration {
        let at = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        self.steps
            .get(at)
            .or(self.steps.last())
            .copied()
            .unwrap_or_default()
    }

    /// Between the first wait and three times the one before, which is not known any more when the message
    /// comes back: its longest possible value stands for it, so that the bound is the contract's.
    fn decorrelated(&self, number: u32, share: f64) -> Duration {
        let first = self.plain(1);
        let grown = 3_f64.powi(i32::try_from(number.min(30)).unwrap_or(30));
        let longest = Duration::try_from_secs_f64(first.as_secs_f64() * grown).unwrap_or(self.cap);
        let longest = longest.min(self.cap).max(first);
        first + longest.saturating_sub(first).mul_f64(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: &[Duration] = &[Duration::from_secs(4), Duration::from_secs(8)];

    fn backoff(jitter: Jitter) -> Backoff {
        Backoff {
            steps: STEPS,
            cap: Duration::from_secs(8),
            jitter,
        }
    }

    #[test]
    fn waits_stay_within_what_the_contract_says() {
        let bounds = |jitter, number| {
            (
                backoff(jitter).wait(number, 0.0).as_secs_f64(),
                backoff(jitter).wait(number, 1.0).as_secs_f64(),
            )
        };
        assert_eq!(bounds(Jitter::None, 1), (4.0, 4.0));
        assert_eq!(bounds(Jitter::None, 9), (8.0, 8.0));
        assert_eq!(bounds(Jitter::Equal, 1), (2.0, 4.0));
        assert_eq!(bounds(Jitter::Full, 2), (0.0, 8.0));
        assert_eq!(bounds(Jitter::Share(0.5), 2), (4.0, 12.0));
        assert_eq!(bounds(Jitter::Decorrelated, 1), (4.0, 8.0));
    }
}
