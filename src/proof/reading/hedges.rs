//! Words that leave a thing open.

use crate::proof::{
    reading::token::Token,
    words::{
        class::Class,
        list::{WordList, words},
    },
};

/// Words that leave open whether a thing is so, in any text.
static OPEN: WordList = words(
    "might could perhaps maybe possibly probably likely unlikely expected expects expect expecting estimated \
     estimate estimates preliminary believed suggests suggest suggested appears appear appeared seems seem \
     seemed alleged allegedly reportedly rumored guess potential potentially projected projection forecast \
     predicts predicted proposed tentative tentatively presumably apparently suspected unconfirmed unverified \
     planned hopes hope hoped intends intend intended aims provisional exploratory assume assumes assumed \
     unclear uncertain guesses supposed believe believes doubt doubts",
);

/// Words that speak of things that go together, and claim no cause.
static ASSOCIATION: WordList = words("associated association correlated correlation correlates linked link");

/// Words with which a draft of its own leaves a thing open, beyond those above.
static DRAFT: WordList = words(
    "would should can cannot can't plans plan planning proposes propose proposal wants whether if unless \
     think thinks thought feared fears warned warns risk risks question asked asks unknown aim seeks \
     considering considers weighs up depend depends suspects guessed called calls target goal ought chance \
     indicates indicate indicated tied put puts draft pending subject",
);

/// Verbs by which one thing does something to another.
static CAUSE: WordList = words(
    "caused causes raised raises boosted boosts boost improved improves improve reduced reduces lowered \
     lowers lifted lifts prevented prevents prevent triggered triggers helped",
);

/// First words of two that claim a cause: `thanks to`, `because of`, `led to`.
const CAUSE_WITH: &[(&str, &str)] = &[
    ("thanks", "to"),
    ("because", "of"),
    ("due", "to"),
    ("led", "to"),
    ("leads", "to"),
    ("resulted", "in"),
    ("results", "in"),
    ("brought", "about"),
];

/// Hedges that before a noun are no more than a word of it: `the estimated cost`, `a proposed law`.
static ADJECTIVES: WordList = words(
    "estimated expected proposed planned projected potential suspected alleged likely intended supposed \
     provisional",
);

fn is(list: &WordList, token: &Token) -> bool {
    list.contains(&token.word)
}

/// The words of a source's sentence that leave a thing open, by their place. `May` with a capital letter is a month, `could
/// not` is a fact of the past, and an adjective's hedge is its noun's affair.
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
        // "As proposed", "than expected" compare with what was said before and leave nothing open.
        let compared = matches!(before, "as" | "than") && is(&ADJECTIVES, token);
        is(&OPEN, token) && !noun && !past && !compared
    };
    tokens.iter().enumerate().filter(|(at, token)| opens(*at, token)).map(|(at, _)| at).collect()
}

/// Whether a word that leaves a thing open is but a manner of speaking: people offer and ask in `I could`, `maybe we`, `could
/// you`, and who is `supposed to` do a thing shall do it. `We probably lost` is none: it leaves open what it says.
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

/// Whether a sentence of a source claims no more than that things go together, or says that no cause can be told.
pub fn associates(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| is(&ASSOCIATION, token) && !token.capital)
        || tokens.iter().any(|token| matches!(token.word.as_str(), "cause" | "causal" | "causation"))
            && tokens.iter().any(denies)
}

/// Words that are a hedge as verbs and a mere name of a thing behind an article: `the plan`, `a preliminary report`.
static THINGS: WordList = words(
    "plan plans planned planning proposal proposals proposed preliminary estimate estimates estimated projection \
     forecast goal target aim draft risk risks call calls question guess hope hopes chance link provisional \
     expected projected potential",
);

/// Whether a sentence of the draft leaves its matter open.
pub fn softens(tokens: &[Token]) -> bool {
    // "The plan will cut the cost": what will be is no plan, whatever its subject is called.
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

/// `is to open`, `is due to start`, `are set to close`: what is laid down for a day that has not come.
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

/// Whether a sentence of a source says that the one before it is not known, promised or tested.
pub fn disclaims(tokens: &[Token]) -> bool {
    let says = tokens.iter().any(|token| {
        matches!(
            token.word.as_str(),
            "promise"
                | "guarantee"
                | "swear"
                | "tested"
                | "measured"
                | "measurements"
                | "proof"
                | "evidence"
                | "verified"
                | "confirmed"
                | "certain"
                | "sure"
                | "prove"
                | "confirm"
                | "know"
                | "compared"
        )
    });
    says && tokens.iter().any(denies)
}

/// Where a sentence of the draft promises or settles a thing: `will`, `explains`, `has found that`.
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
        // "reading improved by" claims none; "improved reading" does.
        let next = tokens.get(at + 1).map_or("", |token| token.word.as_str());
        is(&CAUSE, token)
            && !matches!(next, "" | "by" | "in" | "from" | "to" | "at" | "for" | "over" | "since" | "and" | "when")
    };
    tokens.iter().enumerate().any(|(at, token)| does(at, token))
        || tokens.windows(2).any(|pair| match pair {
            [one, two] => CAUSE_WITH.contains(&(one.word.as_str(), two.word.as_str())),
            _ => false,
        })
}

/// Whether a word denies.
pub fn denies(token: &Token) -> bool {
    token.class.has(Class::DENIES)
}
