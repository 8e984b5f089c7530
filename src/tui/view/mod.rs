//! The screen's panes, each a pure function of plain data.

pub mod diff;
pub mod footer;

/// Draws.
pub fn view(
    _: &mut super::model::Model,
    _: &[footer::Hint],
    _: ratatui::layout::Rect,
    _: &mut ratatui::buffer::Buffer,
) {
}
