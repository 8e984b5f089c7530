//! Who did it to whom, turned round: `Moberly sues Tarrant` where Tarrant sues Moberly, and the loser of a match told as its winner.
//!
//! Why: all words of such a sentence are the source's. The rule reads who acts and who is acted upon around one verb, in the active and the
//! passive. It reports the draft only if no sentence of a source has it the draft's way round.

use copydesk_text::inflection::bases;

use crate::{
    reading::{denies, near},
    rules::{name::doer::Deed as Clause, number::order::RULE, prelude::*},
    sources::siblings,
};

/// Verbs for what one does to another. Most are not done by both at once.
static DEEDS: WordList = words(
    "sue pay accuse assault attack arrest hire fire appoint buy acquire sell lend owe beat defeat edge kill shoot stab hit strike invade \
     criticise criticize praise succeed replace warn blame fine award nominate endorse rescue rob defraud bribe threaten harass punch \
     injure push overtake outbid sack suspend dismiss",
);

/// Verbs whose subject wins.
static WINS: WordList = words("beat defeat edge");

/// One verb with who acts and who is acted upon.
struct Deed<'r> {
    verb: String,
    actor: &'r Name,
    object: &'r Name,
}

impl Deed<'_> {
    /// Whether another has the same (true) or the other way round (false).
    fn agrees(&self, actor: &Name, object: &Name) -> Option<bool> {
        match (
            same(self.actor, actor) && same(self.object, object),
            same(self.actor, object) && same(self.object, actor),
        ) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }
}

/// Whether two names have a word in common.
fn same(one: &Name, other: &Name) -> bool {
    one.words.iter().any(|word| other.words.contains(word))
}

/// Enters every deed of a sentence that the sources have the other way round.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize) {
    if !ledger.asks(&RULE) {
        return;
    }
    let texts = ledger.texts;
    for deed in deeds(&field.reading, &field.names, line) {
        let (mut turned, mut agreed) = (None, false);
        for (source, (reading, names)) in texts.archive.readings.iter().zip(&texts.source_names).enumerate() {
            for name in names.iter().filter(|name| same(name, deed.actor)) {
                let there = reading.line_of(&name.tokens);
                let mut told: Vec<Option<bool>> = deeds(reading, names, there)
                    .iter()
                    .filter(|other| other.verb == deed.verb)
                    .map(|other| deed.agrees(other.actor, other.object))
                    .collect();
                if WINS.contains(&deed.verb)
                    && let Some((winner, loser)) = score(reading, names, there, siblings(&field.reading, line))
                {
                    told.push(deed.agrees(winner, loser));
                }
                agreed |= told.contains(&Some(true));
                if told.contains(&Some(false)) {
                    turned.get_or_insert(SourceLine { source, line: there });
                }
            }
        }
        if let Some(place) = turned.filter(|_| !agreed) {
            let span = deed.actor.start.min(deed.object.start)..deed.actor.end.max(deed.object.end);
            ledger.enter(Fault::new(&RULE, field, span).passage(texts.archive.sentence(place)));
        }
    }
}

/// The deeds that a sentence tells between two names. One with a denial tells none.
fn deeds<'r>(reading: &ParsedText<'_>, names: &'r [Name], line: usize) -> Vec<Deed<'r>> {
    let range = reading.lines.get(line).map_or(0..0, |line| line.tokens.clone());
    let own: Vec<&Name> = names.iter().filter(|name| range.contains(&name.tokens.start)).collect();
    if own.len() < 2 || reading.line_tokens(line).iter().any(contests) {
        return Vec::new();
    }
    let called = |word: &str| {
        own.iter().copied().find(|name| {
            let tail = name.tokens.end..(name.tokens.end + 2).min(range.end);
            reading.tokens.get(tail).is_some_and(|tail| tail.iter().any(|token| token.word == word))
        })
    };
    let told = |at: usize| {
        let verb = bases(&reading.tokens.get(at)?.word).into_iter().find(|base| DEEDS.contains(base))?;
        let clause = Clause::of(reading, names, line, at)?;
        Some(Deed { verb, actor: clause.party(false)?, object: clause.party(true)? })
    };
    let mut found: Vec<Deed<'r>> = range.clone().filter_map(told).collect();
    if let (Some(actor), Some(object)) = (called("plaintiff"), called("defendant")) {
        found.push(Deed { verb: "sue".to_owned(), actor, object });
    }
    found.retain(|deed| !same(deed.actor, deed.object));
    found
}

/// Whether a word denies that something was done.
fn contests(token: &Token) -> bool {
    denies(token) || matches!(token.word.as_str(), "denied" | "denies" | "denying")
}

/// The winner and the loser that a line of results gives, if it has the draft's score: `Ridgeview 28, St. Anselm 31`.
fn score<'r>(
    reading: &ParsedText<'_>,
    names: &'r [Name],
    line: usize,
    told: &[Figure],
) -> Option<(&'r Name, &'r Name)> {
    let range = reading.lines.get(line)?.tokens.clone();
    let mut results = names.iter().filter(|name| range.contains(&name.tokens.start)).filter_map(|name| {
        let figure = siblings(reading, line).iter().find(|figure| figure.tokens.start == name.tokens.end)?;
        Some((name, figure.value))
    });
    let (one, other) = (results.next()?, results.next()?);
    let (high, low) = if one.1 > other.1 { (one, other) } else { (other, one) };
    let scored = |figure: &Figure| {
        let (value, partner) = (figure.value, figure.partner.unwrap_or(figure.value));
        near(value.max(partner), high.1) && near(value.min(partner), low.1)
    };
    (results.next().is_none() && high.1 > low.1 && told.iter().any(scored)).then_some((high.0, low.0))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn who_did_it_to_whom_turned_round_is_found() {
        for (source, right, turned) in [
            (
                "Dale Hutton, 31, is accused of assaulting Marcus Eley, 29, outside the inn.",
                "Dale Hutton, 31, is accused of assaulting Marcus Eley, 29.",
                "Marcus Eley, 29, is accused of assaulting Dale Hutton, 31, outside the inn.",
            ),
            (
                "In the register, Corvane Energy reports paying £140,000 to the consultancy Bell Quarrie.",
                "Bell Quarrie was paid £140,000 by Corvane Energy.",
                "The consultancy Bell Quarrie paid Corvane Energy £140,000.",
            ),
            (
                "Complaint: Tarrant Steel LLC, plaintiff, v. Moberly Rail Inc., defendant.",
                "Tarrant Steel is suing Moberly Rail.",
                "Moberly Rail is suing Tarrant Steel.",
            ),
            (
                "Ridgeview 28, St. Anselm 31 (OT). Ridgeview led 21-10 at the half.",
                "St. Anselm beat Ridgeview 31-28.",
                "Ridgeview beat St. Anselm 31-28.",
            ),
        ] {
            let found = |draft: &str| rules_of(draft, source).contains(&"number.order".to_owned());
            assert!(found(turned), "{turned}");
            assert!(!found(right), "{right}");
        }
        let both = "Tarrant Steel sued Moberly Rail in May. In June Moberly Rail sued Tarrant Steel.";
        assert!(!rules_of("Moberly Rail sued Tarrant Steel.", both).contains(&"number.order".to_owned()));
    }
}
