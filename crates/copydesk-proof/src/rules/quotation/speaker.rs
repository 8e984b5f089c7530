//! The speaker of a quotation: the draft and the source must name the same person.
//!
//! Why: the right words with the wrong speaker mislead more than wrong words do. If the source leaves the speaker
//! open, this rule says nothing.

use crate::words::{base, entries, is_title};
use crate::{
    binding::{Telling, has_turns, is_person, office_named, teller},
    reading::{StreamMatch, Voice, led, voice},
    rules::prelude::*,
    sources::turns::{SpokenTurns, is_office},
};
use copydesk_text::{
    marks::{Quotation, QuoteMark},
    words::number_word,
};

pub static RULE: Rule = Rule {
    name: "quotation.speaker",
    kind: SpanKind::Quotation,
    standing: Standing::WrongSpeaker,
    concern_type: ConcernType::AttributionGap,
    gravity: Gravity::Concern,
    why: "The source gives these words to somebody else.",
    source: "The speaker is the person whom the source names beside the words, or in the label before them. If the source leaves it open, the rule says nothing.",
    measured: Some(Measured { right: 270, of: 270, on: "the quotation set" }),
};

/// An office before a name has at most so many bytes.
const OFFICE: usize = 120;

/// A title stands at most so many words before its bearer.
const OFFICE_WORDS: usize = 2;

/// Behind a name, what its bearer says begins within so many words.
const REACH: usize = 3;

/// The speaker that the draft names, and the one that the sources name.
pub struct Mistaken {
    /// The name in the draft.
    pub named: Range<usize>,
    note: String,
    passage: Option<SourceSpan>,
    /// The right name as the sources write it, if they leave no doubt.
    pub right: Option<String>,
}

/// Enters a quotation if no place of it in the sources allows the speaker that the draft names.
pub fn check(ledger: &mut LedgerWriter<'_, '_>, field: &DraftField<'_>, quotation: usize, stands: &[StreamMatch]) {
    let texts = ledger.texts;
    let quoted = field.reading.quotations.get(quotation);
    let (Some(quoted), Some(mistaken)) = (quoted, mistaken(texts, field, quotation, stands)) else { return };
    // With the office before the name, which has rows of its own: "Alameda County District Attorney Pamela Price".
    let before =
        field.reading.between(quoted.start.min(mistaken.named.start).saturating_sub(OFFICE), mistaken.named.start);
    let office = before.iter().rev().take_while(|token| token.capital && !token.quoted()).last();
    ledger.doubt(field, office.map_or(mistaken.named.start, |token| token.start)..mistaken.named.end);
    let found = Fault::new(&RULE, field, quoted.start..quoted.end).also(mistaken.named);
    ledger.enter(found.note(mistaken.note).passage(mistaken.passage));
}

/// Whether the draft names a speaker of words whose speaker the sources leave open.
pub fn is_open(texts: &ProofTexts<'_>, field: &DraftField<'_>, quotation: usize, stands: &[StreamMatch]) -> bool {
    matches!(voice(&field.reading, &field.names, quotation), Voice::Named(_))
        && stands.iter().all(|stand| speaker(texts, stand).is_none())
}

/// The mistake about the speaker of a quotation, by its index, that stands at some places of the sources.
pub fn mistaken(texts: &ProofTexts<'_>, draft: &DraftField<'_>, at: usize, stands: &[StreamMatch]) -> Option<Mistaken> {
    // Behind a pronoun only the label of a turn is sure enough: prose has pronouns itself.
    let labelled = |stand: &StreamMatch| turn(texts, stand.source, stand.whole().start).is_some();
    let pronoun = || by_pronoun(&draft.reading, at) && stands.iter().all(labelled);
    let named = match voice(&draft.reading, &draft.names, at) {
        Voice::Named(named) => Some(named),
        Voice::Somebody if !pronoun() => return None,
        Voice::Somebody | Voice::Untold => led(&draft.reading, &draft.names, at),
    };
    let Some(named) = named else { return by_office(texts, draft, at, stands) };
    let named = draft.names.get(named)?;
    // "For New York, “": a place says nothing.
    let place = draft.reading.word_before(named.tokens.start, 1) == "for" && !has_turns(texts, named);
    if place || part_of_an_office(&draft.reading, named) {
        return None;
    }
    // A surname alone means the person whom the draft introduced.
    let office = office_named(&draft.reading, named);
    let named_in_full = texts.draft_roster.resolve(named).map_or(named, |known| &known.name);
    let named_in_full = office.as_ref().unwrap_or(named_in_full);
    // The rules of names report a name that the sources do not know.
    let known = texts.source_names.iter().flatten().any(|name| name.last() == named.last() || name.may_be(named));
    if !known || !somebody(texts, named, named_in_full) || office.is_some() && !has_turns(texts, named_in_full) {
        return None;
    }
    let mut other: Option<(&Name, &StreamMatch)> = None;
    for stand in stands {
        match speaker(texts, stand)? {
            Speaker::One(name) if !same(texts, named_in_full, name) => other = other.or(Some((name, stand))),
            // The last words may be another one's.
            Speaker::One(name) => {
                let of_another = |tail: &&Name| !same(texts, named_in_full, tail) && !same(texts, name, tail);
                other = other.or(Some((tail(texts, stand).filter(of_another)?, stand)));
            }
            Speaker::OneOf(several) => {
                if several.iter().any(|name| same(texts, named_in_full, name)) {
                    return None;
                }
                other = other.or(several.first().map(|name| (*name, stand)));
            }
        }
    }
    let (name, stand) = other?;
    // The last words may be another one's, though the first are not.
    let beside = |stand: &StreamMatch| {
        let first = matches!(speaker(texts, stand), Some(Speaker::One(one)) if same(texts, named_in_full, one));
        !first && stands_beside(texts, named_in_full, stand)
    };
    if stands.iter().any(beside) || nearer(texts, draft, at, named, name) {
        return None;
    }
    let unsure = matches!(speaker(texts, stand), Some(Speaker::OneOf(several)) if several.len() > 1);
    let right = written(texts, name, stand.source).filter(|_| !unsure);
    let passage = texts.archive.readings.get(stand.source).and_then(|reading| {
        let Range { start, end } = reading.span_of(&stand.whole())?;
        let named = name.start.min(start);
        texts.archive.span(stand.source, if start - named < 300 { named } else { start }, end)
    });
    let (who, wrong) = (right.as_deref().unwrap_or("somebody else"), draft.reading.slice(named.start..named.end));
    let note = format!("The source gives these words to {who}, not {}.", one_line(wrong));
    // A fix needs one speaker, named beside the words wherever they stand.
    let one = |stand: &StreamMatch| {
        tail(texts, stand).is_none_or(|tail| same(texts, tail, name))
            && matches!(speaker(texts, stand), Some(Speaker::One(other)) if same(texts, other, name))
    };
    let right = right.filter(|_| stands.iter().all(one));
    Some(Mistaken { named: named.start..named.end, note, passage, right })
}

/// Whether a name stands in the sentence of the words, outside of them and not as who is spoken to: `Valley coach Pote Venter: "…"`.
fn stands_beside(texts: &ProofTexts<'_>, name: &Name, stand: &StreamMatch) -> bool {
    let Some(reading) = texts.archive.readings.get(stand.source) else { return false };
    let Some(first) = reading.tokens.get(stand.whole().start) else { return false };
    let spoken_to = |at: usize| {
        let before = reading.words_before(at, 3).iter();
        before.filter(|token| token.line == first.line).any(|token| {
            matches!(
                &*token.word,
                "told" | "tells" | "tell" | "asked" | "to" | "with" | "of" | "thanked" | "assured" | "reminded"
            )
        })
    };
    texts.source_names.get(stand.source).into_iter().flatten().any(|other| {
        let token = reading.tokens.get(other.tokens.start);
        token.is_some_and(|token| token.line == first.line && !token.quoted())
            && same(texts, name, other)
            && !spoken_to(other.tokens.start)
    })
}

/// Whether "he said" or "said she" stands right behind a quotation, and the sentence before names no office: `He met the mayor.`
fn by_pronoun(reading: &ParsedText<'_>, quotation: usize) -> bool {
    let Some(quoted) = reading.quotations.get(quotation) else { return false };
    let next = reading.tokens.partition_point(|token| token.start < quoted.end);
    let behind = reading.tokens.get(next..next + 2).unwrap_or_default();
    let line = reading.line_at(quoted.start).saturating_sub(1);
    let mut before = reading.line_tokens(line).iter();
    behind.iter().any(|token| matches!(&*token.word, "he" | "she"))
        && !before.any(|token| !token.capital && is_title(base(&token.word)))
}

/// The mistake in `“…,” the judge said.`: the sources know one judge, and name another person as the speaker.
fn by_office(texts: &ProofTexts<'_>, draft: &DraftField<'_>, at: usize, stands: &[StreamMatch]) -> Option<Mistaken> {
    let quoted = draft.reading.quotations.get(at)?;
    let line = draft.reading.line_at(quoted.end);
    let Some(Telling::Office(tokens)) = teller(&draft.reading, &draft.names, line) else { return None };
    let token = draft.reading.tokens.get(tokens.end.checked_sub(1)?)?;
    let named = draft.reading.tokens.get(tokens.start)?.start..token.end;
    let near = draft.reading.between(quoted.end, named.start).is_empty() && named.start >= quoted.end;
    let title = base(&token.word);
    let holds = |reading: &ParsedText<'_>, name: &Name| {
        reading.words_before(name.tokens.start, OFFICE_WORDS).iter().any(|token| base(&token.word) == title)
    };
    let texts_and_names = || texts.archive.readings.iter().zip(&texts.source_names);
    let mut holders = texts_and_names().flat_map(|(reading, names)| {
        names.iter().filter(|name| name.personal() && name.titled && holds(reading, name))
    });
    let holder = holders.next()?;
    let only = holders.all(|other| other.may_be(holder));
    let bare = texts.turns.iter().flat_map(SpokenTurns::voices).any(|voice| is_office(voice) && voice.last() == title);
    let others = stands.iter().map(|stand| match speaker(texts, stand) {
        Some(Speaker::One(name)) if !same(texts, holder, name) && !is_office(name) => Some((name, stand)),
        _ => None,
    });
    let others: Vec<(&Name, &StreamMatch)> = others.collect::<Option<_>>()?;
    let (name, stand) = others.first()?;
    // "Ana Reyes, a judge from Lund,"
    let another = texts_and_names().any(|(reading, names)| {
        let lines = names.iter().filter(|other| other.may_be(name)).map(|other| reading.line_of(&other.tokens));
        lines.into_iter().any(|line| reading.line_tokens(line).iter().any(|token| base(&token.word) == title))
    });
    if !near || !only || bare || another || tokens.len() > 2 || !has_turns(texts, holder) {
        return None;
    }
    let who = written(texts, name, stand.source).unwrap_or_else(|| "somebody else".to_owned());
    let note =
        format!("The source gives these words to {who}, not to {}.", one_line(draft.reading.slice(named.clone())));
    Some(Mistaken { named, note, passage: texts.archive.words(stand.source, &stand.whole()), right: None })
}

/// Who says the last of the words, if they are of another quotation or turn than the first and the source names one.
fn tail<'d>(texts: &'d ProofTexts<'_>, stand: &StreamMatch) -> Option<&'d Name> {
    let last = stand.whole().end.checked_sub(1)?;
    let reading = texts.archive.readings.get(stand.source)?;
    let place = |at: usize| {
        let start = reading.tokens.get(at)?.start;
        let turn = turn(texts, stand.source, at).map(|name| name.start);
        Some((reading.quotations.partition_point(|quotation| quotation.end <= start), turn))
    };
    if place(stand.whole().start) == place(last) {
        return None;
    }
    let parts = std::iter::once(last..last + 1).collect();
    match speaker(texts, &StreamMatch { source: stand.source, parts })? {
        Speaker::One(name) => Some(name),
        Speaker::OneOf(_) => None,
    }
}

/// Whether the draft's sentence names the source's speaker before the words, and the speaker that it was read to name behind them:
/// `Introduced by Ada Lee as "a friend", Vale said that …`.
fn nearer(texts: &ProofTexts<'_>, draft: &DraftField<'_>, quotation: usize, named: &Name, right: &Name) -> bool {
    let Some(quoted) = draft.reading.quotations.get(quotation) else { return false };
    let begins = draft.reading.lines.get(draft.reading.line_of(&named.tokens)).map_or(0, |line| line.start);
    let before = draft.names.iter().filter(|name| begins <= name.start && name.end <= quoted.start);
    // Who says "that …" says something else than the words before.
    let behind = draft.reading.tokens.get(named.tokens.end..).unwrap_or_default();
    let own = behind.iter().take(REACH).any(|token| token.word == "that");
    own && named.start >= quoted.end && before.into_iter().any(|name| same(texts, name, right))
}

/// Whether the draft's name is a person's. The first word of `One of them said` is not.
fn somebody(texts: &ProofTexts<'_>, named: &Name, in_full: &Name) -> bool {
    let labelled = || {
        texts.archive.readings.iter().zip(&texts.source_names).any(|(reading, names)| {
            let label = |name: &&Name| reading.tokens.get(name.tokens.start).is_some_and(Token::aside);
            names.iter().filter(label).any(|name| name.last() == named.last())
        })
    };
    let counts = number_word(named.last()).is_some();
    // "The Court noted": a word, unless it has a turn.
    let word = !named.titled && in_full.words.len() == 1 && !entries(named.last()).is_empty();
    // "The Homeland Security Adviser" is an office.
    let office = is_title(named.last()) && !has_turns(texts, in_full);
    !counts
        && !office
        && (!word || has_turns(texts, in_full))
        && (named.titled || in_full.words.len() > 1 || !texts.roster.of(named.last()).is_empty() || labelled())
}

/// Whose turn a word of a source is, if the source has turns.
fn turn<'d>(texts: &'d ProofTexts<'_>, source: usize, at: usize) -> Option<&'d Name> {
    let token = texts.archive.readings.get(source)?.tokens.get(at)?;
    texts.turns.get(source)?.voice(token.line)
}

/// The bytes of the paragraph of a source's sentence, and the names that begin there.
fn paragraph<'d>(texts: &'d ProofTexts<'_>, source: usize, line: usize) -> Option<(Range<usize>, &'d [Name])> {
    let (reading, names) = (texts.archive.readings.get(source)?, texts.source_names.get(source)?);
    let bytes = reading.bytes_of(reading.paragraph(line))?;
    let first = names.partition_point(|name| name.start < bytes.start);
    let last = names.partition_point(|name| name.start < bytes.end);
    Some((bytes, names.get(first..last)?))
}

enum Speaker<'d> {
    /// The source names one beside the words.
    One(&'d Name),
    /// The speaker is one of those whom the paragraph names.
    OneOf(Vec<&'d Name>),
}

/// Who speaks some words of a source, if it says so.
fn speaker<'d>(texts: &'d ProofTexts<'_>, stand: &StreamMatch) -> Option<Speaker<'d>> {
    let (reading, names) = (texts.archive.readings.get(stand.source)?, texts.source_names.get(stand.source)?);
    let token = reading.tokens.get(stand.whole().start)?;
    let labelled = reading.lines.get(token.line).is_some_and(|line| line.label.is_some());
    let quotation = reading.quotations.partition_point(|q| q.end <= token.start);
    let letter = texts.turns.get(stand.source).is_some_and(|turns| turns.letter);
    let block = |q: &Quotation| letter && q.mark == QuoteMark::Block;
    let inside =
        token.quoted() && reading.quotations.get(quotation).is_some_and(|q| q.start <= token.start && !block(q));
    match turn(texts, stand.source, stand.whole().start) {
        // "Q:" and "INTERVIEWER:" name no person. All words after a label in a transcript belong to its speaker, except quoted words.
        None if labelled => return None,
        Some(name) if !inside || labelled && only_quotation(reading.line_text(token.line)) => {
            return Some(Speaker::One(name));
        }
        _ => {}
    }
    let start = reading.quotations.get(quotation).filter(|_| inside)?.start;
    match voice(reading, names, quotation) {
        Voice::Named(at) => {
            let name = names.get(at)?;
            if name.words.iter().any(|word| word.chars().count() != 1) {
                return Some(Speaker::One(name));
            }
            texts.roster.initialled(&name.words.concat()).map(|known| Speaker::One(&known.name))
        }
        Voice::Somebody => {
            // "she said": the speaker is one of those named earlier in the paragraph.
            let (_, here) = paragraph(texts, stand.source, token.line)?;
            let people: Vec<&Name> = here.iter().filter(|name| name.end < start && is_person(texts, name)).collect();
            (!people.is_empty()).then_some(Speaker::OneOf(people))
        }
        Voice::Untold => introduced(texts, stand.source, token.line, start)
            .map(Speaker::One)
            .or_else(|| Some(Speaker::OneOf(vec![going_on(texts, stand.source, token.line, start)?]))),
    }
}

/// The person whose name opens a paragraph that introduces the words with a colon: `Ingrid Vale, 44, on the year
/// without: “…`
fn introduced<'d>(texts: &'d ProofTexts<'_>, source: usize, line: usize, start: usize) -> Option<&'d Name> {
    let reading = texts.archive.readings.get(source)?;
    let (paragraph, here) = paragraph(texts, source, line)?;
    let first = here.first().filter(|name| is_person(texts, name))?;
    let lead = reading.text.get(paragraph.start..start)?;
    let opens = reading.between(paragraph.start, first.start).iter().all(|token| token.capital);
    let colon = lead.trim_end_matches(['“', '"', ' ']).ends_with(':');
    (opens && colon && !lead.contains(['”', '!', '?'])).then_some(first)
}

/// The person introduced a few paragraphs earlier, if this paragraph names no person and introduces the words with a colon: `On the quay:
/// “…`
fn going_on<'d>(texts: &'d ProofTexts<'_>, source: usize, line: usize, start: usize) -> Option<&'d Name> {
    let reading = texts.archive.readings.get(source)?;
    let (own, here) = paragraph(texts, source, line)?;
    let lead = reading.text.get(own.start..start)?;
    let colon = lead.trim_end_matches(['“', '"', ' ']).ends_with(':') && !lead.contains(['”', '?']);
    if !colon || here.iter().any(|name| name.start < start && is_person(texts, name)) {
        return None;
    }
    let before = |line: &usize| reading.paragraph(*line).start.checked_sub(1);
    let earlier = std::iter::successors(before(&line), before).take(4).map_while(|line| {
        let (bytes, _) = paragraph(texts, source, line)?;
        let quoted = reading.quotations.iter().find(|quotation| bytes.contains(&quotation.start))?;
        Some(introduced(texts, source, line, quoted.start))
    });
    earlier.flatten().next()
}

/// Whether a labelled line is only its quotation: `Kim Ostrander: “We did not ask for this.”`
fn only_quotation(line: &str) -> bool {
    line.split_once(':').is_some_and(|(_, rest)| rest.trim_start().starts_with(['“', '"']))
        || line.starts_with(['“', '"'])
        || !line.contains(['“', '"'])
        || line.ends_with(['”', '"'])
}

/// Whether the draft's name and the source's can be one person. The rules of names report a misspelling.
fn same(texts: &ProofTexts<'_>, draft: &Name, source: &Name) -> bool {
    let full = texts.roster.who(source).map_or(source, |known| &known.name);
    let office = is_office(draft) != is_office(source);
    full.may_be(draft) || source.may_be(draft) || office && !has_turns(texts, draft)
}

/// A speaker's name as the sources write it in full.
pub fn written(texts: &ProofTexts<'_>, name: &Name, source: usize) -> Option<String> {
    let (full, at) = texts.roster.who(name).map_or((name, source), |known| (&known.name, known.text));
    let reading = texts.archive.readings.get(at)?;
    let text = reading.text.get(full.start..full.end)?;
    let shouted = !text.chars().any(char::is_lowercase);
    (!shouted).then(|| one_line(text))
}

/// Whether a name is only part of an office: `the Minister of Canadian Heritage`.
fn part_of_an_office(reading: &ParsedText<'_>, name: &Name) -> bool {
    let line = reading.line_of(&name.tokens);
    let word = |at: usize| reading.tokens.get(at).filter(|token| token.line == line);
    let before = name.tokens.start.checked_sub(1).and_then(word);
    let of = |token: &Token| matches!(token.word.as_str(), "of" | "for" | "in" | "at" | "from" | "with");
    let behind = word(name.tokens.end).filter(|token| token.capital && is_title(&token.word));
    let close = behind.is_some_and(|token| reading.text.get(name.end..token.start) == Some(" "));
    // "For Ana Reyes, “", "In the words of Ana Reyes, “"
    let office = name.tokens.start.checked_sub(2).and_then(word).is_some_and(|token| token.word != "words");
    before.is_some_and(of) && office || close
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        check::ledger,
        rule::Gravity,
        testing::{check_texts, texts},
    };

    const SOURCE: &str = "KIM Ostrander heads the union. BETH Ostrander is a parent; Dale Nyberg drives.\n\n\
                          Beth Ostrander: “My child will be at the bus stop in the dark.”\n\n\
                          Kim Ostrander: “We asked for a calendar and we got a clock.”\n\n\
                          NYBERG: Nobody is being laid off this year.";

    /// The quotations with a wrong speaker, and their notes.
    fn speakers(draft: &str) -> Vec<(String, String)> {
        let found = check_texts(draft, SOURCE);
        found.into_iter().filter(|found| found.rule == RULE.name).map(|found| (found.text, found.note)).collect()
    }

    #[test]
    fn the_other_of_that_surname_did_not_say_it() {
        let words = "My child will be at the bus stop in the dark,";
        let note = "The source gives these words to Beth Ostrander, not Kim Ostrander.";
        let wrong = "“My child will be at the bus stop in the dark,” said Kim Ostrander.";
        assert_eq!(speakers(wrong), [(words.to_owned(), note.to_owned())]);
        assert_eq!(speakers("“My child will be at the bus stop in the dark,” said Beth Ostrander."), []);
        assert_eq!(
            speakers("Kim Ostrander heads the union. “My child will be at the bus stop,” Ostrander said.").len(),
            1
        );
    }

    #[test]
    fn a_speaker_named_before_the_words_may_be_theirs() {
        let fine =
            "Introduced by Kim Ostrander as one who “asked for a calendar”, Dale Nyberg said that nobody is laid off.";
        assert_eq!(speakers(fine), []);
        for wrong in [
            "At the table they “asked for a calendar”, Dale Nyberg said.",
            "Responding to Kim Ostrander, “we asked for a calendar”, Dale Nyberg said.",
        ] {
            assert_eq!(speakers(wrong).len(), 1, "{wrong}");
        }
    }

    #[test]
    fn an_office_a_pronoun_and_the_last_words_name_a_speaker() {
        let source = "JUDGE ADA RUUD: The witness is excused now.\n\nMS EVA LIE: This should never have been brought.\n\nTom Berg: The mast is on order \
                      now. It comes on Monday.\n\nJan Dahl said: \"I saw it at nine.\" Dr Bo Holt said: \"Nobody came until noon.\"";
        let found =
            |draft: &str| check_texts(draft, source).into_iter().filter(|found| found.rule == RULE.name).count();
        for fine in [
            "“The witness is excused now,” the judge said.",
            "“This should never have been brought,” the lawyer said.",
            "Tom Berg was calm. “The mast is on order now,” he said.",
            "Eva Lie met the judge. “The witness is excused now,” she said.",
            "“The mast is on order now. It comes on Monday,” said Tom Berg.",
        ] {
            assert_eq!(found(fine), 0, "{fine}");
        }
        for wrong in [
            "“This should never have been brought,” the judge said.",
            "Eva Lie was calm. “The mast is on order now,” she said.",
            "“I saw it at nine. Nobody came until noon,” said Jan Dahl.",
        ] {
            assert_eq!(found(wrong), 1, "{wrong}");
        }
    }

    #[test]
    fn a_speaker_behind_an_office_is_not_its_club() {
        let source = "St Colman's manager Joe Burke: \"I'd be lying if I said we deserved it.\" Ada Roth told him so.";
        let of = |name: &str| check_texts(&format!("“I'd be lying if I said we deserved it,” said {name}."), source);
        assert_eq!(of("Joe Burke"), []);
        assert_eq!(of("Ada Roth").len(), 1);
    }

    #[test]
    fn the_row_is_the_quotations_and_its_only_one() {
        let rows = |draft: &str| {
            let (article, sources) = texts(draft, SOURCE);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            rows.into_iter()
                .filter(|row| matches!(row.kind, SpanKind::Quotation | SpanKind::Name))
                .map(|row| (row.text, row.standing))
                .collect::<Vec<_>>()
        };
        let row = |text: &str, standing| (text.to_owned(), standing);
        let (words, kim) = ("We asked for a calendar and we got a clock,", row("Kim Ostrander", Standing::Matches));
        let beth = row("Beth Ostrander", Standing::StandsThere);
        assert_eq!(rows(&format!("“{words}” Beth Ostrander said.")), [row(words, Standing::WrongSpeaker), beth]);
        assert_eq!(rows(&format!("“{words}” Kim Ostrander said.")), [row(words, Standing::Verbatim), kim]);
        // The words left out are a second matter.
        let elided = "We asked for … a clock,";
        assert_eq!(rows(&format!("“{elided}” Beth Ostrander said."))[0].1, Standing::WrongSpeaker);
    }

    #[test]
    fn the_finding_at_the_name_brings_the_right_one() {
        let named = |draft: &str, source: &str| {
            let (article, sources) = texts(draft, source);
            let found = crate::check(&article, &sources);
            let at = found.iter().filter_map(|finding| crate::at_the_name(finding, &article, &sources));
            at.map(|found| (found.start, found.text, found.replacement)).collect::<Vec<_>>()
        };
        let draft = "Kim Ostrander left. “My child will be at the bus stop,” said Kim Ostrander.";
        let right = Some("Beth Ostrander".to_owned());
        assert_eq!(named(draft, SOURCE), [(draft.rfind("Kim").unwrap(), "Kim Ostrander".to_owned(), right)]);
        // Two people can have said it: no name is put in.
        let open = "Ada Ruud met Tom Berg. “It was late in the day,” she said.\n\nKim Ostrander left.";
        let draft = "“It was late in the day,” Kim Ostrander said.";
        assert_eq!(named(draft, open), [(draft.find("Kim").unwrap(), "Kim Ostrander".to_owned(), None)]);
        assert_eq!(named("It cost $9.", SOURCE), []);
    }

    #[test]
    fn the_first_word_of_a_sentence_is_nobody() {
        assert_eq!(speakers("Nobody and none said, “Nobody is being laid off this year.”"), []);
        let source = "PART ONE of the notes. One bus is late. NYBERG: Nobody is being laid off this year.";
        assert_eq!(check_texts("One of them said, “Nobody is being laid off this year.”", source), []);
    }

    #[test]
    fn a_speaker_is_named_in_many_forms() {
        let source = "ADA MARKET: The mast is too thin for the north wind.\n\nBO BRIDGE: We paid for it twice, and nobody wrote.\n\nMS. WAY: \
                      Goodnight to all of you in the hall.\n\nSailor Kim Dahl said: “It broke at noon on Sunday.”";
        let found =
            |draft: &str| check_texts(draft, source).into_iter().filter(|found| found.rule == RULE.name).count();
        for (one, other) in [("Ada Market", "Bo Bridge"), ("Ms. Way", "Ada Market")] {
            let words = if one == "Ms. Way" {
                "Goodnight to all of you in the hall"
            } else {
                "The mast is too thin for the north wind"
            };
            for (begin, end) in [
                ("For NAME, “", "”."),
                ("To quote NAME, “", "”."),
                ("In the words of NAME, “", "”."),
                ("NAME’s verdict: “", "”."),
            ] {
                let draft = |name: &str| format!("{}{words}{end}", begin.replace("NAME", name));
                assert_eq!((found(&draft(one)), found(&draft(other))), (0, 1), "{}", draft(other));
            }
            for end in ["according to NAME.", "NAME told the inquiry."] {
                let draft = |name: &str| format!("“{words},” {}", end.replace("NAME", name));
                assert_eq!((found(&draft(one)), found(&draft(other))), (0, 1), "{}", draft(other));
            }
        }
        assert_eq!(found("“It broke at noon on Sunday,” Kim Dahl said."), 0);
        assert_eq!(found("“It broke at noon on Sunday,” Bo Bridge said."), 1);
    }

    #[test]
    fn a_transcripts_label_speaks() {
        assert_eq!(speakers("“Nobody is being laid off this year,” Nyberg said."), []);
        assert_eq!(speakers("“Nobody is being laid off this year,” Kim Ostrander said.").len(), 1);
    }
}
