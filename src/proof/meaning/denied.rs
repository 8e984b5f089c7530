//! The denial that nobody made: the draft says `not` of a thing that no source denies.
//!
//! Why: an inserted `not` is the shortest lie, and every other word of its sentence is true. What a denial denies is the
//! next content word; where a source has that word, a denial must stand near it there, and where none has it, near
//! something else that the sentence speaks of.

use crate::{
    newsroom::{ConcernType, SpanKind, Standing},
    proof::{
        desk::Ledger,
        hedges::denies,
        rules::{Gravity, Measured, Rule, SUMMARIES},
        vicinity::Vicinity,
    },
};

use super::sentence::Sentence;

/// A denial that no source makes.
pub(super) static RULE: Rule = Rule {
    name: "meaning.denied",
    kind: SpanKind::Certainty,
    standing: Standing::Denied,
    concern_type: ConcernType::UnsupportedFact,
    gravity: Gravity::Note,
    why: "No source denies this.",
    source: "A denial, or a word that turns a statement round, stands within eight words of what it denies.",
    measured: Some(Measured { right: 157, of: 160, on: SUMMARIES }),
};

/// How far behind a denial, in words, what it denies can stand.
const BEHIND: usize = 5;

/// How far around it the rest of what it speaks of is looked for.
const AROUND: usize = 4;

/// Enters the denials of a sentence that no source makes.
pub(super) fn check(ledger: &mut Ledger<'_, '_>, sentence: &Sentence<'_, '_>, denials: &Vicinity<'_>) {
    if !ledger.asks(&RULE) {
        return;
    }
    for (at, token) in sentence.own().filter(|(_, token)| denies(token)) {
        let behind = sentence.tokens.get(at + 1..).unwrap_or_default().iter().take(BEHIND);
        let denied = behind.filter(|token| !token.stop && !denies(token)).map(|token| token.stem.as_str()).next();
        let known = denied.filter(|stem| sentence.archive.knows(stem));
        let said = match known {
            Some(stem) => denials.has(stem),
            None => sentence.around(at, AROUND).into_iter().any(|stem| denials.has(stem)),
        };
        if denials.any && said {
            continue;
        }
        let note = known.and(denied).map_or_else(
            || "No source denies anything of this.".to_owned(),
            |_| format!("No source says “{}” of this.", token.word),
        );
        ledger.enter(sentence.found(&RULE, token, note, None));
    }
}

#[cfg(test)]
mod tests {
    use crate::proof::tests::notes;

    const SOURCE: &str = "The agent described home insurance and two plans for drivers. The client did not ask about discounts. The office is closed on Sundays; nobody answers then.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let rows = notes(draft, SOURCE).into_iter().filter(|row| row.rule.starts_with("meaning."));
        rows.map(|row| (row.rule, row.text)).collect()
    }

    #[test]
    fn a_denial_that_no_source_makes_is_noted() {
        let noted = |word: &str| [("meaning.denied".to_owned(), word.to_owned())];
        assert_eq!(found("The agent did not describe the plans for drivers."), noted("not"));
        assert_eq!(found("There is no insurance for homes."), noted("no"));
        assert_eq!(found("No tigers roam the mountains."), noted("No"));
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
