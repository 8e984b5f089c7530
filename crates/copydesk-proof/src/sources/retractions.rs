//! Finds the withdrawn figures that the sources still contain, for the writer.
//!
//! Why: a writer can copy the sentence with the withdrawn figure word for word. A reader of the correction needs both sentences; a reader
//! of the old sentence alone is misled.

use std::{collections::HashMap, ops::Range};

use crate::{
    reading::FigureKind,
    sources::{SourceArchive, around, common, withdrawals},
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
