//! The added denial: the draft says `not` about something that no source denies.
//!
//! Why: an added `not` makes a sentence false though all its other words are true. A denial denies the next content
//! word. If a source has that word, it must also have a denial near it; if none has it, near something else in the
//! sentence.

use crate::{
    binding::Alignment,
    reading::denies,
    rules::{
        meaning::{antonym::opposites, sentence::DraftSentence},
        prelude::*,
    },
    sources::Vicinity,
    words::Class,
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
pub fn plainly(archive: &SourceArchive<'_>, alignment: &Alignment) -> bool {
    let Some(first) = alignment.windows.first().filter(|window| window.share >= FROM) else { return false };
    let lines = first.lines.clone().map(|line| SourceLine { line, ..first.place });
    !lines.flat_map(|place| archive.tokens(place)).any(|token| token.class.has(Class::TURNS))
}

/// The denials of a sentence that no source makes. `plainly` says whether its own passage denies nothing at all.
pub fn faults(sentence: &DraftSentence<'_, '_>, denials: &Vicinity<'_>, plainly: &dyn Fn() -> bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (at, token) in sentence.own().filter(|(_, token)| denies(token)) {
        let behind = sentence.tokens.get(at + 1..).unwrap_or_default().iter().take(BEHIND);
        let before = sentence.tokens.get(at.saturating_sub(SHARE)..at).unwrap_or_default();
        let share = before.iter().any(|token| sentence.is_percentage(token));
        if manner(sentence.tokens, at) || share {
            continue;
        }
        let denied = behind.filter(|token| !token.stop && !denies(token)).map(|token| token.stem.as_str()).next();
        let known = denied.filter(|stem| sentence.archive.knows(stem));
        let said = match known {
            Some(stem) => denials.has(stem),
            None => sentence.around(at, AROUND).into_iter().any(|stem| denials.has(stem)),
        };
        if denials.any && said || sentence.tokens.get(at + 1..).is_some_and(|behind| opposed(sentence, behind)) {
            continue;
        }
        let verb = token.word.ends_with("n't") || matches!(token.word.as_str(), "not" | "never" | "cannot");
        let rule = if verb && known.is_some() && plainly() { &RULE } else { &NOTHING };
        let note = known.and(denied).map_or_else(
            || "No source denies anything about this.".to_owned(),
            |_| format!("No source says “{}” about this.", token.word),
        );
        faults.push(sentence.found(rule, token, note, None));
    }
    faults
}

/// Whether a source has the opposite of the denied word: `not awake` is `asleep`.
fn opposed(sentence: &DraftSentence<'_, '_>, behind: &[Token]) -> bool {
    let denied = behind.iter().take(BEHIND).find(|token| !token.stop && !denies(token));
    denied.is_some_and(|token| !opposites(token, |word| sentence.archive.has(word)).is_empty())
}

/// Verbs of thinking, knowing and wanting: a silence, an excuse or a question can imply that a person does not.
static MIND: WordList =
    words("believe believes care know knows mind sure think thinks understand understands want wants");

/// Whether a denial needs none in a source: it denies nothing (`whether or not`, `not only`, `if it is not`), asks a person not to do
/// something, or describes a state of mind.
fn manner(tokens: &[Token], at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let somebody =
        |token: &Token| token.capital || matches!(token.word.as_str(), "him" | "her" | "them" | "us" | "me" | "you");
    let behind = tokens.get(at + 1..).unwrap_or_default();
    let asks = word(at + 1) == "to" && before.is_some_and(somebody);
    let condition =
        tokens.get(at.saturating_sub(CONDITION)..at).unwrap_or_default().iter().any(|token| token.word == "if");
    let first = behind.iter().take(BEHIND).find(|token| !token.stop);
    // "Orange, not red" denies what nobody said.
    let contrasts = before.zip(tokens.get(at)).is_some_and(|(one, not)| not.word == "not" && not.start == one.end + 2);
    asks || condition
        || contrasts
        || matches!(word(at + 1), "only" | "least" | "so")
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
