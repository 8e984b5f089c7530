//! The sentence that one passage says: the whole of it, in the voice that the draft gives it. Every other sentence of the body is unchecked,
//! because words in common prove nothing.
//!
//! Why: whoever mixes two passages says of one what stands of the other, though each name and figure is there. Of 150 sentences of a small
//! model 63 added or changed something, and no passage said 59 of them (docs/measurements.md). Nor did one say 35 of the 87 true ones.

use crate::{
    binding::{Telling, office, same_voice, says_no_more, teller, voice_of},
    rules::prelude::*,
};

/// Said of a sentence that a person must read beside its sources.
const UNSAID: &str = "No passage says all of this. Read it yourself.";

/// Enters every sentence: it is said by a passage, or unchecked, as every sentence in another language is.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !ledger.whole {
        return;
    }
    let texts = ledger.texts;
    for Spot { field, index, item: line } in texts.sentences().filter(|spot| !spot.item.heading) {
        let span = line.start..line.end;
        if texts.foreign {
            ledger.pass(|| Sound::found_if("support.language", SpanKind::Sentence, field, span, None));
            continue;
        }
        if only_quotes(field.reading.line_tokens(index)) || ledger.taken(field, line.start, line.end) {
            continue;
        }
        let alignment = ledger.aligned(field, index);
        let said = alignment.windows.first().filter(|window| {
            let theirs = voice_of(texts, window.place);
            let speaks = |own: &Name| theirs.is_none_or(|theirs| same_voice(texts, own, theirs));
            let voice = match teller(&field.reading, &field.names, index) {
                None => true,
                Some(Telling::Open) => theirs.is_none(),
                Some(Telling::Office(tokens)) => speaks(&office(&field.reading, tokens)),
                Some(Telling::By(name)) => speaks(name),
            };
            // One word alone says nothing that a passage could say.
            voice && alignment.words.len() > 1 && says_no_more(&texts.archive, &field.reading, index, &alignment)
        });
        let carried = said.and_then(|window| texts.archive.sentence(window.place));
        if carried.is_some() {
            ledger.pass(|| Sound::found_if("support.carried", SpanKind::Sentence, field, span, carried));
        } else if field.is_body() && alignment.words.len() > 1 {
            // The nearest passage, to read beside it.
            let near = alignment.windows.first().and_then(|window| texts.archive.sentence(window.place));
            let row = |standing| Sound::new("support.unsaid", SpanKind::Sentence, standing, field, span, near);
            ledger.pass(|| row(Standing::Unchecked).note(Some(UNSAID.to_owned())));
        }
    }
}

/// Whether a sentence has nothing but a quotation and who said it. Both have rows of their own.
fn only_quotes(tokens: &[Token]) -> bool {
    let own = |token: &&Token| !token.quoted() && !token.aside();
    let tells = |token: &Token| !token.stop && !token.capital && !token.class.has(Class::SAYS);
    tokens.iter().any(Token::quoted) && !tokens.iter().filter(own).any(tells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check::ledger, testing::texts};

    #[test]
    fn a_sentence_that_mixes_two_passages_is_for_a_person_to_read_beside_the_nearest() {
        let source =
            "The council voted for a new dock on Monday. Dana Ruiz asked the harbour master about the old piles.";
        let of = |draft: &str| {
            let (article, sources) = texts(draft, source);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            let row = rows.into_iter().find(|row| row.kind == SpanKind::Sentence && row.text == draft);
            row.map(|row| (row.rule, row.standing, row.note, row.passage.map(|passage| passage.text)))
        };
        let said = of("The council voted on Monday for a new dock.").unwrap();
        assert_eq!((said.0.as_str(), said.1), ("support.carried", Standing::Matches));
        let turned = of("The harbour master asked Dana Ruiz about the old piles.").unwrap();
        assert_eq!((turned.0.as_str(), turned.1), ("support.unsaid", Standing::Unchecked));
        let (rule, standing, note, passage) = of("Dana Ruiz asked the council about a new dock.").unwrap();
        assert_eq!((rule.as_str(), standing, note.as_deref()), ("support.unsaid", Standing::Unchecked, Some(UNSAID)));
        assert!(source.contains(&passage.unwrap()));
        assert!(of("Nobody objected.").is_some_and(|row| row.3.is_none()), "there is no nearest passage");
    }

    #[test]
    fn what_a_passage_says_of_another_is_not_carried() {
        for (draft, source, carried) in [
            (
                "Brandt & Holm will close its plant in Lisle.",
                "Orvane, the furniture maker, will close its plant in Lisle. Its rival Brandt & Holm said it would hire 45 people.",
                false,
            ),
            (
                "Orvane will close its plant in Lisle.",
                "Orvane lost money last year. It will close its plant in Lisle.",
                true,
            ),
            ("Mayor Paulo Reis opened the skate park.", "Deputy Mayor Paulo Reis opened the skate park.", false),
            ("Deputy Mayor Paulo Reis opened the skate park.", "Deputy Mayor Paulo Reis opened the skate park.", true),
            ("Damietta will spend £75 million on it.", "Damietta will spend 75 million Egyptian pounds on it.", false),
            (
                "Damietta will spend £75 million on it.",
                "Damietta will spend £75 million on it. Work begins soon.",
                true,
            ),
        ] {
            let (article, sources) = texts(draft, source);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            assert_eq!(rows.iter().any(|row| row.rule == "support.carried"), carried, "{draft} {source}");
        }
    }
}
