//! Times as a person types and reads them. Records and JSON keep UTC.

use jiff::{
    SignedDuration, Timestamp,
    civil::{self, Date},
    tz::TimeZone,
};

/// A recorded time in the time zone of this machine, such as `2026-10-06 14:07:30`; as it is if it cannot be read.
pub fn local_time(at: &str) -> String {
    in_zone(at, &TimeZone::system())
}

/// The same to the minute, such as `2026-10-06 14:07`.
pub fn local_minute(at: &str) -> String {
    local_time(at).chars().take(16).collect()
}

/// A recorded time for readers in any zone, such as `2026-10-06 14:07 UTC`; as it is if it cannot be read.
pub fn utc_minute(at: &str) -> String {
    let read = at.parse::<Timestamp>();
    read.map_or_else(|_| at.to_owned(), |at| at.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

/// The beginnings of a day's hours in a zone, and the end of its last one. A day on which the clocks change has 23 or 25 hours.
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
pub fn seconds_since(at: &str, now: Timestamp) -> Option<u64> {
    let at: Timestamp = at.parse().ok()?;
    Some(u64::try_from(now.as_second().saturating_sub(at.as_second())).unwrap_or(0))
}

/// How long ago `at` (ISO 8601) was: `now`, `3 min`, `5 h`, `2 d`, `1 y`.
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

/// Why a text is no deadline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeadlineError {
    #[error("{0:?} is no time; write 18:00, tomorrow 18:00, 2026-10-06 18:00, 2026-10-06, +2h, +3d, or none")]
    NotRead(String),
    #[error("{0:?} is a time that no calendar here has; write another")]
    NoSuchTime(String),
}

/// A deadline in the form that the records keep (ISO 8601, UTC); `None` for `none` or nothing. A time alone is the next one; a day alone is
/// its last minute.
///
/// # Errors
/// If the text says no time.
pub fn deadline(typed: &str, now: Timestamp, zone: &TimeZone) -> Result<Option<String>, DeadlineError> {
    let text = typed.trim().to_lowercase();
    if text.is_empty() || text == "none" {
        return Ok(None);
    }
    let shown: String = typed.trim().chars().take(40).collect();
    let not_read = || DeadlineError::NotRead(shown.clone());
    let no_such = || DeadlineError::NoSuchTime(shown.clone());
    if let Some(after) = text.strip_prefix('+') {
        let at = after.find(|c: char| !c.is_ascii_digit()).ok_or_else(not_read)?;
        let (number, unit) = after.split_at(at);
        let number: i64 = number.parse().map_err(|_| not_read())?;
        let minutes = match unit.trim() {
            "m" | "min" => 1,
            "h" => 60,
            "d" => 24 * 60,
            _ => return Err(not_read()),
        };
        let minutes = number.checked_mul(minutes).filter(|minutes| *minutes < 10_000_000).ok_or_else(no_such)?;
        let due = now.checked_add(SignedDuration::from_mins(minutes)).map_err(|_| no_such())?;
        return Ok(Some(kept(due)));
    }
    let today = now.to_zoned(zone.clone()).date();
    let (day, time) = match text.split_once(['t', ' ']) {
        Some((day, time)) if day.starts_with(|c: char| c.is_ascii_digit()) => (day, time.trim()),
        _ => match (text.split_once(' '), text.contains(':')) {
            (Some((day, time)), _) => (day, time.trim()),
            (None, true) => ("", text.as_str()),
            (None, false) => (text.as_str(), ""),
        },
    };
    let date = match day {
        "" | "today" => today,
        "tomorrow" => today.tomorrow().map_err(|_| no_such())?,
        day => day.parse::<civil::Date>().map_err(|_| not_read())?,
    };
    let clock = match time {
        "" => civil::time(23, 59, 0, 0),
        time => time_of(time).ok_or_else(not_read)?,
    };
    let at = |date: civil::Date| {
        let zoned = date.to_datetime(clock).to_zoned(zone.clone()).map_err(|_| no_such())?;
        Ok::<_, DeadlineError>(zoned.timestamp())
    };
    let mut due = at(date)?;
    if day.is_empty() && due <= now {
        due = at(date.tomorrow().map_err(|_| no_such())?)?;
    }
    Ok(Some(kept(due)))
}

/// `18:00` or `9:05`.
fn time_of(text: &str) -> Option<civil::Time> {
    let (hour, minute) = text.split_once(':')?;
    civil::Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

fn kept(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// How a deadline stands: `in 3 h`, or `2 d late`; and whether it is past. The time left is rounded, so that `+2h` is in 2 h and not, a second
/// later, in 1 h.
pub fn due_in_words(due: &str, now: Timestamp) -> (String, bool) {
    let Ok(at) = due.parse::<Timestamp>() else { return ("?".to_owned(), false) };
    if at <= now {
        let late = super::age(due, now);
        let late = if late == "now" { "due now".to_owned() } else { format!("{late} late") };
        return (late, true);
    }
    let left = at.duration_since(now).as_secs();
    let in_units = |seconds: i64| (left + (seconds - 1) / 2) / seconds;
    let ahead = match (in_units(60), in_units(3_600)) {
        (minutes @ ..60, _) => format!("{} min", minutes.max(1)),
        (_, hours @ ..24) => format!("{hours} h"),
        _ => format!("{} d", in_units(86_400)),
    };
    (format!("in {ahead}"), false)
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

#[cfg(test)]
mod deadline_tests {
    use super::*;

    #[test]
    fn a_deadline_is_typed_as_people_say_it() {
        let now: Timestamp = "2026-10-06T12:00:00Z".parse().unwrap();
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let due = |typed: &str| {
            deadline(typed, now, &zone).map(|due| due.map(|due| due.chars().take(16).collect::<String>()))
        };
        let at = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(due("18:00"), at("2026-10-06T16:00"));
        assert_eq!(due("9:00"), at("2026-10-07T07:00"), "the next nine o'clock");
        assert_eq!(due("today 9:00"), at("2026-10-06T07:00"), "a day that was named stays");
        assert_eq!(due("Tomorrow 9:00"), at("2026-10-07T07:00"));
        assert_eq!(due("2026-12-24"), at("2026-12-24T21:59"));
        assert_eq!(due("2026-12-24 10:30"), at("2026-12-24T08:30"));
        assert_eq!(due("2026-12-24T10:30"), at("2026-12-24T08:30"));
        assert_eq!(due("+2h"), at("2026-10-06T14:00"));
        assert_eq!(due(" none "), Ok(None));
        let long = "9".repeat(10_000);
        for odd in ["soon", "25:00", "18:00:99x", "2026-02-30", "+h", "+9999999999999h", ":", "\u{1b}[2J", &long] {
            assert!(due(odd).is_err(), "{odd}");
        }
        assert!(due(&long).unwrap_err().to_string().len() < 200);
    }

    #[test]
    fn a_deadline_says_how_far_it_is() {
        let now: Timestamp = "2026-10-06T12:00:00Z".parse().unwrap();
        let said = |due: &str| due_in_words(due, now);
        assert_eq!(said("2026-10-06T15:30:00.000Z"), ("in 3 h".into(), false));
        assert_eq!(said("2026-10-06T12:00:10.000Z"), ("in 1 min".into(), false));
        for (due, left) in [
            ("2026-10-06T13:59:59.000Z", "in 2 h"),
            ("2026-10-06T12:59:59.999Z", "in 1 h"),
            ("2026-10-06T12:59:20.000Z", "in 59 min"),
            ("2026-10-07T11:59:59.000Z", "in 1 d"),
            ("2026-10-07T11:00:00.000Z", "in 23 h"),
            ("2026-10-09T11:59:00.000Z", "in 3 d"),
            ("2029-10-06T12:00:00.000Z", "in 1096 d"),
        ] {
            assert_eq!(said(due).0, left, "{due}");
        }
        assert_eq!(said("2026-10-06T12:00:00.000Z"), ("due now".into(), true));
        assert_eq!(said("2026-10-04T11:00:00.000Z"), ("2 d late".into(), true));
        assert_eq!(said("some day"), ("?".into(), false));
    }
}
