//! The notice on an article under embargo.

use copydesk_newsroom::utc_minute;

/// The notice that stands on an article under embargo.
#[must_use]
pub fn embargo_line(until: &str) -> String {
    format!("EMBARGOED UNTIL {}", utc_minute(until))
}
