//! The day that suppressions with an end are compared with.

use std::time::{SystemTime, UNIX_EPOCH};

use super::stop::Stop;
use crate::lint::Date;

/// Reads `2027-03-01`.
pub(super) fn parse(text: &str) -> Result<Date, String> {
    let wanted = || "it is no day of the calendar; write YYYY-MM-DD".to_owned();
    let mut parts = text.split('-');
    let mut part = |digits: usize| -> Option<u16> {
        let part = parts.next()?;
        (part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse().ok())?
    };
    let date = (|| Some((part(4)?, u8::try_from(part(2)?).ok()?, u8::try_from(part(2)?).ok()?)))();
    let (year, month, day) = date.filter(|_| parts.next().is_none()).ok_or_else(wanted)?;
    if (1..=days_in(year, month)).contains(&day) { Ok(Date { year, month, day }) } else { Err(wanted()) }
}

/// The day that was asked for, else the one of `SOURCE_DATE_EPOCH` (so that runs can be repeated), else
/// the day that it is (UTC).
pub(super) fn today(asked: Option<Date>) -> Result<Date, Stop> {
    if let Some(date) = asked {
        return Ok(date);
    }
    let seconds = match std::env::var_os("SOURCE_DATE_EPOCH").filter(|value| !value.is_empty()) {
        Some(value) => {
            value.to_str().and_then(|text| text.parse().ok()).filter(|at| *at <= LAST).ok_or_else(|| {
                let message =
                    format!("`SOURCE_DATE_EPOCH` is `{}`, not a number of seconds", value.to_string_lossy());
                Stop::with_help(message, "ackord check --today 2027-01-31")
            })?
        }
        // A clock before 1970 is broken; then nothing has expired yet.
        None => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()).min(LAST),
    };
    Ok(civil(seconds / 86_400))
}

/// The last second of the year 9999.
const LAST: u64 = 253_402_300_799;

fn leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in(year: u16, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap(year) => 29,
        2 => 28,
        _ => 0,
    }
}

/// The date of a number of days since 1970-01-01.
fn civil(mut days: u64) -> Date {
    let mut year = 1970;
    while days >= if leap(year) { 366 } else { 365 } {
        days -= if leap(year) { 366 } else { 365 };
        year += 1;
    }
    let mut month = 1;
    while days >= u64::from(days_in(year, month)) && month < 12 {
        days -= u64::from(days_in(year, month));
        month += 1;
    }
    Date { year, month, day: u8::try_from(days + 1).unwrap_or(31) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        assert_eq!(parse("2028-02-29"), Ok(Date { year: 2028, month: 2, day: 29 }));
        for wrong in [
            "2027-02-29",
            "2027-13-01",
            "2027-00-10",
            "2027-1-01",
            "27-01-01",
            "2027-01-01-",
            "+027-01-01",
            "",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn seconds_become_days() {
        assert_eq!(civil(0), Date { year: 1970, month: 1, day: 1 });
        // date -u -d @1709164800: Thu Feb 29 2024.
        assert_eq!(civil(1_709_164_800 / 86_400), Date { year: 2024, month: 2, day: 29 });
        assert_eq!(civil(LAST / 86_400), Date { year: 9999, month: 12, day: 31 });
    }
}
