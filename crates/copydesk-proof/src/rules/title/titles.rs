//! The offices that a text gives people: right before a name, or right behind it between commas or in brackets.

use std::{ops::Range, sync::LazyLock};

use foldhash::HashMap;

use crate::{
    reading::{Name, ParsedText, Token},
    words::{
        WordList,
        list::WordGroups,
        short_forms::{long_title, short_title},
        words,
    },
};
use copydesk_text::{tagger::Tag, words::stem};

static OFFICES: WordGroups = WordGroups::new(include_str!("../../../../../assets/words/offices.txt"));

/// The names of an office, also the short ones.
pub fn names_of(office: usize) -> impl Iterator<Item = &'static str> {
    OFFICES.all().nth(office).into_iter().flatten().flat_map(with_short)
}

fn with_short(name: &'static str) -> impl Iterator<Item = &'static str> {
    std::iter::once(name).chain(short_title(name))
}

/// Qualifiers: they make an office a lower or a former one.
const QUALIFIERS: [&str; 8] = ["deputy", "vice", "acting", "interim", "assistant", "associate", "former", "retired"];

/// What follows a name and belongs to it.
static DEGREES: WordList = words("jr sr ii iii iv esq md phd qc kc mp cbe obe");

/// A qualifier stands at most so many words before its office.
const BEFORE: usize = 4;

/// Up to so many words from a name, an office is taken as theirs.
const REACH: usize = 12;

/// An office that a text gives somebody.
#[derive(Debug)]
pub struct Title {
    pub office: usize,
    pub qualifier: Option<&'static str>,
    pub range: Range<usize>,
    /// The whole of it, by words: `attorney general of Texas`, `Secretary of State for Energy`.
    pub phrase: Range<usize>,
    /// The word of the office.
    pub place: usize,
}

/// Words that may stand in one text's title and not in another's.
static LOOSE: WordList =
    words("general legal chief senior lead state city county the acting interim office hon right honourable");

/// So many names before and behind one are looked at.
const AROUND: usize = 4;

/// An office's own words are at most so many.
const PHRASE: usize = 12;

/// The office of each word, by its number.
static OFFICE_OF: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let names = OFFICES.all().enumerate();
    names.flat_map(|(number, names)| names.flat_map(with_short).map(move |name| (name, number))).collect()
});

/// The office that a word names.
fn office(word: &str) -> Option<usize> {
    OFFICE_OF.get(word).copied()
}

fn qualifier(word: &str) -> Option<&'static str> {
    QUALIFIERS.into_iter().find(|known| *known == word)
}

/// The offices right before a name (`Deputy Fire Chief Omar Haddad`) and right behind it, between commas or in brackets (`Ana
/// Reyes, the mayor,`, `Ana Reyes (Vice-Chair)`).
pub fn titles(reading: &ParsedText<'_>, name: &Name) -> impl Iterator<Item = Title> {
    [before(reading, name), behind(reading, name)].into_iter().flatten().filter_map(|place| whole(reading, place))
}

/// Whether nothing but a space or a hyphen stands between two words, or the point of a short form.
fn touches(reading: &ParsedText<'_>, one: usize, other: usize) -> bool {
    let both = reading.tokens.get(one).zip(reading.tokens.get(other));
    let gap = both.and_then(|(one, other)| reading.text.get(one.end..other.start));
    let short = || reading.tokens.get(one).is_some_and(|token| long_title(&token.word).is_some());
    matches!(gap, Some(" " | "\u{A0}" | "-" | "\n")) || gap == Some(". ") && short()
}

/// The place of an office right before a name, or before a bracket with the name in it: `The Minister for Health (Mr. John Major)`.
fn before(reading: &ParsedText<'_>, name: &Name) -> Option<usize> {
    let line = reading.tokens.get(name.tokens.start)?.line;
    let place = name.tokens.start.checked_sub(1)?;
    let open = reading.text.get(..name.start)?.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '.' | ' '));
    if open.ends_with('(') {
        let tokens = reading.line_tokens(line);
        let ahead = tokens.iter().take_while(|token| token.start < open.len()).collect::<Vec<_>>();
        let near =
            ahead.iter().rev().take(PHRASE).rev().find(|token| office(&token.word).is_some() && token.capital)?;
        // "Mr. Chairman, I yield to the gentleman (Mr. Cramer)" gives Mr. Cramer no office.
        let between = reading.text.get(near.end..open.len())?;
        let goes_on =
            |token: &&Token| token.capital || matches!(token.word.as_str(), "of" | "for" | "and" | "the" | "to");
        if between.contains([',', ';', ':', '.']) || !ahead.iter().filter(|token| token.start > near.start).all(goes_on)
        {
            return None;
        }
        return reading.tokens.get(..name.tokens.start)?.iter().rposition(|token| token.start == near.start);
    }
    let token = reading.tokens.get(place)?;
    let held = token.line == line && office(&token.word).is_some() && touches(reading, place, name.tokens.start);
    held.then_some(place)
}

/// The place of an office behind a name: after a comma or a bracket and perhaps an article, and not itself followed
/// by a name.
fn behind(reading: &ParsedText<'_>, name: &Name) -> Option<usize> {
    let at = |index: usize| reading.tokens.get(index);
    let line = at(name.tokens.start)?.line;
    let first = at(name.tokens.end)?;
    let mut begins = name.tokens.end;
    // "Donald Verrilli Jr., the solicitor general"
    while at(begins).is_some_and(|token| DEGREES.contains(&token.word)) {
        begins += 1;
    }
    let last = at(begins.checked_sub(1)?)?;
    let gap = reading.text.get(last.end..at(begins)?.start).map(|gap| gap.trim().trim_start_matches('.'));
    let set_off = gap.is_some_and(|gap| matches!(gap, "," | "(")) && at(begins)?.line == first.line;
    let grammar = reading.grammar(line);
    let is_office = |index: usize| at(index).is_some_and(|token| office(&token.word).is_some());
    // "Attorney general", "chief financial officer": the last word is the office.
    let mut place = (begins..=begins + BEFORE).find(|&index| is_office(index))?;
    let joins = |index: usize| {
        touches(reading, index - 1, index) && !matches!(grammar.tag(index), Tag::Preposition | Tag::Conjunction)
    };
    while let Some(next) = (place + 1..=place + 2).take_while(|index| joins(*index)).find(|index| is_office(*index)) {
        place = next;
    }
    // "The chief operating officer", but not "a critic of the mayor".
    let describes = |index: usize| {
        let owner = at(index).is_some_and(|token| token.word.ends_with("'s"));
        let noun = !owner && grammar.tag(index).is_noun() || matches!(grammar.tag(index), Tag::Adjective | Tag::Gerund);
        noun && !(begins..place).any(|at| matches!(grammar.tag(at), Tag::Preposition | Tag::To))
    };
    let close = (begins..place).all(|index| {
        touches(reading, index, index + 1)
            && (is_office(index)
                || describes(index)
                || at(index).is_some_and(|token| token.stop || token.capital || qualifier(&token.word).is_some()))
    });
    let names = at(place + 1).is_some_and(|next| next.capital && touches(reading, place, place + 1));
    (set_off && close && !names && at(place)?.line == line).then_some(place)
}

/// The office at a place, with its qualifier.
fn whole(reading: &ParsedText<'_>, place: usize) -> Option<Title> {
    let at = |index: usize| reading.tokens.get(index);
    let line = at(place)?.line;
    let mut first = place;
    let mut found = None;
    while let Some(index) =
        first.checked_sub(1).filter(|&index| place - index <= BEFORE && touches(reading, index, index + 1))
    {
        let token = at(index).filter(|token| token.line == line)?;
        let qualifies = qualifier(&token.word);
        // "A former tax prosecutor"
        let small = || {
            !token.capital && reading.grammar(line).tag(index).is_noun() && at(place).is_some_and(|own| !own.capital)
        };
        if qualifies.is_none() && (token.stop || !token.capital && !small()) {
            break;
        }
        found = qualifies.or(found);
        first = index;
        if qualifies.is_some() {
            break;
        }
    }
    let start = if found.is_some() { first } else { place };
    let office = office(&at(place)?.word)?;
    Some(Title {
        office,
        qualifier: found,
        range: at(start)?.start..at(place)?.end,
        phrase: phrase(reading, place),
        place,
    })
}

/// The words of a title around the word of its office: the nouns before it, and `of`, `for` and what follows.
fn phrase(reading: &ParsedText<'_>, place: usize) -> Range<usize> {
    let at = |index: usize| reading.tokens.get(index);
    let line = at(place).map_or(0, |token| token.line);
    let here = |index: usize| at(index).filter(|token| token.line == line && !token.quoted());
    let mut start = place;
    while let Some(index) =
        start.checked_sub(1).filter(|&index| place - index <= BEFORE && touches(reading, index, index + 1))
    {
        let Some(token) = here(index) else { break };
        if token.stop || !token.capital && office(&token.word).is_none() && at(place).is_none_or(|token| token.capital)
        {
            break;
        }
        start = index;
    }
    let mut end = place + 1;
    // "General Mark Howe and Mayor Berg": what follows without "of" or "for" is the name.
    let goes_on = here(end).is_some_and(|token| matches!(token.word.as_str(), "of" | "for" | "in" | "at"));
    while goes_on && end - place < PHRASE && touches(reading, end - 1, end) {
        let Some(token) = here(end) else { break };
        let joins = matches!(token.word.as_str(), "of" | "for" | "the" | "and" | "in" | "at");
        if !joins && !token.capital {
            break;
        }
        end += 1;
    }
    while end > place + 1 && at(end - 1).is_some_and(|token| token.stop) {
        end -= 1;
    }
    start..end
}

/// The words that say which office of its kind it is: `attorney` in `attorney general`, `Energy` in `Secretary of State for Energy`. The
/// words before the office, and those behind it.
pub fn which<'r>(reading: &'r ParsedText<'_>, title: &Title) -> [Vec<&'r str>; 2] {
    [title.phrase.start..title.place, title.place + 1..title.phrase.end].map(|range| {
        let tokens = reading.tokens.get(range).unwrap_or_default().iter();
        let says =
            tokens.filter(|token| !token.stop && !LOOSE.contains(&token.word) && qualifier(&token.word).is_none());
        says.map(|token| long_title(&token.word).unwrap_or(&token.word)).collect()
    })
}

/// Whether an office stands anywhere near a name in its sentence, and nobody else's name between.
pub fn near(reading: &ParsedText<'_>, names: &[Name], name: &Name, office: usize) -> bool {
    let Some(line) = reading.tokens.get(name.tokens.start).map(|token| token.line) else { return false };
    let own = names.partition_point(|other| other.start < name.start);
    let person = |other: &&Name| other.personal() && other.words.len() > 1;
    let before =
        names.get(..own).unwrap_or_default().iter().next_back().filter(person).map_or(0, |other| other.tokens.end);
    let behind =
        names.get(own + 1..).unwrap_or_default().iter().find(person).map_or(usize::MAX, |other| other.tokens.start);
    let start = name.tokens.start.saturating_sub(REACH).max(before);
    let end = (name.tokens.end + REACH).min(reading.tokens.len()).min(behind);
    let at = |index: usize| reading.tokens.get(index);
    let line_names = names.iter().skip(own.saturating_sub(AROUND)).take(2 * AROUND);
    let of_others: Vec<usize> = line_names
        .filter(|other| other.start != name.start && person(other))
        .flat_map(|other| titles(reading, other).map(|title| title.place))
        .collect();
    let wanted: Vec<(&str, String)> = names_of(office).map(|word| (word, stem(word))).collect();
    (start..end).filter_map(|index| Some((index, at(index)?))).any(|(index, token)| {
        // "who chairs the committee"; but the "attorney" of "attorney general" is no office.
        let plain = stem(&token.word);
        let part =
            touches(reading, index, index + 1) && at(index + 1).is_some_and(|next| self::office(&next.word).is_some());
        // "Joined by the attorneys of two counties"
        let several =
            reading.grammar(line).tag(index) == Tag::Plural && !wanted.iter().any(|(word, _)| *word == token.word);
        let holds =
            !several && wanted.iter().any(|(word, stem)| *stem == plain && (!token.capital || token.word == *word));
        token.line == line && !part && holds && !of_others.contains(&index)
    })
}
