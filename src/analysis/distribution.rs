//! The lognormal distribution of handling times behind two written figures.

use crate::model;
use crate::units::Duration;

/// The 95 % quantile of the standard normal distribution.
const Z95: f64 = 1.644_853_626_951_472_2;
/// The 99 % quantile of the standard normal distribution.
const Z99: f64 = 2.326_347_874_040_840_8;

/// A lognormal distribution of handling times.
#[derive(Debug, Clone, Copy)]
pub struct Distribution {
    /// The mean of the logarithm of seconds.
    mu: f64,
    /// The standard deviation of the logarithm.
    sigma: f64,
}

impl Distribution {
    /// The distribution that has the written figures, if there is one: from mean and p99, or p50 and p99.
    pub fn of(duration: &model::Distribution) -> Option<Self> {
        let p99 = duration.p99.get()?.as_secs_f64();
        if let Some(mean) = duration.mean.get() {
            // mean = e^(mu + sigma²/2) and p99 = e^(mu + z·sigma): a quadratic in sigma.
            let spread = (p99 / mean.as_secs_f64()).ln();
            let root = Z99.mul_add(Z99, -2.0 * spread);
            if !spread.is_finite() || spread < 0.0 || root < 0.0 {
                return None;
            }
            let sigma = Z99 - root.sqrt();
            return Some(Self { mu: mean.as_secs_f64().ln() - sigma * sigma / 2.0, sigma });
        }
        let p50 = duration.p50.get()?.as_secs_f64();
        let sigma = (p99 / p50).ln() / Z99;
        (sigma.is_finite() && sigma >= 0.0).then(|| Self { mu: p50.ln(), sigma })
    }

    /// Its mean in seconds, not rounded, since a capacity is computed from it.
    pub fn mean_seconds(self) -> f64 {
        (self.mu + self.sigma * self.sigma / 2.0).exp()
    }

    /// The time in which 95 % are done.
    pub fn p95(self) -> Duration {
        Duration::from_secs_f64(Z95.mul_add(self.sigma, self.mu).exp())
    }

    /// The square of its coefficient of variation.
    pub(super) fn variation(self) -> f64 {
        (self.sigma * self.sigma).exp() - 1.0
    }
}
