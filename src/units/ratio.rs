//! `0.01%`, `100%`.

use std::fmt;

use super::quantity;
use crate::diagnostic::{Applicability, Code};
use crate::syntax::{Problem, Scalar};

/// A share of a whole, in percent.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Ratio {
    percent: f64,
}

impl Ratio {
    /// So many percent.
    pub const fn from_percent(percent: f64) -> Self {
        Self { percent }
    }

    /// The share, 1.0 for all of it.
    pub fn share(self) -> f64 {
        self.percent / 100.0
    }
}

impl Scalar for Ratio {
    const EXPECTED: &'static str = "a percentage such as 0.01%";

    fn parse(text: &str) -> Result<Self, Problem> {
        let problem = |code, message: String, help: String, replacement| Problem {
            code: Code(code),
            message,
            help: Some(help),
            replacement,
        };
        let example = || "write a percentage: 0.01%, 50%, 100%".to_owned();
        let Some(percent) = text.strip_suffix('%') else {
            let Some(bare) = quantity::number(text) else {
                return Err(problem("AK005", format!("`{text}` is not a ratio"), example(), None));
            };
            // A bare number up to 1 was most likely meant as a share of one, a larger one as percent.
            let likely = if bare <= 1.0 { quantity::trim(bare * 100.0) } else { text.to_owned() };
            let help = format!("write {likely}% if that is meant");
            let fix = Some((format!("{likely}%"), Applicability::Unsafe));
            return Err(problem("AK006", format!("`{text}` has no unit"), help, fix));
        };
        match quantity::number(percent) {
            Some(percent) if percent <= 100.0 => Ok(Self { percent }),
            Some(_) => Err(problem(
                "AK005",
                format!("`{text}` is more than all of it"),
                "the most is 100%".to_owned(),
                None,
            )),
            None => Err(problem("AK005", format!("`{text}` is not a ratio"), example(), None)),
        }
    }

    fn schema() -> serde_json::Value {
        serde_json::json!({
            "type": "string",
            "pattern": r"^0{0,15}(100(\.0{1,18})?|[0-9]{1,2}(\.[0-9]{1,18})?)%$",
            "examples": ["0.01%", "100%"],
        })
    }
}

crate::syntax::scalar!(Ratio);

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent)
    }
}
