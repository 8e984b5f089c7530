//! The rows of a table as lines of text.
//!
//! Each record is a list item, `- column: value; column: value`, so that a figure keeps the name of its column in the sentence it
//! stands in, which is what a figure is bound to. As a list item it is a sentence of its own, and `Budget:` at its head cannot be
//! taken for a speaker's label.

/// The rows as lines, the first of them as the columns' names where it can be that.
pub(super) fn lines(rows: &[Vec<String>], most: usize) -> Option<String> {
    let mut out = String::new();
    let (names, records) = match rows.split_first() {
        Some((head, rest)) if !rest.is_empty() && is_head(head) => (head.as_slice(), rest),
        _ => (&[][..], rows),
    };
    for record in records {
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

/// Whether a first row names the columns: more than one, and no figure among them but a year.
fn is_head(row: &[String]) -> bool {
    let named = row.iter().filter(|cell| !cell.is_empty());
    let figure = |cell: &&String| {
        let begins = cell.trim_start_matches(['$', '€', '£', '-', '+', '(']).starts_with(|c: char| c.is_ascii_digit());
        begins && !(cell.len() == 4 && cell.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let first_is_year = row.first().is_some_and(|cell| cell.len() == 4 && cell.bytes().all(|b| b.is_ascii_digit()));
    named.clone().count() > 1 && !first_is_year && !named.clone().any(|cell| figure(&cell))
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
        let headless = rows(&[&["1958", "opened"], &["1961", "closed"]]);
        assert_eq!(lines(&headless, 1000).as_deref(), Some("- 1958; opened\n- 1961; closed\n"));
        assert_eq!(lines(&table, 20), None);
    }
}
