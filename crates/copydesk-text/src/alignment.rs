//! Two texts beside one another: which paragraph became which, which moved, which words of them changed, with byte ranges.
//!
//! White space never counts as a change, a paragraph that was cut in two or joined with its neighbour neither. The work is
//! nearly linear: paragraphs are matched by their words before any is compared word by word.

use std::{collections::HashMap, hash::Hash, ops::Range};

use similar::{
    DiffOp, DiffTag,
    algorithms::{Capture, Compact, Replace, myers},
};

use super::{
    pairing,
    tokenised::{NumberedToken, Tokenised},
};

/// The change of a paragraph between two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// Word for word the same.
    Same,
    /// In both texts, with other words.
    Changed,
    /// In the new text only.
    Added,
    /// In the old text only.
    Removed,
    /// Stands here in the new text, and elsewhere in the old one; its words may have changed too.
    MovedHere,
    /// Stood here in the old text; the row of the same ranges that is [`RowKind::MovedHere`] has its words.
    MovedAway,
}

/// A paragraph of the old text beside what it became.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlignedRow {
    /// The change of the paragraph.
    pub kind: RowKind,
    /// Bytes of the old text; empty if it was added.
    pub old: Range<usize>,
    /// Bytes of the new text; empty if it was removed.
    pub new: Range<usize>,
    /// Its words, in reading order; none in [`RowKind::MovedAway`].
    pub runs: Vec<WordRun>,
}

/// Which text has a run of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextSide {
    /// Both.
    Both,
    /// The old text.
    Old,
    /// The new text.
    New,
}

/// A run of words, with the white space behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordRun {
    /// Where the words stand.
    pub side: TextSide,
    /// Bytes of the old text; empty, at the place where they would stand, for words of the new text.
    pub old: Range<usize>,
    /// Bytes of the new text; empty, at the place where they stood, for words of the old text.
    pub new: Range<usize>,
}

/// Aligns two texts, in the order of the new one; what went stands where it was.
pub fn align(old: &str, new: &str) -> Vec<AlignedRow> {
    let mut names = HashMap::new();
    let (old, new) = (Tokenised::read(old, &mut names), Tokenised::read(new, &mut names));
    let [before, after] = numbers_of([&old, &new].map(|text| {
        (0..text.paragraphs.len()).map(|index| text.names(&(index..index + 1))).collect::<Vec<Vec<u32>>>()
    }));
    let mut pairs: Vec<Pair> = Vec::new();
    for operation in same_or_not(&before, &after) {
        let (before, after) = (operation.old_range(), operation.new_range());
        if operation.tag() == DiffTag::Equal {
            pairs.extend(before.zip(after).map(|(i, j)| Pair { old: i..i + 1, new: j..j + 1, kind: RowKind::Same }));
        } else {
            pairing::pair(&old.bags(&before), &new.bags(&after), |i, j| {
                let (i, j) = (before.start + i.start..before.start + i.end, after.start + j.start..after.start + j.end);
                let kind = match (i.is_empty(), j.is_empty()) {
                    (true, _) => RowKind::Added,
                    (_, true) => RowKind::Removed,
                    _ => RowKind::Changed,
                };
                pairs.push(Pair { old: i, new: j, kind });
            });
        }
    }
    find_moves(&old, &new, &mut pairs);
    pairs.iter().map(|pair| row(&old, &new, pair)).collect()
}

/// Paragraphs of the old text, by number, beside those of the new text that they became.
struct Pair {
    old: Range<usize>,
    new: Range<usize>,
    kind: RowKind,
}

/// The parts of two texts by numbers: the same number for the same part.
pub(super) fn numbers_of<T: Eq + Hash>(texts: [Vec<T>; 2]) -> [Vec<u32>; 2] {
    let mut numbers: HashMap<T, u32> = HashMap::new();
    texts.map(|parts| {
        let number = |part: T| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(part).or_insert(next)
        };
        parts.into_iter().map(number).collect()
    })
}

/// Compares two lists of numbers by Myers' algorithm. (The crate's own short call would build its four other algorithms with it.)
pub(super) fn same_or_not(old: &[u32], new: &[u32]) -> Vec<DiffOp> {
    let mut operations = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut operations, old, 0..old.len(), new, 0..new.len());
    operations.into_inner().into_inner().into_ops()
}

/// A paragraph that went and one that came are one that moved, if they are alike.
fn find_moves(old: &Tokenised, new: &Tokenised, pairs: &mut [Pair]) {
    let bags = |kind: RowKind, pairs: &[Pair]| -> Vec<(usize, Vec<u32>)> {
        let of_kind = pairs.iter().enumerate().filter(|(_, pair)| pair.kind == kind);
        of_kind
            .map(|(place, pair)| {
                let mut names = if kind == RowKind::Removed { old.names(&pair.old) } else { new.names(&pair.new) };
                names.sort_unstable();
                (place, names)
            })
            .collect()
    };
    let (gone, mut come) = (bags(RowKind::Removed, pairs), bags(RowKind::Added, pairs));
    for (from, words) in gone {
        let Some((at, _)) = come
            .iter()
            .take(pairing::WINDOW)
            .enumerate()
            .map(|(at, (_, other))| (at, pairing::likeness(&words, other)))
            .filter(|(at, likeness)| {
                *likeness >= MOVED && (words.len() >= SHORTEST_MOVE || come.get(*at).is_some_and(|(_, w)| *w == words))
            })
            .max_by(|(i, one), (j, other)| one.total_cmp(other).then(j.cmp(i)))
        else {
            continue;
        };
        let (to, _) = come.remove(at);
        let Some(old) = pairs.get(from).map(|pair| pair.old.clone()) else { continue };
        let Some(there) = pairs.get_mut(to) else { continue };
        (there.kind, there.old) = (RowKind::MovedHere, old);
        let new = there.new.clone();
        if let Some(here) = pairs.get_mut(from) {
            (here.kind, here.new) = (RowKind::MovedAway, new);
        }
    }
}

/// How alike two paragraphs must be for one to have moved.
const MOVED: f32 = 0.75;

/// Fewest tokens of a paragraph that moved and changed.
const SHORTEST_MOVE: usize = 8;

fn row(old: &Tokenised, new: &Tokenised, pair: &Pair) -> AlignedRow {
    let (before, after) = (old.bytes(&pair.old), new.bytes(&pair.new));
    let runs = match pair.kind {
        RowKind::MovedAway => Vec::new(),
        RowKind::Same => vec![WordRun { side: TextSide::Both, old: before.clone(), new: after.clone() }],
        RowKind::Removed => vec![WordRun { side: TextSide::Old, old: before.clone(), new: after.clone() }],
        RowKind::Added => vec![WordRun { side: TextSide::New, old: before.clone(), new: after.clone() }],
        RowKind::Changed | RowKind::MovedHere => runs(old.tokens(&pair.old), new.tokens(&pair.new), &before, &after),
    };
    let same = runs.iter().all(|run| run.side == TextSide::Both);
    let kind = if pair.kind == RowKind::Changed && same { RowKind::Same } else { pair.kind };
    AlignedRow { kind, old: before, new: after, runs }
}

/// The words of two paragraphs beside one another. Those that have next to nothing in common are not mixed.
fn runs(
    old: &[NumberedToken],
    new: &[NumberedToken],
    old_bytes: &Range<usize>,
    new_bytes: &Range<usize>,
) -> Vec<WordRun> {
    let (mut at_old, mut at_new) = (old_bytes.start, new_bytes.start);
    let names = |tokens: &[NumberedToken]| tokens.iter().map(|token| token.name).collect::<Vec<u32>>();
    let (before, after) = (names(old), names(new));
    let mut operations = same_or_not(&before, &after);
    if similar::diff_ratio(&operations, before.len(), after.len()) < ANYTHING_IN_COMMON {
        operations = vec![DiffOp::Replace { old_index: 0, old_len: before.len(), new_index: 0, new_len: after.len() }];
    }
    let mut runs: Vec<WordRun> = Vec::new();
    for operation in operations {
        let (i, j) = (operation.old_range(), operation.new_range());
        let (left, right) = (old.get(i).unwrap_or_default(), new.get(j).unwrap_or_default());
        let end =
            |tokens: &[NumberedToken], at: usize, limit: usize| tokens.last().map_or(at, |token| token.next.min(limit));
        let (to_old, to_new) = (end(left, at_old, old_bytes.end), end(right, at_new, new_bytes.end));
        if operation.tag() == DiffTag::Equal {
            match runs.last_mut() {
                // The white space that closed the change before.
                Some(space) if space.side == TextSide::Both => (space.old.end, space.new.end) = (to_old, to_new),
                _ => runs.push(WordRun { side: TextSide::Both, old: at_old..to_old, new: at_new..to_new }),
            }
        } else {
            // White space that both sides end with is no part of the change.
            let bare = |tokens: &[NumberedToken], at: usize| tokens.last().map_or(at, |token| token.end);
            let spaced = bare(left, at_old) < to_old && bare(right, at_new) < to_new;
            let (stop_old, stop_new) =
                if spaced { (bare(left, at_old), bare(right, at_new)) } else { (to_old, to_new) };
            if stop_old > at_old {
                runs.push(WordRun { side: TextSide::Old, old: at_old..stop_old, new: at_new..at_new });
            }
            if stop_new > at_new {
                runs.push(WordRun { side: TextSide::New, old: stop_old..stop_old, new: at_new..stop_new });
            }
            if spaced {
                runs.push(WordRun { side: TextSide::Both, old: stop_old..to_old, new: stop_new..to_new });
            }
        }
        (at_old, at_new) = (to_old, to_new);
    }
    runs
}

/// The share of words in order below which two paragraphs are shown one after the other.
const ANYTHING_IN_COMMON: f32 = 0.2;

/// How much two texts have in common, from 0 to 1, by words.
pub fn likeness(before: &str, after: &str) -> f32 {
    let [before, after] = numbers_of([before, after].map(|text| text.split_whitespace().collect::<Vec<&str>>()));
    similar::diff_ratio(&same_or_not(&before, &after), before.len(), after.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each row in one line: its kind, and its words as wdiff marks them.
    fn rows(old: &str, new: &str) -> Vec<String> {
        let rows = align(old, new);
        rows.iter()
            .map(|row| {
                let pieces: String = row
                    .runs
                    .iter()
                    .map(|run| match run.side {
                        TextSide::Both => new[run.new.clone()].to_owned(),
                        TextSide::Old => format!("[-{}-]", &old[run.old.clone()]),
                        TextSide::New => format!("{{+{}+}}", &new[run.new.clone()]),
                    })
                    .collect();
                format!("{:?}: {pieces}", row.kind)
            })
            .collect()
    }

    #[test]
    fn words_are_compared_inside_the_paragraph_that_they_belong_to() {
        assert_eq!(
            rows(
                "The vote was 7-2.\n\nThe plan costs $1.8 million, he said.\n\nIt goes.",
                "The vote was 7-2.\n\nA new one comes here.\n\nThe plan costs $1.4 million, she said."
            ),
            [
                "Same: The vote was 7-2.",
                "Added: {+A new one comes here.+}",
                "Changed: The plan costs $[-1.8-]{+1.4+} million, [-he-]{+she+} said.",
                "Removed: [-It goes.-]",
            ]
        );
    }

    #[test]
    fn white_space_a_cut_and_a_join_are_no_change() {
        assert_eq!(rows("One line\nand another.", "  One line and  another. \n"), ["Same: One line and  another."]);
        let (whole, cut) = (
            "Mary Voss chairs the board. Peter Hale spoke against the plan.",
            "Mary Voss chairs the board.\n\nPeter Hale spoke against the plan.",
        );
        assert_eq!(
            rows(&format!("{whole}\n\nEnd."), &format!("{cut}\n\nEnd.")),
            [format!("Same: {cut}"), "Same: End.".into()]
        );
        assert_eq!(
            rows(&format!("{cut}\n\nEnd."), &format!("{whole}\n\nEnd.")),
            [format!("Same: {whole}"), "Same: End.".into()]
        );
    }

    #[test]
    fn a_paragraph_that_moved_is_not_written_twice() {
        let (one, two, three) =
            ("The council met on Monday.", "Nobody spoke.", "The mayor left early, by the back door.");
        assert_eq!(
            rows(&[one, two, three].join("\n\n"), &[three, one, two].join("\n\n")),
            [format!("MovedHere: {three}"), format!("Same: {one}"), format!("Same: {two}"), "MovedAway: ".into(),]
        );
        // The words of a paragraph that moved are compared too.
        let altered = three.replace("back", "front");
        assert_eq!(
            rows(&[one, two, three].join("\n\n"), &[&altered, one, two].join("\n\n"))[0],
            "MovedHere: The mayor left early, by the [-back-]{+front+} door."
        );
    }

    #[test]
    fn marks_and_characters_of_other_scripts_are_compared_one_by_one() {
        assert_eq!(rows("“No”, he said", "“No,” he said"), ["Changed: “No{+,+}” [-, -]he said"]);
        assert_eq!(
            rows("市議会は計画を承認した", "市議会は計画を否決した"),
            ["Changed: 市議会は計画を[-承認-]{+否決+}した"]
        );
        assert_eq!(rows("👩‍🚒 left", "👩‍🚀 left"), ["Changed: [-👩‍🚒-]{+👩‍🚀+} left"]);
    }

    #[test]
    fn a_text_from_nothing_is_added_and_one_that_has_nothing_in_common_is_replaced() {
        assert_eq!(rows("", "Words."), ["Added: {+Words.+}"]);
        assert_eq!(rows("Words.", " \n\n"), ["Removed: [-Words.-]"]);
        assert_eq!(rows("", ""), Vec::<String>::new());
        assert_eq!(
            rows("Aliens land on roof", "Board approves budget"),
            ["Changed: [-Aliens land on roof-]{+Board approves budget+}"]
        );
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_back(old in "([a-c .]{0,12}\n{0,2}){0,8}", new in "([a-c .]{0,12}\n{0,2}){0,8}") {
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            let (mut before, mut after) = (Vec::new(), String::new());
            for row in align(&old, &new) {
                let mut at = row.old.start;
                for run in &row.runs {
                    prop_assert_eq!(run.old.start, at);
                    at = run.old.end;
                    after.push_str(&new[run.new.clone()]);
                }
                if row.kind != RowKind::MovedAway && row.kind != RowKind::Added {
                    before.push((row.old.start, old[row.old.clone()].to_owned()));
                }
            }
            before.sort();
            let before: String = before.into_iter().map(|(_, text)| text).collect();
            prop_assert_eq!(squeezed(&before), squeezed(&old));
            prop_assert_eq!(squeezed(&after), squeezed(&new));
        }
    }
}
