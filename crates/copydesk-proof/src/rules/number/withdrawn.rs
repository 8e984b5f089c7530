//! A figure that a source takes back, unless the draft says so.
//!
//! Why: notes contain the wrong figure beside its correction, and the wrong one comes first.

use crate::{
    rules::{number::figure::DraftFigure, prelude::*},
    sources::{Withdrawal, around, common, counted, fitted, of_line, shared, siblings},
};

pub static RULE: Rule = Rule {
    name: "number.withdrawn",
    standing: Standing::Withdrawn,
    why: "The source itself corrects this figure.",
    source: "A correction in a source counts more than what it corrects.",
    ..Rule::FIGURE
};

/// A figure that a source takes back, unless the draft says so.
pub fn withdrawn(draft: &DraftFigure<'_>) -> Option<Fault> {
    let (archive, reading, figure) = (draft.archive, draft.reading, draft.figure);
    let texts = draft.ledger.texts;
    let mine = around(reading, figure);
    let found = texts.withdrawals().iter().filter(|w| w.wrong.same(figure)).find(|withdrawal| {
        let Some(source) = archive.reading(withdrawal.place) else { return false };
        let mut theirs = around(source, &withdrawal.wrong);
        theirs.extend(around(source, &withdrawal.right));
        let bound = shared(archive, &mine, &theirs);
        // The same value may be right for something else, and the correction may confirm it for what the draft means.
        if affirmed(draft, withdrawal) {
            return false;
        }
        let elsewhere = draft
            .matches
            .iter()
            .filter(|(place, _)| *place != withdrawal.place)
            .filter_map(|(place, other)| archive.reading(*place).map(|reading| around(reading, other)))
            .filter(|words| common(words, &theirs) == 0)
            .map(|words| shared(archive, &mine, &words))
            .fold(0.0_f64, f64::max);
        bound > elsewhere && bound > 0.0
    })?;
    let known = texts.fields.iter().any(|field| field.reading.figures.iter().any(|other| other.same(&found.right)));
    // A draft with the right figure elsewhere may report what a paper said.
    let reports = || draft.tokens().iter().any(|token| REPORTS.contains(&token.word));
    if tells(draft, &found.right) || known && reports() {
        return None;
    }
    let source = archive.reading(found.place)?;
    let nouns = [(found.place, &found.wrong), (found.right_place, &found.right)];
    let noun = draft.noun().map(|token| &token.stem);
    let theirs = nouns.iter().filter_map(|(at, other)| counted(archive.reading(*at)?, other)).map(|token| &token.stem);
    let mut theirs = theirs.peekable();
    let same = noun.is_none() || theirs.peek().is_none() || theirs.any(|stem| Some(stem) == noun);
    let repair = archive.reading(found.right_place).filter(|_| same);
    let repair = repair.and_then(|right| fitted(reading, figure, right, &found.right));
    let (from, to) = (found.place.line.min(found.right_place.line), found.place.line.max(found.right_place.line));
    let passage = archive.sentences(found.place.source, from..to + 1);
    let right = one_line(source.slice(found.right.start..found.right.end));
    let note = format!("The source corrects this figure to {right}.");
    Some(draft.fault(&RULE, note, None).passage(passage).replacement(repair))
}

/// Whether the correction, or the text after it, gives the same value for the topic of the draft's sentence.
fn affirmed(draft: &DraftFigure<'_>, withdrawal: &Withdrawal) -> bool {
    let archive = draft.archive;
    let Some(source) = archive.reading(withdrawal.place) else { return false };
    let paragraph = source.paragraph(withdrawal.right_place.line);
    let own = of_line(draft.reading, draft.line);
    let taken = shared(archive, &own, &of_line(source, source.line_of(&withdrawal.wrong.tokens)));
    draft.matches.iter().any(|(place, other)| {
        let corrected = place.source == withdrawal.place.source
            && paragraph.contains(&place.line)
            && other.start != withdrawal.wrong.start;
        let tokens = source.line_tokens(place.line);
        let says =
            tokens.iter().any(|token| matches!(token.word.as_str(), "is" | "are" | "stands" | "remains" | "was"));
        let disowns = tokens
            .iter()
            .any(|token| token.class.has(Class::CORRECTS) || matches!(token.word.as_str(), "wrong" | "wrote"))
            || tokens.iter().any(denies);
        corrected && says && !disowns && {
            let words = of_line(source, place.line);
            common(&own, &words) >= 1 && shared(archive, &own, &words) > taken
        }
    })
}

/// Words of a sentence that tells what a paper or a speaker said earlier.
static REPORTS: WordList = words(
    "still had announcement announced release statement memo memorandum slide spoke report recommended recommends recommending proposed proposal",
);

/// Verbs behind or before `first` that tell what was said earlier: `first gave`, `said first`.
static SPEAKS: WordList = words("said gave put announced reported stated had spoke");

/// Whether the draft itself corrects the figure, in this sentence or beside it, or says that it was wrong.
fn tells(draft: &DraftFigure<'_>, right: &Figure) -> bool {
    let mut beside = draft.line.saturating_sub(1)..draft.line + 2;
    let gives = beside.any(|line| siblings(draft.reading, line).iter().any(|other| other.same(right)));
    let tokens = draft.tokens();
    let cue = tokens.iter().any(|token| {
        token.class.has(Class::CORRECTS)
            || matches!(token.word.as_str(), "earlier" | "originally" | "initially" | "mistakenly")
    });
    let speaks = |one: &Token, other: &Token| one.word == "first" && SPEAKS.contains(&other.word);
    let first = tokens.windows(2).any(|pair| matches!(pair, [one, two] if speaks(one, two) || speaks(two, one)));
    gives || cue || first
}

#[cfg(test)]
mod tests {
    use crate::rules::number::given::{found, one, repair, repairs};

    #[test]
    fn a_withdrawn_figure_is_wrong_unless_the_draft_says_so() {
        assert_eq!(
            found("The saving is estimated at $640,000 a year."),
            one("number.withdrawn", "$640,000", "$460,000")
        );
        assert_eq!(found("The saving, first given as $640,000, is $460,000 a year."), []);
        assert_eq!(found("A report put the saving at $640,000. It is $460,000 a year."), []);
    }

    #[test]
    fn a_correction_may_affirm_a_figure_for_something_else() {
        let source = "We wrote that the yard would build 45 boats. That was wrong. Forty-five is the number of sailors who will sail \
                      from the yard. The number of boats is 28.";
        assert_eq!(repairs("Forty-five is how many sailors will sail from there.", source), []);
        assert_eq!(repairs("The yard would build 45 boats.", source), repair("45", "28"));
    }
}
