//! The party of a person: `the Conservative member`, where the source has "(Lab)" behind the name.
//!
//! Why: transcripts put a short form of the party in brackets behind a name. If the draft's word begins as another person's short form
//! does, and not as this one's, it is the wrong party.

use std::ops::Range;

use crate::rules::prelude::*;
use copydesk_text::tagger::Tag;

pub static RULE: Rule = Rule {
    name: "name.party",
    kind: SpanKind::Name,
    standing: Standing::Swapped,
    why: "The sources put another party behind this name.",
    source: "A short form alone in brackets behind a name says what its bearer belongs to. The long form begins with the same letters.",
    gravity: Gravity::Note,
    ..Rule::USUAL
};

/// A short form has at least so many letters.
const SHORT: usize = 3;

/// And at most so many.
const LONG: usize = 5;

/// At most so many words in brackets stand between a name and the short form.
const REACH: usize = 10;

/// What belongs to the party has at most so many words behind it: `the Conservative member for Lund, North`.
const ROLE: usize = 6;

/// The draft's word stands at most so many words behind the name, or before it.
const NEAR: usize = 4;

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, item: name, .. } in texts.names().filter(|spot| spot.item.personal()) {
        if let Some((fault, phrase)) = wrong(texts, field, name) {
            ledger.doubt(field, phrase);
            ledger.enter(fault);
        }
    }
}

/// The finding, and all that the draft says of the person beside the name.
fn wrong(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<(Fault, Range<usize>)> {
    let named = texts.draft_roster.resolve(name).map_or(name, |known| &known.name);
    let last = field.reading.tokens.get(name.tokens.end.checked_sub(1)?)?.stem.as_str();
    let mut own: Option<(String, SourceLine)> = None;
    for source in 0..texts.archive.readings.len() {
        for known in
            texts.names_beside(source, &[last]).filter(|known| known.last() == named.last() && known.may_be(named))
        {
            let reading = texts.archive.readings.get(source)?;
            let Some(label) = behind(reading, known) else { continue };
            own.get_or_insert((label, SourceLine { source, line: reading.line_of(&known.tokens) }));
        }
    }
    let (own, place) = own?;
    let word = beside(&field.reading, name).find(|token| {
        let other = |text: &ParsedText<'_>, names: &[Name]| {
            let is =
                |name: &Name| behind(text, name).is_some_and(|label| label != own && token.word.starts_with(&label));
            names.iter().any(is)
        };
        !token.word.starts_with(&own)
            && texts.archive.readings.iter().zip(&texts.source_names).any(|(text, names)| other(text, names))
    })?;
    let written = field.reading.slice(word.start..word.end);
    let fault = Fault::new(&RULE, field, word.start..word.end)
        .note(format!("The source has “({own})” behind this name, which does not stand for {written}."))
        .passage(texts.archive.sentence(place));
    let rest = field.reading.between(word.end, usize::MAX).iter();
    let role = rest.take(ROLE).take_while(|token| token.line == word.line && (token.stop || token.capital)).last();
    Some((fault, name.start.min(word.start)..role.map_or(word.end, |token| token.end).max(name.end)))
}

/// The words with a capital right behind a name and a comma, or right before the name.
fn beside<'r>(reading: &'r ParsedText<'_>, name: &Name) -> impl Iterator<Item = &'r Token> {
    let line = reading.line_of(&name.tokens);
    let comma = reading.text.get(name.end..).is_some_and(|rest| rest.starts_with([',', '(']) || rest.starts_with(" ("));
    let after = name.tokens.end..name.tokens.end + if comma { NEAR } else { 0 };
    // "The Labour member Ada Ruud", but not "Labour lost to Ada Ruud".
    let grammar = reading.grammar(line);
    let joins = |at: &usize| grammar.tag(*at).is_noun() || grammar.tag(*at) == Tag::Adjective;
    let first = (name.tokens.start.saturating_sub(NEAR)..name.tokens.start).rev().take_while(joins).last();
    let before = first.unwrap_or(name.tokens.start)..name.tokens.start;
    let all = |range: Range<usize>| range.filter_map(|at| reading.tokens.get(at));
    all(after).chain(all(before)).filter(move |token| token.line == line && token.capital && !token.quoted())
}

/// The short form in brackets behind a name, perhaps behind other brackets: `Tom Berg (Lund, North) (Lab)`. Folded.
pub fn behind(reading: &ParsedText<'_>, name: &Name) -> Option<String> {
    let rest = reading.text.get(name.end..)?;
    if !rest.starts_with(" (") {
        return None;
    }
    let tokens = reading.tokens.get(name.tokens.end..)?.iter().take(REACH);
    let (mut last, mut found) = (name.end, None);
    for token in tokens {
        let gap = reading.text.get(last..token.start)?;
        let first = last == name.end;
        if first && !gap.ends_with('(')
            || gap.contains(['.', ':', ';', '\n'])
            || !first && gap.contains(')') && !gap.contains('(')
        {
            break;
        }
        let alone = gap.ends_with('(') && reading.text.get(token.end..)?.starts_with(')');
        let short = alone && token.capital && (SHORT..=LONG).contains(&token.word.chars().count());
        found = if short { Some(token.word.to_string()) } else { found.filter(|_| !gap.contains('(')) };
        last = token.end;
    }
    found
}

/// Whether a source has a short form of a word alone in brackets behind a name: `(Lab)` for Labour.
pub fn shortened(texts: &ProofTexts<'_>, word: &str) -> bool {
    let has = |(text, names): (&ParsedText<'_>, &Vec<Name>)| {
        names
            .iter()
            .filter(|name| name.titled)
            .any(|name| behind(text, name).is_some_and(|label| word.starts_with(&label)))
    };
    texts.explains(word, || texts.archive.readings.iter().zip(&texts.source_names).any(has))
}

#[cfg(test)]
mod tests {
    use crate::testing::notes;

    const SOURCE: &str = "Mr. Tom Berg (Lund, North) (Lab): I ask.\n\nMs. Ada Ruud (Malmo) (Con): I answer.\n\nMr. Berg (clerk): Yes.\n\nMs. Ruud: No.";

    fn found(draft: &str) -> Vec<(String, String)> {
        notes(draft, SOURCE).into_iter().filter(|f| f.rule.starts_with("name.")).map(|f| (f.rule, f.text)).collect()
    }

    #[test]
    fn a_party_of_another_is_found() {
        let party = |text: &str| [("name.party".to_owned(), text.to_owned())];
        assert_eq!(found("Tom Berg, the Conservative member for Lund, asked."), party("Conservative"));
        assert_eq!(found("The Labour member Ada Ruud answered."), party("Labour"));
        for fine in [
            "Tom Berg, the Labour member for Lund, asked.",
            "Ada Ruud, a Conservative, answered.",
            "Labour’s Tom Berg asked Ada Ruud.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
