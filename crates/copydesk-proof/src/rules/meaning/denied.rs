//! The added denial: the draft says `not` about something that no source denies.
//!
//! Why: an added `not` makes a sentence false though all its other words are true. A denial denies the next content
//! word. If a source has that word, it must also have a denial near it; if none has it, near something else in the
//! sentence.

use crate::{
    rules::{meaning::antonym::opposites, prelude::*},
    sources::Vicinity,
};

pub static RULE: Rule = Rule {
    name: "meaning.denied",
    why: "No source denies this.",
    source: "A denial, or a word that reverses a statement, stands within eight words of what it denies.",
    measured: Some(Measured { right: 11, of: 11, on: SUMMARIES }),
    ..Rule::OPPOSITE
};

/// The same for `no`, `none`, `without` and the like, which a reporter also uses to sum up, and for what no source names.
pub static NOTHING: Rule = Rule {
    name: "meaning.nothing",
    gravity: Gravity::Note,
    measured: Some(Measured { right: 52, of: 52, on: SUMMARIES }),
    ..RULE
};

/// The denied words are at most so many words after the denial.
const BEHIND: usize = 5;

/// An `if` stands at most so many words before a denial.
const CONDITION: usize = 3;

/// A percentage before a denial, at most so many words away, tells of those who did not. Its own rules judge it.
const SHARE: usize = 8;

/// The rest of the topic is looked for within so many words.
const AROUND: usize = 4;

/// The passage has so much of the sentence, at least, if it is to say whether something is denied.
const FROM: f64 = 0.7;

/// Whether the sentence has a passage, and nothing in it denies or reverses anything.
fn plainly(sentence: &DraftSentence<'_>) -> bool {
    let alignment = sentence.alignment();
    let Some(first) = alignment.windows.first().filter(|window| window.share >= FROM) else { return false };
    let lines = first.lines.clone().map(|line| SourceLine { line, ..first.place });
    !lines.flat_map(|place| sentence.archive.tokens(place)).any(|token| token.class.has(Class::TURNS))
}

/// The denials of a sentence that no source makes.
pub fn faults(sentence: &DraftSentence<'_>, denials: &Vicinity<'_>) -> Vec<Fault> {
    let denying = sentence.own().filter(|(_, token)| denies(token));
    denying.filter_map(|(at, token)| fault(sentence, denials, at, token)).collect()
}

fn fault(sentence: &DraftSentence<'_>, denials: &Vicinity<'_>, at: usize, token: &Token) -> Option<Fault> {
    let percent = |token: &Token| {
        let figures = sentence.reading.figures_between(token.start, token.end);
        figures.iter().any(|figure| figure.kind == FigureKind::Percent)
    };
    if manner(sentence, at) || sentence.before(at, SHARE).iter().any(percent) {
        return None;
    }
    let denied = sentence.behind(at).iter().take(BEHIND).find(|token| !token.stop && !denies(token));
    let known = denied.filter(|token| sentence.archive.knows(&token.stem));
    let said = match known {
        Some(token) => denials.has(&token.stem),
        None => sentence.around(at, AROUND).into_iter().any(|stem| denials.has(stem)),
    };
    // "Not awake" is "asleep".
    let opposed = || denied.is_some_and(|token| !opposites(token, |word| sentence.archive.has(word)).is_empty());
    if denials.any && said || opposed() {
        return None;
    }
    let verb = token.word.ends_with("n't") || matches!(token.word.as_str(), "not" | "never" | "cannot");
    let rule = if verb && known.is_some() && plainly(sentence) { &RULE } else { &NOTHING };
    let note = if known.is_some() {
        format!("No source says “{}” about this.", token.word)
    } else {
        "No source denies anything about this.".to_owned()
    };
    Some(sentence.found(rule, token.start..token.end, note, None))
}

/// Verbs of thinking, knowing and wanting: a silence, an excuse or a question can imply that a person does not.
static MIND: WordList =
    words("believe believes care know knows mind sure think thinks understand understands want wants");

/// Whether a denial needs none in a source: it denies nothing (`whether or not`, `not only`, `if it is not`), asks a person not to do
/// something, or describes a state of mind.
fn manner(sentence: &DraftSentence<'_>, at: usize) -> bool {
    let (condition, behind) = (sentence.before(at, CONDITION), sentence.behind(at));
    let (before, next) = (condition.last(), behind.first().map_or("", |token| token.word.as_str()));
    let somebody =
        |token: &Token| token.capital || matches!(token.word.as_str(), "him" | "her" | "them" | "us" | "me" | "you");
    let asks = next == "to" && before.is_some_and(somebody);
    let first = behind.iter().take(BEHIND).find(|token| !token.stop);
    // "Orange, not red" denies what nobody said.
    let own = sentence.reading.tokens.get(at);
    let contrasts = before.zip(own).is_some_and(|(one, not)| not.word == "not" && not.start == one.end + 2);
    asks || condition.iter().any(|token| token.word == "if")
        || contrasts
        || matches!(next, "only" | "least" | "so")
        || behind.iter().all(|token| token.stop)
        || first.is_some_and(|token| MIND.contains(&token.word))
}

#[cfg(test)]
mod tests {
    use crate::{check::ledger, rule::Gravity, testing::texts};
    use copydesk_newsroom::LedgerRow;

    const SOURCE: &str = "The agent described home insurance and two plans for drivers. The client did not ask about discounts. The office is closed on Sundays; nobody answers then. The drivers are late, sorry, they come tomorrow.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let (article, sources) = texts(draft, SOURCE);
        let rows = ledger(&article, &sources, Gravity::Note).rows.into_iter();
        let rows = rows.filter(|row| LedgerRow::is_finding(row) && row.rule.starts_with("meaning."));
        rows.map(|row| (row.rule, row.text)).collect()
    }

    #[test]
    fn a_denial_that_no_source_makes_is_noted() {
        let noted = |rule: &str, word: &str| [(rule.to_owned(), word.to_owned())];
        assert_eq!(found("The agent did not describe the plans for drivers."), noted("meaning.nothing", "not"));
        let plain = "The clerk waved.\n\nTwo vans with red doors stood in the yard, and nobody was there.";
        let (article, sources) = texts("The clerk did not wave.", plain);
        let rules: Vec<String> =
            ledger(&article, &sources, Gravity::Concern).findings().map(|row| row.rule.clone()).collect();
        assert_eq!(rules, ["meaning.denied"]);
        assert_eq!(found("There is no insurance for homes."), noted("meaning.nothing", "no"));
        assert_eq!(found("No tigers roam the mountains."), noted("meaning.nothing", "No"));
    }

    #[test]
    fn what_needs_no_denial_in_a_source_is_not_noted() {
        for draft in [
            "The agent does not know the plans for drivers.",
            "The agent described plans, not insurance, for drivers.",
            "The agent described not only the plans for drivers.",
            "Last but not least, the agent described the plans for drivers.",
            "The agent asked her not to compare the plans.",
            "The agent asked whether it was home insurance or not.",
            "They will drive if insurance is not described.",
            // The opposite word says the same.
            "The office is not open.",
            "The drivers cannot come.",
        ] {
            assert_eq!(found(draft), [], "{draft}");
        }
    }

    #[test]
    fn a_denial_that_a_source_makes_in_its_own_words_is_not() {
        for draft in
            ["The client never asked about discounts.", "On Sundays no calls are taken.", "Discounts were not raised."]
        {
            assert_eq!(found(draft), [], "{draft}");
        }
    }
}
