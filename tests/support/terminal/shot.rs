//! A screen as it was at one moment: characters with their looks, and the cursor.

use std::fmt::Write as _;

use vt100::Color;

/// How a character looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "a terminal's attributes have nothing to do with one another")]
pub struct Look {
    pub fg: Color,
    pub bg: Color,
    pub bold: bool,
    pub dim: bool,
    pub italic: bool,
    pub underline: bool,
    pub inverse: bool,
    pub struck: bool,
}

/// One place of the grid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// A character with what combines with it; empty where nothing was written, and behind a wide character.
    pub text: String,
    /// 2 for a wide character, 0 for the place behind it, else 1.
    pub width: u8,
    pub look: Look,
}

/// A screen, row by row, and the cursor (row, column) where it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shot {
    pub rows: Vec<Vec<Cell>>,
    pub cursor: Option<(u16, u16)>,
}

impl Shot {
    /// `struck` is a screen of the same size on which italic means struck through (vt100 knows no such attribute).
    pub fn of(screen: &vt100::Screen, struck: &vt100::Screen) -> Self {
        let (height, width) = screen.size();
        let cell = |row, column| {
            let Some(cell) = screen.cell(row, column) else { return Cell { width: 1, ..Cell::default() } };
            let look = Look {
                fg: cell.fgcolor(),
                bg: cell.bgcolor(),
                bold: cell.bold(),
                dim: cell.dim(),
                italic: cell.italic(),
                underline: cell.underline(),
                inverse: cell.inverse(),
                struck: struck.cell(row, column).is_some_and(vt100::Cell::italic),
            };
            let width = if cell.is_wide_continuation() { 0 } else { 1 + u8::from(cell.is_wide()) };
            Cell { text: cell.contents().to_owned(), width, look }
        };
        let rows = (0..height).map(|row| (0..width).map(|column| cell(row, column)).collect()).collect();
        Self { rows, cursor: (!screen.hide_cursor()).then(|| screen.cursor_position()) }
    }

    /// Rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.rows.len(), self.rows.first().map_or(0, Vec::len))
    }

    /// A row's text without the white space at its end.
    pub fn row(&self, row: usize) -> String {
        let mut text = String::new();
        for cell in self.rows.get(row).into_iter().flatten().filter(|cell| cell.width > 0) {
            text.push_str(if cell.text.is_empty() { " " } else { &cell.text });
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// All rows, with the empty ones at the end.
    pub fn text(&self) -> String {
        (0..self.rows.len()).map(|row| self.row(row)).collect::<Vec<_>>().join("\n")
    }

    pub fn contains(&self, text: &str) -> bool {
        (0..self.rows.len()).any(|row| self.row(row).contains(text))
    }

    /// Where `text` begins: row and column of its first occurrence.
    pub fn find(&self, text: &str) -> Option<(usize, usize)> {
        (0..self.rows.len()).find_map(|row| {
            let byte = self.row(row).find(text)?;
            let mut passed = 0;
            let column = self.rows[row].iter().position(|cell| {
                let here = passed == byte && cell.width > 0;
                passed += if cell.width == 0 { 0 } else { cell.text.len().max(1) };
                here
            })?;
            Some((row, column))
        })
    }

    /// How the first occurrence of `text` looks; its first character counts.
    pub fn look_of(&self, text: &str) -> Option<Look> {
        self.find(text).map(|(row, column)| self.rows[row][column].look)
    }

    /// The text of a part of the screen, for what is beside it on the same rows is none of a test's business.
    pub fn part(&self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> Vec<Vec<Cell>> {
        let part = |row: &Vec<Cell>| row.iter().skip(columns.start).take(columns.len()).cloned().collect();
        self.rows.iter().skip(rows.start).take(rows.len()).map(part).collect()
    }

    /// The screen with its looks: `{bold fg=2|text}`. What looks as the terminal's own text is written plainly.
    pub fn styled(&self) -> String {
        let row = |row: &Vec<Cell>| {
            let mut line = String::new();
            for (look, text) in runs(row) {
                let name = look.name();
                if name.is_empty() {
                    line.push_str(&text);
                } else {
                    let _ = write!(line, "{{{name}|{text}}}");
                }
            }
            line.truncate(line.trim_end().len());
            line
        };
        self.rows.iter().map(row).collect::<Vec<_>>().join("\n")
    }
}

/// A row as runs of one look.
pub fn runs(row: &[Cell]) -> Vec<(Look, String)> {
    let mut runs: Vec<(Look, String)> = Vec::new();
    for cell in row.iter().filter(|cell| cell.width > 0) {
        let text = if cell.text.is_empty() { " " } else { &cell.text };
        match runs.last_mut() {
            Some((look, run)) if *look == cell.look => run.push_str(text),
            _ => runs.push((cell.look, text.to_owned())),
        }
    }
    runs
}

impl Look {
    /// In words, such as `bold fg=2`; empty for the terminal's own text.
    pub fn name(self) -> String {
        let colour = |name: &str, colour| match colour {
            Color::Default => None,
            Color::Idx(number) => Some(format!("{name}={number}")),
            Color::Rgb(r, g, b) => Some(format!("{name}=#{r:02x}{g:02x}{b:02x}")),
        };
        let marks = [
            (self.bold, "bold"),
            (self.dim, "dim"),
            (self.italic, "italic"),
            (self.underline, "underline"),
            (self.inverse, "inverse"),
            (self.struck, "struck"),
        ];
        let marks = marks.into_iter().filter(|(on, _)| *on).map(|(_, name)| name.to_owned());
        marks.chain(colour("fg", self.fg)).chain(colour("bg", self.bg)).collect::<Vec<_>>().join(" ")
    }
}
