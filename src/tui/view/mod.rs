//! The screen's panes, each a pure function of plain data.

pub mod article;
pub mod calls;
pub mod columns;
pub mod concerns;
pub mod diff;
pub mod draw;
pub mod footer;
pub mod words;

/// Draws.
pub fn view(
    _: &mut super::model::Model,
    _: &[footer::Hint],
    _: ratatui::layout::Rect,
    _: &mut ratatui::buffer::Buffer,
) {
}
