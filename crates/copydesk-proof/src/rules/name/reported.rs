//! Reported speech: `Reyes said that the gate is old`, if the sources have these words in the turn of another person.
//!
//! Why: a paraphrase puts words into a person's mouth as a quotation does. A finding needs nearly all content words of the sentence in one
//! sentence of another person's turn, and few of them in any sentence of the one named.

use foldhash::HashSet;

use crate::{
    binding::{Telling, has_turns, same_voice, teller},
    rules::{name::swapped, prelude::*},
    words::Class,
};

/// A sentence with fewer content words may be anybody's.
const FEWEST: usize = 4;

/// Words with which a person agrees, among so many first words of an answer.
static GRANTS: WordList = words(
    "yes yeah yep yup right correct exactly agree agreed agrees true indeed absolutely sure certainly definitely ok okay also too second so same",
);
const ANSWER: usize = 8;

/// Reports the named teller of a sentence without quotation marks, if the sources have it from another person.
pub fn check(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    let reading = &field.reading;
    let line = reading.line_of(&name.tokens);
    let tokens = reading.lines.get(line)?.tokens.clone().filter(|at| !name.tokens.contains(at));
    let told =
        tokens.filter_map(|at| reading.tokens.get(at)).filter(|token| !token.stop && !token.class.has(Class::SAYS));
    let told: HashSet<&str> = told.map(|token| token.stem.as_str()).collect();
    if told.len() < FEWEST || reading.line_tokens(line).iter().any(Token::quoted) || !has_turns(texts, name) {
        return None;
    }
    if !matches!(teller(reading, &field.names, line)?, Telling::By(teller) if teller.tokens == name.tokens) {
        return None;
    }
    let stems: Vec<&str> = told.into_iter().collect();
    let mut found = None;
    for (source, turns) in texts.turns.iter().enumerate() {
        for line in texts.archive.lines_with(source, &stems) {
            let place = SourceLine { source, line };
            let there = texts.archive.tokens(place);
            let has = stems.iter().filter(|stem| there.iter().any(|token| token.stem == ***stem)).count();
            // If the source names no speaker of a sentence, the draft may be right.
            let other = turns.voice(line).is_some_and(|voice| !same_voice(texts, name, voice));
            if !other && has * 2 >= stems.len() {
                return None;
            }
            if other && has * 10 >= stems.len() * 9 && !is_granted(texts, place) {
                found = found.or(Some(place));
            }
        }
    }
    let place = found?;
    let note = "The source has this from another speaker.".to_owned();
    let fault = Fault::new(&swapped::RULE, field, name.start..name.end);
    Some(fault.note(note).passage(texts.archive.sentence(place)))
}

/// Whether a sentence of a turn is put to another person as a question, or the next one grants it: `Is it shut? Yes.`
fn is_granted(texts: &ProofTexts<'_>, place: SourceLine) -> bool {
    let Some((reading, turns)) = texts.archive.reading(place).zip(texts.turns.get(place.source)) else { return true };
    let asks = |line: usize| {
        let addressed = |token: &Token| matches!(&*token.word, "you" | "your" | "you're");
        reading.line_text(line).contains('?') || reading.line_tokens(line).iter().any(addressed)
    };
    let voice = turns.voice(place.line);
    let next = (place.line + 1..reading.lines.len()).find(|line| turns.voice(*line) != voice);
    let answer = next.map_or(&[][..], |line| reading.line_tokens(line)).iter().filter(|token| !token.aside());
    (place.line..next.unwrap_or(place.line + 1)).any(asks)
        || answer.take(ANSWER).any(|token| GRANTS.contains(&token.word))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    #[test]
    fn reported_words_are_their_speakers() {
        let source = "Ada Ruud: The tenants have had no hot water since the storm.\n\nBo Lie: That is untrue. Engineers came eleven times.\n\n\
                      Ada Ruud: Eleven visits and no boiler. A new boiler is promised.\n\nBo Lie: A new boiler is on order in Lund.\n\nAda Ruud: And the tenants have got a lift without doors?\n\nBo Lie: They have.";
        for fine in [
            "The tenants have had no hot water since the storm, Ada Ruud said.",
            "Ada Ruud said that a new boiler is promised.",
            "Bo Lie denied that the tenants have had no hot water since the storm.",
            "Bo Lie said a new boiler is on order in Lund.",
            "Bo Lie said that the tenants have got a lift without doors.",
        ] {
            assert_eq!(check_texts(fine, source), [], "{fine}");
        }
        for wrong in [
            "The tenants have had no hot water since the storm, Bo Lie said.",
            "Ada Ruud said engineers came eleven times to Lund.",
        ] {
            let rules: Vec<String> = check_texts(wrong, source).into_iter().map(|found| found.rule).collect();
            let due: &[&str] = if wrong.starts_with("The") { &["name.swapped"] } else { &[] };
            assert_eq!(rules, due, "{wrong}");
        }
    }
}
