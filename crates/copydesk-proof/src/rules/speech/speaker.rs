//! Indirect speech given to the wrong person: `Reyes said the gate would open`, where Berg says so.
//!
//! Why: a true statement in another's mouth misleads as a wrong quotation does. The statement is held against each speaker's own turns. If
//! the one named says anything like it, or the source leaves open who speaks, this rule says nothing.

use std::{borrow::Cow, ops::Range};

use crate::{
    binding::{Balance, OtherVoice, Telling, asker, has_turns, office, phrase, reports, same_voice, teller, weigh},
    reading::shouted,
    rules::prelude::*,
    sources::{LineHit, abbreviations::initials, content},
    words::{Class, base, is_title, names::NO_PERSON, nicknames::is_first_name},
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

/// A body's statement has at least so many content words.
const FEWEST: usize = 3;

/// The sentence of another body has at least so much of it.
const BODY: f64 = 0.45;

/// And by itself at least so much.
const ALONE: f64 = 0.2;

/// No sentence beside the body's name has more than this part of that.
const NEXT: f64 = 0.6;

/// A body is named within so many sentences.
const NEAR: usize = 2;

/// So many sentences of the sources are compared.
const PLACES: usize = 12;

/// Or less than this, if the other has nearly all of it.
const MORE: f64 = 0.6;

/// Of a statement with fewer words, the other has nearly all.
const ALL: f64 = 0.9;

/// The speaker named has less than this part of what the other has.
const LESS: f64 = 0.55;

pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, index, item: line } in texts.sentences() {
        if line.heading || !field.is_body() {
            continue;
        }
        let Some(said) = Said::of(field, index) else {
            if let Some(fault) = of_a_body(ledger, field, index) {
                ledger.enter(fault);
            }
            continue;
        };
        // "He said": the finding is at the first word.
        let here = said.named.start >= line.start && said.named.start < line.end;
        let first = field.reading.line_tokens(index).first();
        let span = if here { said.named.start..said.named.end } else { first.map_or(0..0, |one| one.start..one.end) };
        if ledger.taken(field, span.start, span.end) {
            continue;
        }
        let body = || of_a_body(ledger, field, index).filter(|_| !has_turns(texts, &said.named));
        let fault = wrong(texts, field, index, &said, span).or_else(body);
        if let Some(fault) = fault {
            ledger.enter(fault);
        }
    }
}

/// A sentence that tells what somebody said.
struct Said<'d> {
    named: Cow<'d, Name>,
    /// It tells what was asked or demanded.
    asks: bool,
}

impl<'d> Said<'d> {
    fn of(field: &'d DraftField<'_>, line: usize) -> Option<Self> {
        let whom = |telling| match telling {
            Telling::By(name) => Some(Cow::Borrowed(name)),
            Telling::Office(tokens) => Some(Cow::Owned(office(&field.reading, tokens))),
            Telling::Open => None,
        };
        let (reading, names) = (&field.reading, &field.names);
        match teller(reading, names, line) {
            Some(telling) => Some(Self { named: whom(telling)?, asks: false }),
            None => Some(Self { named: whom(asker(reading, names, line)?)?, asks: true }),
        }
    }
}

fn wrong(
    texts: &ProofTexts<'_>,
    field: &DraftField<'_>,
    line: usize,
    said: &Said<'_>,
    span: Range<usize>,
) -> Option<Fault> {
    let reading = &field.reading;
    let named: &Name = texts.draft_roster.resolve(&said.named).map_or(&said.named, |known| &known.name);
    // Whoever has no turn may still be known, as a person.
    let person = named.titled || named.words.len() > 1 || !texts.roster.of(named.last()).is_empty();
    let mentioned =
        || person && texts.source_names.iter().flatten().any(|name| name.personal() && same_voice(texts, named, name));
    if part_of_an_office(reading, &said.named) || !(has_turns(texts, named) || mentioned()) {
        return None;
    }
    let balance = weigh(texts, reading, line, &said.named.tokens, named, said.asks);
    let balance = balance?;
    let rival = balance.rival.as_ref().filter(|rival| decides(&balance, rival))?;
    let written = texts.roster.who(rival.voice).map_or(rival.voice, |known| &known.name);
    let who = written.words.iter().map(|word| capitalised(word)).collect::<Vec<_>>().join(" ");
    let wrong = one_line(reading.slice(said.named.start..said.named.end));
    Some(
        Fault::new(&RULE, field, span)
            .note(format!("In the source {who} says this, not {wrong}."))
            .passage(texts.archive.sentence(rival.place)),
    )
}

/// What a body says that another one says in the source's own sentence: `the council said`, where the source has "the harbour board said".
fn of_a_body(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, line: usize) -> Option<Fault> {
    let texts = ledger.texts;
    let (archive, reading) = (&texts.archive, &field.reading);
    let range = reading.lines.get(line)?.tokens.clone();
    // Two words may stand between: "the council later also said".
    let verb = |own: &Range<usize>| {
        own.start >= range.start + 2 && according(reading, own)
            || reports(reading, own.end..(own.end + 3).min(range.end))
    };
    let own = phrase(reading, line).filter(verb)?;
    let (mine, head) = (spelt(reading, &own), head(reading, &own)?);
    // Nobody knows a body if the sources say nothing of it.
    let known = mine.iter().all(|word| archive.seen(word).is_some() || archive.knows(word))
        || archive.seen(&initials(reading, &own)).is_some();
    let said = range.clone().filter(|at| !own.contains(at)).filter_map(|at| reading.tokens.get(at));
    let said: Vec<Token> = said.filter(|token| !token.class.has(Class::SAYS)).cloned().collect();
    let stems = content(&said);
    if !known || stems.len() < FEWEST || !is_body(reading, &own) {
        return None;
    }
    let short = initials(reading, &own);
    let is_there = |place: SourceLine| {
        let Some(source) = archive.reading(place) else { return true };
        let paragraph = source.paragraph(place.line);
        let lines = archive.window(place, NEAR);
        let lines = lines.start.max(paragraph.start)..lines.end.min(paragraph.end);
        lines.flat_map(|line| source.line_tokens(line)).any(|token| token.word == head || base(&token.word) == short)
    };
    let hits = archive.passages(&stems, PLACES);
    let score = |hit: &LineHit| hit.cover.max(hit.around);
    let fits = |hit: &&LineHit| hit.cover >= ALONE && score(hit) >= BODY && !is_there(hit.place);
    let told = |hit: &LineHit| {
        let source = archive.reading(hit.place)?;
        let lines = source.lines.get(hit.place.line)?.tokens.clone();
        let theirs = phrase(source, hit.place.line).filter(|_| reports(source, lines))?;
        Some((hit.place, score(hit), source, theirs))
    };
    let (place, best, source, theirs) = hits.iter().filter(fits).find_map(told)?;
    if hits.iter().any(|hit| score(hit) > best * NEXT && is_there(hit.place)) {
        return None;
    }
    let other = spelt(source, &theirs);
    let long = initials(source, &theirs);
    let same = other.iter().any(|word| mine.contains(word) || *word == short) || mine.contains(&long);
    // A person may speak for a body.
    let names = texts.source_names.get(place.source)?;
    let mut people = names.iter().filter(|name| theirs.contains(&name.tokens.start));
    if same || !is_body(source, &theirs) || people.any(|name| name.titled || name.first().is_some_and(is_first_name)) {
        return None;
    }
    let shown = |text: &ParsedText<'_>, range: &Range<usize>| {
        let words = text.tokens.get(range.clone()).unwrap_or_default();
        words.first().zip(words.last()).map(|(one, two)| (one.start, two.end))
    };
    let (from, to) = shown(source, &theirs)?;
    let (start, end) = shown(reading, &own)?;
    if ledger.taken(field, start, end) {
        return None;
    }
    let (who, wrong) = (one_line(source.slice(from..to)), one_line(reading.slice(start..end)));
    Some(
        Fault::new(&RULE, field, start..end)
            .note(format!("In the source {who} says this, not {wrong}."))
            .passage(archive.sentence(place)),
    )
}

/// Whether a phrase names a body: by its initials, by a word that stands in no person's name, with `of`, or with a common noun at its end.
fn is_body(reading: &ParsedText<'_>, phrase: &Range<usize>) -> bool {
    let tokens = reading.tokens.get(phrase.clone()).unwrap_or_default();
    let Some(last) = tokens.last() else { return false };
    let person = |token: &Token| token.capital && (is_first_name(&token.word) || is_title(&token.word));
    let tells = |token: &Token| {
        shouted(reading, token) || NO_PERSON.contains(base(&token.word)) || matches!(token.word.as_str(), "of" | "for")
    };
    let common = !last.capital && reading.grammar(last.line).tag(phrase.end - 1).is_noun() && tokens.len() > 1;
    !tokens.iter().any(person) && (common || tokens.iter().any(tells))
}

/// Whether "according to" stands before a phrase.
fn according(reading: &ParsedText<'_>, own: &Range<usize>) -> bool {
    let before = reading.tokens.get(own.start.saturating_sub(3)..own.start).unwrap_or_default();
    before.iter().any(|token| token.word == "according")
}

/// The content words of a phrase.
fn spelt(reading: &ParsedText<'_>, range: &Range<usize>) -> Vec<String> {
    let tokens = reading.tokens.get(range.clone()).unwrap_or_default();
    tokens.iter().filter(|token| !token.stop).map(|token| base(&token.word).to_owned()).collect()
}

/// The last noun of a phrase before `of`.
fn head(reading: &ParsedText<'_>, range: &Range<usize>) -> Option<String> {
    let tokens = reading.tokens.get(range.clone())?;
    let of = tokens.iter().position(|token| matches!(token.word.as_str(), "of" | "for")).unwrap_or(tokens.len());
    tokens.get(..of)?.iter().rfind(|token| !token.stop).map(|token| base(&token.word).to_owned())
}

/// Whether the other has clearly the most of the statement.
fn decides(balance: &Balance<'_>, rival: &OtherVoice<'_>) -> bool {
    let all = rival.weight >= ALL * balance.known;
    let enough = rival.words >= WORDS || rival.words + 1 == WORDS && all;
    enough && rival.weight >= THERE * balance.known && balance.own < rival.weight * if all { MORE } else { LESS }
}

/// Whether a name is only part of an office: `the Minister of Canadian Heritage`.
pub fn part_of_an_office(reading: &ParsedText<'_>, name: &Name) -> bool {
    let line = reading.line_of(&name.tokens);
    let word = |at: usize| reading.tokens.get(at).filter(|token| token.line == line);
    let before = name.tokens.start.checked_sub(1).and_then(word);
    let of = |token: &Token| matches!(token.word.as_str(), "of" | "for" | "in" | "at" | "from" | "with");
    let behind = word(name.tokens.end).filter(|token| token.capital && is_title(&token.word));
    let close = behind.is_some_and(|token| reading.text.get(name.end..token.start) == Some(" "));
    before.is_some_and(of) || close
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

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
    fn who_asks_is_told_from_who_answers() {
        let source = "Mr. BERG. Will the harbour keep its grammar school open?\n\nMs. DAHL. It is for the ministry to decide.\n\nThe CHAIRMAN. Order. \
                      The bar closes at noon on Sunday.\n\nThe CHAIRMAN. Thank you.\n\nMr. LIE. I like boats.\n\nQ  Who pays for the new pump?";
        let found =
            |draft: &str| check_texts(draft, source).into_iter().map(|f| (f.rule, f.text, f.note)).collect::<Vec<_>>();
        let one = |text: &str, note: &str| [("speech.speaker".to_owned(), text.to_owned(), note.to_owned())];
        assert_eq!(
            found("Earlier, Mr. Lie asked her to keep the grammar school open."),
            one("Lie", "In the source Berg says this, not Lie.")
        );
        assert_eq!(found("Earlier, Mr. Berg asked her to keep the grammar school open."), []);
        assert_eq!(
            found("Mr. Lie warned that the bar closes at noon on Sunday."),
            one("Lie", "In the source The Chairman says this, not Lie.")
        );
        assert_eq!(found("The chairman warned that the bar closes at noon on Sunday."), []);
    }

    #[test]
    fn a_statement_of_another_body_is_found() {
        let source = "The hearing was long. Fourth, HKACC raise several questions about the express lane, and suggest that it was an approach unique \
                      to the island. The lane was closed.\n\nThe Harbour Keepers Anti-Corruption Coalition, or HKACC, wrote on Monday.\n\nThe fish \
                      was fresh. The Federation of Harbour Nurses (FHN) wants more pay. The boats left at noon.";
        let found =
            |draft: &str| check_texts(draft, source).into_iter().map(|f| (f.rule, f.text, f.note)).collect::<Vec<_>>();
        let note = "In the source HKACC says this, not Federation of Harbour Nurses.".to_owned();
        assert_eq!(
            found(
                "The Federation of Harbour Nurses suggested that the express lane had been an approach unique to the island."
            ),
            [("speech.speaker".to_owned(), "Federation of Harbour Nurses".to_owned(), note)]
        );
        let fine = "The Harbour Keepers Anti-Corruption Coalition suggested that the express lane had been an approach unique to the island.";
        assert_eq!(found(fine), []);
    }

    #[test]
    fn a_long_row_of_pronouns_ends() {
        let draft = format!("Ana Reyes runs the harbour. {}", "He said it was late. ".repeat(2_000));
        assert_eq!(found(&draft), []);
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
