//! Names: runs of capitalised words, without the titles before them; which are persons, and who is who.

use std::ops::Range;

use foldhash::HashMap;

use crate::{
    reading::{ParsedText, Token},
    words::{
        WordList, base, first_names_agree, is_title,
        names::{NO_PERSON, is_adverb},
        nicknames::is_first_name,
        words,
    },
};

/// A name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The indexes of its words, without titles.
    pub tokens: Range<usize>,
    /// First byte.
    pub start: usize,
    /// One past the last byte, without a possessive.
    pub end: usize,
    /// Its words, folded, without a possessive.
    pub words: Vec<String>,
    /// Whether a title stood before it.
    pub titled: bool,
}

impl Name {
    pub fn last(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }

    pub fn first(&self) -> Option<&str> {
        if self.words.len() < 2 { None } else { self.words.first().map(String::as_str) }
    }

    /// Whether it can be a person's name.
    pub fn personal(&self) -> bool {
        (1..=4).contains(&self.words.len()) && !NO_PERSON.contains(self.last()) && self.last().chars().count() > 1
    }

    /// Whether both can name one person.
    pub fn may_be(&self, other: &Self) -> bool {
        let (mine, theirs) = (self.first(), other.first());
        if self.last() != other.last() {
            // "Beth" may be "Beth Ostrander".
            return mine.is_none() && theirs == Some(self.last()) || theirs.is_none() && mine == Some(other.last());
        }
        match (mine, theirs) {
            (Some(mine), Some(theirs)) => first_names_agree(mine, theirs),
            _ => true,
        }
    }
}

/// What stands behind a family name in capital letters: a seat, a degree, an honour.
static BEHIND: WordList =
    words("mp am ms msp mla mep td qc kc sc obe mbe cbe kbe dbe md phd jd dds rn esq cpa jp dl frs");

/// The names of a text: runs of capitalised words within a sentence, without titles. A single word that begins its
/// sentence is not a name by itself.
pub fn names(reading: &ParsedText<'_>) -> Vec<Name> {
    let mut found = Vec::new();
    let mut index = 0;
    while index < reading.tokens.len() {
        let end = run(reading, index);
        if end == index {
            index += 1;
            continue;
        }
        split(reading, index..end, &mut found);
        index = end;
    }
    found
}

/// The index after the run of capitalised words that begins at `index`.
fn run(reading: &ParsedText<'_>, index: usize) -> usize {
    let mut end = index;
    while let Some(token) = reading.tokens.get(end).filter(|token| token.capital) {
        if end > index {
            let Some(before) = reading.tokens.get(end - 1) else { break };
            let gap = reading.text.get(before.end..token.start).unwrap_or("\n");
            let initial = before.word.chars().count() == 1 || is_title(&before.word);
            let joined = matches!(gap, " " | "-" | "‑" | "\u{A0}" | "\n") || gap == ". " && initial || gap == ".";
            if !joined || before.line != token.line || before.word.ends_with("'s") || before.quoted() != token.quoted()
            {
                break;
            }
        }
        end += 1;
    }
    end
}

fn split(reading: &ParsedText<'_>, run: Range<usize>, found: &mut Vec<Name>) {
    let Some(tokens) = reading.tokens.get(run.clone()) else { return };
    // "John Major", "Mr Major": right behind a first name or a form of address, the word is a surname.
    let address = |word: &str| matches!(word, "mr" | "mrs" | "ms" | "miss" | "sir" | "dame");
    let office = |word: &str| {
        matches!(word, "president" | "chairman" | "chairwoman" | "speaker" | "secretary" | "deputy" | "justice")
    };
    let surname = matches!(tokens, [.., first, last] if is_title(&last.word)
        && (is_first_name(&first.word) || address(&first.word) && !office(&last.word)));
    let before = tokens.get(..tokens.len() - usize::from(surname)).unwrap_or_default();
    let Some(after_titles) = before.iter().rposition(|token| is_title(&token.word)) else {
        push(reading, run, false, found);
        return;
    };
    let middle = run.start + after_titles;
    if middle > run.start {
        // "Town Engineer": a word before a title is part of the title, or a name of its own.
        let first = tokens.iter().position(|token| is_title(&token.word)).map_or(middle, |at| run.start + at);
        // "Right Hon. Ada Ruud": the word belongs to the form of address.
        let address = matches!(tokens, [one, ..] if matches!(one.word.as_str(), "right" | "rt" | "very"));
        if !(address && first == run.start + 1) {
            push(reading, run.start..first, false, found);
        }
    }
    push(reading, middle + 1..run.end, true, found);
}

fn push(reading: &ParsedText<'_>, run: Range<usize>, titled: bool, found: &mut Vec<Name>) {
    let mut run = run;
    // Every first word of a sentence is capitalised, so a stop word or an adverb there is not part of the name.
    let opening = |at: usize| run.len() > 1 && opens(reading, at);
    let apart = |at: usize, token: &Token| {
        token.stop && token.word.chars().count() > 1 || opening(at) && is_adverb(&token.word)
    };
    let first = run.clone().find(|&at| reading.tokens.get(at).is_some_and(|token| !apart(at, token)));
    run.start = first.unwrap_or(run.end);
    // "Donald Verrilli Jr" and "Ada Ruud MP": the family name stands before it.
    let behind = |token: &Token| {
        matches!(token.word.as_str(), "jr" | "sr" | "esq") || BEHIND.contains(&token.word) && shouted(reading, token)
    };
    while run.len() > 1 && reading.tokens.get(run.end - 1).is_some_and(behind) {
        run.end -= 1;
    }
    let Some(tokens) = reading.tokens.get(run.clone()) else { return };
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
    let possessive = last.word.len() - base(&last.word).len();
    let written = reading.text.get(last.start..last.end).unwrap_or_default();
    let mark = if possessive == 0 { 0 } else { written.rfind(['\'', '’']).map_or(0, |at| written.len() - at) };
    found.push(Name {
        tokens: run,
        start: first.start,
        end: last.end - mark,
        words: tokens.iter().map(|token| base(&token.word).to_owned()).collect(),
        titled,
    });
}

/// Whether any word would be capitalised here: at the start of a sentence, or after a colon or an opening mark.
pub fn opens(reading: &ParsedText<'_>, index: usize) -> bool {
    let Some(token) = reading.tokens.get(index) else { return false };
    let Some(before) = index.checked_sub(1).and_then(|at| reading.tokens.get(at)) else { return true };
    let gap = reading.text.get(before.end..token.start).unwrap_or_default();
    before.line != token.line || gap.ends_with('\'') || gap.contains([':', '“', '"', '‘', '(', '[', '—', '|', '#', '*'])
}

/// Whether a word is written in capitals throughout.
pub fn shouted(reading: &ParsedText<'_>, token: &Token) -> bool {
    let written = reading.text.get(token.start..token.end).unwrap_or_default();
    written.chars().filter(|c| c.is_alphabetic()).count() > 1 && !written.chars().any(char::is_lowercase)
}

/// Bytes of a written possessive ending.
pub fn possessive(reading: &ParsedText<'_>, token: &Token) -> usize {
    let text = reading.text.get(token.start..token.end).unwrap_or_default();
    if base(&token.word).len() == token.word.len() {
        0
    } else {
        text.rfind(['\'', '’']).map_or(0, |at| text.len() - at)
    }
}

/// A full name and the text that it stands in.
#[derive(Debug, Clone)]
pub struct KnownPerson {
    pub name: Name,
    pub text: usize,
    /// Written in ordinary letters, not in capitals.
    pub plain: bool,
}

/// More people than this with one surname are a directory.
const NAMESAKES: usize = 64;

/// Who is who: every full name of a set of texts, by surname.
#[derive(Debug, Default)]
pub struct Roster {
    by_last: HashMap<String, Vec<KnownPerson>>,
    /// The surnames of those who have a first name, each once.
    by_first: HashMap<String, Vec<String>>,
}

impl Roster {
    pub fn new<'r, 'a: 'r>(texts: impl IntoIterator<Item = (&'r ParsedText<'a>, &'r [Name])>) -> Self {
        let mut roster = Self::default();
        for (at, (reading, names)) in texts.into_iter().enumerate() {
            for name in names {
                let shouting = reading
                    .tokens
                    .get(name.tokens.clone())
                    .is_some_and(|tokens| tokens.iter().all(|token| shouted(reading, token) && !token.aside()));
                if name.words.len() < 2 || !name.personal() || shouting {
                    continue;
                }
                let (first, last) = (name.first().unwrap_or_default().to_owned(), name.last().to_owned());
                let called = roster.by_first.entry(first).or_default();
                if called.len() < 2 && !called.contains(&last) {
                    called.push(last.clone());
                }
                let people = roster.by_last.entry(last).or_default();
                // A name in ordinary letters is preferred to one in capitals.
                let plain = reading
                    .tokens
                    .get(name.tokens.clone())
                    .is_some_and(|tokens| !tokens.iter().any(|token| shouted(reading, token)));
                let room = people.len() < NAMESAKES;
                match people.iter_mut().find(|known| known.name.words == name.words) {
                    Some(known) if plain && !known.plain => {
                        *known = KnownPerson { name: name.clone(), text: at, plain }
                    }
                    None if room => people.push(KnownPerson { name: name.clone(), text: at, plain }),
                    _ => {}
                }
            }
        }
        roster
    }

    pub fn of(&self, last: &str) -> &[KnownPerson] {
        self.by_last.get(last).map_or(&[], Vec::as_slice)
    }

    pub fn everyone(&self) -> impl Iterator<Item = &KnownPerson> {
        self.by_last.values().flatten()
    }

    /// The only person with a first name.
    pub fn called(&self, first: &str) -> Option<&KnownPerson> {
        let [last] = self.by_first.get(first)?.as_slice() else { return None };
        self.of(last).iter().find(|known| known.name.words.first().is_some_and(|word| word == first))
    }

    /// The full name behind a shorter one, also behind a first name alone, if there is only one.
    pub fn who(&self, name: &Name) -> Option<&KnownPerson> {
        let alone = || name.words.len() == 1 && self.of(name.last()).is_empty();
        self.resolve(name).or_else(|| self.called(name.last()).filter(|_| alone()))
    }

    /// The full name behind a shorter one, if there is only one.
    pub fn resolve(&self, name: &Name) -> Option<&KnownPerson> {
        let mut fits = self.of(name.last()).iter().filter(|known| {
            known.name.may_be(name) && known.name.words.first().is_some_and(|first| first.chars().count() > 1)
        });
        let one = fits.next()?;
        fits.next().is_none().then_some(one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let reading = ParsedText::new(text);
        names(&reading).iter().map(|name| reading.slice(name.start..name.end).to_owned()).collect()
    }

    #[test]
    fn titles_are_no_part_of_a_name() {
        assert_eq!(
            found("Town Engineer Anneliese Roth met Dr. Marisol Keane and Mayor Brandvold’s aide on Canal Road."),
            ["Anneliese Roth", "Marisol Keane", "Brandvold", "Canal Road"]
        );
        assert_eq!(
            found("We met Councillors Peter Saddler and Mehra, and Cllr Hilary Dunmore."),
            ["Peter Saddler", "Mehra", "Hilary Dunmore"]
        );
    }

    #[test]
    fn an_adverb_before_a_name_is_no_part_of_it() {
        assert_eq!(
            found("Later Conrad Ohm said so. Finally Ada Ruud left. Kelly Strand met Early Berg. Yesterday it rained."),
            ["Conrad Ohm", "Ada Ruud", "Kelly Strand", "Early Berg", "Yesterday"]
        );
    }

    #[test]
    fn what_is_behind_a_name_or_a_form_of_address_is_no_part_of_it() {
        assert_eq!(
            found("Ada Ruud MP and Bo Strand-Lunde AM, with Eva Lie, MD, met Right Hon. Tom Berg and MS. HOLT KC."),
            ["Ada Ruud", "Bo Strand-Lunde", "Eva Lie", "MD", "Tom Berg", "HOLT"]
        );
    }

    #[test]
    fn a_rank_behind_a_first_name_is_a_surname() {
        assert_eq!(
            found(
                "Then John Major met Major John Howe and Governor Stephen King in Canal City, and Mr Major left with Mr President."
            ),
            ["John Major", "John Howe", "Stephen King", "Canal", "Major"]
        );
    }

    #[test]
    fn a_label_an_initial_and_a_full_name_may_be_one_person() {
        let reading = ParsedText::new("E. HALE: Yes.\n\nCommissioner Edwin Hale and Rosalind Hale spoke.");
        let all = names(&reading);
        let name = |text: &str| all.iter().find(|n| reading.slice(n.start..n.end) == text).unwrap().clone();
        assert!(name("E. HALE").may_be(&name("Edwin Hale")) && !name("E. HALE").may_be(&name("Rosalind Hale")));
    }
}
