//! The day that suppressions with an end are compared with.

use std::time::{SystemTime, UNIX_EPOCH};

use super::stop::Stop;
use crate::lint::Date;

/// Reads `2027-03-01`.
pub(super) fn parse(text: &str) -> Result<Date, String> {
    Date::parse(text).ok_or_else(|| "it is no day of the calendar; write YYYY-MM-DD".to_owned())
}

/// The day that was asked for, else the one of `SOURCE_DATE_EPOCH` (so that runs can be repeated), else
/// the day that it is (UTC).
pub(super) fn today(asked: Option<Date>) -> Result<Date, Stop> {
    if let Some(date) = asked {
        return Ok(date);
    }
    let seconds = match std::env::var_os("SOURCE_DATE_EPOCH").filter(|value| !value.is_empty()) {
        Some(value) => value.to_str().and_then(|text| text.parse().ok()).ok_or_else(|| {
            let message =
                format!("`SOURCE_DATE_EPOCH` is `{}`, not a number of seconds", value.to_string_lossy());
            Stop::with_help(message, "ackord check --today 2027-01-31")
        })?,
        // A clock before 1970 is broken; then nothing has expired yet.
        None => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
    };
    Ok(Date::from_unix(seconds))
}
