//! Who is who in some texts.

use foldhash::HashMap;

use crate::{
    reading::{Name, ParsedText, shouted},
    words::{entries, nicknames::is_first_name},
};

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

/// Whether a name in capitals is a person's, in a sentence that is not: `PETRA GROSSMANN has resigned`.
fn is_set_in_capitals(reading: &ParsedText<'_>, name: &Name) -> bool {
    let line = reading.line_tokens(reading.line_of(&name.tokens));
    let first = name.first().is_some_and(|first| is_first_name(first) || entries(first).is_empty());
    first && entries(name.last()).is_empty() && line.iter().any(|token| !token.capital && !shouted(reading, token))
}

impl Roster {
    pub fn new<'r, 'a: 'r>(texts: impl IntoIterator<Item = (&'r ParsedText<'a>, &'r [Name])>) -> Self {
        let mut roster = Self::default();
        for (at, (reading, names)) in texts.into_iter().enumerate() {
            for name in names {
                let tokens = reading.tokens.get(name.tokens.clone()).unwrap_or_default();
                let shouting = tokens.iter().all(|token| shouted(reading, token) && !token.aside());
                if name.words.len() < 2 || !name.personal() || shouting && !is_set_in_capitals(reading, name) {
                    continue;
                }
                let (first, last) = (name.first().unwrap_or_default().to_owned(), name.last().to_owned());
                let called = roster.by_first.entry(first).or_default();
                if called.len() < 2 && !called.contains(&last) {
                    called.push(last.clone());
                }
                let people = roster.by_last.entry(last).or_default();
                // A name in ordinary letters is preferred to one in capitals.
                let plain = !tokens.iter().any(|token| shouted(reading, token));
                let room = people.len() < NAMESAKES;
                let same = |known: &Name| known.words == name.words && known.generation == name.generation;
                match people.iter_mut().find(|known| same(&known.name)) {
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

    /// The only person with some initials, or with one that begins the first or the last name.
    pub fn initialled(&self, initials: &str) -> Option<&KnownPerson> {
        let letters: Vec<char> = initials.to_lowercase().chars().filter(|c| c.is_alphabetic()).collect();
        let has = |known: &&KnownPerson| {
            let words = known.name.words.iter();
            let own: Vec<char> = words.filter_map(|word| word.chars().next()).collect();
            let ends = [own.first().copied(), own.last().copied()];
            match letters.as_slice() {
                [one] => ends.contains(&Some(*one)),
                [first, last] => own == letters || ends == [Some(*first), Some(*last)],
                _ => own == letters,
            }
        };
        let mut fits = self.everyone().filter(has);
        let one = fits.next()?;
        fits.all(|other| other.name.may_be(&one.name)).then_some(one)
    }

    /// The full name behind a shorter one, also behind a first name alone, if there is only one.
    pub fn who(&self, name: &Name) -> Option<&KnownPerson> {
        let alone = || name.words.len() == 1 && self.of(name.last()).is_empty();
        self.resolve(name).or_else(|| self.called(name.last()).filter(|_| alone()))
    }

    /// A name in its fullest form, as a text of the roster has it.
    pub fn written<'a>(&self, reading: &ParsedText<'a>, name: &Name) -> &'a str {
        let known = self.resolve(name).map_or(name, |known| &known.name);
        reading.slice(known.start..known.end)
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
