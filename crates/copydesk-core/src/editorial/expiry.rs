//! The instant from which records count: any that is older than so many days does not.

use jiff::{SignedDuration, Timestamp};

/// The instant `days` days before `now`, ISO 8601 in UTC with milliseconds as the records have it, so that both compare as text;
/// none if nothing is ever too old.
pub fn since(now: Timestamp, days: Option<u32>) -> Option<String> {
    let span = SignedDuration::from_hours(i64::from(days?).saturating_mul(24));
    // If the span reaches back before the calendar, everything counts.
    now.checked_sub(span).ok().map(|since| format!("{since:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_back_from_now() {
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        assert_eq!(since(now, Some(1)).as_deref(), Some("2026-02-28T12:00:00.000Z"));
        assert_eq!(since(now, Some(90)).as_deref(), Some("2025-12-01T12:00:00.000Z"));
        assert_eq!(since(now, None), None);
        assert_eq!(since(now, Some(u32::MAX)), None);
    }
}
