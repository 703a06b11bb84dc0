//! `250ms`, `30s`, `5m`, `1h30m`, `14d`.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

use super::quantity::{self, Unit};
use crate::diagnostic::Code;
use crate::syntax::{Problem, Scalar};

/// A length of time, exact to the nanosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration(u64);

const SECOND: u64 = 1_000_000_000;
const MILLI: u64 = SECOND / 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

const UNITS: &[Unit] = &[
    Unit { name: "ms", factor: MILLI },
    Unit { name: "s", factor: SECOND },
    Unit { name: "m", factor: MINUTE },
    Unit { name: "h", factor: HOUR },
    Unit { name: "d", factor: DAY },
];

/// Nobody plans a queue for longer; a longer duration is a slip of the unit.
const LONGEST: u64 = 36_525 * DAY;

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// So many seconds.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds.saturating_mul(SECOND))
    }

    /// So many milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(MILLI))
    }

    /// The nearest nanosecond to so many seconds; negative and undefined values are no time.
    pub fn from_secs_f64(seconds: f64) -> Self {
        Self((seconds * SECOND as f64).round() as u64)
    }

    /// The length in seconds.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / SECOND as f64
    }

    /// The nearest whole number of milliseconds, half up.
    pub fn as_millis(self) -> u64 {
        self.0.saturating_add(MILLI / 2) / MILLI
    }

    /// Whether there is no time at all.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// This much longer than `other`, or no time where it is shorter.
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The product with a factor, to the nearest nanosecond.
    pub fn scale(self, factor: f64) -> Self {
        Self((self.0 as f64 * factor).round() as u64)
    }

    /// How many times `other` fits; endless where `other` is no time.
    pub fn ratio(self, other: Self) -> f64 {
        self.0 as f64 / other.0 as f64
    }

    /// The least multiple of `step` that is not shorter.
    pub fn ceil_to(self, step: Self) -> Self {
        let step = step.0.max(1);
        Self(self.0.div_ceil(step).saturating_mul(step))
    }

    /// The largest multiple of `step` that is not longer.
    pub fn floor_to(self, step: Self) -> Self {
        let step = step.0.max(1);
        Self(self.0 / step * step)
    }

    /// How a need reads: rounded up to the second, and inside a sentence from an hour on to the minute.
    pub fn need(self) -> Self {
        if self.0 >= HOUR { self.ceil_to(Self(MINUTE)) } else { self.ceil_to(Self(SECOND)) }
    }

    /// The value to propose for something that must outlive this: a round figure that does.
    pub fn round_proposal(self) -> Self {
        let step = match self.0 {
            0..HOUR => MINUTE,
            HOUR..DAY => HOUR,
            DAY.. => DAY,
        };
        self.ceil_to(Self(step))
    }
}

impl Scalar for Duration {
    const EXPECTED: &'static str = "a duration such as 30s";

    fn parse(text: &str) -> Result<Self, Problem> {
        let problem = |message: String, help: &str| Problem {
            code: Code("AK005"),
            message,
            help: Some(help.to_owned()),
            replacement: None,
        };
        let value = quantity::parse(text, UNITS, "a duration", "s")?;
        if value > u128::from(LONGEST) {
            return Err(problem(
                format!("`{text}` is longer than 100 years"),
                "check the unit: ms, s, m, h or d",
            ));
        }
        Ok(Self(u64::try_from(value).unwrap_or(u64::MAX)))
    }

    fn schema() -> serde_json::Value {
        serde_json::json!({
            "type": "string",
            "pattern": r"^([0-9]{1,18}(\.[0-9]{1,18})?(ms|s|m|h|d))+$",
            "examples": ["250ms", "30s", "5m", "1h30m", "14d"],
        })
    }
}

crate::syntax::scalar!(Duration);

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0s");
        }
        let (days, rest) = (self.0 / DAY, self.0 % DAY);
        let (hours, rest) = (rest / HOUR, rest % HOUR);
        let (minutes, rest) = (rest / MINUTE, rest % MINUTE);
        for (count, unit) in [(days, "d"), (hours, "h"), (minutes, "m")] {
            if count > 0 {
                write!(f, "{count}{unit}")?;
            }
        }
        let (seconds, millis) = (rest / SECOND, (rest % SECOND) as f64 / MILLI as f64);
        match (seconds, rest % SECOND) {
            (0, 0) => Ok(()),
            (_, 0) => write!(f, "{seconds}s"),
            _ if self.0 < SECOND => write!(f, "{}ms", quantity::trim(millis)),
            _ => write!(f, "{}s", quantity::trim(seconds as f64 + millis.round() / 1e3)),
        }
    }
}

impl Add for Duration {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// Saturates at no time.
impl Sub for Duration {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.saturating_sub(other)
    }
}

impl Mul<u64> for Duration {
    type Output = Self;
    fn mul(self, count: u64) -> Self {
        Self(self.0.saturating_mul(count))
    }
}

impl Sum for Duration {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, Add::add)
    }
}
