//! Times as a person reads them. Records and JSON keep UTC.

use jiff::{Timestamp, tz::TimeZone};

/// A recorded time in the time zone of this machine, such as `2026-10-06 14:07:30`; as it is if it cannot be read.
#[must_use]
pub fn local_time(at: &str) -> String {
    in_zone(at, &TimeZone::system())
}

fn in_zone(at: &str, zone: &TimeZone) -> String {
    let read = at.parse::<Timestamp>();
    read.map_or_else(|_| at.to_owned(), |at| at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_the_readers_zone() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        assert_eq!(in_zone("2026-10-06T22:07:30.250Z", &zone), "2026-10-07 00:07:30");
        assert_eq!(in_zone("some day", &zone), "some day");
    }
}
