//! What changed between two texts, word by word, as data.

use similar::{ChangeTag, TextDiff};

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

/// The changed paragraphs of a text (paragraphs are parted by blank lines), each as its pieces. Unchanged ones are left out.
#[must_use]
pub fn changed_paragraphs(old: &str, new: &str) -> Vec<Vec<Piece>> {
    let (old, new) = (paragraphs(old), paragraphs(new));
    let mut changed = Vec::new();
    let diff = TextDiff::from_slices(&old, &new);
    for operation in diff.ops() {
        if operation.tag() == similar::DiffTag::Equal {
            continue;
        }
        let before = old.get(operation.old_range()).unwrap_or_default();
        let after = new.get(operation.new_range()).unwrap_or_default();
        changed.extend(paired(before, after));
    }
    changed
}

/// Old paragraphs beside the new ones that they became: each takes the next new one that is like it; one that nothing is like
/// was removed, and what is left over was added.
fn paired(before: &[&str], after: &[&str]) -> Vec<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut next = 0;
    for old in before {
        let waiting = after.get(next..).unwrap_or_default();
        let like = waiting.iter().position(|new| likeness(old, new) > ALIKE);
        match like {
            Some(place) => {
                pieces.extend(waiting.iter().take(place).map(|added| words("", added)));
                pieces.extend(waiting.get(place).map(|new| words(old, new)));
                next += place + 1;
            }
            None => pieces.push(words(old, "")),
        }
    }
    pieces.extend(after.iter().skip(next).map(|added| words("", added)));
    pieces
}

/// The share of words that two texts have in common, in order; white space does not count.
fn likeness(one: &str, other: &str) -> f32 {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.split_whitespace().collect(), other.split_whitespace().collect());
    TextDiff::from_slices(&one, &other).ratio()
}

/// The share of words that two paragraphs must have in common to be one.
const ALIKE: f32 = 0.4;

/// The difference of two texts by words.
#[must_use]
pub fn words(old: &str, new: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for change in TextDiff::from_words(old, new).iter_all_changes() {
        let text = change.value();
        match (change.tag(), pieces.last_mut()) {
            (ChangeTag::Equal, Some(Piece::Same(run)))
            | (ChangeTag::Delete, Some(Piece::Removed(run)))
            | (ChangeTag::Insert, Some(Piece::Added(run))) => run.push_str(text),
            (ChangeTag::Equal, _) => pieces.push(Piece::Same(text.to_owned())),
            (ChangeTag::Delete, _) => pieces.push(Piece::Removed(text.to_owned())),
            (ChangeTag::Insert, _) => pieces.push(Piece::Added(text.to_owned())),
        }
    }
    pieces
}

fn paragraphs(text: &str) -> Vec<&str> {
    text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()).collect()
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
