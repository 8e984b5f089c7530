//! Screens as text, for snapshots.

use ratatui::{
    buffer::{Buffer, Cell},
    style::{Color, Modifier},
};
use unicode_width::UnicodeWidthStr;

/// The screen's text, a line a row, without the spaces at the ends of rows.
pub fn dump(buf: &Buffer) -> String {
    (0..buf.area.height).map(|row| text(buf, row) + "\n").collect()
}

/// The screen's text, and after it one line for each row that is not plain: `row│ first-last style, …`, columns from 0.
pub fn dump_styled(buf: &Buffer) -> String {
    let rows = (0..buf.area.height).filter_map(|row| {
        let runs = runs(buf, row);
        (!runs.is_empty()).then(|| format!("{row:>2}│ {}\n", runs.join(", ")))
    });
    dump(buf) + "---\n" + &rows.collect::<String>()
}

fn cells(buf: &Buffer, row: u16) -> impl Iterator<Item = (u16, &Cell)> {
    let area = buf.area;
    (0..area.width).filter_map(move |column| Some((column, buf.cell((area.x + column, area.y + row))?)))
}

fn text(buf: &Buffer, row: u16) -> String {
    let mut covered = 0;
    let mut line = String::new();
    for (column, cell) in cells(buf, row) {
        // A wide character lies over the next cell.
        if usize::from(column) < covered {
            continue;
        }
        covered = usize::from(column) + cell.symbol().width();
        line.push_str(cell.symbol());
    }
    line.trim_end().to_owned()
}

fn runs(buf: &Buffer, row: u16) -> Vec<String> {
    let mut runs: Vec<(u16, u16, String)> = Vec::new();
    let mut covered = 0;
    for (column, cell) in cells(buf, row) {
        if usize::from(column) < covered {
            if let Some((_, last, _)) = runs.last_mut().filter(|(_, last, _)| *last + 1 == column) {
                *last = column;
            }
            continue;
        }
        covered = usize::from(column) + cell.symbol().width();
        let style = name(cell);
        match runs.last_mut() {
            Some((_, last, same)) if *last + 1 == column && *same == style => *last = column,
            _ if style.is_empty() => {}
            _ => runs.push((column, column, style)),
        }
    }
    runs.into_iter().map(|(first, last, style)| format!("{first}-{last} {style}")).collect()
}

fn name(cell: &Cell) -> String {
    let mut words = Vec::new();
    if cell.fg != Color::Reset {
        words.push(cell.fg.to_string().to_lowercase());
    }
    if cell.bg != Color::Reset {
        words.push(format!("on {}", cell.bg.to_string().to_lowercase()));
    }
    words.extend(cell.modifier.iter_names().map(|(name, _): (&str, Modifier)| name.to_lowercase()));
    words.join(" ")
}

#[test]
fn a_screen_is_its_text_and_its_styles() {
    use ratatui::{layout::Rect, style::Style};
    let mut buf = Buffer::empty(Rect::new(0, 0, 6, 2));
    buf.set_string(0, 0, "議a", Style::new().fg(Color::Red));
    buf.set_string(2, 1, "b", Style::new().add_modifier(Modifier::BOLD));
    assert_eq!(dump(&buf), "議a\n  b\n");
    assert_eq!(dump_styled(&buf), "議a\n  b\n---\n 0│ 0-2 red\n 1│ 2-2 bold\n");
}
