//! Indirect speech given to the wrong person: `Reyes said the gate would open`, where Berg says so.
//!
//! Why: a true statement in another's mouth misleads as a wrong quotation does. The statement is held against each speaker's own turns. If
//! the one named says anything like it, or the source leaves open who speaks, this rule says nothing.

use std::ops::Range;

use crate::proof::{
    binding::{Telling, same_voice, teller, voice_of},
    rules::prelude::*,
    sources::content,
    words::{Class, is_title},
};

pub static RULE: Rule = Rule {
    name: "speech.speaker",
    kind: SpanKind::Name,
    standing: Standing::WrongSpeaker,
    concern_type: ConcernType::AttributionGap,
    why: "The source gives this statement to somebody else.",
    source: "Who speaks is whom the label before the words names, or whom the sentence says to have said it.",
    ..Rule::USUAL
};

/// So many content words make a statement that can be found.
const WORDS: usize = 3;

/// The other speaker's sentence has at least so much of the statement.
const THERE: f64 = 0.5;

/// The speaker named has less than this part of what the other has.
const LESS: f64 = 0.6;

/// So many sentences of the sources are compared.
const PLACES: usize = 12;

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index, item: line } in texts.sentences() {
        if line.heading || !field.is_body() {
            continue;
        }
        let Some(Telling::By(name)) = teller(&field.reading, &field.names, index) else { continue };
        if office(&field.reading, name) {
            continue;
        }
        // "He said": the finding is at the first word.
        let here = name.start >= line.start && name.start < line.end;
        let first = field.reading.line_tokens(index).first();
        let span = if here { name.start..name.end } else { first.map_or(0..0, |first| first.start..first.end) };
        if ledger.taken(field, span.start, span.end) {
            continue;
        }
        if let Some(fault) = wrong(texts, field, index, name, span) {
            ledger.enter(fault);
        }
    }
}

/// Whether a name is only part of an office: `the Prime Minister`, `the Minister of Canadian Heritage`.
fn office(reading: &ParsedText<'_>, name: &Name) -> bool {
    let line = reading.line_of(&name.tokens);
    let word = |at: usize| reading.tokens.get(at).filter(|token| token.line == line);
    let before = name.tokens.start.checked_sub(1).and_then(word);
    let of = |token: &Token| matches!(token.word.as_str(), "of" | "for" | "in" | "at" | "from" | "with");
    let behind = word(name.tokens.end).filter(|token| token.capital && is_title(&token.word));
    let close = behind.is_some_and(|token| reading.text.get(name.end..token.start) == Some(" "));
    before.is_some_and(of) || close
}

fn wrong(
    texts: &ProofTexts<'_>,
    field: &DraftField<'_>,
    line: usize,
    name: &Name,
    span: Range<usize>,
) -> Option<Fault> {
    let archive = &texts.archive;
    let own = |token: &&Token| {
        !token.class.has(Class::SAYS) && !token.quoted() && !(name.start..name.end).contains(&token.start)
    };
    let statement: Vec<Token> = field.reading.line_tokens(line).iter().filter(own).cloned().collect();
    let stems = content(&statement);
    let plain: Vec<Token> = statement.iter().filter(|token| !token.capital).cloned().collect();
    if content(&plain).len() < WORDS {
        return None;
    }
    let named = texts.draft_roster.resolve(name).map_or(name, |known| &known.name);
    let may_be = |voice: &Name| same_voice(texts, named, voice);
    let speaks = |voices: &[Name]| voices.iter().any(|voice| voice.personal() && may_be(voice));
    let labelled = archive.readings.iter().zip(&texts.source_names).any(|(reading, names)| {
        let label = |name: &&Name| reading.tokens.get(name.tokens.start).is_some_and(Token::aside);
        names.iter().filter(label).any(|name| name.last() == named.last())
    });
    let person = labelled || named.titled || named.words.len() > 1 || !texts.roster.of(named.last()).is_empty();
    let counts = field.reading.line_tokens(line).iter().filter(|token| token.class.has(Class::SAYS)).count();
    if counts > 1 || !person || !texts.source_names.iter().any(|names| speaks(names)) {
        return None;
    }
    let mut theirs = 0.0_f64;
    let mut other: Option<(f64, SourceLine, &Name)> = None;
    for hit in archive.passages(&stems, PLACES) {
        let asks = archive.reading(hit.place).is_some_and(|reading| reading.line_text(hit.place.line).ends_with('?'));
        match voice_of(texts, hit.place) {
            // Who asks whether it is so has not said it.
            _ if asks => {}
            Some(voice) if !may_be(voice) => {
                if other.is_none_or(|(cover, ..)| hit.cover > cover) {
                    other = Some((hit.cover, hit.place, voice));
                }
            }
            // The source leaves it open, or it is the one named.
            _ => theirs = theirs.max(hit.around.max(hit.cover)),
        }
    }
    let (_, place, voice) = other.filter(|(cover, ..)| *cover >= THERE && theirs < *cover * LESS)?;
    let written = texts.roster.resolve(voice).map_or(voice, |known| &known.name);
    let who = written.words.iter().map(|word| capitalised(word)).collect::<Vec<_>>().join(" ");
    let wrong = one_line(field.reading.slice(name.start..name.end));
    Some(
        Fault::new(&RULE, field, span)
            .note(format!("In the source {who} says this, not {wrong}."))
            .passage(archive.sentence(place)),
    )
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::check_texts;

    const SOURCE: &str = "ANA REYES: The north gate will open in March.\n\nWe have hired two wardens for it.\n\nTOM BERG: I doubt that the pump can \
                          be repaired before winter. It needs a new motor.\n\nANA REYES: Would the pump need a new motor?";

    fn found(draft: &str) -> Vec<(String, String, String)> {
        check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text, f.note)).collect()
    }

    #[test]
    fn a_statement_in_anothers_mouth_is_found() {
        let one = |text: &str, note: &str| [("speech.speaker".to_owned(), text.to_owned(), note.to_owned())];
        assert_eq!(
            found("Tom Berg said the north gate will open in March."),
            one("Tom Berg", "In the source Ana Reyes says this, not Tom Berg.")
        );
        assert_eq!(
            found("The board has hired two wardens, Berg added."),
            one("Berg", "In the source Ana Reyes says this, not Berg.")
        );
        assert_eq!(
            found("The pump needs a new motor, according to Ana Reyes."),
            one("Ana Reyes", "In the source Tom Berg says this, not Ana Reyes.")
        );
    }

    #[test]
    fn a_pronoun_with_an_adverb_goes_back() {
        assert_eq!(
            found("Ana Reyes said two wardens were hired. She also said the pump needs a new motor before winter."),
            [(
                "speech.speaker".to_owned(),
                "She".to_owned(),
                "In the source Tom Berg says this, not Ana Reyes.".to_owned()
            )]
        );
    }

    #[test]
    fn whoever_said_it_may_be_named() {
        for fine in [
            "Ana Reyes said the north gate will open in March.",
            "The board has hired two wardens, Reyes added.",
            "Berg doubted that the pump can be repaired before winter.",
            "Tom Berg said that he likes Ana Reyes.",
            "The mayor of Tom Berg said the north gate will open in March.",
            "The Berg Minister said the north gate will open in March.",
        ] {
            assert!(found(fine).iter().all(|(rule, ..)| rule != "speech.speaker"), "{fine}: {:?}", found(fine));
        }
    }
}
