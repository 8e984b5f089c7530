//! Two texts side by side in one page, each wrapped to half its width, so that they scroll together.

use crate::widgets::{Sheet, TextRole, words};

const BETWEEN: &str = " │ ";

/// An empty text is an empty line.
pub(crate) type ColumnText = (String, TextRole);

pub(crate) fn below(sheet: &mut Sheet, paragraphs: &[ColumnText]) {
    for (text, role) in paragraphs {
        sheet.line(text, *role);
    }
}

pub(crate) fn beside(sheet: &mut Sheet, left: &[ColumnText], right: &[ColumnText], width: u16) {
    let room = usize::from(width).saturating_sub(words::width(BETWEEN)) / 2;
    let (left, right) = (rows(left, room), rows(right, room));
    let empty = (String::new(), TextRole::Text);
    for place in 0..left.len().max(right.len()) {
        let (text, role) = left.get(place).unwrap_or(&empty);
        sheet.add(text, *role);
        sheet.add(&" ".repeat(room.saturating_sub(words::width(text))), TextRole::Text);
        sheet.add(BETWEEN, TextRole::Dim);
        let (text, role) = right.get(place).unwrap_or(&empty);
        sheet.line(text, *role);
    }
}

fn rows(paragraphs: &[ColumnText], room: usize) -> Vec<ColumnText> {
    let of = |(text, role): &ColumnText| {
        let rows = if text.is_empty() { vec![String::new()] } else { words::wrap(text, room) };
        rows.into_iter().map(|row| (row, *role)).collect::<Vec<_>>()
    };
    paragraphs.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_wrapped_each_by_itself_and_the_shorter_one_ends_first() {
        let left = [("the council voted".to_owned(), TextRole::Quote), (String::new(), TextRole::Text)];
        let right = [("東京都知事".to_owned(), TextRole::Text), ("no".to_owned(), TextRole::Name)];
        let mut sheet = Sheet::default();
        beside(&mut sheet, &left, &right, 21);
        let (text, marks) = sheet.into_parts();
        assert_eq!(text, "the       │ 東京都知\ncouncil   │ 事\nvoted     │ no\n          │ \n");
        let named: Vec<&str> =
            marks.iter().filter(|mark| mark.role == TextRole::Name).map(|mark| &text[mark.range.clone()]).collect();
        assert_eq!(named, ["no"]);
    }
}
