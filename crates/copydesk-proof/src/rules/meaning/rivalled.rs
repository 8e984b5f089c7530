//! The rival word: the sources have the draft's word and its opposite, and the opposite stands with the words that the draft has.
//!
//! Why: a long source may also say `reverse` of something else. The words around it tell which of them was meant.

use std::cell::LazyCell;

use crate::{
    rules::{
        meaning::{antonym::opposites, sentence::SourceWord, sides::sides},
        prelude::*,
    },
    sources::siblings,
};
use copydesk_text::inflection::bases;

pub static RULE: Rule = Rule {
    name: "meaning.rivalled",
    why: "The source has the opposite of this word with these words.",
    source: "WordNet's antonyms and lists of opposites compete with the word itself for the words around.",
    measured: Some(Measured { right: 57, of: 58, on: SUMMARIES }),
    ..Rule::OPPOSITE
};

/// The opposite has so many of the words around, at least.
const COMPANY: usize = 3;

/// And so many more than the word itself: an antonym, or a word that only speaks for the other side.
const MORE: usize = 1;
const MUCH_MORE: usize = 2;

/// Words for an amount: a few are several, too.
static AMOUNTS: WordList = words(
    "many several various numerous multiple variety range diverse lots plenty few single limited lone sole small little lack some",
);

/// Words that stand beside their opposites everywhere: the first and the last of a list, old and new, open and closed.
static LOOSE: WordList = words(
    "first last second next early earlier late later new old open opens opened opening close closes closed closing start starts begin \
     begins end ends day night big little long short high low hot cold",
);

/// The words of a sentence whose opposites stand where the sentence comes from.
pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    // A headline is too short to say which of the two it means.
    let looks = sentence.ledger.looks(&RULE) && sentence.field.is_body();
    sentence.own().filter(|_| looks).filter_map(|(at, token)| fault(sentence, at, token)).collect()
}

fn fault(sentence: &DraftSentence<'_>, at: usize, token: &Token) -> Option<Fault> {
    let loose = token.stop || LOOSE.contains(&token.word);
    if sentence.names(token) || loose || token.word.len() < 3 || sentence.denied(at) {
        return None;
    }
    let antonyms = opposites(token, |word| sentence.archive.has(word));
    // "Rising" where the source has "increased" beside "decline".
    let (mut own, mut others) = sides(sentence.archive, &token.word);
    others.retain(|_| !AMOUNTS.contains(&token.word));
    if antonyms.is_empty() && others.is_empty() {
        return None;
    }
    own.extend(sentence.alike(token));
    // Few words have a rival in company that they could have themselves.
    let here =
        LazyCell::new(|| sentence.best_in_stretch(at, own.iter().map(String::as_str)).map_or(0, |here| here.company));
    // Both words in one sentence: the draft tells of both.
    let also = |word: &String| sentence.own().any(|(_, other)| bases(&other.word).contains(word));
    let rival = [(antonyms, MORE), (others, MUCH_MORE)].into_iter().find_map(|(words, more)| {
        let words: Vec<&String> = words.iter().filter(|word| !own.contains(word) && !also(word)).collect();
        let there = sentence.best_in_stretch(at, words.into_iter().map(String::as_str))?;
        (!there.denied && there.company >= COMPANY && there.company >= *here + more).then_some(there)
    });
    let there = rival.filter(|there| !both_sides(sentence.archive, there, &own))?;
    let note = format!("The source says “{}” here, not “{}”.", there.word, token.word);
    Some(sentence.found(&RULE, token.start..token.end, note, Some(there.place)))
}

/// Words of a vote or a poll.
static POLLS: WordList = words("vote votes voted voting ballot poll polled survey surveyed respondents");

/// Whether a passage gives both sides of a vote or a poll: `70 per cent to accept, 30 per cent to reject`, or the outvoted in brackets
/// behind a motion: `Carried (Ruiz opposed)`.
fn both_sides(archive: &SourceArchive<'_>, there: &SourceWord, own: &[String]) -> bool {
    let tokens = archive.tokens(there.place);
    let Some(reading) = archive.reading(there.place).filter(|_| tokens.iter().any(|token| POLLS.contains(&token.word)))
    else {
        return false;
    };
    let has = |token: &Token| bases(&token.word).iter().any(|base| own.contains(base));
    let shares = siblings(reading, there.place.line).iter().filter(|figure| figure.partner.is_none()).count();
    let line = reading.line_text(there.place.line);
    let bracket = line
        .split('(')
        .skip(1)
        .filter_map(|part| part.split(')').next())
        .any(|part| part.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case(&there.word)));
    let beside = archive.window(there.place, 1).flat_map(|line| archive.tokens(SourceLine { line, ..there.place }));
    tokens.iter().any(has) && shares > 1 || bracket && beside.into_iter().any(has)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "The harbour court would affirm the second judgment of the fishery board. Later the captain had to reverse the old \
                          ferry out of the dock in the fog.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "meaning.rivalled");
        found.map(|found| (found.text, found.note)).collect()
    }

    #[test]
    fn the_opposite_that_has_the_company_is_found() {
        let note = "The source says “affirm” here, not “reverse”.";
        assert_eq!(
            found("The harbour court would reverse the second judgment of the fishery board."),
            [("reverse".to_owned(), note.to_owned())]
        );
    }

    #[test]
    fn who_voted_against_is_no_rival_of_the_result() {
        for (draft, source) in [
            (
                "Seven in ten staff who voted accepted the pay offer.",
                "In the staff ballot 70 per cent voted to accept the pay offer and 30 per cent voted to reject it.",
            ),
            (
                "The planning board voted 3-1 on Tuesday to approve 24 apartments in the old creamery.",
                "Motion to approve 24 apartments in the old creamery. Vote of the planning board on Tuesday: 3-1 (Berg opposed).",
            ),
        ] {
            assert_eq!(check_texts(draft, source), [], "{draft}");
        }
    }

    #[test]
    fn another_word_for_the_same_side_may_stand() {
        let source = "As cover of the vaccine increased in the harbour towns, we saw visits to the old clinic decline.";
        let draft = "With cover of the vaccine rising in the harbour towns, fewer came to the old clinic.";
        assert!(check_texts(draft, source).iter().all(|found| found.rule != "meaning.rivalled"));
    }

    #[test]
    fn the_word_that_has_the_company_may_stand() {
        for fine in [
            "The harbour court would affirm the second judgment of the fishery board.",
            "The captain had to reverse the old ferry out of the dock.",
            "The harbour court would not reverse the second judgment of the fishery board.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
