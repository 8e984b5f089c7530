//! From the runs of a paragraph to its changes. Runs are cut at sentences, so that one sentence's reason never covers
//! the next one's change. Then neighbours with the same reason are joined again.

use std::ops::Range;

use super::comparison::{Change, ChangeKind, ChangeReason, Segment};
use copydesk_text::{
    alignment::{TextSide, WordRun},
    diff::{self, DiffPiece},
    words::{fold, is_stop_word, words},
};

/// A stretch of a paragraph: of both drafts, or changed within one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Atom {
    /// In both drafts.
    Same(WordRun),
    /// Words of the old draft with those that stand there now; one of the ranges may be empty.
    Changed(Range<usize>, Range<usize>),
}

/// Cuts runs into atoms. Sentences are byte ranges of the field.
pub(super) fn atoms(runs: &[WordRun], old: &[Range<usize>], new: &[Range<usize>]) -> Vec<Atom> {
    let mut atoms = Vec::new();
    let mut open: Option<(Range<usize>, Range<usize>)> = None;
    let close = |open: &mut Option<(Range<usize>, Range<usize>)>, atoms: &mut Vec<Atom>| {
        let Some((gone, come)) = open.take() else { return };
        let (left, right) = (cut(&gone, old), cut(&come, new));
        for index in 0..left.len().max(right.len()) {
            let part = |parts: &[Range<usize>], whole: &Range<usize>| {
                parts.get(index).cloned().unwrap_or(whole.end..whole.end)
            };
            atoms.push(Atom::Changed(part(&left, &gone), part(&right, &come)));
        }
    };
    for run in runs {
        if run.side == TextSide::Both {
            close(&mut open, &mut atoms);
            atoms.push(Atom::Same(run.clone()));
            continue;
        }
        let (gone, come) = open.get_or_insert((run.old.start..run.old.start, run.new.start..run.new.start));
        (gone.end, come.end) = (gone.end.max(run.old.end), come.end.max(run.new.end));
    }
    close(&mut open, &mut atoms);
    atoms
}

/// A range cut where sentences begin; nothing of nothing.
fn cut(range: &Range<usize>, sentences: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = range.start;
    let from = sentences.partition_point(|sentence| sentence.start <= range.start);
    for sentence in sentences.get(from..).unwrap_or_default().iter().take_while(|sentence| sentence.start < range.end) {
        parts.push(start..sentence.start);
        start = sentence.start;
    }
    if start < range.end {
        parts.push(start..range.end);
    }
    parts
}

/// The atoms of a paragraph with the change that each belongs to, counted from 0 within the paragraph.
pub(super) struct Grouped {
    atoms: Vec<(Atom, Option<usize>)>,
    reasons: Vec<ChangeReason>,
}

/// Joins neighbours that have the same reason, over a gap of a stop word or two.
pub(super) fn group(
    old: &str,
    new: &str,
    atoms: &[Atom],
    why: impl Fn(&Range<usize>, &Range<usize>) -> ChangeReason,
) -> Grouped {
    let mut grouped = Grouped { atoms: Vec::new(), reasons: Vec::new() };
    let mut gap: Option<usize> = None;
    for atom in atoms {
        match atom {
            Atom::Same(run) => {
                let small = is_small_gap(diff::piece(old, new, run).text());
                gap = (small && gap.is_none() && !grouped.reasons.is_empty()).then_some(grouped.atoms.len());
                grouped.atoms.push((atom.clone(), None));
            }
            Atom::Changed(gone, come) => {
                let reason = why(gone, come);
                let before = grouped
                    .atoms
                    .last()
                    .is_some_and(|(last, change)| change.is_some() || (gap.is_some() && matches!(last, Atom::Same(_))));
                // A point that goes with the words behind it has no reason of its own.
                if let [.., (Atom::Changed(gone, come), Some(change))] = grouped.atoms.as_slice()
                    && !old.get(gone.clone()).unwrap_or_default().contains(char::is_alphanumeric)
                    && !new.get(come.clone()).unwrap_or_default().contains(char::is_alphanumeric)
                    && grouped.atoms.iter().filter(|(_, of)| of == &Some(*change)).count() == 1
                    && let Some(last) = grouped.reasons.last_mut().filter(|last| **last == ChangeReason::Nobody)
                {
                    *last = reason;
                }
                let joins = before && grouped.reasons.last() == Some(&reason);
                if !joins {
                    grouped.reasons.push(reason);
                }
                let change = grouped.reasons.len() - 1;
                if joins && let Some((_, slot)) = gap.and_then(|place| grouped.atoms.get_mut(place)) {
                    *slot = Some(change);
                }
                grouped.atoms.push((atom.clone(), Some(change)));
                gap = None;
            }
        }
    }
    grouped
}

/// Whether the words between two changes are too few to part them.
fn is_small_gap(text: &str) -> bool {
    let between = words(text);
    between.len() <= 2
        && between.iter().all(|word| is_stop_word(&fold(word.text)))
        && !text.contains(['.', '!', '?', '\n', '…', '“', '”', '"'])
}

impl Grouped {
    /// The paragraph's segments and its changes; `first` is the number of its first change.
    pub fn written(&self, field: &'static str, old: &str, new: &str, first: usize) -> (Vec<Segment>, Vec<Change>) {
        let mut segments = self.pieces(old, new);
        let mut changes: Vec<Change> = Vec::new();
        for segment in &mut segments {
            let Some(index) = segment.change else { continue };
            segment.change = Some(index + first);
            // Changes are counted in reading order: a new number is the next one.
            if index == changes.len() {
                changes.push(Change {
                    field,
                    kind: ChangeKind::Wording,
                    pieces: Vec::new(),
                    old: segment.old.clone(),
                    new: segment.new.clone(),
                    why: self.reasons.get(index).copied().unwrap_or(ChangeReason::Nobody),
                });
            }
            if let Some(change) = changes.last_mut() {
                change.pieces.push(segment.piece.clone());
                change.old = change.old.start.min(segment.old.start)..change.old.end.max(segment.old.end);
                change.new = change.new.start.min(segment.new.start)..change.new.end.max(segment.new.end);
            }
        }
        (segments, changes)
    }

    /// The atoms as segments: of neighbours in one change the words that went first, then those that came.
    fn pieces(&self, old: &str, new: &str) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut rest = self.atoms.as_slice();
        while let Some((atom, change)) = rest.first() {
            let mut taken = 1;
            match atom {
                Atom::Same(run) => segments.push(segment(old, new, run, *change)),
                Atom::Changed(gone, come) => {
                    let (mut gone, mut come) = (gone.clone(), come.clone());
                    while let Some((Atom::Changed(more_gone, more_come), next)) = rest.get(taken)
                        && next == change
                    {
                        (gone.end, come.end) = (more_gone.end, more_come.end);
                        taken += 1;
                    }
                    let before = WordRun { side: TextSide::Old, old: gone.clone(), new: come.start..come.start };
                    let after = WordRun { side: TextSide::New, old: gone.end..gone.end, new: come };
                    let runs = [before, after].into_iter().filter(|run| !run.old.is_empty() || !run.new.is_empty());
                    segments.extend(runs.map(|run| segment(old, new, &run, *change)));
                }
            }
            rest = rest.get(taken..).unwrap_or_default();
        }
        segments
    }
}

fn segment(old: &str, new: &str, run: &WordRun, change: Option<usize>) -> Segment {
    let piece: DiffPiece = diff::piece(old, new, run);
    Segment { piece, old: run.old.clone(), new: run.new.clone(), change }
}
