//! Times as a person reads them. Records and JSON keep UTC.

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};

/// A recorded time in the time zone of this machine, such as `2026-10-06 14:07:30`; as it is if it cannot be read.
#[must_use]
pub fn local_time(at: &str) -> String {
    in_zone(at, &TimeZone::system())
}

/// The same to the minute, such as `2026-10-06 14:07`.
#[must_use]
pub fn local_minute(at: &str) -> String {
    local_time(at).chars().take(16).collect()
}

/// A recorded time for readers in any zone, such as `2026-10-06 14:07 UTC`; as it is if it cannot be read.
#[must_use]
pub fn utc_minute(at: &str) -> String {
    let read = at.parse::<Timestamp>();
    read.map_or_else(|_| at.to_owned(), |at| at.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

/// The beginnings of a day's hours in a zone, and the end of its last one. A day on which the clocks change has 23 or 25 hours.
#[must_use]
pub fn hours_of(day: Date, zone: &TimeZone) -> Vec<Timestamp> {
    let begins = |day: Date| day.to_zoned(zone.clone()).ok().map(|begins| begins.timestamp());
    let Some((first, end)) = begins(day).zip(day.tomorrow().ok().and_then(begins)) else { return Vec::new() };
    let next = |hour: &Timestamp| hour.checked_add(SignedDuration::from_hours(1)).ok();
    let hours = std::iter::successors(Some(first), next).take_while(|hour| *hour < end);
    hours.chain([end]).collect()
}

fn in_zone(at: &str, zone: &TimeZone) -> String {
    let read = at.parse::<Timestamp>();
    read.map_or_else(|_| at.to_owned(), |at| at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string())
}

/// Seconds since `at` (ISO 8601); 0 for a future time.
#[must_use]
pub fn seconds_since(at: &str, now: Timestamp) -> Option<u64> {
    let at: Timestamp = at.parse().ok()?;
    Some(u64::try_from(now.as_second().saturating_sub(at.as_second())).unwrap_or(0))
}

/// How long ago `at` (ISO 8601) was: `now`, `3 min`, `5 h`, `2 d`, `1 y`.
#[must_use]
pub fn age(at: &str, now: Timestamp) -> String {
    let Some(seconds) = seconds_since(at, now) else { return "?".to_owned() };
    match seconds {
        0..60 => "now".to_owned(),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        86_400..31_536_000 => format!("{} d", seconds / 86_400),
        _ => format!("{} y", seconds / 31_536_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_the_readers_zone() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        assert_eq!(in_zone("2026-10-06T22:07:30.250Z", &zone), "2026-10-07 00:07:30");
        assert_eq!(in_zone("some day", &zone), "some day");
        assert_eq!(utc_minute("2026-10-06T22:07:30.250Z"), "2026-10-06 22:07 UTC");
        assert_eq!(utc_minute("some day"), "some day");
    }

    #[test]
    fn a_day_has_the_hours_of_its_zone() {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let hours = |day: &str| hours_of(day.parse().unwrap(), &zone);
        let summer = hours("2026-07-01");
        assert_eq!(summer.len(), 25, "the end stands behind 24 hours");
        assert_eq!(summer.first().unwrap().to_string(), "2026-06-30T22:00:00Z");
        assert_eq!(summer.last().unwrap().to_string(), "2026-07-01T22:00:00Z");
        assert_eq!([hours("2026-03-29").len(), hours("2026-10-25").len()], [24, 26], "the clocks change");
        assert_eq!(hours_of(Date::MAX, &zone), [], "no day follows it");
    }
}
