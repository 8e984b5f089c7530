//! How the state of a story is shown.

use ratatui::style::Style;

use crate::{screens::desk::model::StoryState, widgets::theme::Theme};

/// `1/3`; only the rounds so far if the limit is not known.
pub fn rounds(rounds: u32, limit: u32) -> String {
    if limit == 0 { rounds.to_string() } else { format!("{rounds}/{limit}") }
}

/// The colour of a state. Its mark and words say the same without colour.
pub fn standing_style(standing: StoryState, theme: &Theme) -> Style {
    match standing {
        StoryState::AtGate | StoryState::AtSignOff | StoryState::Flagged => theme.warn,
        StoryState::Failed | StoryState::Withdrawn => theme.bad,
        StoryState::AtWork | StoryState::Elsewhere => theme.running,
        StoryState::Queued | StoryState::Stopped | StoryState::Paused | StoryState::Replaced => theme.dim,
        StoryState::Passed | StoryState::Extracted | StoryState::Signed => theme.good,
    }
}
