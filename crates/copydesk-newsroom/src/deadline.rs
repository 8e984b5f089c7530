//! When a story is due: as an editor types it, and how it stands to that time.

use jiff::{SignedDuration, Timestamp, civil, tz::TimeZone};

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
#[must_use]
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
