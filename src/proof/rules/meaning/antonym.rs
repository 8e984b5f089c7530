//! The opposite word: the draft has one whose antonym its source has there.
//!
//! Why: `hired` for `fired` reads as well as the truth. The rule speaks only where no source has the draft's word, nor one
//! that means the same, so that a source that weighs both sides is left alone.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        ledger::LedgerWriter,
        reading::token::Token,
        rule::{Gravity, Measured, Rule, SUMMARIES},
        rules::meaning::sentence::DraftSentence,
        words::{
            lexicon::{LexiconEntry, entries},
            list::{WordList, words},
        },
    },
    text::inflection::bases,
};

/// The opposite word.
pub static RULE: Rule = Rule {
    name: "meaning.antonym",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Concern,
    why: "The sources use the opposite of this word.",
    source: "WordNet's antonyms, un- and -less; synonyms in any sense count for the draft.",
    measured: Some(Measured { right: 73, of: 76, on: SUMMARIES }),
};

/// The same where the sources say the opposite in other company.
pub static ELSEWHERE: Rule = Rule {
    name: "meaning.antonym_elsewhere",
    gravity: Gravity::Note,
    why: "The sources use the opposite of this word, but about something else.",
    measured: Some(Measured { right: 46, of: 52, on: SUMMARIES }),
    ..RULE
};

/// Opposites that no dictionary of content words lists, and irregular forms.
const PAIRS: &[(&str, &str)] = &[
    ("before", "after"),
    ("with", "without"),
    ("more", "less"),
    ("more", "fewer"),
    ("most", "least"),
    ("always", "never"),
    ("above", "below"),
    ("inside", "outside"),
    ("first", "last"),
    ("former", "latter"),
    ("earlier", "later"),
    ("better", "worse"),
    ("best", "worst"),
    ("maximum", "minimum"),
    ("love", "hate"),
    ("love", "dislike"),
    ("enjoy", "hate"),
    ("like", "hate"),
    ("remember", "forget"),
    ("won", "lost"),
    ("rose", "fell"),
    ("everyone", "nobody"),
    ("everything", "nothing"),
    ("friend", "enemy"),
    ("offense", "defense"),
];

/// [`PAIRS`], from either side.
static OPPOSITES: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut opposites: HashMap<&str, Vec<&str>> = HashMap::new();
    for (one, other) in PAIRS {
        opposites.entry(one).or_default().push(other);
        opposites.entry(other).or_default().push(one);
    }
    opposites
});

/// Words of so many meanings that the opposite of one elsewhere is another's.
static LOOSE: WordList = words(
    "begin beginning big biggest cold day end hot keep keeping little long lose lost miss missed new night old short start",
);

/// Opposites that are the same deed from the other end: what one lends another borrows.
const CONVERSE: &[(&str, &str)] = &[
    ("answer", "ask"),
    ("answer", "question"),
    ("borrow", "lend"),
    ("buy", "sell"),
    ("buyer", "seller"),
    ("give", "take"),
    ("give", "receive"),
    ("learn", "teach"),
    ("husband", "wife"),
];

/// Words around it that the passage must share to speak of the same; more for a function word, which says little itself.
const COMPANY: usize = 2;
const MORE_COMPANY: usize = 3;

/// Enters the words of a sentence whose opposite the sources have.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, sentence: &DraftSentence<'_, '_>) {
    for (at, token) in sentence.own() {
        if sentence.names(token) || token.word.len() < 3 || sentence.archive.seen(&token.word).is_some() {
            continue;
        }
        let opposites = opposites(token, |word| sentence.archive.has(word));
        if opposites.is_empty() {
            continue;
        }
        if sentence.denied(at) || !token.stop && sentence.known(token) {
            continue;
        }
        let Some(there) = sentence.best(at, opposites.iter().map(String::as_str)) else { continue };
        if there.denied || token.stop && there.company < MORE_COMPANY {
            continue;
        }
        let rule = if there.company < COMPANY { &ELSEWHERE } else { &RULE };
        if there.company < COMPANY && LOOSE.contains(&token.word) {
            continue;
        }
        let note = format!("The source says “{}”, not “{}”.", there.word, token.word);
        ledger.enter(sentence.found(rule, token, note, sentence.archive.sentence(there.place)));
    }
}

/// The dictionary's words that mean the opposite of a token's, none of which can mean the same, as far as the sources have them: that
/// is asked first, because they have few.
fn opposites(token: &Token, has: impl Fn(&str) -> bool) -> Vec<String> {
    let own = bases(&token.word);
    let entries = entries(&token.word);
    let mut found: Vec<String> = Vec::new();
    let mut add = |word: &str| {
        if has(word) {
            found.push(word.to_owned());
        }
    };
    for base in &own {
        let paired = OPPOSITES.get(base.as_str()).map(Vec::as_slice).unwrap_or_default();
        for word in paired {
            add(word);
        }
        if token.stop {
            continue;
        }
        for prefix in ["un", "non"] {
            add(&format!("{prefix}{base}"));
            if let Some(rest) = base.strip_prefix(prefix).filter(|rest| rest.len() >= 4) {
                add(rest);
            }
        }
        if let Some(rest) = base.strip_suffix("less") {
            add(&format!("{rest}ful"));
        }
        if let Some(rest) = base.strip_suffix("ful") {
            add(&format!("{rest}less"));
        }
    }
    if !token.stop {
        entries.iter().flat_map(|entry| entry.antonyms()).for_each(add);
    }
    let converse = |word: &String| {
        let pair =
            |one: &str, other: &str| own.iter().any(|own| own == other) && bases(word).iter().any(|base| base == one);
        CONVERSE.iter().any(|(one, other)| pair(one, other) || pair(other, one))
    };
    found.retain(|word| {
        !own.contains(word)
            && !converse(word)
            && !entries.iter().copied().flat_map(LexiconEntry::like).any(|like| like == word)
    });
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::{check_texts, notes};

    const SOURCE: &str = "The council accepted the offer for the old mill. The hall is suitable for concerts. The gate is shut \
                          before the bridge opens on Sunday morning. It was not an easy year. The harbour office lent her a boat.";

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
    fn the_opposite_of_something_else_is_a_note() {
        let source = "The council accepted the offer for the old mill. The hall is suitable for concerts.";
        let rows = notes("They sang an unsuitable song.", source);
        let noted: Vec<(String, String)> = rows.into_iter().map(|row| (row.rule, row.text)).collect();
        assert_eq!(noted, [("meaning.antonym_elsewhere".to_owned(), "unsuitable".to_owned())]);
        // A word of many meanings has many opposites.
        assert_eq!(notes("They sang a new song.", "The council accepted the offer for the old mill."), []);
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
