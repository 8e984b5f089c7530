//! Hides the names of persons before a text leaves, and brings them back in what returns.
//!
//! A name is found whatever its case, accents, normal form or invisible characters. It is found whole, with anything
//! but letters between its parts, run together, by one part alone, and with an ending as in *Lee's* or *the Lees*. It
//! becomes its label: `SOURCE-1` for the whole name, and `SOURCE-1a`, `SOURCE-1b` for its parts, so that each comes
//! back as it was. `SOURCE-1B` is a part in capitals.
//!
//! It finds no name in another script, no nickname and no description: each of these is an alias of its own, or nothing hides it.

use std::{borrow::Cow, ops::Range};

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use crate::editorial::listed::is_listed;
use copydesk_newsroom::Alias;
use copydesk_text::sanitise;

/// Most characters of a name and of a label, and most aliases of a story.
const LONGEST: usize = 80;
const MOST: usize = 50;

/// Most parts of a name: each has a letter of its own.
const MOST_PARTS: usize = 8;

/// Fewest letters of a name that is looked for inside longer words.
const INSIDE: usize = 5;

/// Most bytes between two parts of a name.
const GAP: usize = 6;

/// Parts that many names have, and that alone name no person.
const PARTICLES: &str = "von vom van der den del della dela dos das de di da du do la le el al bin ibn ben abu zu zur \
    ter ten af av y jr sr";

/// Characters that never stand within a name.
const PARTING: &str = ",;:!?()[]{}\"“”„«»/|";

/// Why an alias cannot be used. Each message is shown after the name of the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AliasError {
    #[error(
        "{0:?} is no name: it needs two letters, and has letters, spaces, hyphens, full stops and apostrophes only"
    )]
    Name(String),
    #[error("{0:?} is no label: write capitals, a hyphen and a number, such as SOURCE-1")]
    Label(String),
    #[error("{0} is given twice; each person needs a label of their own")]
    Twice(String),
    #[error("{0} stands in a text of the story already; take another label")]
    Taken(String),
    #[error("there are {0} aliases; a story has at most {MOST}")]
    TooMany(usize),
}

/// The names that are hidden, ready to be looked for.
pub struct Aliasing {
    persons: Vec<HiddenPerson>,
}

struct HiddenPerson {
    name: String,
    label: String,
    parts: Vec<NamePart>,
    /// The whole name as one word, in each way that it may be written.
    joined: Vec<String>,
}

struct NamePart {
    written: String,
    /// Folded: as it is, and with `ae` for `ä` and so on.
    spellings: Vec<String>,
    /// Whether it names the person alone.
    alone: bool,
}

/// A run of letters.
struct FoldedWord {
    letters: Vec<char>,
    /// Where each letter stands in the text; a mark belongs to the letter before it.
    places: Vec<Range<usize>>,
    /// Whether something between it and the word before parts them.
    apart: bool,
}

impl FoldedWord {
    fn text(&self) -> String {
        self.letters.iter().collect()
    }

    fn start(&self) -> usize {
        self.places.first().map_or(0, |place| place.start)
    }

    fn end(&self) -> usize {
        self.places.last().map_or(0, |place| place.end)
    }
}

/// A name in a text.
struct FoundName<'a> {
    person: &'a HiddenPerson,
    place: Range<usize>,
    /// The part that it is; none for the whole name.
    part: Option<usize>,
    /// How many words it takes.
    words: usize,
}

impl Aliasing {
    pub fn of(aliases: &[Alias]) -> Self {
        Self { persons: aliases.iter().map(HiddenPerson::of).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.persons.is_empty()
    }

    /// The text with labels in the place of names.
    pub fn hidden<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !has_escapes(text) {
            return self.hidden_in(text, Escapes::Letters);
        }
        let once = self.hidden_in(text, Escapes::Read);
        // A prompt holds drafts as JSON, in which a paragraph that begins with a name is `\n\nLee said`.
        let twice = match self.hidden_in(&once, Escapes::Letters) {
            Cow::Owned(twice) => Some(twice),
            Cow::Borrowed(_) => None,
        };
        twice.map_or(once, Cow::Owned)
    }

    fn hidden_in<'t>(&self, text: &'t str, escapes: Escapes) -> Cow<'t, str> {
        let found = self.find(text, usize::MAX, escapes);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for name in found {
            out.push_str(text.get(at..name.place.start).unwrap_or_default());
            let written = text.get(name.place.clone()).unwrap_or_default();
            let shouted = is_shouted(written);
            match name.part {
                Some(part) => out.push_str(&name.person.label_of(part, shouted)),
                None if shouted => {
                    let parts = 0..name.person.parts.len();
                    let labels: Vec<String> = parts.map(|part| name.person.label_of(part, true)).collect();
                    out.push_str(&labels.join(" "));
                }
                None => out.push_str(&name.person.label),
            }
            at = name.place.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// The text with the names in the place of labels.
    pub fn restored<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut out: Option<String> = None;
        let (mut at, mut last, mut inside) = (0, 0, false);
        while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
            if let Some((length, meant)) = escape_at(text, at) {
                inside = meant.is_alphanumeric();
                at += length;
                continue;
            }
            let found = if inside { None } else { self.label_at(text, at) };
            if let Some((end, name)) = found {
                let out = out.get_or_insert_default();
                out.push_str(text.get(last..at).unwrap_or_default());
                out.push_str(&name);
                (at, last, inside) = (end, end, true);
                continue;
            }
            inside = character.is_alphanumeric();
            at += character.len_utf8();
        }
        match out {
            None => Cow::Borrowed(text),
            Some(mut out) => {
                out.push_str(text.get(last..).unwrap_or_default());
                Cow::Owned(out)
            }
        }
    }

    /// The label of the first person whose name stands in the text.
    pub fn names(&self, text: &str) -> Option<&str> {
        let plain = self.find(text, 1, Escapes::Letters);
        let found = if plain.is_empty() && has_escapes(text) { self.find(text, 1, Escapes::Read) } else { plain };
        found.first().map(|found| found.person.label.as_str())
    }

    /// The names in a text, in their order, at most so many.
    fn find(&self, text: &str, most: usize, escapes: Escapes) -> Vec<FoundName<'_>> {
        let mut found = Vec::new();
        if self.persons.is_empty() {
            return found;
        }
        let words = words(text, escapes);
        let mut at = 0;
        while at < words.len() && found.len() < most {
            match self.name_at(&words, at) {
                Some(name) => {
                    at += name.words;
                    found.push(name);
                }
                None => at += 1,
            }
        }
        found
    }

    fn name_at(&self, words: &[FoldedWord], at: usize) -> Option<FoundName<'_>> {
        let whole = self.persons.iter().filter_map(|person| person.whole_at(words, at));
        if let Some(longest) = whole.max_by_key(|name| name.words) {
            return Some(longest);
        }
        let word = words.get(at)?;
        let text = word.text();
        self.persons.iter().find_map(|person| person.joined_in(word, &text)).or_else(|| {
            self.persons.iter().find_map(|person| {
                let (part, letters) = person.part_is(&text)?;
                let end = word.places.get(letters.checked_sub(1)?)?.end;
                Some(FoundName { person, place: word.start()..end, part: Some(part), words: 1 })
            })
        })
    }

    /// A label that begins there: where it ends, and what it stands for.
    fn label_at(&self, text: &str, at: usize) -> Option<(usize, String)> {
        let rest = text.get(at..)?;
        let mut best: Option<(usize, String)> = None;
        for person in &self.persons {
            let Some(length) = begins_with(rest, &person.label) else { continue };
            let after = rest.get(length..).unwrap_or_default();
            let mut next = after.chars();
            let (first, second) = (next.next(), next.next());
            if first.is_some_and(char::is_numeric) {
                continue;
            }
            let part = first.and_then(|letter| {
                let number = (letter.to_ascii_lowercase() as usize).checked_sub('a' as usize)?;
                let ends = second.is_none_or(|second| !second.is_alphanumeric() || matches!(second, 's' | 'e'));
                person.parts.get(number).filter(|_| letter.is_ascii_alphabetic() && ends)
            });
            let (end, name) = match (part, first) {
                (Some(part), Some('A'..='Z')) => (length + 1, part.written.to_uppercase()),
                (Some(part), _) => (length + 1, part.written.clone()),
                (None, _) => (length, person.name.clone()),
            };
            if best.as_ref().is_none_or(|(longest, _)| end > *longest) {
                best = Some((end, name));
            }
        }
        best.map(|(length, name)| (at + length, name))
    }
}

impl HiddenPerson {
    fn of(alias: &Alias) -> Self {
        let name = sanitise::one_line(&alias.name);
        let parts: Vec<NamePart> = parts_of(&name);
        let spelled = |which: usize| -> String {
            parts.iter().filter_map(|part| part.spellings.get(which).or(part.spellings.first())).cloned().collect()
        };
        let mut joined = vec![spelled(0), spelled(1)];
        // An address or a user name: the first letter and the last part.
        if let (Some(first), Some(last)) = (parts.first(), parts.last())
            && parts.len() > 1
        {
            let initial: String = first.spellings.first().into_iter().filter_map(|part| part.chars().next()).collect();
            joined.extend(last.spellings.iter().map(|last| format!("{initial}{last}")));
        }
        joined.retain(|joined| parts.len() > 1 && joined.chars().count() >= INSIDE);
        joined.sort_by_key(|joined| std::cmp::Reverse(joined.len()));
        joined.dedup();
        Self { name, label: alias.label.clone(), parts, joined }
    }

    fn label_of(&self, part: usize, shouted: bool) -> String {
        let letter = char::from(b'a'.saturating_add(u8::try_from(part).unwrap_or(0)));
        let letter = if shouted { letter.to_ascii_uppercase() } else { letter };
        format!("{}{letter}", self.label)
    }

    /// The whole name at a word.
    fn whole_at<'a>(&'a self, words: &[FoldedWord], at: usize) -> Option<FoundName<'a>> {
        let taken = self.parts.len();
        if taken < 2 {
            return None;
        }
        let here = words.get(at..at.checked_add(taken)?)?;
        let close = here.windows(2).all(|pair| match pair {
            [one, next] => !next.apart && next.start().saturating_sub(one.end()) <= GAP,
            _ => true,
        });
        if !close {
            return None;
        }
        let mut end = 0;
        for (place, (part, word)) in self.parts.iter().zip(here).enumerate() {
            let letters = part.matches(&word.text(), place + 1 == taken)?;
            end = word.places.get(letters.checked_sub(1)?)?.end;
        }
        let start = here.first()?.start();
        Some(FoundName { person: self, place: start..end, part: None, words: taken })
    }

    /// The whole name as one word, or inside one.
    fn joined_in<'a>(&'a self, word: &FoldedWord, text: &str) -> Option<FoundName<'a>> {
        self.joined.iter().find_map(|joined| {
            let before = text.get(..text.find(joined.as_str())?)?.chars().count();
            let first = word.places.get(before)?;
            let last = word.places.get((before + joined.chars().count()).checked_sub(1)?)?;
            Some(FoundName { person: self, place: first.start..last.end, part: None, words: 1 })
        })
    }

    /// The part that a word is, and how many of its letters.
    fn part_is(&self, text: &str) -> Option<(usize, usize)> {
        let mut parts = self.parts.iter().enumerate().filter(|(_, part)| part.alone);
        parts.find_map(|(at, part)| Some((at, part.matches(text, true)?)))
    }
}

impl NamePart {
    /// How many letters of a word are this part; with endings, the word may be longer.
    fn matches(&self, word: &str, endings: bool) -> Option<usize> {
        self.spellings.iter().find_map(|spelling| {
            let rest = word.strip_prefix(spelling.as_str())?;
            (rest.is_empty() || (endings && matches!(rest, "s" | "es"))).then(|| spelling.chars().count())
        })
    }
}

/// Checks what a person wrote. Texts are those of the story: a label must stand in none of them.
///
/// # Errors
/// Every [`AliasError`] at once.
pub fn checked<'t>(aliases: &[Alias], texts: impl Iterator<Item = &'t str>) -> Result<(), Vec<AliasError>> {
    let mut errors = Vec::new();
    if aliases.len() > MOST {
        errors.push(AliasError::TooMany(aliases.len()));
    }
    for (at, alias) in aliases.iter().enumerate() {
        if !is_name(&alias.name) {
            errors.push(AliasError::Name(sanitise::excerpt(&alias.name, LONGEST)));
        }
        if !is_label(&alias.label) {
            errors.push(AliasError::Label(sanitise::excerpt(&alias.label, LONGEST)));
        }
        let before = aliases.get(..at).unwrap_or_default();
        if before.iter().any(|other| other.label == alias.label) {
            errors.push(AliasError::Twice(alias.label.clone()));
        }
        if before.iter().any(|other| fold(&other.name) == fold(&alias.name)) {
            errors.push(AliasError::Twice(alias.name.clone()));
        }
    }
    if errors.is_empty() {
        let aliasing = Aliasing::of(aliases);
        let mut taken: Vec<String> = Vec::new();
        for text in texts {
            for person in &aliasing.persons {
                let alone = Aliasing::of(&[Alias { name: person.name.clone(), label: person.label.clone() }]);
                if !taken.contains(&person.label) && matches!(alone.restored(text), Cow::Owned(_)) {
                    taken.push(person.label.clone());
                }
            }
        }
        errors.extend(taken.into_iter().map(AliasError::Taken));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn is_name(name: &str) -> bool {
    let parts = parts_of(name);
    let fits = |c: char| c.is_alphabetic() || is_combining_mark(c) || matches!(c, ' ' | '-' | '.' | '\'' | '’' | '‑');
    name.chars().count() <= LONGEST
        && name.chars().all(fits)
        && (1..=MOST_PARTS).contains(&parts.len())
        && parts.iter().any(|part| part.alone)
}

fn is_label(label: &str) -> bool {
    let Some((word, number)) = label.split_once('-') else { return false };
    label.len() <= LONGEST
        && word.len() >= 2
        && word.bytes().all(|byte| byte.is_ascii_uppercase())
        && (1..=4).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The bytes of the label at the beginning of a text, in any case and with any hyphen; none if the text does not begin with it.
fn begins_with(text: &str, label: &str) -> Option<usize> {
    let mut characters = text.char_indices();
    for wanted in label.chars() {
        let (_, found) = characters.next()?;
        let same = match wanted {
            '-' => matches!(found, '-' | '\u{2010}' | '\u{2011}' | '\u{2013}'),
            wanted => found.eq_ignore_ascii_case(&wanted),
        };
        if !same {
            return None;
        }
    }
    Some(characters.next().map_or(text.len(), |(at, _)| at))
}

fn is_shouted(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() > 1 && !text.chars().any(char::is_lowercase)
}

fn parts_of(name: &str) -> Vec<NamePart> {
    let part = |word: FoldedWord| {
        let written = name.get(word.start()..word.end()).unwrap_or_default().to_owned();
        let folded = word.text();
        let alone = word.letters.len() > 1 && !is_listed(&folded, PARTICLES);
        let umlauts: String = written.nfc().flat_map(umlaut).collect();
        let mut spellings = vec![folded];
        let other = fold(&umlauts);
        if !spellings.contains(&other) {
            spellings.push(other);
        }
        NamePart { written, spellings, alone }
    };
    let mut parts: Vec<NamePart> = words(name, Escapes::Letters).into_iter().map(part).collect();
    // Ben, Al and Van are first names, too, if they are written as such.
    if let Some(first) = parts.first_mut()
        && first.written.chars().count() > 1
        && first.written.chars().next().is_some_and(char::is_uppercase)
    {
        first.alone = true;
    }
    parts
}

/// A letter in the spelling without umlauts.
fn umlaut(letter: char) -> Vec<char> {
    match letter {
        'ä' | 'Ä' | 'æ' | 'Æ' => vec!['a', 'e'],
        'ö' | 'Ö' | 'ø' | 'Ø' => vec!['o', 'e'],
        'ü' | 'Ü' => vec!['u', 'e'],
        'å' | 'Å' => vec!['a', 'a'],
        other => vec![other],
    }
}

fn fold(text: &str) -> String {
    words(text, Escapes::Letters).iter().map(FoldedWord::text).collect::<Vec<_>>().join(" ")
}

/// The reading of `\n`: a backslash and a letter, as in a path, or a line break, as in JSON within a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escapes {
    Letters,
    Read,
}

fn has_escapes(text: &str) -> bool {
    text.contains('\\')
}

/// JSON's escape that begins there: how many bytes it is, and what it means.
fn escape_at(text: &str, at: usize) -> Option<(usize, char)> {
    let rest = text.get(at..)?.strip_prefix('\\')?;
    match rest.chars().next()? {
        'n' | 'r' | 't' | 'b' | 'f' => Some((2, ' ')),
        'u' => {
            let code = u32::from_str_radix(rest.get(1..5)?, 16).ok()?;
            Some((6, char::from_u32(code).unwrap_or(' ')))
        }
        _ => None,
    }
}

/// The words of a text, without case, marks and invisible characters.
fn words(text: &str, escapes: Escapes) -> Vec<FoldedWord> {
    let mut words: Vec<FoldedWord> = Vec::new();
    let (mut inside, mut apart) = (false, false);
    let mut next = 0;
    while let Some(character) = text.get(next..).and_then(|rest| rest.chars().next()) {
        let at = next;
        let escape = (escapes == Escapes::Read).then(|| escape_at(text, at)).flatten();
        let (length, character) = escape.unwrap_or((character.len_utf8(), character));
        let end = at + length;
        next = end;
        if is_combining_mark(character) || sanitise::is_zero_width(character) {
            // It belongs to the letter before it.
            if inside && let Some(place) = words.last_mut().and_then(|word| word.places.last_mut()) {
                place.end = end;
            }
            continue;
        }
        let letters = letters_of(character);
        if letters.is_empty() || !letters.iter().all(|letter| letter.is_alphabetic()) {
            inside = false;
            apart |= character.is_ascii_digit() || PARTING.contains(character);
            continue;
        }
        if !inside {
            words.push(FoldedWord { letters: Vec::new(), places: Vec::new(), apart });
            (inside, apart) = (true, false);
        }
        if let Some(word) = words.last_mut() {
            for letter in letters {
                word.letters.push(letter);
                word.places.push(at..end);
            }
        }
    }
    words
}

/// A character's letters without case and marks.
fn letters_of(character: char) -> Vec<char> {
    if character.is_ascii() {
        return vec![character.to_ascii_lowercase()];
    }
    std::iter::once(character)
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(plain)
        .flat_map(char::to_lowercase)
        .filter(|c| !is_combining_mark(*c))
        .collect()
}

/// Letters that no normal form takes apart.
fn plain(letter: char) -> Vec<char> {
    match letter {
        'ß' | 'ẞ' => vec!['s', 's'],
        'ø' | 'Ø' => vec!['o'],
        'ł' | 'Ł' => vec!['l'],
        'đ' | 'Đ' | 'ð' | 'Ð' => vec!['d'],
        'æ' | 'Æ' => vec!['a', 'e'],
        'œ' | 'Œ' => vec!['o', 'e'],
        'ı' => vec!['i'],
        'þ' | 'Þ' => vec!['t', 'h'],
        other => vec![other],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alias(name: &str, label: &str) -> Alias {
        Alias { name: name.into(), label: label.into() }
    }

    fn aliasing() -> Aliasing {
        Aliasing::of(&[
            alias("Anna Maria Müller", "SOURCE-1"),
            alias("Seán O'Brien", "SOURCE-2"),
            alias("Li Wu", "SOURCE-10"),
            alias("Jan van der Berg", "WITNESS-1"),
        ])
    }

    #[test]
    fn a_name_is_hidden_however_it_is_written() {
        let aliasing = aliasing();
        for (text, hidden) in [
            ("Anna Maria Müller spoke.", "SOURCE-1 spoke."),
            (
                "Ms Müller's papers, Müller’s house, the Müllers",
                "Ms SOURCE-1c's papers, SOURCE-1c’s house, the SOURCE-1cs",
            ),
            ("MÜLLER: No. ANNA MARIA MÜLLER", "SOURCE-1C: No. SOURCE-1A SOURCE-1B SOURCE-1C"),
            (
                "Mu\u{308}ller, Mueller, Muller, mu\u{AD}ller, M\u{200B}üller",
                "SOURCE-1c, SOURCE-1c, SOURCE-1c, SOURCE-1c, SOURCE-1c",
            ),
            ("Anna\u{A0}Maria\nMüller", "SOURCE-1"),
            ("write to anna.maria.mueller@mail.example or amuller@x", "write to SOURCE-1@mail.example or SOURCE-1@x"),
            ("#AnnaMariaMüller42", "#SOURCE-142"),
            ("Sean O’Brien and Mr O'BRIEN", "SOURCE-2 and Mr O'SOURCE-2C"),
            ("Li said, and Wu nodded; a living wunder", "SOURCE-10a said, and SOURCE-10b nodded; a living wunder"),
            ("Jan van der Berg, van der Leyen, Berg's", "WITNESS-1, van der Leyen, WITNESS-1d's"),
            ("Ｍüller", "SOURCE-1c"),
            ("Nobody. Müllerei, Hannah, Marian", "Nobody. Müllerei, Hannah, Marian"),
            // JSON within a text, and a path.
            (r"It rained.\n\nMüller said\tno.\nAnna Maria\nMüller", r"It rained.\n\nSOURCE-1c said\tno.\nSOURCE-1"),
            (r"\u201cM\u00fcller\u201d, \u00d1o Wu", r"\u201cSOURCE-1c\u201d, \u00d1o SOURCE-10b"),
            (r"C:\wu\anna\muller\readme C:\newu", r"C:\SOURCE-10b\SOURCE-1a\SOURCE-1c\readme C:\newu"),
        ] {
            assert_eq!(aliasing.hidden(text), hidden, "{text}");
            assert_eq!(aliasing.names(&aliasing.hidden(text)), None, "{text}");
        }
        assert_eq!(aliasing.names("so said Wu"), Some("SOURCE-10"));
        assert_eq!(aliasing.names("so said nobody"), None);
    }

    #[test]
    fn labels_become_names_again() {
        let aliasing = aliasing();
        for (answer, restored) in [
            ("SOURCE-1 spoke.", "Anna Maria Müller spoke."),
            ("“I told SOURCE-1c no,” SOURCE-1a said.", "“I told Müller no,” Anna said."),
            ("SOURCE-1's papers; the SOURCE-1cs; SOURCE-1C", "Anna Maria Müller's papers; the Müllers; MÜLLER"),
            ("source-10b, Source\u{2011}2, SOURCE-1.", "Wu, Seán O'Brien, Anna Maria Müller."),
            ("RESOURCE-1, SOURCE-12, SOURCE-100, SOURCE 1", "RESOURCE-1, SOURCE-12, SOURCE-100, SOURCE 1"),
            (r"\n\nSOURCE-1c said \u201cSOURCE-1a\u201d", r"\n\nMüller said \u201cAnna\u201d"),
            ("SOURCE-1x and SOURCE-1", "Anna Maria Müllerx and Anna Maria Müller"),
        ] {
            assert_eq!(aliasing.restored(answer), restored, "{answer}");
        }
    }

    #[test]
    fn a_first_name_that_is_a_particle_elsewhere_counts_alone_if_it_has_a_capital() {
        let aliasing = Aliasing::of(&[alias("Ben Carter", "SOURCE-1"), alias("de Gaulle", "SOURCE-2")]);
        assert_eq!(
            aliasing.hidden("Ben told us; le pain de Gaulle, de Paris"),
            "SOURCE-1a told us; le pain SOURCE-2, de Paris"
        );
        assert!(checked(&[alias("Al", "SOURCE-1")], std::iter::empty()).is_ok());
    }

    #[test]
    fn what_is_hidden_comes_back_word_for_word() {
        let aliasing = aliasing();
        for text in [
            "Anna Maria Müller met Seán O'Brien. Müller's car. “Wu,” said Jan van der Berg, “is Berg's friend.”",
            "The Müllers and MÜLLER. Li, Wu.",
        ] {
            assert_eq!(aliasing.restored(&aliasing.hidden(text)), text);
        }
    }

    #[test]
    fn what_is_no_alias_is_refused_with_its_reason() {
        let problems = |aliases: &[Alias], text: &str| -> Vec<String> {
            checked(aliases, std::iter::once(text)).err().into_iter().flatten().map(|error| error.to_string()).collect()
        };
        assert!(problems(&[alias("Anna Müller", "SOURCE-1"), alias("Wu", "SOURCE-2")], "Müller and Wu").is_empty());
        for (name, label, found) in [
            ("", "SOURCE-1", "is no name"),
            ("X", "SOURCE-1", "is no name"),
            ("van der", "SOURCE-1", "is no name"),
            ("Anna <b>", "SOURCE-1", "is no name"),
            ("Anna \"Ann\" Lee", "SOURCE-1", "is no name"),
            ("a b c d e f g h Lee", "SOURCE-1", "is no name"),
            ("Anna", "source-1", "is no label"),
            ("Anna", "SOURCE", "is no label"),
            ("Anna", "SOURCE-1a", "is no label"),
            ("Anna", "S-1", "is no label"),
            ("Anna", "SOURCE-12345", "is no label"),
        ] {
            let said = problems(&[alias(name, label)], "");
            assert!(said.iter().any(|said| said.contains(found)), "{name} {label}: {said:?}");
        }
        let twice = [alias("Anna Lee", "SOURCE-1"), alias("ANNA  LEE", "SOURCE-1")];
        assert_eq!(problems(&twice, "").len(), 2);
        assert!(problems(&[alias("Anna", "SOURCE-1")], "as Source-1 says")[0].contains("stands in a text"));
        let many: Vec<Alias> =
            (0..51).map(|n| alias(&format!("Name{}", "a".repeat(n + 1)), &format!("SOURCE-{n}"))).collect();
        assert!(problems(&many, "")[0].contains("at most 50"));
    }
}
