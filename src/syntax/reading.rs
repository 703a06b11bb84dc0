//! What a plain scalar means to a YAML 1.2 reader, and where a YAML 1.1 reader differs.

/// The meaning of a plain scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Nothing: empty, `~` or `null`.
    Null,
    /// `true` or `false`, in one of three spellings.
    Bool(bool),
    /// A whole number.
    Int,
    /// A number with a fraction or an exponent.
    Float,
    /// A text to YAML 1.2, a boolean to YAML 1.1: `yes`, `off`, …
    OldBool(bool),
    /// `010`: ten to YAML 1.2, eight to YAML 1.1.
    LeadingZero,
    /// `0o17`: fifteen to YAML 1.2, a text to YAML 1.1.
    Octal,
    /// `1_000`: a text to YAML 1.2, a number to YAML 1.1.
    Underscore,
    /// `5:00`: a text to YAML 1.2, the number 300 to YAML 1.1.
    Sexagesimal,
    /// A text to both.
    Text,
}

impl Reading {
    pub(super) fn of(text: &str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => return Reading::Null,
            "true" | "True" | "TRUE" => return Reading::Bool(true),
            "false" | "False" | "FALSE" => return Reading::Bool(false),
            "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "y" | "Y" => return Reading::OldBool(true),
            "no" | "No" | "NO" | "off" | "Off" | "OFF" | "n" | "N" => return Reading::OldBool(false),
            _ => {}
        }
        let body = text.strip_prefix(['-', '+']).unwrap_or(text);
        match body.bytes().next() {
            Some(b'0'..=b'9' | b'.') => Self::of_number(text, body),
            _ => Reading::Text,
        }
    }

    fn of_number(text: &str, body: &str) -> Self {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if matches!(body, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
            return Reading::Float;
        }
        if digits(body) {
            return if body.len() > 1 && body.starts_with('0') { Reading::LeadingZero } else { Reading::Int };
        }
        if let Some(octal) = body.strip_prefix("0o") {
            let all = !octal.is_empty() && octal.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
            return if all { Reading::Octal } else { Reading::Text };
        }
        if let Some(hex) = body.strip_prefix("0x") {
            let all = !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            return if all { Reading::Int } else { Reading::Text };
        }
        if body.contains('_') {
            let plain = body.replace('_', "");
            return if digits(&plain) || is_float(&plain) { Reading::Underscore } else { Reading::Text };
        }
        if body.contains(':') {
            let mut parts = body.split(':');
            let first = parts.next().is_some_and(digits);
            let rest = parts.all(|part| part.len() <= 2 && digits(part));
            return if first && rest { Reading::Sexagesimal } else { Reading::Text };
        }
        if is_float(body) { Reading::Float } else { Reading::Text }
    }
}

/// What follows the sign of a number with a fraction or an exponent.
fn is_float(body: &str) -> bool {
    let allowed = body.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'-' | b'+'));
    allowed && body.parse::<f64>().is_ok()
}

/// The whole number that a scalar of [`Reading::Int`] or [`Reading::Octal`] writes.
pub(super) fn whole(text: &str) -> Option<i128> {
    let (negative, body) = match text.strip_prefix('-') {
        Some(body) => (true, body),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let number = match (body.strip_prefix("0x"), body.strip_prefix("0o")) {
        (Some(hex), _) => i128::from_str_radix(hex, 16).ok()?,
        (None, Some(octal)) => i128::from_str_radix(octal, 8).ok()?,
        (None, None) => body.parse().ok()?,
    };
    Some(if negative { -number } else { number })
}

/// The number that YAML 1.1 reads in `5:00`.
pub(super) fn sexagesimal(text: &str) -> Option<i128> {
    let (negative, body) = match text.strip_prefix('-') {
        Some(body) => (true, body),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let sum = body
        .split(':')
        .try_fold(0_i128, |sum, part| sum.checked_mul(60)?.checked_add(part.parse::<i128>().ok()?))?;
    Some(if negative { -sum } else { sum })
}
