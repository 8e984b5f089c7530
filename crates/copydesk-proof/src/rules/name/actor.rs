//! A name whose deed is another's in the sources: `Berg owns the pump`, where the passage has "Dahl owns the pump".
//!
//! Why: a sentence can have every word of its source but the one who acts. The passage must have the verb and all that stands behind it, with
//! another name right before the verb; and nothing near it may name the draft's.

use crate::{
    binding::preposition,
    rules::prelude::*,
    sources::{abbreviations, content},
    words::{Class, base, entries},
};
use copydesk_text::tagger::Tag;

pub static RULE: Rule = Rule {
    name: "name.actor",
    kind: SpanKind::Name,
    standing: Standing::Swapped,
    why: "The sources give this deed to another name.",
    source: "The name right before a verb is the one who acts. The source has the same verb and the same words behind it, with another name.",
    gravity: Gravity::Note,
    ..Rule::USUAL
};

/// The verb stands within so many words of the name.
const NEAR: usize = 5;

/// So many words behind the verb are compared.
const BEHIND: usize = 6;

/// The deed has at least so many content words.
const WORDS: usize = 2;

/// So many sentences of the sources are compared.
const PLACES: usize = 8;

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, item: name, .. } in texts.names() {
        if ledger.taken(field, name.start, name.end) {
            continue;
        }
        if let Some(fault) = wrong(texts, field, name) {
            ledger.enter(fault);
        }
    }
}

/// The verb whose subject is a name: behind it at once, or behind an aside between commas.
fn verb(reading: &ParsedText<'_>, name: &Name) -> Option<usize> {
    let line = reading.line_of(&name.tokens);
    let token = |at: usize| reading.tokens.get(at).filter(|token| token.line == line && !token.quoted());
    let grammar = reading.grammar(line);
    let finite = |at: usize| matches!(grammar.tag(at), Tag::Past | Tag::Present);
    let near = || (name.tokens.end..name.tokens.end + NEAR).take_while(|at| token(*at).is_some());
    let comma = |at: usize| reading.text.get(..token(at)?.start)?.trim_end().ends_with(',').then_some(());
    // "Berg, for example, funds pumps": a tagger may read "funds" as a noun.
    let behind = comma(name.tokens.end).and_then(|()| near().skip(1).find(|at| comma(*at).is_some()));
    let noun = behind.filter(|at| grammar.tag(*at) == Tag::Plural && token(at + 1).is_some());
    let at = noun.or_else(|| near().find(|at| grammar.tag(*at).is_verb()))?;
    let gap = reading.text.get(name.end..token(at)?.start)?.trim();
    let aside = gap.len() > 1 && gap.starts_with(',') && gap.ends_with(',') && gap.matches(',').count() == 2;
    let plain = (name.tokens.end..at).all(|at| grammar.tag(at) == Tag::Adverb) && !gap.contains([',', ';', ':', '(']);
    let before = name.tokens.start.checked_sub(1).filter(|at| token(*at).is_some());
    let belongs = before.is_some_and(|at| {
        preposition(reading, at) || matches!(grammar.tag(at), Tag::Conjunction | Tag::Possessive | Tag::To)
    });
    ((finite(at) || noun.is_some()) && !belongs && (plain || aside) && !token(at)?.class.has(Class::SAYS)).then_some(at)
}

fn wrong(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    let (reading, archive) = (&field.reading, &texts.archive);
    let known = archive.seen(name.last()).is_some_and(|seen| seen.capital);
    let verb = verb(reading, name).filter(|_| known)?;
    let line = reading.line_of(&name.tokens);
    let acts = reading.tokens.get(verb)?;
    let end = reading.lines.get(line)?.tokens.end.min(verb + 1 + BEHIND);
    let mut last = acts.end;
    let behind = reading.tokens.get(verb + 1..end)?.iter().take_while(|token| {
        let gap = reading.text.get(last..token.start).unwrap_or(";");
        last = token.end;
        !gap.contains([',', ';', ':', '(', '“', '"', '.'])
    });
    let deed: Vec<Token> = std::iter::once(acts).chain(behind).cloned().collect();
    let stems = content(&deed);
    if stems.len() < WORDS || acts.stop || !stems.contains(&acts.stem.as_str()) {
        return None;
    }
    let mut found = None;
    for hit in archive.passages(&stems, PLACES) {
        let tokens = archive.tokens(hit.place);
        let all = stems.iter().all(|stem| tokens.iter().any(|token| token.stem == **stem));
        if !all {
            // The one named does something of the kind.
            if tokens.iter().any(|token| token.stem == acts.stem) && names(texts, hit.place, name) {
                return None;
            }
            continue;
        }
        let Some(subject) = subject(texts, hit.place, &acts.stem) else { continue };
        if names(texts, hit.place, name) {
            return None;
        }
        // One body has several names.
        let other = texts.archive.reading(hit.place)?;
        let (mine, theirs) =
            (abbreviations::initials(reading, &name.tokens), abbreviations::initials(other, &subject.tokens));
        let short = subject.words.contains(&mine) || name.words.contains(&theirs);
        if short || subject.words.iter().any(|word| name.words.contains(word)) {
            return None;
        }
        found.get_or_insert((hit.place, subject));
    }
    let (place, subject) = found?;
    let subject = one_line(archive.reading(place)?.slice(subject.start..subject.end));
    Some(
        Fault::new(&RULE, field, name.start..name.end)
            .note(format!("In the source this is {subject}."))
            .passage(archive.sentence(place)),
    )
}

/// The name right before a verb of a source's sentence.
fn subject<'t>(texts: &'t ProofTexts<'_>, place: SourceLine, verb: &str) -> Option<&'t Name> {
    let source = texts.archive.reading(place)?;
    let range = source.lines.get(place.line)?.tokens.clone();
    let grammar = source.grammar(place.line);
    let at =
        range.clone().find(|at| source.tokens.get(*at).is_some_and(|token| token.stem == verb && !token.aside()))?;
    let before = (range.start..at).rev().find(|at| grammar.tag(*at) != Tag::Adverb)?;
    let names = texts.source_names.get(place.source)?;
    let name = names.get(names.partition_point(|name| name.tokens.end <= before))?;
    let word = name.words.len() == 1 && !name.titled && !entries(name.last()).is_empty();
    let seen = texts.archive.seen(name.last()).is_some_and(|seen| seen.capital && !seen.lower);
    let of = name.tokens.start.checked_sub(1).is_some_and(|at| range.contains(&at) && preposition(source, at));
    let stop = source.tokens.get(before).is_none_or(|token| token.stop);
    (name.tokens.end == before + 1 && !stop && (seen || !word) && !of).then_some(name)
}

/// Whether a sentence or one beside it has the last word of a name.
fn names(texts: &ProofTexts<'_>, place: SourceLine, name: &Name) -> bool {
    let lines = texts.archive.window(place, 1);
    let last = |token: &Token| base(&token.word) == name.last();
    lines.into_iter().any(|line| texts.archive.tokens(SourceLine { line, ..place }).iter().any(last))
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    const SOURCE: &str = "Much of it is given. E.g. Dahl funds pumps. And Dahl repaired pumps. The same is true for boats.\n\nTom works for Berg, and he has no pump. \
                          The tide was late.\n\nThe mill turned. Lie mended the old gate. Holt mended the old gate, too.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let found = notes(draft, SOURCE).into_iter().filter(|found| found.rule == "name.actor");
        found.map(|f| (f.text, f.note.unwrap_or_default())).collect()
    }

    #[test]
    fn a_deed_of_another_is_found() {
        let note = "In the source this is Dahl.".to_owned();
        assert_eq!(found("Much is given; Berg, for example, funds pumps."), [("Berg".to_owned(), note.clone())]);
        assert_eq!(found("It is known that Berg repaired pumps."), [("Berg".to_owned(), note)]);
    }

    #[test]
    fn whoever_does_it_may_stand() {
        for fine in [
            "Much is given; Dahl, for example, funds pumps.",
            "The brother of Berg funds pumps.",
            "Berg funds boats.",
            "Berg met Dahl, who funds pumps.",
            "Holt mended the old gate.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
