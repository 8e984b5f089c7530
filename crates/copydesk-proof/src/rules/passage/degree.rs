//! More for less: the draft says `more aggressive`, the passage `less aggressively`.

use crate::{reading::grammar::tells_when, rules::prelude::*, words::list::WordGroups};

pub static RULE: Rule = Rule {
    name: "meaning.degree",
    why: "The passage says less where the draft says more, or the other way round.",
    source: "More, less, fewer, most, least, before, after, above and below stand beside the same word.",
    measured: Some(Measured { right: 18, of: 18, on: SUMMARIES }),
    ..Rule::OPPOSITE
};

/// The opposites of words that need a word beside them.
static PAIRS: WordGroups = WordGroups::new(
    "more less\nmore fewer\nmost least\nmost fewest\nhigher lower\nlarger smaller\nbigger smaller\ngreater smaller\nabove below\n\
     before after\nlongest shortest\nhighest lowest\nlargest smallest",
);

/// The word that both describe follows within so many words.
const BEHIND: usize = 3;

fn opposed(one: &str, other: &str) -> bool {
    one != other && PAIRS.beside(one).any(|word| word == other)
}

pub fn faults(sentence: &DraftSentence<'_>) -> Vec<Fault> {
    if !sentence.ledger.looks(&RULE) {
        return Vec::new();
    }
    let alignment = sentence.alignment();
    let passages = alignment.windows.iter().map(|window| {
        let place = |line| SourceLine { line, ..window.place };
        let words = window.lines.clone().flat_map(|line| sentence.archive.tokens(place(line)));
        (window.place, words.filter(|token| !token.aside()).collect::<Vec<_>>())
    });
    let passages: Vec<(SourceLine, Vec<&Token>)> = passages.collect();
    sentence.own().filter_map(|(at, _)| fault(sentence, &passages, at)).collect()
}

/// The fault of a word of degree, if one of the passages has its opposite beside the same word, and none has the word itself.
fn fault(sentence: &DraftSentence<'_>, passages: &[(SourceLine, Vec<&Token>)], at: usize) -> Option<Fault> {
    let (token, described) = (sentence.reading.tokens.get(at)?, described(sentence, at)?);
    let mut found = passages.iter().flat_map(|(place, words)| {
        let beside = words.iter().enumerate().filter(|(there, other)| {
            let before = there.checked_sub(1).and_then(|at| words.get(at));
            let next = words.get(there + 1);
            let timed = || next.is_some_and(|next| begins(other, next)) && first_event(sentence, at, words, other);
            if before.is_some_and(|before| tells_when(before, other)) && !timed() {
                return false;
            }
            let mut behind = words.get(there + 1..).unwrap_or_default().iter().take(BEHIND);
            behind.any(|other| other.stem == described.stem)
        });
        beside.map(|(_, other)| (*place, *other))
    });
    let same = found.clone().any(|(_, other)| other.word == token.word);
    let (place, other) = found.find(|(_, other)| opposed(&token.word, &other.word)).filter(|_| !same)?;
    // "More or fewer boats": the draft speaks of both.
    let also = sentence.own().any(|(here, own)| {
        own.word == other.word && self::described(sentence, here).is_some_and(|word| word.stem == described.stem)
    });
    let note = format!("The source says “{}” here, not “{}”.", other.word, token.word);
    (!also).then(|| sentence.found(&RULE, token.start..token.end, note, Some(place)))
}

/// The word that a word of degree describes.
fn described<'c>(sentence: &DraftSentence<'c>, at: usize) -> Option<&'c Token> {
    let token = sentence.reading.tokens.get(at)?;
    let before = at.checked_sub(1).and_then(|at| sentence.reading.tokens.get(at));
    if PAIRS.beside(&token.word).next().is_none()
        || before.is_some_and(|before| tells_when(before, token))
            && !sentence.reading.tokens.get(at + 1).is_some_and(|next| begins(token, next))
    {
        return None;
    }
    sentence.behind(at).iter().take(BEHIND).find(|token| !token.stop)
}

/// Whether a word begins another event right behind `before` or `after`: `three days before the company closed`.
fn begins(token: &Token, next: &Token) -> bool {
    next.start == token.end + 1
        && (matches!(&*next.word, "the" | "a" | "an" | "his" | "her" | "its" | "their") || next.capital)
}

/// Whether the passage's sentence has a word of the event that the draft's sentence names before `before` or `after`.
fn first_event(sentence: &DraftSentence<'_>, at: usize, passage: &[&Token], there: &Token) -> bool {
    let own = sentence.reading.tokens.get(sentence.range.start..at.saturating_sub(1)).unwrap_or_default();
    own.iter()
        .filter(|token| !token.stop && !token.class.has(Class::NUMBER))
        .any(|token| passage.iter().any(|other| other.line == there.line && other.stem == token.stem))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "There were fewer fires in the harbour last year, but more thefts as compared with 2019.";

    fn found(draft: &str) -> Vec<String> {
        let found = check_texts(draft, SOURCE).into_iter().filter(|found| found.rule == "meaning.degree");
        found.map(|found| found.text).collect()
    }

    #[test]
    fn after_for_before_is_found_between_the_same_events() {
        let source = "The auditor resigned on 9 May, three days before the company published its accounts.";
        let found = |draft: &str| check_texts(draft, source).into_iter().map(|found| found.text).collect::<Vec<_>>();
        assert_eq!(found("The auditor resigned three days after the company published its accounts."), ["after"]);
        assert_eq!(found("The auditor resigned three days before the company published its accounts."), [""; 0]);
        assert_eq!(found("The company published its accounts three days after the auditor resigned."), [""; 0]);
    }

    #[test]
    fn more_for_fewer_is_found_also_if_the_two_change_places() {
        assert_eq!(found("The harbour saw more fires last year."), ["more"]);
        assert_eq!(found("The harbour saw more fires than in 2019, but fewer thefts."), ["more", "fewer"]);
        assert_eq!(found("The harbour saw fewer fires than in 2019, but more thefts."), [""; 0]);
        let source = "Fourteen people died in the harbour. The year before, seven died.";
        assert_eq!(check_texts("Fourteen people died in the harbour, after seven the year before.", source), []);
    }
}
