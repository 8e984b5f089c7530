//! The terminal at a size that can be drawn: one may say that it has 65,535 columns and as many rows, and each cell takes memory.

use std::io::{self, Write};

use ratatui::{
    backend::{Backend, ClearType, CrosstermBackend, WindowSize},
    buffer::Cell,
    layout::{Position, Size},
};

use super::tty::TtyFrame;

/// The largest screen that is drawn. No monitor shows as much; a larger terminal stays empty beyond it.
const MOST: Size = Size { width: 1_000, height: 500 };

/// Crossterm's backend, which draws no more than [`MOST`].
pub(super) struct BoundedBackend(CrosstermBackend<TtyFrame>);

impl std::fmt::Debug for BoundedBackend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BoundedBackend")
    }
}

impl BoundedBackend {
    pub(super) fn new(frame: TtyFrame) -> Self {
        Self(CrosstermBackend::new(frame))
    }
}

fn bounded(size: Size) -> Size {
    Size { width: size.width.min(MOST.width), height: size.height.min(MOST.height) }
}

impl Write for BoundedBackend {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(&mut self.0)
    }
}

impl Backend for BoundedBackend {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        self.0.draw(content)
    }

    fn append_lines(&mut self, lines: u16) -> io::Result<()> {
        self.0.append_lines(lines)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.0.clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        self.0.size().map(bounded)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        let size = self.0.window_size()?;
        Ok(WindowSize { columns_rows: bounded(size.columns_rows), ..size })
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_terminal_is_drawn_as_far_as_anybody_sees() {
        assert_eq!(bounded(Size::new(65_535, 65_535)), MOST);
        assert_eq!(bounded(Size::new(80, 24)), Size::new(80, 24));
    }
}
