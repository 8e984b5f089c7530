//! Who speaks: in a source, sentence by sentence; in the draft, where somebody's words are told without quotation marks.

use std::ops::Range;

use crate::proof::{
    reading::{Name, ParsedText, Token, shouted},
    sources::{ProofTexts, SourceLine},
    words::{Class, entries},
};
use crate::text::tagger::Tag;

/// A text with at least so many labels is a transcript: a label holds until the next one.
const TRANSCRIPT: usize = 3;

/// A turn is searched for a heading over so many sentences.
const TURN: usize = 200;

/// The one who speaks is named at most so many words from the verb.
const NEAR: usize = 8;

/// Who speaks a sentence of a source. It is the person of the label before it, over paragraphs. In other texts it is
/// whoever the sentence itself names as its speaker; `she said` means the one named last in the paragraph. None if the
/// source leaves it open.
pub fn voice_of<'t>(texts: &'t ProofTexts<'_>, place: SourceLine) -> Option<&'t Name> {
    let reading = texts.archive.reading(place)?;
    let names = texts.source_names.get(place.source)?;
    let line = reading.lines.get(place.line)?;
    let at = reading.labels.partition_point(|label| label.start < line.end);
    let label = at.checked_sub(1).and_then(|at| reading.labels.get(at));
    // Behind a heading begins another text.
    let headed = |label: &&Range<usize>| {
        let from = reading.lines.partition_point(|line| line.end <= label.start);
        (from..place.line).rev().take(TURN).any(|line| reading.heads(line))
    };
    let label = label.filter(|label| !headed(label));
    // "Buses:" is a heading. Whoever speaks does so more than once, or is named elsewhere.
    let speaks = |name: &&Name| speaks(texts, reading, name);
    if reading.labels.len() >= TRANSCRIPT
        && let Some(name) = label.and_then(|label| named_within(names, label)).filter(speaks)
    {
        return Some(name);
    }
    if let Some(name) = line
        .label
        .and_then(|label| reading.labels.get(label))
        .and_then(|label| named_within(names, label))
        .filter(speaks)
    {
        return Some(name);
    }
    if let Some(told) = told_by(reading, names, place.line) {
        return match told {
            Teller::By(name) => Some(name),
            Teller::ByPronoun => {
                let paragraph = reading.paragraph(place.line);
                let first = reading.lines.get(paragraph.start.saturating_sub(1))?.start;
                let before = names.get(..names.partition_point(|name| name.start < line.start))?;
                before.iter().rev().take_while(|name| name.start >= first).find(|name| is_person(texts, name))
            }
        };
    }
    None
}

fn named_within<'n>(names: &'n [Name], range: &Range<usize>) -> Option<&'n Name> {
    let first = names.partition_point(|name| name.end <= range.start);
    names.get(first).filter(|name| name.start < range.end)
}

/// Whether a label names somebody who speaks, and is no heading such as `Recommendation:`.
pub fn speaks(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, name: &Name) -> bool {
    let shouted =
        reading.tokens.get(name.tokens.clone()).is_some_and(|words| words.iter().all(|word| shouted(reading, word)));
    let a_name = name.titled || shouted || entries(name.last()).is_empty();
    is_person(texts, name) || name.personal() && a_name && again(reading, name)
}

/// Whether a label stands in the text more than once.
fn again(reading: &ParsedText<'_>, name: &Name) -> bool {
    let written = reading.slice(name.start..name.end);
    reading.labels.iter().filter(|label| reading.slice((*label).clone()).ends_with(written)).take(2).count() == 2
}

fn is_person(texts: &ProofTexts<'_>, name: &Name) -> bool {
    name.personal() && (name.titled || name.words.len() > 1 || !texts.roster.of(name.last()).is_empty())
}

/// Who is said to have said what a sentence tells.
pub enum Teller<'n> {
    By(&'n Name),
    ByPronoun,
}

/// Whether somebody named in the draft may be the one who speaks in a source.
pub fn same_voice(texts: &ProofTexts<'_>, named: &Name, voice: &Name) -> bool {
    let named = texts.draft_roster.resolve(named).map_or(named, |known| &known.name);
    let full = texts.roster.resolve(voice).map_or(voice, |known| &known.name);
    full.may_be(named) || voice.may_be(named) || voice.last() == named.last()
}

/// Who says what the sentence `line` of the draft tells, `she said` being whoever says what the sentence before tells.
pub fn teller<'n>(reading: &ParsedText<'_>, names: &'n [Name], line: usize) -> Option<Telling<'n>> {
    match told_by(reading, names, line)? {
        Teller::By(name) => Some(Telling::By(name)),
        Teller::ByPronoun => Some(before(reading, names, line).map_or(Telling::Open, Telling::By)),
    }
}

/// The one to whom a pronoun in a sentence goes back.
fn before<'n>(reading: &ParsedText<'_>, names: &'n [Name], line: usize) -> Option<&'n Name> {
    let paragraph = reading.paragraph(line);
    let before = line.checked_sub(1).filter(|before| paragraph.contains(before))?;
    // Somebody else who is named may be the one.
    let own = reading.lines.get(before)?;
    let first = names.partition_point(|name| name.start < own.start);
    let mut here = names.get(first..).unwrap_or_default().iter().take_while(|name| name.start < own.end);
    match told_by(reading, names, before)? {
        Teller::By(name) => here.all(|other| !other.personal() || other.last() == name.last()).then_some(name),
        Teller::ByPronoun => self::before(reading, names, before),
    }
}

/// Who says what a sentence of the draft tells.
pub enum Telling<'n> {
    By(&'n Name),
    /// Somebody; the draft does not show who.
    Open,
}

/// Who says what the sentence `line` of a text tells without quotation marks: `Reyes said that …`, `…, Reyes warned`, `according to Reyes`.
pub fn told_by<'n>(reading: &ParsedText<'_>, names: &'n [Name], line: usize) -> Option<Teller<'n>> {
    let range = reading.lines.get(line)?.tokens.clone();
    let word = |at: usize| reading.tokens.get(at).filter(|_| range.contains(&at));
    let verb = range.clone().find(|at| {
        word(*at).is_some_and(|token| {
            let says = token.class.has(Class::SAYS) || token.word == "according";
            // "The plan called for": not speech. "Asked" gives nobody's statement.
            says && !token.quoted() && !matches!(token.word.as_str(), "called" | "put" | "asked" | "asks")
        })
    })?;
    let by = |tokens: Range<usize>, backwards: bool| {
        let first = names.partition_point(|name| name.tokens.start < tokens.start);
        let last = names.partition_point(|name| name.tokens.end <= tokens.end);
        let mut within = names.get(first..last).unwrap_or_default().iter().filter(|name| name.personal());
        if backwards { within.next_back() } else { within.next() }
    };
    let pronoun = |at: usize| word(at).is_some_and(|token| matches!(token.word.as_str(), "he" | "she"));
    let before = verb.saturating_sub(NEAR).max(range.start)..verb;
    if word(verb).is_some_and(|token| token.word == "according") {
        return by(verb..(verb + NEAR).min(range.end), false).map(Teller::By);
    }
    // "Reyes, who said he would leave, …"
    if verb.checked_sub(1).and_then(word).is_some_and(|token| token.word == "who") {
        return by(range.start..verb, true).map(Teller::By);
    }
    // "He also noted"
    let grammar = reading.grammar(line);
    let subject = (range.start..verb).rev().find(|at| grammar.tag(*at) != Tag::Adverb);
    if subject.is_some_and(pronoun) || pronoun(verb + 1) {
        return Some(Teller::ByPronoun);
    }
    // "…, said Ana Reyes": the name follows at once.
    let mut here = names.iter().filter(|name| range.contains(&name.tokens.start));
    let behind = here.find(|name| name.tokens.start == verb + 1 || name.titled && name.tokens.start == verb + 2);
    let ends = |name: &&Name| word(name.tokens.end).is_none_or(|token| token.line != line || !is_verb(token));
    // "Reyes, the mayor, said" and "Reyes later said": nothing else stands between.
    let joined = |name: &&Name| {
        let end = word(verb).map_or(name.end, |token| token.start);
        let gap = reading.text.get(name.end..end).unwrap_or_default().trim();
        let words = verb.saturating_sub(name.tokens.end);
        let aside = gap.len() > 1 && gap.starts_with(',') && gap.ends_with(',') && gap.matches(',').count() == 2;
        aside || words < 2 && !gap.contains([',', ';', ':', '"', '“', '”']) && gap != "and" && gap != "but"
    };
    behind.filter(|name| name.personal()).filter(ends).or_else(|| by(before, true).filter(joined)).map(Teller::By)
}

fn is_verb(token: &Token) -> bool {
    token.class.has(Class::SAYS)
}
