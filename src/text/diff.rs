//! What changed between two texts, word by word, as data.

use super::alignment::{Row, RowKind, Run, Side, align};

/// A run of words of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// In both texts.
    Same(String),
    /// In the old text only.
    Removed(String),
    /// In the new text only.
    Added(String),
}

impl Piece {
    /// The words, wherever they stand.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Same(text) | Self::Removed(text) | Self::Added(text) => text,
        }
    }
}

/// The changed paragraphs of a text (paragraphs are parted by blank lines), each as its pieces. Unchanged ones are left out; one
/// that moved is removed in one place and added in the other.
#[must_use]
pub fn changed_paragraphs(old: &str, new: &str) -> Vec<Vec<Piece>> {
    align(old, new).iter().filter_map(|row| changed(old, new, row)).collect()
}

fn changed(old: &str, new: &str, row: &Row) -> Option<Vec<Piece>> {
    let of = |text: &str, range: &std::ops::Range<usize>| text.get(range.clone()).unwrap_or_default().to_owned();
    match row.kind {
        RowKind::Same => None,
        RowKind::MovedAway => Some(vec![Piece::Removed(of(old, &row.old))]),
        RowKind::MovedHere => Some(vec![Piece::Added(of(new, &row.new))]),
        RowKind::Changed | RowKind::Added | RowKind::Removed => {
            Some(row.runs.iter().map(|run| piece(old, new, run)).collect())
        }
    }
}

/// The words of a run. Those of both texts are spaced as in the new one; at a seam where only the old one has a space, as there.
#[must_use]
pub fn piece(old: &str, new: &str, run: &Run) -> Piece {
    let (before, after) = (old.get(run.old.clone()).unwrap_or_default(), new.get(run.new.clone()).unwrap_or_default());
    match run.side {
        Side::Old => Piece::Removed(before.to_owned()),
        Side::New => Piece::Added(after.to_owned()),
        Side::Both if after.ends_with(char::is_whitespace) => Piece::Same(after.to_owned()),
        Side::Both => {
            let space = before.get(before.trim_end().len()..).unwrap_or_default();
            Piece::Same(format!("{after}{space}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_paragraphs_are_shown_word_by_word() {
        let old = "Stays.\n\nThe plan costs 1.8 million.\n\nGoes.";
        let new = "Stays.\n\nThe plan costs 1.4 million.";
        assert_eq!(
            changed_paragraphs(old, new),
            [
                vec![
                    Piece::Same("The plan costs ".into()),
                    Piece::Removed("1.8".into()),
                    Piece::Added("1.4".into()),
                    Piece::Same(" million.".into()),
                ],
                vec![Piece::Removed("Goes.".into())],
            ]
        );
        assert_eq!(changed_paragraphs(old, old), Vec::<Vec<Piece>>::new());
        // A paragraph that goes is not mistaken for an old form of the next.
        let shifted = changed_paragraphs("A park far away.\n\nDennis Pruitt said so.", "Denise Pruitt said so.");
        assert_eq!(shifted.first(), Some(&vec![Piece::Removed("A park far away.".into())]));
        assert_eq!(shifted.get(1).map(Vec::len), Some(3), "{shifted:?}");
    }
}
