//! The rows of a table as lines of text.
//!
//! Each record is a list item, `- column: value; column: value`. So a figure keeps the name of its column in its own
//! sentence, and is bound to that name. As a list item it is a sentence of its own, and `Budget:` at its head cannot be
//! taken for a speaker's label.

/// The rows as lines, the first of them as the columns' names if it can be that.
pub(super) fn lines(rows: &[Vec<String>], most: usize) -> Option<String> {
    let mut out = String::new();
    // Rows of one cell above the head are the table's title.
    let filled = |row: &&Vec<String>| row.iter().filter(|cell| !cell.is_empty()).count();
    let head = rows.iter().position(|row| filled(&row) > 1).filter(|place| {
        let below = rows.get(place + 1..).unwrap_or_default();
        rows.get(*place).is_some_and(|row| is_head(row, below))
    });
    for (place, record) in rows.iter().enumerate() {
        let names = match head.and_then(|head| rows.get(head).filter(|_| head <= place)) {
            Some(_) if head == Some(place) => continue,
            Some(names) => names.as_slice(),
            None => &[],
        };
        let cells: Vec<String> = record
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty())
            .map(|(column, cell)| match names.get(column).filter(|name| !name.is_empty()) {
                Some(name) => format!("{name}: {cell}"),
                None => cell.clone(),
            })
            .collect();
        if cells.is_empty() {
            continue;
        }
        out.push_str("- ");
        out.push_str(&cells.join("; "));
        out.push('\n');
        if out.len() > most {
            return None;
        }
    }
    Some(out)
}

/// Whether a first row names the columns: no figure is in it but a year, and one is below a name. Without figures a record and a
/// head look alike, and a record that is taken for a head puts words into the mouths of all below it.
fn is_head(row: &[String], below: &[Vec<String>]) -> bool {
    // "2024", "2024 (€ million)", "2024, £m", "2023/24", "2025 proposed (£000)"
    let year = |cell: &String| {
        let digits = cell.bytes().take_while(u8::is_ascii_digit).count();
        let next = cell.get(digits..).unwrap_or_default().trim_start().chars().next();
        let named = cell.starts_with("19") || cell.starts_with("20");
        let ends =
            |c: char| matches!(c, '(' | ',' | '/' | '–' | '-' | '£' | '€' | '$' | '*') || named && c.is_alphabetic();
        digits == 4 && next.is_none_or(ends)
    };
    if row.first().is_some_and(year) || row.iter().any(|cell| is_figure(cell) && !year(cell)) {
        return false;
    }
    below.iter().any(|record| record.iter().zip(row).any(|(cell, name)| is_figure(cell) && !name.is_empty()))
}

fn is_figure(cell: &str) -> bool {
    cell.trim_start_matches(['$', '€', '£', '-', '+', '(']).starts_with(|c: char| c.is_ascii_digit())
}

/// A cell's text in one line.
pub(super) fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn a_figure_keeps_the_name_of_its_column() {
        let table = rows(&[&["Park", "Budget", "2024"], &["Miller Park", "$1.8 million", "12"], &["Pond", "", "3"]]);
        assert_eq!(
            lines(&table, 1000).as_deref(),
            Some("- Park: Miller Park; Budget: $1.8 million; 2024: 12\n- Park: Pond; 2024: 3\n")
        );
        let scaled = rows(&[&["", "2023, £m", "2024 (£m)"], &["Pond", "12", "14"]]);
        assert_eq!(lines(&scaled, 1000).as_deref(), Some("- Pond; 2023, £m: 12; 2024 (£m): 14\n"));
        let planned = rows(&[&["Unit", "2024 budget (£000)", "2025 proposed (£000)"], &["Parks", "905", "940"]]);
        let wanted = "- Unit: Parks; 2024 budget (£000): 905; 2025 proposed (£000): 940\n";
        assert_eq!(lines(&planned, 1000).as_deref(), Some(wanted));
        let headless = rows(&[&["1958", "opened"], &["1961", "closed"]]);
        assert_eq!(lines(&headless, 1000).as_deref(), Some("- 1958; opened\n- 1961; closed\n"));
        assert_eq!(lines(&table, 20), None);
    }

    #[test]
    fn a_record_is_no_head_and_a_title_is_none() {
        let votes = rows(&[&["Pruitt", "opposed"], &["Calloway", "in favour"], &["Reyes", "absent"]]);
        let wanted = "- Pruitt; opposed\n- Calloway; in favour\n- Reyes; absent\n";
        assert_eq!(lines(&votes, 1000).as_deref(), Some(wanted));
        let titled = rows(&[&["Costs of the park", ""], &["Item", "Cost"], &["Ramp", "$5"]]);
        assert_eq!(lines(&titled, 1000).as_deref(), Some("- Costs of the park\n- Item: Ramp; Cost: $5\n"));
    }
}
