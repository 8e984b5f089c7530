//! Support: what a sentence speaks of stands somewhere in a source.
//!
//! Why: the sentence that nobody said is the one that reads best. This is the weakest rule, and it speaks last and seldom:
//! only of sentences most of whose content no passage carries.

use crate::newsroom::ConcernType;

use super::{
    archive::{Archive, content},
    desk::{Found, Ledger},
    reading::{Reading, Token},
};

/// Sentences of fewer content words than these say too little to be looked up.
const FEWEST: usize = 7;

/// Enters every sentence that no passage carries.
pub(super) fn check(ledger: &mut Ledger<'_, '_>) {
    let desk = ledger.desk;
    for (at, field) in desk.fields.iter().enumerate() {
        for (index, line) in field.reading.lines.iter().enumerate() {
            if line.heading
                || ledger.taken(at, line.start, line.end)
                || carried(&desk.archive, &field.reading, index, field.name != "articleBody")
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

/// Whether the sources carry a sentence far enough that a human would look for its place there. Headlines and descriptions
/// sum up, and get more room than the body.
fn carried(archive: &Archive<'_>, reading: &Reading<'_>, index: usize, sums_up: bool) -> bool {
    let found = measure(archive, reading, index);
    if found.words < FEWEST {
        return true;
    }
    if sums_up {
        return found.unknown < 4 || found.best > 0.2;
    }
    let barely = found.best <= 0.27 && found.unknown >= 2;
    let strange = found.best <= 0.36
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
