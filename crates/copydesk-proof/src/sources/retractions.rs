//! Finds the withdrawn figures that the sources still contain, for the writer.
//!
//! Why: a writer can copy the sentence with the withdrawn figure word for word. A reader of the correction needs both sentences; a reader
//! of the old sentence alone is misled.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use crate::{
    reading::FigureKind,
    sources::{SourceArchive, around, common, withdrawals},
};
use copydesk_newsroom::Source;

/// Spelled-out numbers up to this one are everywhere, so one shared word does not connect them with a correction.
const SMALL: f64 = 12.0;

/// A figure of the sources: its source, and its first byte there.
type FigurePlace = (usize, usize);

/// The places of withdrawn figures, and of the figures that replace them.
#[derive(Debug, Default)]
pub struct Retractions {
    /// For each withdrawn figure the indexes into `rights` of its corrections.
    stale: BTreeMap<FigurePlace, Vec<usize>>,
    /// The places of the right figure of each correction.
    rights: Vec<BTreeSet<FigurePlace>>,
}

/// The places in a stretch of a source.
fn within(source: usize, stretch: &Range<usize>) -> Range<FigurePlace> {
    (source, stretch.start)..(source, stretch.end.max(stretch.start))
}

impl Retractions {
    /// Reads the sources once.
    #[must_use]
    pub fn new(sources: &[Source]) -> Self {
        let archive = SourceArchive::new(sources);
        let Self { mut stale, mut rights } = Self::default();
        for (index, withdrawal) in withdrawals::all(&archive).into_iter().enumerate() {
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
            let equal =
                archive.equal(&withdrawal.right).into_iter().map(|(place, figure)| (place.source, figure.start));
            rights.push(equal.chain([(withdrawal.right_place.source, withdrawal.right.start)]).collect());
        }
        Self { stale, rights }
    }

    /// Whether stretches of a source, printed together, give a withdrawn figure without its correction.
    #[must_use]
    pub fn spoils(&self, source: usize, stretches: &[Range<usize>]) -> bool {
        let mut stale = stretches.iter().flat_map(|stretch| self.stale.range(within(source, stretch)));
        stale.any(|(_, by)| !by.iter().any(|index| self.righted(*index, source, stretches)))
    }

    /// Whether a stretch of a source gives a withdrawn figure, corrected or not.
    #[must_use]
    pub fn touch(&self, source: usize, stretch: &Range<usize>) -> bool {
        self.stale.range(within(source, stretch)).next().is_some()
    }

    fn righted(&self, index: usize, source: usize, stretches: &[Range<usize>]) -> bool {
        let Some(places) = self.rights.get(index) else { return false };
        stretches.iter().any(|stretch| places.range(within(source, stretch)).next().is_some())
    }
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
    fn the_same_number_of_something_else_stands() {
        let text = "The council voted thirty-one to fourteen. Table 2 lists fourteen injured cyclists.\n\nCorrection: the \
                    number of injured cyclists is twelve and not fourteen.";
        let read = Retractions::new(&[Source { name: "s".to_owned(), text: text.to_owned() }]);
        assert!(!read.spoils(0, std::slice::from_ref(&(0..41))));
        assert!(read.spoils(0, std::slice::from_ref(&(42..82))));
    }
}
