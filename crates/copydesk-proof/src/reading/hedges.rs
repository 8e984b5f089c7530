//! Hedges: words that leave something open, and what else shows how certain a sentence is.

use crate::{
    reading::Token,
    words::{Class, WordList, words},
};

/// Words that leave something open in any text.
static OPEN: WordList = words(include_str!("../../../../assets/words/leaving_open.txt"));

/// Words for a link between things, without a cause.
static ASSOCIATION: WordList = words("associated association correlated correlation correlates linked link");

/// Other words with which a draft itself leaves something open.
static DRAFT: WordList = words(include_str!("../../../../assets/words/leaving_open_in_a_draft.txt"));

/// Verbs that say that one thing does something to another.
static CAUSE: WordList = words(include_str!("../../../../assets/words/causing.txt"));

/// Pairs of words that claim a cause, between bars.
const CAUSE_WITH: &str = "thanks to|because of|due to|led to|leads to|resulted in|results in|brought about";

/// Hedges that belong to a noun if they stand before it: `the estimated cost`, `a proposed law`.
static ADJECTIVES: WordList = words(include_str!("../../../../assets/words/hedging_adjectives.txt"));

fn is(list: &WordList, token: &Token) -> bool {
    list.contains(&token.word)
}

/// The places of the words in a source's sentence that leave something open. `May` with a capital letter is a month,
/// `could not` is a fact of the past, and an adjective before a noun describes only the noun.
pub fn openings(tokens: &[Token]) -> Vec<usize> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let opens = |at: usize, token: &Token| {
        if token.word == "may" {
            return !token.capital;
        }
        let before = at.checked_sub(1).map_or("", word);
        let noun =
            is(&ADJECTIVES, token) && matches!(before, "the" | "a" | "an" | "this" | "its" | "their" | "of" | "at");
        let past = token.word == "could" && matches!(word(at + 1), "not" | "see" | "hear");
        // "As proposed" and "than expected" compare with an earlier statement and leave nothing open.
        let compared = matches!(before, "as" | "than") && is(&ADJECTIVES, token);
        is(&OPEN, token) && !noun && !past && !compared
    };
    tokens.iter().enumerate().filter(|(at, token)| opens(*at, token)).map(|(at, _)| at).collect()
}

/// Whether a hedge is only a manner of speaking: people offer and ask with `I could`, `maybe we`, `could you`, and a person who is
/// `supposed to` do something has to. `We probably lost` is not: it leaves open what it says.
pub fn is_manner(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let speaks = |word: &str| matches!(word.split('\'').next().unwrap_or_default(), "i" | "we" | "you" | "u");
    let helps = |word: &str| {
        matches!(word, "also" | "can" | "do" | "just" | "never" | "only" | "really" | "should" | "think" | "would")
    };
    let subject = (0..at).rev().map(word).find(|word| !helps(word));
    let asks = speaks(word(at + 1));
    match word(at) {
        "supposed" => matches!(word(at + 1), "to" | "2"),
        "guess" if word(at + 1) == "what" => true,
        "maybe" | "may" | "perhaps" => asks,
        "could" | "might" => asks || subject == Some("i"),
        _ => false,
    }
}

/// Words that hedge as verbs, but after an article only name a thing: `the plan`, `a preliminary report`.
static THINGS: WordList = words(include_str!("../../../../assets/words/hedging_nouns.txt"));

/// Whether a sentence of the draft leaves something open.
pub fn softens(tokens: &[Token]) -> bool {
    // "The plan will cut the cost": `will` asserts, whatever the subject is called.
    let promises = tokens.iter().any(|token| matches!(token.word.as_str(), "will" | "won't" | "shall"));
    let thing = |at: usize, token: &Token| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", |token| token.word.as_str());
        let article = matches!(before, "the" | "a" | "an" | "this" | "that" | "its" | "their" | "his" | "her" | "our");
        promises && article && is(&THINGS, token)
    };
    scheduled(tokens)
        || tokens.iter().enumerate().any(|(at, token)| {
            let open = is(&OPEN, token) || is(&ASSOCIATION, token) || is(&DRAFT, token) || token.word == "may";
            open && !thing(at, token)
        })
}

/// Whether a word begins `is to open`, `is due to start` or `are set to close`: a plan for a day that has not come.
fn scheduled(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    (0..tokens.len()).any(|at| {
        let due = matches!(word(at), "due" | "set" | "scheduled" | "slated" | "booked" | "meant" | "poised" | "bound");
        let be = matches!(word(at), "is" | "are" | "was" | "were" | "be");
        // "due to the weather" and "due to flooding" give a reason.
        let next = word(at + 2);
        let noun =
            matches!(next, "" | "the" | "a" | "an" | "its" | "their" | "his" | "her" | "this" | "that" | "which")
                || next.ends_with("ing");
        (due || be) && word(at + 1) == "to" && !(word(at) == "due" && noun)
    })
}

/// The place at which a sentence of the draft promises or settles something: `will`, `explains`, `has found that`.
pub fn settles(tokens: &[Token]) -> Option<usize> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    (0..tokens.len()).find(|&at| match word(at) {
        "explains" => !matches!(word(at + 1), "that" | "how" | "why"),
        "will" | "causes" | "caused" | "proves" | "proved" | "confirms" | "guarantees" => true,
        "found" | "shown" | "proven" | "established" => {
            matches!(word(at + 1), "that" | "it") && at > 0 && matches!(word(at - 1), "has" | "have" | "had")
        }
        _ => false,
    })
}

/// Whether a sentence of the draft claims a cause.
pub fn claims_cause(tokens: &[Token]) -> bool {
    let does = |at: usize, token: &Token| {
        // "reading improved by" claims no cause; "improved reading" does.
        let next = tokens.get(at + 1).map_or("", |token| token.word.as_str());
        is(&CAUSE, token)
            && !matches!(next, "" | "by" | "in" | "from" | "to" | "at" | "for" | "over" | "since" | "and" | "when")
    };
    tokens.iter().enumerate().any(|(at, token)| does(at, token))
        || tokens.windows(2).any(|pair| match pair {
            [one, two] => CAUSE_WITH.split('|').any(|words| words.split_once(' ') == Some((&one.word, &two.word))),
            _ => false,
        })
}

/// Words that only consider what follows.
static CONSIDERING: WordList = words(include_str!("../../../../assets/words/considering.txt"));

/// Whether a word only considers, plans or asks for what follows: who considers adopting a budget has not adopted it.
pub fn considers(token: &Token) -> bool {
    is(&CONSIDERING, token)
}

/// Whether a word denies.
pub fn denies(token: &Token) -> bool {
    token.class.has(Class::DENIES)
}
