//! The opposite word: the draft has a word, and its source has the antonym in the same place.
//!
//! Why: `hired` for `fired` reads just as well. The rule reports a word only if no source has it or a synonym, so it
//! stays silent if a source discusses both sides.

use crate::{
    reading::grammar::tells_when,
    rules::prelude::*,
    words::{LexiconEntry, entries, list::WordGroups},
};
use copydesk_text::inflection::bases;

pub static RULE: Rule = Rule {
    name: "meaning.antonym",
    why: "The sources use the opposite of this word.",
    source: "WordNet's antonyms, un- and -less. Synonyms in any sense count in favour of the draft.",
    measured: Some(Measured { right: 32, of: 32, on: SUMMARIES }),
    ..Rule::OPPOSITE
};

/// Opposites that no dictionary of content words lists, and irregular forms.
static PAIRS: WordGroups = WordGroups::new(include_str!("../../../../../assets/words/opposites.txt"));

/// Pairs that name one act from both sides: what one lends another borrows.
static CONVERSE: WordGroups = WordGroups::new(include_str!("../../../../../assets/words/converse.txt"));

/// The passage has the same topic if it shares so many words around; a function word needs more, because it says
/// little itself.
const COMPANY: usize = 2;
const MORE_COMPANY: usize = 3;

/// A passage with less of a sentence may say the same in other words, or use its words of something else.
const MOSTLY: f64 = 0.8;

/// The words of a sentence whose opposites the sources have.
pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    sentence.own().filter_map(|(at, token)| fault(sentence, at, token)).collect()
}

fn fault(sentence: &DraftSentence<'_>, at: usize, token: &Token) -> Option<Fault> {
    let (archive, behind) = (sentence.archive, sentence.behind(at));
    // "At most 300" is a bound.
    let bounds = matches!(&*token.word, "most" | "least" | "more" | "less" | "fewer" | "above" | "below")
        && behind.iter().take(2).any(|next| next.class.has(Class::NUMBER));
    // The half of a year may be written H2.
    let period = behind.first().is_some_and(|next| matches!(next.word.as_str(), "half" | "quarter"));
    if bounds || period || sentence.names(token) || token.word.len() < 3 || archive.seen(&token.word).is_some() {
        return None;
    }
    let mut opposites = opposites(token, |word| archive.has(word));
    // "Lost ground" says nothing against "figures from the counter": a dictionary gives the opposites of one sense of a noun.
    if sentence.reading.grammar(sentence.line).tag(at).is_noun() {
        opposites.retain(|word| bases(&token.word).iter().any(|base| PAIRS.beside(base).any(|pair| pair == word)));
    }
    let told = || sentence.ledger.carried(sentence.field, &(at..at + 1)) >= MOSTLY;
    if opposites.is_empty() || sentence.denied(at) || !token.stop && sentence.known(token) || !told() {
        return None;
    }
    let there = sentence.best(at, opposites.iter().map(String::as_str))?;
    let least = if token.stop { MORE_COMPANY } else { COMPANY };
    let when = |pair: &[Token]| matches!(pair, [earlier, word] if word.word == there.word && tells_when(earlier, word));
    if there.denied
        || there.company < least
        || archive.tokens(there.place).windows(2).any(when)
        || sentence.before(at, 1).iter().any(|earlier| tells_when(earlier, token))
    {
        return None;
    }
    let note = format!("The source says “{}”, not “{}”.", there.word, token.word);
    Some(sentence.found(&RULE, token.start..token.end, note, Some(there.place)))
}

/// The opposites of a word that the sources have and that cannot also mean the same. The sources are asked first,
/// because they have few.
pub fn opposites(token: &Token, has: impl Fn(&str) -> bool) -> Vec<String> {
    let own = bases(&token.word);
    let entries = entries(&token.word);
    let mut found: Vec<String> = own.iter().flat_map(|base| PAIRS.beside(base)).map(str::to_owned).collect();
    if !token.stop {
        for base in &own {
            for prefix in ["un", "non"] {
                found.push(format!("{prefix}{base}"));
                found.extend(base.strip_prefix(prefix).filter(|rest| rest.len() >= 4).map(str::to_owned));
            }
            found.extend(base.strip_suffix("less").map(|rest| format!("{rest}ful")));
            found.extend(base.strip_suffix("ful").map(|rest| format!("{rest}less")));
        }
        found.extend(entries.iter().flat_map(|entry| entry.antonyms()).map(str::to_owned));
    }
    let converse = |word: &String| {
        let others: Vec<&str> =
            own.iter().flat_map(|base| CONVERSE.beside(base).filter(move |word| word != base)).collect();
        bases(word).iter().any(|base| others.contains(&base.as_str()))
    };
    found.retain(|word| {
        has(word)
            && !own.contains(word)
            && !converse(word)
            && !entries.iter().copied().flat_map(LexiconEntry::like).any(|like| like == word)
    });
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "The council accepted the offer for the old mill. The hall is suitable for concerts. The gate is shut \
                          before the bridge opens on Sunday morning. It was not an easy year. The harbour office lent her a boat. \
                          The mill gave its figures to the concert hall.";

    fn found(draft: &str) -> Vec<(String, String, Option<String>)> {
        let said = check_texts(draft, SOURCE).into_iter().filter(|finding| finding.rule.starts_with("meaning."));
        said.map(|finding| (finding.rule, finding.text, finding.passage.map(|span| span.text))).collect()
    }

    #[test]
    fn the_opposite_of_what_the_source_says_is_found_with_its_sentence() {
        let rule = || "meaning.antonym".to_owned();
        let says = |text: &str| Some(text.to_owned());
        assert_eq!(
            found("The council rejected the offer for the old mill."),
            [(rule(), "rejected".to_owned(), says("The council accepted the offer for the old mill."))]
        );
        assert_eq!(
            found("The hall is unsuitable for concerts."),
            [(rule(), "unsuitable".to_owned(), says("The hall is suitable for concerts."))]
        );
        assert_eq!(
            found("The gate is shut after the bridge opens on Sunday morning."),
            [(rule(), "after".to_owned(), says("The gate is shut before the bridge opens on Sunday morning."))]
        );
    }

    #[test]
    fn the_same_in_other_words_is_not_found() {
        for draft in [
            "The council took the offer for the old mill.",
            "The hall is fit for concerts.",
            // Denied in the source: the opposite of it is the same.
            "It was a difficult year.",
            "The hall is not unsuitable for concerts.",
            // In other company: for those who ask for every doubt.
            "Nobody wanted an unsuitable song.",
            "The mill lost its concert hall and much ground.",
            // A function word in other company is another sentence's.
            "After that, nothing was left.",
            "“They rejected the offer,” he said.",
            // The same deed from the other end.
            "She borrowed the boat from the harbour office.",
        ] {
            assert_eq!(found(draft), [], "{draft}");
        }
    }
}
