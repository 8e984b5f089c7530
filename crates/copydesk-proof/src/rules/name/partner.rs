//! A name that the sources join to another one: `Ruud and Berg were paid`, where the passage has "Ruud and Dahl".
//!
//! Why: in a list or a pair, a name is easily replaced by one that stands elsewhere. The passage must have most of the sentence, and no
//! sentence of the sources may have both names of the draft close together.

use crate::{
    reading::opens,
    rules::prelude::*,
    sources::{LineHit, content},
    words::base,
};

pub static RULE: Rule = Rule {
    name: "name.partner",
    kind: SpanKind::Name,
    standing: Standing::Swapped,
    why: "The sources name another one beside this name.",
    source: "Two names that “and” joins are a pair. The sources join one of them to another name.",
    gravity: Gravity::Note,
    ..Rule::USUAL
};

/// The passage has so much of the sentence beside the two names, with the sentences around it.
const THERE: f64 = 0.35;

/// Two names within so many words belong together.
const NEAR: usize = 8;

/// So many sentences of the sources are compared.
const PLACES: usize = 6;

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, item: name, .. } in texts.names() {
        if let Some(fault) = wrong(texts, field, name) {
            ledger.enter(fault);
        }
    }
}

/// The other half of a pair, by the index of its word nearest to "and".
fn halves(field: &DraftField<'_>, name: &Name) -> impl Iterator<Item = (usize, bool)> {
    let tokens = &field.reading.tokens;
    let line = field.reading.line_of(&name.tokens);
    let is = move |at: Option<usize>| {
        at.filter(|at| tokens.get(*at).is_some_and(|token| token.line == line && !token.quoted()))
    };
    let and = move |at: Option<usize>| is(at).filter(|at| tokens.get(*at).is_some_and(|token| token.word == "and"));
    let named =
        move |at: Option<usize>| is(at).filter(|at| tokens.get(*at).is_some_and(|token| token.capital && !token.stop));
    let before = and(name.tokens.start.checked_sub(1)).and_then(|at| named(at.checked_sub(1)));
    let behind = and(Some(name.tokens.end)).and_then(|at| named(Some(at + 1)));
    [before.map(|at| (at, true)), behind.map(|at| (at, false))].into_iter().flatten()
}

fn wrong(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    let (reading, archive) = (&field.reading, &texts.archive);
    let [own] = reading.tokens.get(name.tokens.clone())? else { return None };
    let known = archive.seen(&own.word).is_some_and(|seen| seen.capital && !seen.lower);
    if !known || own.quoted() || opens(reading, name.tokens.start) && own.stop {
        return None;
    }
    halves(field, name).find_map(|(at, first)| {
        let partner = reading.tokens.get(at)?;
        let places = || archive.places_of(base(&partner.word));
        let together = places().any(|place| beside(archive.tokens(place), base(&partner.word), base(&own.word)));
        let pair = |place: &SourceLine| other(archive.tokens(*place), base(&partner.word), first);
        if together || !places().any(|place| pair(&place).is_some()) {
            return None;
        }
        let rest = reading.line_tokens(own.line).iter();
        let rest: Vec<Token> =
            rest.filter(|token| token.start != own.start && token.start != partner.start).cloned().collect();
        let hits = archive.passages(&content(&rest), PLACES);
        let hit = |place: SourceLine| {
            let near = |hit: &&LineHit| hit.place.source == place.source && hit.place.line.abs_diff(place.line) < 2;
            hits.iter().filter(near).map(|hit| hit.cover.max(hit.around)).fold(0.0_f64, f64::max)
        };
        let (place, found) =
            places().filter_map(|place| Some((place, pair(&place)?))).find(|(place, _)| hit(*place) >= THERE)?;
        let source = archive.reading(place)?;
        let right = one_line(source.slice(found.start..found.end));
        Some(
            Fault::new(&RULE, field, name.start..name.end)
                .note(format!("In the source this is {right}."))
                .passage(archive.sentence(place)),
        )
    })
}

/// Whether a sentence has both names close together.
fn beside(tokens: &[Token], one: &str, other: &str) -> bool {
    tokens.windows(NEAR).any(|near| [one, other].iter().all(|word| near.iter().any(|token| base(&token.word) == *word)))
        || tokens.len() < NEAR && [one, other].iter().all(|word| tokens.iter().any(|token| base(&token.word) == *word))
}

/// The name that a sentence joins to another one: the one behind "and" if `first`, else the one before.
fn other<'t>(tokens: &'t [Token], partner: &str, first: bool) -> Option<&'t Token> {
    tokens.windows(3).find_map(|three| {
        let [one, and, two] = three else { return None };
        let (known, other) = if first { (one, two) } else { (two, one) };
        let pair = and.word == "and" && known.capital && other.capital && !other.stop && base(&known.word) == partner;
        pair.then_some(other)
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    const SOURCE: &str = "The harbour paid $900 a month to two pilots. That is Ruud and Dahl, who were paid in cash. Then Berg asked who signed. \
                          Lie and Holt left early.";

    fn found(draft: &str) -> Vec<(String, String, String)> {
        let found = notes(draft, SOURCE).into_iter().filter(|found| found.rule == "name.partner");
        found
            .map(|f| (f.text, f.note.unwrap_or_default(), f.passage.map_or_else(String::new, |passage| passage.text)))
            .collect()
    }

    #[test]
    fn another_half_of_a_pair_is_found() {
        let passage = "That is Ruud and Dahl, who were paid in cash.";
        let one = |text: &str, note: &str| [(text.to_owned(), note.to_owned(), passage.to_owned())];
        assert_eq!(found("Two pilots, Ruud and Berg, were paid in cash."), one("Berg", "In the source this is Dahl."));
        assert_eq!(found("Two pilots, Berg and Dahl, were paid in cash."), one("Berg", "In the source this is Ruud."));
    }

    #[test]
    fn a_pair_of_the_source_or_of_other_words_may_stand() {
        for fine in [
            "Two pilots, Ruud and Dahl, were paid in cash.",
            "Two pilots, Dahl and Ruud, were paid in cash.",
            "Ruud and Berg met in the tavern at noon.",
            "Holt and Lie left early.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
