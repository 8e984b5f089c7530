//! The spelling of English words, American and British: Hunspell's dictionaries, read by `spellbook`.
//!
//! The lists are unpacked when the first word is looked up: about 15 ms and 8 MiB. What both dictionaries have is one list, and what
//! one of them has alone is another (`assets/dictionaries/README.md`).

use std::{io::Read as _, sync::LazyLock};

use spellbook::Dictionary;

const RULES: &str = include_str!("../../../assets/dictionaries/rules.aff");

static COMMON: LazyLock<Option<Dictionary>> =
    LazyLock::new(|| read(include_bytes!("../../../assets/dictionaries/common.dic.zst")));

static AMERICAN: LazyLock<Option<Dictionary>> =
    LazyLock::new(|| read(include_bytes!("../../../assets/dictionaries/american.dic.zst")));

static BRITISH: LazyLock<Option<Dictionary>> =
    LazyLock::new(|| read(include_bytes!("../../../assets/dictionaries/british.dic.zst")));

/// Longest word in bytes that a suggestion is looked for: the work grows with the length.
const LONGEST: usize = 30;

/// Most suggestions for a word.
const MOST: usize = 3;

/// Words that only one of the dictionaries has although both sides write them.
const SHARED: [&str; 6] = ["acknowledgement", "acknowledgements", "advisor", "advisors", "appalled", "unlit"];

/// A variety of English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum English {
    American,
    British,
}

impl English {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::American => "American",
            Self::British => "British",
        }
    }
}

/// Which spelling a newsroom writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HouseSpelling {
    American,
    British,
    /// Either, but one of them in an article.
    #[default]
    Either,
}

impl HouseSpelling {
    pub const ALL: [Self; 3] = [Self::Either, Self::American, Self::British];

    /// The word in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Either => "either",
            Self::American => "american",
            Self::British => "british",
        }
    }

    /// The English that is wanted, if one is.
    pub fn english(self) -> Option<English> {
        match self {
            Self::American => Some(English::American),
            Self::British => Some(English::British),
            Self::Either => None,
        }
    }
}

/// Which English has a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    Both,
    Only(English),
    Unknown,
}

/// Which English has `word`, in whatever case. British English has words in -ize as well (Oxford spelling).
pub fn spelling(word: &str) -> Spelling {
    if SHARED.contains(&word) || has(&COMMON, word) {
        return Spelling::Both;
    }
    let british = || has(&BRITISH, word) || word.contains("iz") && has(&BRITISH, &word.replace("iz", "is"));
    match (has(&AMERICAN, word), british()) {
        (true, true) => Spelling::Both,
        (true, false) => Spelling::Only(English::American),
        (false, true) => Spelling::Only(English::British),
        (false, false) => Spelling::Unknown,
    }
}

/// Whether any English has `word`.
pub fn is_word(word: &str) -> bool {
    spelling(word) != Spelling::Unknown
}

/// Words that `word` may be a slip for, the likeliest first; those of one English alone if one is asked for. At most three, and
/// none for a very long word.
pub fn suggestions(word: &str, english: Option<English>) -> Vec<String> {
    if word.len() > LONGEST {
        return Vec::new();
    }
    let mut all: Vec<String> = Vec::new();
    let sides = [(None, &COMMON), (Some(English::American), &AMERICAN), (Some(English::British), &BRITISH)];
    for (side, words) in sides {
        if side.is_none() || english.is_none() || side == english {
            let mut near = Vec::new();
            if let Some(words) = words.as_ref() {
                // Likeness by parts of words goes through the whole list for each word: 20 ms.
                words.suggester().with_ngram_suggestions(false).suggest(word, &mut near);
            }
            all.extend(near);
        }
    }
    // Two words made of one are a guess, and a capital is a name's.
    all.retain(|near| !near.contains([' ', '-']) && !near.starts_with(char::is_uppercase));
    all.sort_by_key(|near| strsim::damerau_levenshtein(word, near));
    all.dedup();
    all.truncate(MOST);
    all
}

/// Whether a list has `word`. A list that cannot be read has every word: then nothing is called misspelt.
fn has(words: &LazyLock<Option<Dictionary>>, word: &str) -> bool {
    words.as_ref().is_none_or(|words| words.check(word))
}

fn read(packed: &[u8]) -> Option<Dictionary> {
    let mut words = String::new();
    zstd::stream::read::Decoder::new(packed).ok()?.read_to_string(&mut words).ok()?;
    Dictionary::new(RULES, &words).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_list_can_be_read() {
        assert!([&COMMON, &AMERICAN, &BRITISH].iter().all(|words| words.is_some()));
    }

    #[test]
    fn a_word_is_american_british_or_both() {
        for (word, wanted) in [
            ("committees", Spelling::Both),
            ("color", Spelling::Only(English::American)),
            ("colours", Spelling::Only(English::British)),
            ("analyzed", Spelling::Only(English::American)),
            ("organised", Spelling::Only(English::British)),
            ("organized", Spelling::Both),
            ("advisor", Spelling::Both),
            ("40th", Spelling::Both),
            ("counncil", Spelling::Unknown),
        ] {
            assert_eq!(spelling(word), wanted, "{word}");
        }
    }

    #[test]
    fn a_slip_has_its_word_suggested() {
        assert_eq!(suggestions("counncil", None), ["council"]);
        assert_eq!(suggestions("colour", Some(English::American)), ["color"]);
        assert_eq!(suggestions("neighbors", Some(English::British)), ["neighbours"]);
        assert_eq!(suggestions(&"counncil".repeat(9), None), [] as [&str; 0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_text_can_be_looked_up(word in "\\PC{0,40}|[a-z'-]{0,400}") {
            let _ = spelling(&word);
            prop_assert!(suggestions(&word, None).len() <= MOST);
        }
    }
}
