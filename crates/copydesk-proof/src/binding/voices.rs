//! Who speaks: in a source, sentence by sentence; in the draft, if words are reported without quotation marks.

use std::ops::Range;

use crate::{
    reading::{Name, ParsedText, TextLine, Token, shouted, speakers::heads_a_title},
    sources::{ProofTexts, SourceLine, turns},
    words::{Class, WordList, base, is_title, nicknames::is_first_name, speech::VOICING, words},
};
use copydesk_text::tagger::Tag;

/// The one who speaks is named at most so many words from the verb.
const NEAR: usize = 16;

/// The person after `according to` is named within so many words.
const ACCORDING: usize = 8;

/// An office has at most so many words.
const OFFICE: usize = 4;

/// A pronoun goes back over at most so many sentences without a name.
const BACK: usize = 2;

/// Verbs of who puts a question, makes a demand, or warns.
static ASKS: WordList = words("asked asks pressed presses questioned questions queried demanded demands urged urges");

/// Words before which a clause begins, although a tagger takes them for prepositions.
static CLAUSES: WordList =
    words("that because if while whereas although though since after before until unless whether as than so");

/// Who speaks a sentence of a source. It is whoever the label or the heading before it names. In other texts it is whoever the sentence
/// itself names as its speaker; `she said` means the one named last in the paragraph. None if the source leaves it open.
pub fn voice_of<'t>(texts: &'t ProofTexts<'_>, place: SourceLine) -> Option<&'t Name> {
    let reading = texts.archive.reading(place)?;
    let names = texts.source_names.get(place.source)?;
    let line = reading.lines.get(place.line)?;
    let turn = texts.turns.get(place.source).and_then(|turns| turns.voice(place.line));
    // A witness, too, tells what others said.
    match told_by(reading, names, place.line, false) {
        Some(Telling::By(name)) if turn.is_none() => Some(name).filter(|name| is_somebody(texts, name)),
        Some(Telling::Open) if turn.is_none() => {
            let paragraph = reading.paragraph(place.line);
            let first = reading.lines.get(paragraph.start.saturating_sub(1))?.start;
            let before = names.get(..names.partition_point(|name| name.start < line.start))?;
            before.iter().rev().take_while(|name| name.start >= first).find(|name| is_person(texts, name))
        }
        _ => turn,
    }
}

/// Whether a name is a person's in the sources: it has a title, a first name, or somewhere both.
pub fn is_person(texts: &ProofTexts<'_>, name: &Name) -> bool {
    name.personal() && (name.titled || name.words.len() > 1 || !texts.roster.of(name.last()).is_empty())
}

/// Whether a name is a person's, or a body's that no sentence has in small letters: "Participants noted" has no name.
fn is_somebody(texts: &ProofTexts<'_>, name: &Name) -> bool {
    let body = || texts.archive.seen(name.last()).is_some_and(|seen| seen.capital && !seen.lower);
    is_person(texts, name) || body()
}

/// Whether the person named in the draft is the speaker in a source, as far as names tell.
pub fn same_voice(texts: &ProofTexts<'_>, named: &Name, voice: &Name) -> bool {
    let named = texts.draft_roster.who(named).map_or(named, |known| &known.name);
    let named = if named.words.len() == 1 { texts.roster.who(named).map_or(named, |known| &known.name) } else { named };
    may_be(texts, voice, named)
}

/// Whether a voice of the sources can be the person of a name.
fn may_be(texts: &ProofTexts<'_>, voice: &Name, named: &Name) -> bool {
    let full = texts.roster.who(voice).map_or(voice, |known| &known.name);
    full.may_be(named) || voice.may_be(named) || voice.last() == named.last()
}

/// Whether the person speaks in the sources in their own name.
pub fn has_turns(texts: &ProofTexts<'_>, named: &Name) -> bool {
    let mut voices = texts.turns.iter().flat_map(turns::SpokenTurns::voices);
    voices.any(|voice| turns::is_office(named) == turns::is_office(voice) && may_be(texts, voice, named))
}

/// Who says what the sentence `line` of the draft tells, `she said` being whoever says what the sentence before tells.
pub fn teller<'n>(reading: &ParsedText<'_>, names: &'n [Name], line: usize) -> Option<Telling<'n>> {
    telling(reading, names, line, false)
}

/// As [`teller`], with those who ask.
pub fn asker<'n>(reading: &ParsedText<'_>, names: &'n [Name], line: usize) -> Option<Telling<'n>> {
    telling(reading, names, line, true)
}

fn telling<'n>(reading: &ParsedText<'_>, names: &'n [Name], line: usize, asks: bool) -> Option<Telling<'n>> {
    // "Reyes was glad of a gate that, she said, …"
    let meant = || actor(reading, names, line).or_else(|| before(reading, names, line, CHAIN));
    Some(match told_by(reading, names, line, asks)? {
        Telling::Open => meant().map_or(Telling::Open, Telling::By),
        told => told,
    })
}

/// The person who acts in a sentence, if it names no other person.
fn actor<'n>(reading: &ParsedText<'_>, names: &'n [Name], line: usize) -> Option<&'n Name> {
    let own = reading.lines.get(line)?;
    let mut people = people(names, own);
    let only = people.next()?;
    let grammar = reading.grammar(line);
    let stands = |at: usize| {
        let pronoun =
            |token: &Token| matches!(token.word.as_str(), "he" | "she" | "him" | "her" | "his" | "they" | "it");
        !grammar.tag(at).is_verb() && reading.tokens.get(at).is_some_and(|token| !pronoun(token))
    };
    let acts = (own.tokens.start..only.tokens.start).all(stands);
    (acts && people.all(|other| other.last() == only.last())).then_some(only)
}

/// So many pronouns, each in a sentence before the last, go back to one name.
const CHAIN: usize = 12;

/// The one to whom a pronoun in a sentence goes back, over so many pronouns at most.
fn before<'n>(reading: &ParsedText<'_>, names: &'n [Name], line: usize, chain: usize) -> Option<&'n Name> {
    let chain = chain.checked_sub(1)?;
    let paragraph = reading.paragraph(line);
    for back in 1..=BACK {
        let earlier = line.checked_sub(back).filter(|earlier| paragraph.contains(earlier))?;
        let mut people = people(names, reading.lines.get(earlier)?);
        let acts = || actor(reading, names, earlier);
        match told_by(reading, names, earlier, true) {
            // Another named person may be the one.
            Some(Telling::By(name)) => return people.all(|other| other.last() == name.last()).then_some(name),
            Some(Telling::Open) => return acts().or_else(|| before(reading, names, earlier, chain)),
            Some(Telling::Office(_)) => return None,
            None if people.next().is_some() => return acts(),
            None => {}
        }
    }
    None
}

/// The persons whom a sentence names.
fn people<'n>(names: &'n [Name], line: &TextLine) -> impl Iterator<Item = &'n Name> {
    let end = line.end;
    let first = names.partition_point(|name| name.start < line.start);
    let here = names.get(first..).unwrap_or_default().iter().take_while(move |name| name.start < end);
    here.filter(move |name| names_person(names, name))
}

/// Whether the text itself shows that a name is a person's: by a title, a first name, or the surname alone elsewhere.
fn names_person(names: &[Name], name: &Name) -> bool {
    let elsewhere = |other: &Name| other.words.len() != name.words.len() && other.personal() && other.may_be(name);
    name.personal() && (name.titled || name.first().is_some_and(is_first_name) || names.iter().any(elsewhere))
}

/// Who says what a sentence of the draft tells.
pub enum Telling<'n> {
    By(&'n Name),
    /// `The minister said`: an office, by its words.
    Office(Range<usize>),
    /// A person; the sentence does not show who.
    Open,
}

/// Who says what the sentence `line` of a text tells without quotation marks: `Reyes said that …`, `…, Reyes warned`, `according to Reyes`.
/// Who asks counts only if that is wanted.
pub fn told_by<'n>(reading: &ParsedText<'_>, names: &'n [Name], line: usize, asks: bool) -> Option<Telling<'n>> {
    let range = reading.lines.get(line)?.tokens.clone();
    let word = |at: usize| reading.tokens.get(at).filter(|_| range.contains(&at));
    let first = names.partition_point(|name| name.start < word(range.start).map_or(0, |token| token.start));
    let names: Vec<&'n Name> =
        names.get(first..).unwrap_or_default().iter().take_while(|name| name.tokens.end <= range.end).collect();
    let verbs = range.clone().filter(|at| word(*at).is_some_and(|token| !token.quoted()));
    verbs.into_iter().find_map(|verb| subject(reading, &names, &range, verb, asks))
}

/// Who does what a verb of speech says.
fn subject<'n>(
    reading: &ParsedText<'_>,
    names: &[&'n Name],
    range: &Range<usize>,
    verb: usize,
    asks: bool,
) -> Option<Telling<'n>> {
    let word = |at: usize| reading.tokens.get(at).filter(|_| range.contains(&at));
    let own = word(verb)?;
    let asked = ASKS.contains(&own.word);
    // "The plan called for": not speech. "Asked" gives no statement.
    if matches!(own.word.as_str(), "called" | "put") || asked && !asks {
        return None;
    }
    let that = word(verb + 1).is_some_and(|next| next.word == "that");
    let gap = |from: usize, to: usize| reading.text.get(from..to).unwrap_or_default();
    let tail = gap(own.end, word(verb + 1).map_or(own.end + 1, |next| next.start));
    let closed = tail.trim_start().starts_with([',', '.', ';', '”', '"']);
    // `Said` tells wherever it stands.
    let plain = asked || own.word == "according" || own.class.has(Class::SAYS);
    let tells = || {
        if VOICING.contains(&own.word) {
            // `Maintained` before "that", or set off behind its subject: `the gate, Reyes maintained, is old`.
            (that || closed) && reading.grammar(own.line).tag(verb).is_verb()
        } else {
            // `Reyes estimated that`. "The paper published that day": not this "that".
            that && reads_that(reading, verb)
        }
    };
    if !plain && !tells() {
        return None;
    }
    let grammar = reading.grammar(own.line);
    let by = |tokens: Range<usize>| {
        let inside = move |name: &&&'n Name| name.tokens.start >= tokens.start && name.tokens.end <= tokens.end;
        names.iter().filter(inside).filter(|name| name.personal()).copied()
    };
    let pronoun = |at: usize| word(at).is_some_and(|token| matches!(token.word.as_str(), "he" | "she"));
    let before = verb.saturating_sub(NEAR).max(range.start)..verb;
    if own.word == "according" {
        return by(verb..(verb + ACCORDING).min(range.end)).next().map(Telling::By);
    }
    // "Reyes, who said he would leave, …"
    if plain && verb.checked_sub(1).and_then(word).is_some_and(|token| token.word == "who") {
        return by(range.start..verb).next_back().map(Telling::By);
    }
    // "He also noted"
    let subject = (range.start..verb).rev().find(|at| grammar.tag(*at) != Tag::Adverb);
    if subject.is_some_and(pronoun) {
        return Some(Telling::Open);
    }
    // "…, said Ana Reyes": the name follows at once.
    let behind =
        names.iter().find(|name| name.tokens.start == verb + 1 || name.titled && name.tokens.start == verb + 2);
    let says = |token: &Token| token.line == own.line && token.class.has(Class::SAYS);
    let ends = |name: &&Name| !word(name.tokens.end).is_some_and(says);
    let behind = behind.copied().filter(|name| plain && !ASKS.contains(&own.word) && name.personal()).filter(ends);
    // "Said Orange County Attorney Todd Spitzer": whoever has the title speaks.
    let behind = behind.map(|name| titled_behind(reading, names, name).unwrap_or(name));
    let acting = || by(before.clone()).rev().find(|name| acts(reading, name, verb));
    if let Some(name) = behind.or_else(acting) {
        return Some(office_around(reading, name, verb).map_or(Telling::By(name), Telling::Office));
    }
    // "…, said she"
    let comma = subject.and_then(word).is_some_and(|token| gap(token.end, own.start).contains([',', '”', '"']));
    if plain && comma && pronoun(verb + 1) {
        return Some(Telling::Open);
    }
    // "The minister said"
    let head = subject.filter(|at| word(*at).is_some_and(holds_office))?;
    let start =
        (head.saturating_sub(OFFICE)..head).rev().find(|at| word(*at).is_some_and(|token| token.word == "the"))?;
    let whole = (start..head).all(|at| !grammar.tag(at).is_verb() && grammar.tag(at) != Tag::Preposition);
    whole.then_some(Telling::Office(start..head + 1))
}

/// Whether a word is a preposition: not "that" or "because", before which a clause of its own begins.
pub fn preposition(reading: &ParsedText<'_>, at: usize) -> bool {
    let Some(token) = reading.tokens.get(at) else { return false };
    reading.grammar(token.line).tag(at) == Tag::Preposition && !CLAUSES.contains(&token.word)
}

/// The one whose title a name begins.
fn titled_behind<'n>(reading: &ParsedText<'_>, names: &[&'n Name], name: &Name) -> Option<&'n Name> {
    let next = names.iter().copied().find(|next| next.start > name.start)?;
    heads_a_title(reading, name, next).then_some(next)
}

/// Whether a verb tells what the clause behind the next word, `that`, says.
fn reads_that(reading: &ParsedText<'_>, verb: usize) -> bool {
    let line = reading.line_of(&(verb..verb + 1));
    let grammar = reading.grammar(line);
    let end = reading.lines.get(line).map_or(0, |line| line.tokens.end);
    let finite = |at: usize| matches!(grammar.tag(at), Tag::Past | Tag::Present | Tag::Modal | Tag::Verb);
    // "Did not believe that" is no speech.
    let said = matches!(grammar.tag(verb), Tag::Past | Tag::Present);
    said && grammar.tag(verb + 1) == Tag::Preposition && (verb + 2..end).any(finite)
}

/// Whether the named person is the subject of a verb: `Reyes later said`, `Reyes, the mayor of Lund, said`, `Reyes of Lund said`. Nothing
/// else stands between.
fn acts(reading: &ParsedText<'_>, name: &Name, verb: usize) -> bool {
    let token = |at: usize| reading.tokens.get(at);
    let end = token(verb).map_or(name.end, |token| token.start);
    // "Reyes KC, counsel for the port, said"
    let degree = |at: &usize| token(*at).is_some_and(|token| shouted(reading, token) && token.end - token.start < 4);
    let begin = (name.tokens.end..verb).take_while(degree).last().map_or(name.tokens.end, |at| at + 1);
    let from = begin.checked_sub(1).and_then(token).map_or(name.end, |token| token.end.max(name.end));
    let gap = reading.text.get(from..end).unwrap_or_default().trim();
    let line = reading.line_of(&name.tokens);
    let grammar = reading.grammar(line);
    let between = begin..verb;
    // "The mayor of Lund said": it is not Lund.
    let before = name.tokens.start.checked_sub(1).filter(|at| token(*at).is_some_and(|before| before.line == line));
    let belongs = before.is_some_and(|at| !name.titled && preposition(reading, at));
    let aside = gap.len() > 1 && gap.starts_with(',') && gap.ends_with(',') && !gap.contains([';', ':', '"', '“', '”']);
    let relative = token(between.start).is_some_and(|token| token.word == "who");
    let told = !relative && between.clone().any(|at| grammar.tag(at).is_verb() && grammar.tag(at) != Tag::Participle);
    let marks = gap.matches(',').count();
    let apposed = aside && (marks == 2 || !told && marks <= 4);
    let of = gap.starts_with("of ")
        && between.clone().skip(1).all(|at| token(at).is_some_and(|token| token.capital || token.stop));
    let close =
        (between.len() < 2 || of) && !gap.contains([',', ';', ':', '"', '“', '”']) && gap != "and" && gap != "but";
    !belongs && (apposed || close)
}

/// The office that a name is only one word of: the `Prime` of `the Prime Minister`.
pub fn office_named(reading: &ParsedText<'_>, name: &Name) -> Option<Name> {
    let tokens = office_around(reading, name, name.tokens.end + 1)?;
    Some(office(reading, tokens))
}

/// An office as a name.
pub fn office(reading: &ParsedText<'_>, tokens: Range<usize>) -> Name {
    let all = reading.tokens.get(tokens.clone()).unwrap_or_default();
    let (start, end) = (all.first().map_or(0, |token| token.start), all.last().map_or(0, |token| token.end));
    let words = all.iter().map(|token| base(&token.word).to_owned()).collect();
    Name { tokens, start, end, words, ..Name::default() }
}

/// The words of an office, if a name is only one of them: `the Prime Minister`.
fn office_around(reading: &ParsedText<'_>, name: &Name, verb: usize) -> Option<Range<usize>> {
    let article = reading.word_before(name.tokens.start, 1) == "the";
    let head = verb.checked_sub(1).filter(|head| *head == name.tokens.end)?;
    (article && holds_office(reading.tokens.get(head)?)).then(|| name.tokens.start - 1..head + 1)
}

fn holds_office(token: &Token) -> bool {
    is_title(base(&token.word)) || turns::CHAIRS.contains(&token.word)
}
