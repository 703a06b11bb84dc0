//! Numbers with a unit behind them, read exactly.

use crate::diagnostic::{Applicability, Code};
use crate::syntax::Problem;

/// A unit and how many of the base unit it is.
pub(super) struct Unit {
    pub(super) name: &'static str,
    pub(super) factor: u64,
}

/// More digits than any quantity needs, and few enough that nothing overflows.
const MOST_DIGITS: usize = 18;

/// Reads `1h30m` or `1.5h`: one or more numbers, each with a unit, as a count of the base unit.
/// `usual` is the unit that a bare number most likely meant.
pub(super) fn parse(text: &str, units: &[Unit], what: &str, usual: &str) -> Result<u128, Problem> {
    let names = || units.iter().map(|unit| unit.name).collect::<Vec<_>>().join(", ");
    let malformed = || {
        let examples = units.iter().skip(1).take(3).map(|unit| format!("30{}", unit.name));
        let examples = examples.collect::<Vec<_>>().join(", ");
        Problem {
            code: Code("AK005"),
            message: format!("`{text}` is not {what}"),
            help: Some(format!("write a number with a unit: {examples}")),
            replacement: None,
        }
    };
    let mut total: u128 = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, behind) = rest.split_at(digits);
        let (whole, fraction) = decimal(number).ok_or_else(malformed)?;
        let end = behind.find(|c: char| c.is_ascii_digit()).unwrap_or(behind.len());
        let (name, next) = behind.split_at(end);
        if name.is_empty() && next.is_empty() && rest.len() == text.len() {
            return Err(Problem {
                code: Code("AK006"),
                message: format!("`{text}` has no unit"),
                help: Some(format!("write {text}{usual} if that is meant; units: {}", names())),
                replacement: Some((format!("{text}{usual}"), Applicability::Unsafe)),
            });
        }
        let unit = units.iter().find(|unit| unit.name == name).ok_or_else(|| {
            if name.is_empty() || !name.chars().all(char::is_alphabetic) {
                return malformed();
            }
            Problem {
                code: Code("AK006"),
                message: format!("`{name}` is not a unit of {}", what.trim_start_matches("a ")),
                help: Some(format!("units: {}", names())),
                replacement: None,
            }
        })?;
        let factor = u128::from(unit.factor);
        let (numerator, denominator) = fraction;
        total = total
            .saturating_add(whole.saturating_mul(factor))
            .saturating_add(numerator * factor / denominator);
        rest = next;
    }
    if text.is_empty() { Err(malformed()) } else { Ok(total) }
}

/// The whole part and the fraction of a plain decimal number.
fn decimal(text: &str) -> Option<(u128, (u128, u128))> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| {
        (!part.is_empty() && part.len() <= MOST_DIGITS && part.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| part.parse::<u128>().ok())
            .flatten()
    };
    let scale = 10u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    Some((digits(whole)?, (digits(fraction)?, scale)))
}

/// Reads a plain decimal number.
pub(super) fn number(text: &str) -> Option<f64> {
    decimal(text)?;
    text.parse().ok()
}

/// A number with at most three decimals and no trailing zeros.
pub(crate) fn trim(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
