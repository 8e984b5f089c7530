//! Which language a text is in.

use std::{
    fmt,
    num::NonZeroUsize,
    sync::{LazyLock, Mutex, PoisonError},
};

use lru::LruCache;
use sha2::{Digest as _, Sha256};

/// A natural language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Language(whatlang::Lang);

impl Language {
    /// Its name in English.
    pub fn name(self) -> &'static str {
        self.0.eng_name()
    }

    /// Its code, as ISO 639-3 has it: `eng`, `deu`.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// Whether it is English, the language of the rules that know words.
    pub fn is_english(self) -> bool {
        self.0 == whatlang::Lang::Eng
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Fewer letters than this tell no language from its neighbours: a headline of names looks like any.
const FEWEST: usize = 120;

/// How much of a text is looked at, in bytes.
const SAMPLE: usize = 20_000;

/// The language of a text, by the frequencies of its groups of three letters (the library's models). None if the text
/// is too short, or the answer not certain enough to tell somebody. Only the beginning of a long text is looked at: a
/// text in two languages is judged by the one it begins in.
pub fn detect(text: &str) -> Option<Language> {
    let sample = text.get(..text.floor_char_boundary(SAMPLE))?;
    let letters = sample.chars().filter(|c| c.is_alphabetic());
    // A sign of Chinese or Japanese is a word or half of one.
    let weight: usize = letters.map(|c| if c >= '\u{2E80}' { 4 } else { 1 }).sum();
    match weight {
        FEWEST.. => remembered(sample),
        FEWEST_WORDS.. => by_little_words(sample),
        _ => None,
    }
}

/// Fewer letters than this tell no language by their little words either.
const FEWEST_WORDS: usize = 40;

/// Little words of four languages. A sentence has some of its own.
const LITTLE_WORDS: [(whatlang::Lang, &str); 4] = [
    (whatlang::Lang::Eng, "the and of to was were is are said at by for with from has had"),
    (whatlang::Lang::Deu, "der die das und ein eine einen einem dem den von mit im auf ist wurde nicht für zu bei um"),
    (whatlang::Lang::Fra, "le la les des une est dans pour et au aux qui du sur par ont été"),
    (whatlang::Lang::Spa, "el los las una del que por con para fue se su al y"),
];

/// The language of a short text with three of its little words and none of another language.
fn by_little_words(text: &str) -> Option<Language> {
    let said = text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).collect::<Vec<_>>();
    let count = |words: &str| said.iter().filter(|said| words.split(' ').any(|word| word == *said)).count();
    let mut found =
        LITTLE_WORDS.iter().map(|(language, words)| (*language, count(words))).filter(|(_, count)| *count > 0);
    let (language, count) = found.next()?;
    (count > 2 && found.next().is_none()).then_some(Language(language))
}

/// Texts whose language is remembered: a source is asked of with each draft that is held against it.
static KNOWN: LazyLock<Mutex<LruCache<[u8; 32], Option<Language>>>> =
    LazyLock::new(|| Mutex::new(LruCache::new(NonZeroUsize::new(64).unwrap_or(NonZeroUsize::MIN))));

fn remembered(sample: &str) -> Option<Language> {
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = Sha256::digest(sample.as_bytes()).into();
    if let Some(language) = known().get(&key) {
        return *language;
    }
    let language = whatlang::detect(sample).filter(whatlang::Info::is_reliable).map(|info| Language(info.lang()));
    let language = language.filter(|language| language.is_english() || without_names(sample, *language));
    known().put(key, language);
    language
}

/// Whether a text shows its language without the words in capitals, too: a list of names may look like any.
fn without_names(sample: &str, language: Language) -> bool {
    let small = |word: &&str| !word.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with(char::is_uppercase);
    let rest = sample.split_inclusive(char::is_whitespace).filter(small).collect::<String>();
    rest.chars().filter(|c| c.is_alphabetic()).map(char::len_utf8).sum::<usize>() >= FEWEST / 2
        && whatlang::detect(&rest).is_some_and(|info| info.lang() == language.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_tells_its_language_and_a_line_does_not() {
        let name = |text: &str| detect(text).map(Language::name);
        assert_eq!(
            name(
                "The council voted on Tuesday to spend the money on the park, which opened in 1958. Dennis Pruitt said the \
                 work may begin in spring, and that nobody would lose a garden."
            ),
            Some("English")
        );
        assert_eq!(
            name(
                "Der Stadtrat hat am Dienstag beschlossen, das Geld für den Park auszugeben, der 1958 eröffnet wurde. \
                 Dennis Pruitt sagte, die Arbeiten könnten im Frühjahr beginnen."
            ),
            Some("German")
        );
        assert_eq!(
            name(
                "Le conseil municipal a décidé mardi de consacrer cet argent au parc, qui a ouvert ses portes en 1958. Les travaux \
                 pourraient commencer au printemps, a dit le directeur."
            ),
            Some("French")
        );
        assert_eq!(name("Der Rat stimmte zu."), None);
        let short = "Die Stadtwerke Ahlsen schrieben 2023 einen Verlust von 4,2 Millionen Euro.";
        assert_eq!(name(short), Some("German"));
        assert_eq!(name("La toile a été peinte au début des années 1960 et acquise en 1978."), Some("French"));
        assert_eq!(name("The owner of the Auberge des Trois Rois met the mayor and la mairie."), None);
        let guests = "Jan van der Berg, Anna de Vries, Piet van den Heuvel, Kees de Wit, Willem van Dijk, Hendrik ter Horst and Sophie van Leeuwen";
        assert_eq!(name(&format!("Guests: {guests}.")), None);
        assert_eq!(name(&"12 34 ".repeat(100)), None);
    }
}
