//! Days.

use std::fmt;

/// A calendar day, for suppressions that expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

impl Date {
    /// Reads `2027-03-31`; `None` where that is not a day.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let digits = [(year, 4), (month, 2), (day, 2)];
        let shaped = digits
            .iter()
            .all(|(part, length)| part.len() == *length && part.bytes().all(|b| b.is_ascii_digit()));
        if parts.next().is_some() || !shaped {
            return None;
        }
        let date = Self { year: year.parse().ok()?, month: month.parse().ok()?, day: day.parse().ok()? };
        (date.day >= 1 && date.day <= date.days_in_month()).then_some(date)
    }

    /// The day of a moment, in UTC.
    pub fn from_unix(seconds: u64) -> Self {
        let mut days = seconds / 86_400;
        let mut date = Self { year: 1970, month: 1, day: 1 };
        while days >= u64::from(date.days_in_month()) && date.year < u16::MAX {
            days -= u64::from(date.days_in_month());
            date = if date.month == 12 {
                Self { year: date.year + 1, month: 1, day: 1 }
            } else {
                Self { month: date.month + 1, ..date }
            };
        }
        Self { day: u8::try_from(days + 1).unwrap_or(1), ..date }
    }

    fn days_in_month(self) -> u8 {
        let leap =
            (self.year.is_multiple_of(4) && !self.year.is_multiple_of(100)) || self.year.is_multiple_of(400);
        match self.month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => 0,
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn days_that_exist() {
        assert_eq!(Date::parse("2028-02-29"), Some(Date { year: 2028, month: 2, day: 29 }));
        for text in [
            "2027-02-29",
            "2027-13-01",
            "2027-00-10",
            "2027-1-1",
            "27-01-01",
            "2027-01-01-01",
            "",
            "2100-02-29",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }

    #[test]
    fn moments() {
        assert_eq!(Date::from_unix(0).to_string(), "1970-01-01");
        // 2000-02-29 00:00:00 UTC and the last second of that day.
        assert_eq!(Date::from_unix(951_782_400).to_string(), "2000-02-29");
        assert_eq!(Date::from_unix(951_868_799).to_string(), "2000-02-29");
        assert_eq!(Date::from_unix(951_868_800).to_string(), "2000-03-01");
    }
}
