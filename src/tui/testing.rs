//! Screens as text, for snapshots.

use std::fmt::Write as _;

use ratatui::{
    buffer::{Buffer, Cell, CellWidth as _},
    style::{Color, Modifier},
};

/// The text alone, each line without the spaces at its end.
pub(crate) fn dump(buffer: &Buffer) -> String {
    rows(buffer).iter().map(|row| said(row)).collect::<Vec<_>>().join("\n")
}

/// The text, and below each line where which style begins and ends (columns from 0, the end not included).
pub(crate) fn dump_styled(buffer: &Buffer) -> String {
    let mut out = String::new();
    for row in rows(buffer) {
        let runs = runs(row);
        let _ = write!(out, "|{}", said(row));
        if !runs.is_empty() {
            let _ = write!(out, "\n    {}", runs.join("  "));
        }
        out.push('\n');
    }
    out
}

fn rows(buffer: &Buffer) -> Vec<&[Cell]> {
    buffer.content.chunks(usize::from(buffer.area.width.max(1))).collect()
}

/// A row as a terminal shows it: the cell behind a wide character is hidden.
fn said(row: &[Cell]) -> String {
    let (mut text, mut hidden) = (String::new(), 0);
    for cell in row {
        if hidden > 0 {
            hidden -= 1;
            continue;
        }
        text.push_str(cell.symbol());
        hidden = cell.symbol().cell_width().saturating_sub(1);
    }
    text.trim_end().to_owned()
}

fn runs(row: &[Cell]) -> Vec<String> {
    let names: Vec<String> = row.iter().map(style).collect();
    let mut runs = Vec::new();
    let mut start = 0;
    while start < names.len() {
        let length = names[start..].iter().take_while(|name| **name == names[start]).count();
        if !names[start].is_empty() {
            runs.push(format!("{start}-{}:{}", start + length, names[start]));
        }
        start += length;
    }
    runs
}

fn style(cell: &Cell) -> String {
    let mut names = Vec::new();
    if cell.fg != Color::Reset {
        names.push(cell.fg.to_string());
    }
    if cell.bg != Color::Reset {
        names.push(format!("on {}", cell.bg));
    }
    for (modifier, name) in [
        (Modifier::BOLD, "bold"),
        (Modifier::ITALIC, "italic"),
        (Modifier::UNDERLINED, "underlined"),
        (Modifier::REVERSED, "reversed"),
        (Modifier::CROSSED_OUT, "struck"),
    ] {
        if cell.modifier.contains(modifier) {
            names.push(name.to_owned());
        }
    }
    names.join("+")
}
