//! `256KiB`, `1MB`.

use std::fmt;

use super::quantity::{self, Unit};
use crate::diagnostic::Code;
use crate::syntax::{Problem, Scalar};

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(u64);

const UNITS: &[Unit] = &[
    Unit { name: "B", factor: 1 },
    Unit { name: "KB", factor: 1_000 },
    Unit { name: "KiB", factor: 1 << 10 },
    Unit { name: "MB", factor: 1_000_000 },
    Unit { name: "MiB", factor: 1 << 20 },
    Unit { name: "GB", factor: 1_000_000_000 },
    Unit { name: "GiB", factor: 1 << 30 },
];

impl Size {
    /// So many bytes.
    pub const fn from_bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// The number of bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }
}

impl Scalar for Size {
    const EXPECTED: &'static str = "a size such as 256KiB";

    fn parse(text: &str) -> Result<Self, Problem> {
        let bytes = quantity::parse(text, UNITS, "a size", "B")?;
        u64::try_from(bytes).ok().filter(|bytes| *bytes <= 1 << 50).map(Self).ok_or_else(|| Problem {
            code: Code("AK005"),
            message: format!("`{text}` is more than a pebibyte"),
            help: Some("check the unit: B, KB, KiB, MB, MiB, GB or GiB".to_owned()),
            replacement: None,
        })
    }

    fn schema() -> serde_json::Value {
        serde_json::json!({
            "type": "string",
            "pattern": r"^([0-9]{1,18}(\.[0-9]{1,18})?(B|KB|KiB|MB|MiB|GB|GiB))+$",
            "examples": ["64KiB", "1MB"],
        })
    }
}

crate::syntax::scalar!(Size);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.iter().filter(|unit| self.0 >= unit.factor).max_by_key(|unit| {
            // The largest unit that divides it reads best; decimal and binary units both compete.
            (self.0.is_multiple_of(unit.factor), unit.factor)
        });
        match unit {
            Some(unit) => write!(f, "{}{}", quantity::trim(self.0 as f64 / unit.factor as f64), unit.name),
            None => write!(f, "{}B", self.0),
        }
    }
}
