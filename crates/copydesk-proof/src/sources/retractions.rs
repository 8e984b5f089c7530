//! Finds the withdrawn figures that the sources still contain, for the writer.
//!
//! Why: a writer can copy the sentence with the withdrawn figure word for word. A reader of the correction needs both sentences; a reader
//! of the old sentence alone is misled.

use std::{collections::HashMap, ops::Range};

use crate::{
    reading::{Figure, FigureKind, ParsedText},
    sources::{
        SourceArchive, SourceLine, Withdrawal, around, common, siblings,
        withdrawals::{self},
    },
    words::Class,
};
use copydesk_newsroom::Source;

/// Spelled-out numbers up to this one are everywhere, so one shared word does not connect them with a correction.
const SMALL: f64 = 12.0;

/// The places of withdrawn figures, and of the figures that replace them.
#[derive(Debug, Default)]
pub struct Retractions {
    /// By source and first byte of the withdrawn figure: the index into `rights` of its correction. Sorted.
    stale: Vec<(usize, usize, Vec<usize>)>,
    /// First bytes of each right figure, by source; sorted.
    rights: Vec<Vec<(usize, usize)>>,
}

impl Retractions {
    /// Reads the sources once.
    #[must_use]
    pub fn new(sources: &[Source]) -> Self {
        let archive = SourceArchive::new(sources);
        let mut stale: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
        let mut rights = Vec::new();
        for (index, withdrawal) in
            withdrawals::all(&archive).into_iter().chain(reported(&archive)).chain(recounted(&archive)).enumerate()
        {
            let Some(reading) = archive.readings.get(withdrawal.place.source) else { continue };
            let mut about = around(reading, &withdrawal.wrong);
            about.extend(around(reading, &withdrawal.right));
            let small = withdrawal.wrong.kind == FigureKind::Count && withdrawal.wrong.value <= SMALL;
            let least = if small { 2 } else { 1 };
            stale.entry((withdrawal.place.source, withdrawal.wrong.start)).or_default().push(index);
            for (place, figure) in archive.equal(&withdrawal.wrong) {
                let Some(theirs) = archive.readings.get(place.source) else { continue };
                if common(&around(theirs, figure), &about) >= least {
                    stale.entry((place.source, figure.start)).or_default().push(index);
                }
            }
            let mut places: Vec<(usize, usize)> =
                archive.equal(&withdrawal.right).iter().map(|(place, figure)| (place.source, figure.start)).collect();
            places.push((withdrawal.right_place.source, withdrawal.right.start));
            places.sort_unstable();
            rights.push(places);
        }
        let mut stale: Vec<(usize, usize, Vec<usize>)> =
            stale.into_iter().map(|((source, start), by)| (source, start, by)).collect();
        stale.sort_unstable();
        Self { stale, rights }
    }

    /// Whether stretches of a source, printed together, give a withdrawn figure without its correction.
    #[must_use]
    pub fn spoils(&self, source: usize, stretches: &[Range<usize>]) -> bool {
        stretches.iter().any(|stretch| {
            let first = self.stale.partition_point(|(of, start, _)| (*of, *start) < (source, stretch.start));
            let here = self.stale.get(first..).unwrap_or_default().iter();
            here.take_while(|(of, start, _)| *of == source && *start < stretch.end)
                .any(|(_, _, by)| !by.iter().any(|index| self.righted(*index, source, stretches)))
        })
    }

    /// Whether a stretch of a source gives a withdrawn figure, corrected or not.
    #[must_use]
    pub fn touch(&self, source: usize, stretch: &Range<usize>) -> bool {
        let first = self.stale.partition_point(|(of, start, _)| (*of, *start) < (source, stretch.start));
        self.stale.get(first).is_some_and(|(of, start, _)| *of == source && *start < stretch.end)
    }

    fn righted(&self, index: usize, source: usize, stretches: &[Range<usize>]) -> bool {
        let Some(places) = self.rights.get(index) else { return false };
        stretches.iter().any(|stretch| {
            let next = places.partition_point(|place| *place < (source, stretch.start));
            places.get(next).is_some_and(|(of, start)| *of == source && *start < stretch.end)
        })
    }
}

/// `gave the number of schools as 27 … the results are from 22 schools. We regret the error`: a note that repeats
/// what a paper said, calls it wrong, and gives another figure. This is too lenient for a finding, but a writer who
/// leaves out one sentence too many does no harm.
fn reported(archive: &SourceArchive<'_>) -> Vec<Withdrawal> {
    let mut found = Vec::new();
    for (source, reading) in archive.readings.iter().enumerate() {
        for line in 0..reading.lines.len() {
            let retold = reading.line_tokens(line).iter().any(|token| {
                matches!(
                    token.word.as_str(),
                    "gave" | "gives" | "give" | "put" | "puts" | "reported" | "stated" | "listed"
                )
            });
            if !retold || siblings(reading, line).is_empty() {
                continue;
            }
            let passage = line..reading.paragraph(line).end.min(line + 7);
            if !passage.clone().any(|at| regrets(reading, at)) {
                continue;
            }
            for wrong in siblings(reading, line).iter().filter(|figure| quoted_as(reading, figure)).take(4) {
                let after = passage.clone().flat_map(|at| siblings(reading, at).iter().map(move |figure| (at, figure)));
                let words = around(reading, wrong);
                let right = after.filter(|(_, right)| right.start > wrong.start).find(|(at, right)| {
                    let replaces = || reading.line_tokens(*at).iter().any(|token| token.word == "replaces");
                    let bound =
                        wrong.kind != FigureKind::Count || common(&words, &around(reading, right)) > 0 || replaces();
                    right.comparable(wrong) && !right.same(wrong) && bound
                });
                if let Some((at, right)) = right {
                    let place = SourceLine { source, line };
                    let right_place = SourceLine { source, line: at };
                    found.push(Withdrawal { place, wrong: wrong.clone(), right: right.clone(), right_place });
                }
            }
        }
    }
    found
}

/// `Two of the fourteen cases took place elsewhere. The number is therefore twelve`: a correction by calculation.
fn recounted(archive: &SourceArchive<'_>) -> Vec<Withdrawal> {
    let mut found = Vec::new();
    for (source, reading) in archive.readings.iter().enumerate() {
        for line in 1..reading.lines.len() {
            let concludes = reading.line_tokens(line).iter().any(|token| token.word == "therefore");
            let passage = reading.paragraph(line).start.max(line.saturating_sub(4))..line;
            if !concludes || !passage.clone().any(|at| regrets(reading, at)) {
                continue;
            }
            let before = passage.clone().flat_map(|at| siblings(reading, at).iter().map(move |figure| (at, figure)));
            for right in siblings(reading, line).iter().filter(|figure| figure.kind == FigureKind::Count).take(1) {
                let wrong = before.clone().find(|(_, wrong)| {
                    let first = wrong.tokens.start;
                    let head = reading.tokens.get(first.saturating_sub(2)..first).unwrap_or_default();
                    wrong.kind == FigureKind::Count
                        && wrong.value > right.value
                        && head.iter().any(|token| token.word == "of")
                });
                if let Some((at, wrong)) = wrong {
                    let (place, right_place) = (SourceLine { source, line: at }, SourceLine { source, line });
                    found.push(Withdrawal { place, wrong: wrong.clone(), right: right.clone(), right_place });
                }
            }
        }
    }
    found
}

/// Whether a sentence admits an error.
fn regrets(reading: &ParsedText<'_>, line: usize) -> bool {
    let tokens = reading.line_tokens(line);
    let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.word.as_str()));
    tokens.iter().any(|token| token.class.has(Class::CORRECTS))
        || has(&["regret", "regrets", "apologise", "apologize", "replaces", "wrong"])
        || has(&["not"]) && has(&["should"]) && has(&["have"])
}

/// `as 27`, `at four million`: a figure that was given for something.
fn quoted_as(reading: &ParsedText<'_>, figure: &Figure) -> bool {
    let first = figure.tokens.start;
    let before = reading.tokens.get(first.saturating_sub(2)..first).unwrap_or_default();
    !matches!(figure.kind, FigureKind::Year | FigureKind::Date | FigureKind::Time)
        && before.iter().any(|token| matches!(token.word.as_str(), "as" | "at"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_withdrawn_figure_is_printed_only_with_the_right_one() {
        let text =
            "The plan would save $640,000 a year. Correction: the plan would save $460,000 a year, not $640,000.";
        let read = Retractions::new(&[Source { name: "s".to_owned(), text: text.to_owned() }]);
        let old = 0..36;
        let new = 37..text.len();
        assert!(read.spoils(0, std::slice::from_ref(&old)));
        assert!(!read.spoils(0, std::slice::from_ref(&new)));
        assert!(!read.spoils(1, &[old, new]));
    }

    #[test]
    fn a_note_to_editors_takes_back_too() {
        let text = "A team followed children in 27 schools.\n\nThe body of this release gives the number of schools as 27. Five \
                    schools withdrew, and the results are from 22 schools. We regret the error.";
        let read = Retractions::new(&[Source { name: "s".to_owned(), text: text.to_owned() }]);
        assert!(read.spoils(0, std::slice::from_ref(&(0..39))));
        assert!(!read.spoils(0, std::slice::from_ref(&(41..text.len()))));
    }

    #[test]
    fn the_same_number_of_something_else_stands() {
        let text = "The council voted thirty-one to fourteen. Table 2 lists fourteen injured cyclists.\n\nCorrection: the \
                    number of injured cyclists is twelve and not fourteen.";
        let read = Retractions::new(&[Source { name: "s".to_owned(), text: text.to_owned() }]);
        assert!(!read.spoils(0, std::slice::from_ref(&(0..41))));
        assert!(read.spoils(0, std::slice::from_ref(&(42..82))));
    }
}
