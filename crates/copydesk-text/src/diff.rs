//! The changes between two texts, word by word, as data.

use super::alignment::{AlignedRow, RowKind, TextSide, WordRun, align};

/// A run of words of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffPiece {
    /// In both texts.
    Same(String),
    /// In the old text only.
    Removed(String),
    /// In the new text only.
    Added(String),
}

impl DiffPiece {
    /// The words, wherever they stand.
    pub fn text(&self) -> &str {
        match self {
            Self::Same(text) | Self::Removed(text) | Self::Added(text) => text,
        }
    }
}

/// The changed paragraphs of a text (paragraphs are parted by blank lines), each as its pieces. Unchanged ones are left out; one
/// that moved is removed in one place and added in the other.
pub fn changed_paragraphs(old: &str, new: &str) -> Vec<Vec<DiffPiece>> {
    align(old, new).iter().filter_map(|row| changed(old, new, row)).collect()
}

fn changed(old: &str, new: &str, row: &AlignedRow) -> Option<Vec<DiffPiece>> {
    let of = |text: &str, range: &std::ops::Range<usize>| text.get(range.clone()).unwrap_or_default().to_owned();
    match row.kind {
        RowKind::Same => None,
        RowKind::MovedAway => Some(vec![DiffPiece::Removed(of(old, &row.old))]),
        RowKind::MovedHere => Some(vec![DiffPiece::Added(of(new, &row.new))]),
        RowKind::Changed | RowKind::Added | RowKind::Removed => {
            Some(row.runs.iter().map(|run| piece(old, new, run)).collect())
        }
    }
}

/// The words of a run. Those of both texts are spaced as in the new one; at a seam where only the old one has a space, as there.
pub fn piece(old: &str, new: &str, run: &WordRun) -> DiffPiece {
    let (before, after) = (old.get(run.old.clone()).unwrap_or_default(), new.get(run.new.clone()).unwrap_or_default());
    match run.side {
        TextSide::Old => DiffPiece::Removed(before.to_owned()),
        TextSide::New => DiffPiece::Added(after.to_owned()),
        TextSide::Both if after.ends_with(char::is_whitespace) => DiffPiece::Same(after.to_owned()),
        TextSide::Both => {
            let space = before.get(before.trim_end().len()..).unwrap_or_default();
            DiffPiece::Same(format!("{after}{space}"))
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
                    DiffPiece::Same("The plan costs ".into()),
                    DiffPiece::Removed("1.8".into()),
                    DiffPiece::Added("1.4".into()),
                    DiffPiece::Same(" million.".into()),
                ],
                vec![DiffPiece::Removed("Goes.".into())],
            ]
        );
        assert_eq!(changed_paragraphs(old, old), Vec::<Vec<DiffPiece>>::new());
        // A paragraph that goes is not mistaken for an old form of the next.
        let shifted = changed_paragraphs("A park far away.\n\nDennis Pruitt said so.", "Denise Pruitt said so.");
        assert_eq!(shifted.first(), Some(&vec![DiffPiece::Removed("A park far away.".into())]));
        assert_eq!(shifted.get(1).map(Vec::len), Some(3), "{shifted:?}");
    }
}
