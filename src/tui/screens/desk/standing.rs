//! How a story stands, as it is shown.

use ratatui::style::Style;

use crate::tui::{screens::desk::model::Standing, widgets::theme::Theme};

/// `1/3`; only the rounds so far where the limit is not known.
#[must_use]
pub fn rounds(rounds: u32, limit: u32) -> String {
    if limit == 0 { rounds.to_string() } else { format!("{rounds}/{limit}") }
}

/// The colour of a standing; its mark and words say the same.
#[must_use]
pub fn standing_style(standing: Standing, theme: &Theme) -> Style {
    match standing {
        Standing::AtGate | Standing::AtSignOff | Standing::Flagged => theme.warn,
        Standing::Failed => theme.bad,
        Standing::AtWork | Standing::Elsewhere => theme.running,
        Standing::Queued | Standing::Stopped | Standing::Paused => theme.dim,
        Standing::Passed | Standing::Signed => theme.good,
    }
}
