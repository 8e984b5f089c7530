//! Who did it: the passage has what the draft says of one person or body from another one.
//!
//! Why: every word of such a sentence is the source's, and so is the name. A finding needs the same verb with most of the words behind it in
//! one sentence of a source. There another one of the same sort does it, or has it done to them. If the source has a pronoun, or nobody's
//! name, nothing is said.

use std::ops::Range;

use copydesk_text::tagger::Tag;

use crate::{
    reading::denies,
    rules::{name::swapped, prelude::*},
    words::{Class, calendar, entries, nicknames::is_first_name},
};

/// A name stands at most so many words from its verb.
const REACH: usize = 12;

/// The passage has so many of the words behind the verb, at least, and with the sentences beside it most of them.
const FEWEST: usize = 2;
const MOST: (usize, usize) = (2, 3);

/// So many sentences of the sources are compared.
const PASSAGES: usize = 6;

/// Words with which a source says the same of several.
static SHARED: WordList = words(
    "also too both joined joins joining agreed agrees echoed seconded likewise together jointly alongside similarly each all neither other",
);

/// One verb of a sentence.
pub struct Deed<'r> {
    /// The index of the verb.
    pub at: usize,
    passive: bool,
    /// The name before it that can be its subject.
    subject: Option<&'r Name>,
    /// The name behind it: by whom, or whom.
    object: Option<&'r Name>,
}

impl<'r> Deed<'r> {
    pub fn of(reading: &ParsedText<'_>, names: &'r [Name], line: usize, at: usize) -> Option<Self> {
        let grammar = reading.grammar(line);
        let token = reading.tokens.get(at).filter(|token| !token.quoted() && !token.stop && !token.capital)?;
        let word = |at: usize| reading.tokens.get(at).map_or("", |token| token.word.as_str());
        let between = |range: Range<usize>, list: &[&str]| range.into_iter().any(|at| list.contains(&word(at)));
        if !grammar.tag(at).is_verb() {
            return None;
        }
        let range = reading.lines.get(token.line)?.tokens.clone();
        let be =
            between(range.start.max(at.saturating_sub(3))..at, &["is", "are", "was", "were", "been", "being", "be"]);
        // "Ruud, 27, arrested on suspicion": notes leave the verb out.
        let alone = !matches!(grammar.tag(at + 1), Tag::Determiner | Tag::Name | Tag::Pronoun | Tag::Owner | Tag::To);
        let short = !be && alone && grammar.tag(at) == Tag::Participle
            || matches!(grammar.tag(at + 1), Tag::Preposition) && grammar.tag(at) == Tag::Past;
        let passive = (be || short) && matches!(grammar.tag(at), Tag::Participle | Tag::Past);
        let first = names.partition_point(|name| name.tokens.start < range.start);
        let own = names.get(first..)?.iter().take_while(|name| name.tokens.start < range.end);
        let subject = own.clone().take_while(|name| name.tokens.end <= at).last();
        let subject = subject.filter(|name| at - name.tokens.end < REACH && Self::acts(reading, line, name, at));
        let object = own.into_iter().find(|name| name.tokens.start > at && name.tokens.start - at < REACH);
        let led = |name: &&Name| {
            let by = between(at + 1..name.tokens.start, &["by"]);
            let leads = |at: usize| grammar.tag(at) == Tag::Preposition && !matches!(word(at), "by" | "to" | "from");
            let owns = reading.text.get(name.end..).is_some_and(|rest| rest.starts_with(['\'', '’']));
            by == passive && !owns && !(at + 1..name.tokens.start).any(leads)
        };
        Some(Self { at, passive, subject, object: object.filter(led) })
    }

    /// Whether a name can be the subject of the verb at `at`: nothing else can, and it is no part of another phrase.
    fn acts(reading: &ParsedText<'_>, line: usize, name: &Name, at: usize) -> bool {
        let grammar = reading.grammar(line);
        let stretch = grammar.stretch(at);
        // The tagger takes "reports" in "Corvane reports paying" for a noun.
        let from = name.tokens.end + usize::from(grammar.tag(at) == Tag::Gerund && name.tokens.end + 1 == at);
        let noun = (from..at).any(|at| stretch.contains(&at) && grammar.tag(at).is_noun());
        let before =
            name.tokens.start.checked_sub(1).filter(|at| reading.tokens.get(*at).is_some_and(|t| t.line == line));
        // "The Ledger: You have run it"
        let other = (from..at).any(|at| grammar.tag(at) == Tag::Pronoun);
        // "In June Corvane sued"
        let first = reading.lines.get(line).map_or(0, |line| line.tokens.start);
        let part = other
            || before
                .filter(|at| *at > first)
                .is_some_and(|at| matches!(grammar.tag(at), Tag::Preposition | Tag::Possessive));
        let owns = reading.text.get(name.end..).is_some_and(|rest| rest.starts_with(['\'', '’']));
        !noun && !part && !owns
    }

    /// Who does it, or whom it is done to.
    pub fn party(&self, done_to: bool) -> Option<&'r Name> {
        if self.passive == done_to { self.subject } else { self.object }
    }
}

/// Whether two names can be those of one: a part of the name, or its initials.
fn same(one: &Name, other: &Name) -> bool {
    let short = |short: &Name, long: &Name| {
        let initials: String = long.words.iter().filter_map(|word| word.chars().next()).collect();
        short.words.len() == 1 && short.last() == initials
    };
    let apart = one.first().zip(other.first()).is_some() && !one.may_be(other) && one.last() == other.last();
    !apart && one.words.iter().any(|word| other.words.contains(word)) || short(one, other) || short(other, one)
}

/// Whether a name is a person's.
fn is_person(texts: &ProofTexts<'_>, name: &Name) -> bool {
    let whole = texts.roster.who(name).map_or(name, |known| &known.name);
    whole.titled || name.titled || whole.first().is_some_and(is_first_name)
}

/// Whether two names are those of bodies, and no words with a capital: `Train`, `September`.
fn bodies(one: &Name, other: &Name) -> bool {
    let body = |name: &Name| {
        let last = name.last();
        let day = calendar::month(last, true).is_some() || calendar::weekday(last, true).is_some();
        last.chars().count() > 1 && !day && (name.words.len() > 1 || entries(last).is_empty())
    };
    body(one) && body(other)
}

/// Reports a name whose deed, or what was done to it, is another's in the sources.
pub fn check(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    let (archive, reading) = (&texts.archive, &field.reading);
    let line = reading.line_of(&name.tokens);
    let tokens = reading.line_tokens(line);
    if reading.heads(line) || tokens.iter().any(|token| token.quoted() || denies(token)) {
        return None;
    }
    let range = reading.lines.get(line)?.tokens.clone();
    let deed = (name.tokens.end..range.end.min(name.tokens.end + REACH))
        .find_map(|at| Deed::of(reading, &field.names, line, at))
        .filter(|deed| deed.subject == Some(name))?;
    let verb = reading.tokens.get(deed.at)?;
    let content = |token: &&Token| !token.stop && !token.class.has(Class::SAYS);
    let mut behind: Vec<&str> = Vec::new();
    for token in reading.tokens.get(deed.at + 1..range.end)?.iter().filter(content) {
        if !behind.contains(&token.stem.as_str()) {
            behind.push(&token.stem);
        }
    }
    let known = |name: &Name| {
        let has = |other: &Name| name.words.iter().all(|word| other.words.contains(word));
        texts.source_names.iter().flatten().any(has)
    };
    if behind.len() < FEWEST || !known(name) {
        return None;
    }
    let asked: Vec<&str> = behind.iter().copied().chain([verb.stem.as_str()]).collect();
    let alike = archive.alike(verb);
    let mut other: Option<(SourceLine, &Name)> = None;
    for place in archive.passages(&asked, PASSAGES).into_iter().map(|hit| hit.place) {
        let (source, names) = (archive.reading(place)?, texts.source_names.get(place.source)?);
        let has = |tokens: &[Token], stem: &str| tokens.iter().any(|token| token.stem == stem);
        let there = source.line_tokens(place.line);
        let here = behind.iter().filter(|stem| has(there, stem)).count();
        let paragraph = source.paragraph(place.line);
        let near = archive.window(place, 1).filter(|line| paragraph.contains(line));
        let around: Vec<&[Token]> = near.map(|line| source.line_tokens(line)).collect();
        let all = behind.iter().filter(|stem| around.iter().any(|tokens| has(tokens, stem))).count();
        if here < FEWEST || all * MOST.1 < behind.len() * MOST.0 {
            continue;
        }
        let mut verbs = source.lines.get(place.line)?.tokens.clone().filter(|at| {
            source.tokens.get(*at).is_some_and(|token| token.stem == verb.stem || alike.contains(&token.stem_id))
        });
        let Some(theirs) = verbs.find_map(|at| Deed::of(source, names, place.line, at)) else { continue };
        let party = theirs.party(deed.passive)?;
        let joins = around.iter().any(|tokens| {
            let same = |at: usize| tokens.get(at + 1).is_none_or(|next| next.stop);
            let joins = |(at, token): (usize, &Token)| {
                denies(token) || SHARED.contains(&token.word) || token.word == "same" && same(at)
            };
            tokens.iter().enumerate().any(joins)
        });
        let mentioned = there.iter().any(|token| token.capital && name.words.iter().any(|word| *word == token.word));
        if joins || mentioned && party.last() != name.last() || same(party, name) {
            return None;
        }
        other = other.or(Some((place, party)));
    }
    let (place, party) = other?;
    let here = |party: &Name| {
        let has = |word: &String| tokens.iter().any(|token| token.capital && token.word == word.as_str());
        party.words.iter().all(has)
    };
    let alike = is_person(texts, party) == is_person(texts, name) && (is_person(texts, name) || bodies(party, name));
    if !alike || here(party) {
        return None;
    }
    let shown = archive.reading(place).map_or("", |source| source.slice(party.start..party.end));
    let note = format!("In the source this is {}.", one_line(shown));
    let fault = Fault::new(&swapped::RULE, field, name.start..name.end);
    Some(fault.note(note).passage(archive.sentence(place)))
}

#[cfg(test)]
mod tests {
    use crate::testing::rules_of;

    #[test]
    fn what_another_one_did_is_not_theirs() {
        for (source, draft, wrong) in [
            (
                "Corvane will close its plant in Lisle in May. Its rival Haldor said it would hire people there.",
                "Haldor will close its plant in Lisle in May.",
                true,
            ),
            (
                "Corvane will close its plant in Lisle in May. Its rival Haldor said it would do the same.",
                "Haldor will close its plant in Lisle in May.",
                false,
            ),
        ] {
            assert_eq!(rules_of(draft, source).contains(&"name.swapped".to_owned()), wrong, "{draft}");
        }
    }
}
