//! A count of one thing that the source has for another: 24 classes, although the source speaks of classes with 24 students.
//!
//! Why: the number is right and so are all the words, so that nothing is missing in the source. What it counts there is something else.

use crate::{rules::prelude::*, sources::is_label};
use copydesk_text::tagger::Tag;

pub static RULE: Rule = Rule {
    name: "number.thing",
    kind: SpanKind::Number,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    why: "The source counts something else with this number.",
    source: "The noun that a number counts. The passage has the draft's noun too, and another one behind the number.",
    gravity: Gravity::Note,
    ..Rule::USUAL
};

/// A number stands in at most so many places, or it says little.
const PLACES: usize = 3;

/// The noun is at most so many words behind its number.
const PHRASE: usize = 4;

/// Nouns that say little of what is counted.
static GENERAL: WordList = words(
    "people person persons members member men women items item cases case times time others total number part parts points point percent \
     half third quarter years year months month weeks week days day hours hour minutes minute",
);

/// Reports a number whose noun the passage has elsewhere, while it counts another thing there.
pub fn another(
    ledger: &LedgerWriter<'_, '_>,
    field: &DraftField<'_>,
    figure: &Figure,
    matches: &[(SourceLine, &Figure)],
) -> Option<Fault> {
    let archive = &ledger.texts.archive;
    let reading = &field.reading;
    let thing = head(reading, figure)?;
    let alignment = ledger.aligned(field, reading.line_of(&figure.tokens));
    let aligned = |place: SourceLine| {
        let mut windows = alignment.windows.iter();
        windows.any(|window| window.place.source == place.source && window.lines.contains(&place.line))
    };
    if figure.kind != FigureKind::Count || figure.partner.is_some() || matches.len() > PLACES {
        return None;
    }
    let alike = archive.alike(thing);
    let means =
        |token: &Token| archive.forms.stem(&thing.stem) == Some(token.stem_id) || alike.contains(&token.stem_id);
    let mut found = None;
    for (place, theirs) in matches {
        let source = archive.reading(*place)?;
        if is_label(source, theirs) {
            return None;
        }
        let Some(other) = head(source, theirs) else {
            if aligned(*place) {
                return None;
            }
            continue;
        };
        let behind = source.tokens.get(theirs.tokens.end..)?.iter();
        let phrase: Vec<&Token> = behind.take_while(|token| token.start <= other.start).collect();
        let there =
            source.line_tokens(place.line).iter().filter(|token| !phrase.iter().any(|own| own.start == token.start));
        let named = there.clone().any(|token| token.stem_id == other.stem_id);
        let spoken = reading.line_tokens(reading.line_of(&figure.tokens)).iter().any(|token| token.stem == other.stem);
        if phrase.iter().any(|token| means(token)) || named || spoken {
            return None;
        }
        if aligned(*place) && there.clone().any(|token| archive.forms.stem(&thing.stem) == Some(token.stem_id)) {
            let shown = source.slice(theirs.start..other.end);
            found.get_or_insert_with(|| (*place, one_line(shown)));
        }
    }
    let (place, shown) = found?;
    let note = format!("The source has {shown}.");
    Some(Fault::new(&RULE, field, figure.start..thing.end).note(note).passage(archive.sentence(place)).removable())
}

/// The noun that a number counts: the last of those right behind it, before any mark.
fn head<'r>(reading: &'r ParsedText<'_>, figure: &Figure) -> Option<&'r Token> {
    let line = reading.line_of(&figure.tokens);
    let grammar = reading.grammar(line);
    let mut end = figure.end;
    let mut found = None;
    for at in figure.tokens.end..figure.tokens.end + PHRASE {
        let Some(token) = reading.tokens.get(at).filter(|token| token.line == line) else { break };
        let joined = reading.text.get(end..token.start).is_some_and(|gap| matches!(gap, " " | "\n" | "\u{A0}"));
        if !joined || !(grammar.tag(at).is_noun() || grammar.tag(at) == Tag::Adjective) {
            break;
        }
        found = grammar.tag(at).is_noun().then_some(token);
        end = token.end;
    }
    found.filter(|token| !GENERAL.contains(&token.word) && !token.capital)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::notes;

    const SOURCE: &str = "The survey of the harbour looked at school boats carrying between 6 and 31 pupils. It found 52 lamps on the northern quay \
                          and no rust. Of the wardens 17 retired.";

    fn found(draft: &str) -> Vec<(String, String)> {
        let found = notes(draft, SOURCE).into_iter().filter(|found| found.rule == RULE.name);
        found.map(|found| (found.text, found.note.unwrap_or_default())).collect()
    }

    #[test]
    fn a_number_of_another_thing_is_found() {
        assert_eq!(
            found("The survey of the harbour looked at 31 school boats."),
            [("31 school boats".to_owned(), "The source has 31 pupils.".to_owned())]
        );
    }

    #[test]
    fn the_same_thing_and_one_that_the_passage_does_not_name_may_stand() {
        for fine in [
            "The survey of the harbour looked at boats carrying up to 31 pupils.",
            "The survey of the harbour looked at boats with up to 31 children.",
            "The survey of the harbour found 52 quay lamps.",
            "Some 17 wardens retired from the harbour.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }
}
