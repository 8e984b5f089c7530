//! Support: what a sentence speaks of stands somewhere in a source.
//!
//! Why: the sentence that nobody said is the one that reads best. This is the weakest rule, and it speaks last and seldom:
//! only of sentences most of whose content no passage carries.

use crate::newsroom::ConcernType;

use super::{
    archive::{Archive, content},
    desk::{Desk, Found, Ledger},
    reading::Reading,
    token::Token,
};

/// Sentences of fewer content words than these say too little to be looked up.
const FEWEST: usize = 7;

/// A draft of fewer sentences than these has no habit of its own that one of them could stand out from.
const SENTENCES: usize = 5;

/// Enters every sentence that no passage carries.
pub(super) fn check(ledger: &mut Ledger<'_, '_>) {
    let desk = ledger.desk;
    let usual = usual(desk);
    for (at, field) in desk.fields.iter().enumerate() {
        for (index, line) in field.reading.lines.iter().enumerate() {
            let sums_up = field.name != BODY;
            if line.heading
                || ledger.taken(at, line.start, line.end)
                || carried(&desk.archive, &field.reading, index, sums_up, usual)
            {
                continue;
            }
            ledger.enter(Found {
                concern_type: ConcernType::UnsupportedFact,
                rule: "support.none",
                field: at,
                start: line.start,
                end: line.end,
                note: "No passage of the sources carries this sentence.".to_owned(),
                passage: None,
                replacement: Some(String::new()),
            });
        }
    }
}

const BODY: &str = "articleBody";

/// How far the sources carry the body's sentences as a rule (the median), where there are enough of them to tell.
fn usual(desk: &Desk<'_>) -> Option<f64> {
    let body = desk.fields.iter().find(|field| field.name == BODY)?;
    let mut all: Vec<f64> = (0..body.reading.lines.len())
        .map(|index| measure(&desk.archive, &body.reading, index))
        .filter(|found| found.words >= 5)
        .map(|found| found.best)
        .collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().filter(|_| all.len() >= SENTENCES)
}

/// How far the sources carry a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carried {
    /// Content words.
    pub words: usize,
    /// Of these, how many no source has.
    pub unknown: usize,
    /// Weight that the best passage carries with the sentences beside it.
    pub best: f64,
}

pub(super) fn measure(archive: &Archive<'_>, reading: &Reading<'_>, index: usize) -> Carried {
    let spoken: Vec<Token> = reading.line_tokens(index).iter().filter(|token| !token.quoted()).cloned().collect();
    let stems = content(&spoken);
    let unknown = stems.iter().filter(|stem| !archive.knows(stem)).count();
    let best = archive.passages(&stems, 8).iter().map(|hit| hit.around).fold(0.0_f64, f64::max);
    Carried { words: stems.len(), unknown, best }
}

/// Whether the sources carry a sentence far enough that a human would look for its place there. A free retelling is measured
/// by its own habit; headlines and descriptions sum up, and get more room than the body.
fn carried(archive: &Archive<'_>, reading: &Reading<'_>, index: usize, sums_up: bool, usual: Option<f64>) -> bool {
    let found = measure(archive, reading, index);
    if found.words < FEWEST {
        return true;
    }
    let Some(usual) = usual else { return found.unknown < 5 || found.best > 0.15 };
    if sums_up {
        return found.unknown < 4 || found.best > 0.2_f64.min(usual * 0.4);
    }
    let barely = found.best <= 0.27_f64.min(usual * 0.5) && found.unknown >= 2;
    let strange = found.best <= 0.36_f64.min(usual * 0.6)
        && found.unknown >= 4
        && found.unknown * 3 > found.words
        && !names_someone(archive, reading, index);
    !(barely || strange)
}

/// Whether a sentence names somebody or something that the sources name: then it has at least its subject from there.
fn names_someone(archive: &Archive<'_>, reading: &Reading<'_>, index: usize) -> bool {
    reading.line_tokens(index).iter().skip(1).any(|token| {
        token.capital
            && !token.stop
            && !token.quoted()
            && archive.seen(&token.word).is_some_and(|seen| seen.capital && !seen.lower)
    })
}

#[cfg(test)]
mod tests {
    use crate::proof::check_texts;

    #[test]
    fn a_sentence_that_nobody_said() {
        let source = "The council approved a new playground for Miller Park. It will cost $2.48 million, and work begins in April.";
        let rules = |draft: &str| check_texts(draft, source).into_iter().map(|f| f.rule).collect::<Vec<_>>();
        assert_eq!(rules("The park’s new playground was approved by the council."), [""; 0]);
        assert_eq!(
            rules("Vandals smashed windows at a nearby swimming pool during summer holidays."),
            ["support.none"]
        );
    }
}
