//! The sentence that one passage says: the whole of it, in the voice that the draft gives it. No other sentence has a row of its own, because
//! words in common prove nothing.

use crate::{
    binding::{Telling, office, same_voice, says_no_more, teller, voice_of},
    rules::prelude::*,
    words::Class,
};

/// Enters every sentence that a passage says, and in another language every sentence as unchecked.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    if !ledger.whole {
        return;
    }
    let texts = ledger.texts;
    for Spot { field, index, item: line } in texts.sentences().filter(|spot| !spot.item.heading) {
        let span = line.start..line.end;
        if texts.foreign {
            ledger.pass(|| Sound::found_if("support.language", SpanKind::Support, field, span, None));
            continue;
        }
        if only_quotes(field.reading.line_tokens(index)) || ledger.taken(field, line.start, line.end) {
            continue;
        }
        let alignment = ledger.aligned(field, index);
        let said = alignment.windows.first().filter(|window| {
            let theirs = voice_of(texts, window.place);
            let voice = match teller(&field.reading, &field.names, index) {
                None => true,
                Some(Telling::Open) => theirs.is_none(),
                Some(Telling::Office(tokens)) => {
                    theirs.is_none_or(|theirs| same_voice(texts, &office(&field.reading, tokens), theirs))
                }
                Some(Telling::By(name)) => theirs.is_none_or(|theirs| same_voice(texts, name, theirs)),
            };
            // One word alone says nothing that a passage could say.
            voice && alignment.words.len() > 1 && says_no_more(&texts.archive, &field.reading, index, &alignment)
        });
        if let Some(passage) = said.and_then(|window| texts.archive.sentence(window.place)) {
            ledger.pass(|| Sound::bound_if("support.carried", SpanKind::Support, field, span, Some(passage), || None));
        }
    }
}

/// Whether a sentence has nothing but a quotation and who said it. Both have rows of their own.
fn only_quotes(tokens: &[Token]) -> bool {
    let own = |token: &&Token| !token.quoted() && !token.aside();
    let tells = |token: &Token| !token.stop && !token.capital && !token.class.has(Class::SAYS);
    tokens.iter().any(Token::quoted) && !tokens.iter().filter(own).any(tells)
}
