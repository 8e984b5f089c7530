//! Compares a model's quotations in its evidence with the texts that it was given, and marks words that none of them has. The verdict stays
//! as it was given, an editor sees what it rests on, and no other story is given it.

use copydesk_newsroom::{Journal, OpenedCitation, Verdict};
use copydesk_text::{
    marks::quotations,
    words::{fold, words},
};

/// Fewer words than this are a term, not evidence.
pub(super) const FEWEST: usize = 3;

/// Longer sources are searched word for word alone, in bytes.
const LENIENT: usize = 1_000_000;

/// The mark behind evidence with words that no text given to the model has.
pub const NOT_FOUND: &str = " [Not found: no source has these words.]";

/// The evidence of a verdict on a concern, with [`NOT_FOUND`] behind it if it quotes words that no text given has.
pub fn checked(journal: &Journal, round: u32, concern: u32, evidence: String) -> String {
    let quoted = quotations(&evidence);
    let quoted = quoted.iter().filter_map(|quoted| evidence.get(quoted.start..quoted.end));
    let missing =
        quoted.filter(|quoted| words(quoted).len() >= FEWEST).any(|quoted| !stands(journal, round, concern, quoted));
    if missing { evidence + NOT_FOUND } else { evidence }
}

/// Whether a verdict rests on words that no text given to its model has.
pub fn is_missing(verdict: &Verdict) -> bool {
    verdict.evidence.as_ref().is_some_and(|evidence| evidence.ends_with(NOT_FOUND))
}

fn stands(journal: &Journal, round: u32, concern: u32, quoted: &str) -> bool {
    let mut texts: Vec<&str> = journal.texts().map(|(_, text)| text).collect();
    if let Some(look_up) = journal.look_up(round, concern) {
        texts.extend(look_up.passages.iter().map(|passage| passage.text.as_str()));
    }
    texts.extend(journal.evidence(round, concern).map(|found| found.response.as_str()));
    let pages = journal.opened(round, concern).unwrap_or_default().iter().filter_map(OpenedCitation::page);
    texts.extend(pages.filter_map(|page| page.passage.as_ref()).map(|passage| passage.text.as_str()));
    texts.extend(journal.checked_pages(round, concern).into_iter().map(|page| page.text.as_str()));
    let wanted = plain(quoted);
    texts.iter().any(|text| text.contains(quoted))
        || texts.iter().filter(|text| text.len() <= LENIENT).any(|text| plain(text).contains(&wanted))
}

/// The words alone, between spaces.
pub(super) fn plain(text: &str) -> String {
    let words: Vec<String> = words(text).into_iter().map(|word| fold(word.text)).collect();
    format!(" {} ", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, look_up, opening, verdict};
    use copydesk_newsroom::{LookUp, Outcome, Passage, Specialist, Status, Step};

    #[test]
    fn quoted_words_stand_in_a_text_that_was_given_or_are_marked() {
        let mut opening = opening();
        opening.topic.source_text = "The council voted seven to two, the minutes say.".into();
        let mut journal = Journal::new(opening);
        add_round(&mut journal, 1, &[Specialist::FactCheck]);
        let Outcome::LookUp(empty) = look_up(None) else { unreachable!() };
        let passage = Passage { text: "Herons nest from February to July.".into(), ..Passage::default() };
        let found = LookUp { passages: vec![passage], ..empty };
        add(&mut journal, Step::LookUp { round: 1, concern: 1 }, Outcome::LookUp(found));
        let checked = |evidence: &str| checked(&journal, 1, 1, evidence.to_owned());
        for stands in [
            "The minutes: “voted seven to two”.",
            "“The Council voted, seven to two”",
            "“herons nest from February” and “voted seven to two”",
            "It is so, in other words.",
            "The word “nobody here”.",
        ] {
            assert_eq!(checked(stands), stands);
        }
        for invented in ["“voted nine to two”", "“voted seven to two”, “and everybody cheered loudly”"] {
            assert_eq!(checked(invented), format!("{invented}{NOT_FOUND}"));
        }
        let kept = |evidence: &str| Verdict { evidence: Some(checked(evidence)), ..verdict(1, Status::Keep, None) };
        assert!(is_missing(&kept("“voted nine to two”")) && !is_missing(&kept("“voted seven to two”")));
        assert!(!is_missing(&verdict(1, Status::Keep, None)));
    }
}
