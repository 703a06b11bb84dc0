//! `50/s`, `3000/min`, `6/h`, `2/d`.

use std::fmt;

use super::quantity;
use crate::diagnostic::{Applicability, Code};
use crate::syntax::{Problem, Scalar};

/// Messages over time.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Rate {
    count: f64,
    per: Per,
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Per {
    Second,
    Minute,
    Hour,
    Day,
}

impl Per {
    const ALL: [(&'static str, Self); 4] =
        [("s", Self::Second), ("min", Self::Minute), ("h", Self::Hour), ("d", Self::Day)];

    fn seconds(self) -> f64 {
        match self {
            Self::Second => 1.0,
            Self::Minute => 60.0,
            Self::Hour => 3_600.0,
            Self::Day => 86_400.0,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Minute => "min",
            Self::Hour => "h",
            Self::Day => "d",
        }
    }
}

impl Rate {
    /// Messages each second.
    pub fn per_second(self) -> f64 {
        self.count / self.per.seconds()
    }
}

impl Scalar for Rate {
    const EXPECTED: &'static str = "a rate such as 50/s";

    fn parse(text: &str) -> Result<Self, Problem> {
        let problem = |code, message: String, replacement| Problem {
            code: Code(code),
            message,
            help: Some("write 50/s, 3000/min, 6/h or 2/d".to_owned()),
            replacement,
        };
        let Some((count, per)) = text.split_once('/') else {
            if quantity::number(text).is_some() {
                let likely = Some((format!("{text}/s"), Applicability::Unsafe));
                return Err(problem("AK006", format!("`{text}` has no unit"), likely));
            }
            return Err(problem("AK005", format!("`{text}` is not a rate"), None));
        };
        let Some(count) = quantity::number(count) else {
            return Err(problem("AK005", format!("`{text}` is not a rate"), None));
        };
        match Per::ALL.iter().find(|(name, _)| *name == per) {
            Some((_, per)) => Ok(Self { count, per: *per }),
            None => Err(problem("AK006", format!("`/{per}` is not a unit of rate"), None)),
        }
    }

    fn schema() -> serde_json::Value {
        serde_json::json!({
            "type": "string",
            "pattern": r"^[0-9]{1,18}(\.[0-9]{1,18})?/(s|min|h|d)$",
            "examples": ["50/s", "3000/min", "6/h", "2/d"],
        })
    }
}

crate::syntax::scalar!(Rate);

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", quantity::trim(self.count), self.per.word())
    }
}
