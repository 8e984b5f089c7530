//! Parts of speech of English words, by an averaged perceptron.
//!
//! The features, the weights and their use are Matthew Honnibal's (textblob-aptagger 0.2.0, MIT). He measured 96.8 % of
//! the words of the Wall Street Journal's test sections right. The table lies in the program as it is used: nothing is
//! read or built before the first word. `assets/tagger/convert.py` writes it and says how it is laid out.

use std::sync::LazyLock;

static TABLE: &[u8] = include_bytes!("../../../assets/tagger/english.tagger");

/// A tag of the Penn Treebank. Punctuation has its own tags there; here it is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// `and`, `or`, `but`.
    Conjunction,
    /// A number.
    Number,
    /// `the`, `this`, `no`; also those before another one (`all the`).
    Determiner,
    /// `there` in `there is`.
    There,
    /// `of`, `in`, `because`, `that`.
    Preposition,
    Adjective,
    Comparative,
    Superlative,
    Modal,
    Noun,
    Plural,
    /// A name, also in the plural.
    Name,
    /// The `'s` behind a noun.
    Possessive,
    /// `she`, `them`.
    Pronoun,
    /// `his`, `whose`.
    Owner,
    Adverb,
    /// `up` in `gave up`.
    Particle,
    To,
    /// A verb's base form, as behind `to` and `will`.
    Verb,
    Past,
    /// A form in `-ing`.
    Gerund,
    /// `approved` in `was approved`.
    Participle,
    /// A verb in the present tense.
    Present,
    /// `who`, `which`.
    Relative,
    /// `where`, `when`, `why`.
    Interrogative,
    Interjection,
    Mark,
    /// Foreign words, symbols, list items.
    Other,
}

impl Tag {
    fn of(penn: &str) -> Self {
        match penn {
            "CC" => Self::Conjunction,
            "CD" => Self::Number,
            "DT" | "PDT" => Self::Determiner,
            "EX" => Self::There,
            "IN" => Self::Preposition,
            "JJ" => Self::Adjective,
            "JJR" | "RBR" => Self::Comparative,
            "JJS" | "RBS" => Self::Superlative,
            "MD" => Self::Modal,
            "NN" => Self::Noun,
            "NNS" => Self::Plural,
            "NNP" | "NNPS" => Self::Name,
            "POS" => Self::Possessive,
            "PRP" => Self::Pronoun,
            "PRP$" | "WP$" => Self::Owner,
            "RB" => Self::Adverb,
            "RP" => Self::Particle,
            "TO" => Self::To,
            "VB" => Self::Verb,
            "VBD" => Self::Past,
            "VBG" => Self::Gerund,
            "VBN" => Self::Participle,
            "VBP" | "VBZ" => Self::Present,
            "WDT" | "WP" => Self::Relative,
            "WRB" => Self::Interrogative,
            "UH" => Self::Interjection,
            "FW" | "SYM" | "LS" => Self::Other,
            _ => Self::Mark,
        }
    }

    pub fn is_verb(self) -> bool {
        matches!(self, Self::Verb | Self::Past | Self::Gerund | Self::Participle | Self::Present)
    }

    pub fn is_noun(self) -> bool {
        matches!(self, Self::Noun | Self::Plural | Self::Name)
    }
}

/// Most tags that a table may have.
const MOST: usize = 64;

/// Where the parts of the table lie.
struct Layout {
    names: Vec<String>,
    tags: Vec<Tag>,
    slots: &'static [u8],
    mask: u64,
    lists: &'static [u8],
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let mut rest = TABLE;
    let count = u32_from(&mut rest);
    let names: Vec<String> = (0..count)
        .map(|_| {
            let length = take(&mut rest, 1).first().copied().unwrap_or_default();
            String::from_utf8_lossy(take(&mut rest, usize::from(length))).into_owned()
        })
        .take(MOST)
        .collect();
    let slots = u32_from(&mut rest);
    let bytes = usize::try_from(slots).unwrap_or_default() * 8;
    let table = take(&mut rest, bytes);
    let tags = names.iter().map(|name| Tag::of(name)).collect();
    Layout { names, tags, slots: table, mask: u64::from(slots.saturating_sub(1)), lists: rest }
});

fn take(rest: &mut &'static [u8], most: usize) -> &'static [u8] {
    let (taken, behind) = rest.split_at(most.min(rest.len()));
    *rest = behind;
    taken
}

fn u32_from(rest: &mut &'static [u8]) -> u32 {
    take(rest, 4).try_into().map(u32::from_le_bytes).unwrap_or_default()
}

/// A hash that goes on: FNV-1a, 64 bits.
#[derive(Clone, Copy)]
struct Feature(u64);

impl Feature {
    const fn new(name: &str) -> Self {
        Self(0xcbf2_9ce4_8422_2325).and(name.as_bytes())
    }

    const fn and(self, bytes: &[u8]) -> Self {
        let (mut hash, mut rest) = (self.0, bytes);
        while let [byte, behind @ ..] = rest {
            let wide = *byte as u64;
            hash = (hash ^ wide).wrapping_mul(0x0100_0000_01b3);
            rest = behind;
        }
        Self(hash)
    }

    fn word(self, word: &str) -> Self {
        self.and(word.as_bytes())
    }

    /// The tags for which the feature speaks, by number, each with its weight.
    fn weights(self, layout: &Layout) -> impl Iterator<Item = (usize, i32)> {
        let mut slot = self.0 & layout.mask;
        let list = loop {
            let at = usize::try_from(slot).unwrap_or_default() * 8;
            let (Some(mark), Some(place)) = (number(layout.slots, at), number(layout.slots, at + 4)) else {
                break &[][..];
            };
            if place == 0 {
                break &[][..];
            }
            if u64::from(mark) == self.0 >> 32 {
                let list = usize::try_from(place).ok().and_then(|place| layout.lists.get(place..)).unwrap_or_default();
                let count = list.first().copied().unwrap_or_default();
                break list.get(1..1 + usize::from(count) * 3).unwrap_or_default();
            }
            slot = (slot + 1) & layout.mask;
        };
        list.chunks_exact(3).filter_map(|weight| match weight {
            [tag, low, high] => Some((usize::from(*tag), i32::from(i16::from_le_bytes([*low, *high])))),
            _ => None,
        })
    }
}

fn number(list: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(list.get(at..at + 4)?.try_into().ok()?))
}

/// A word as its neighbours see it: small letters; one form for numbers and one for what has a hyphen.
fn seen(word: &str) -> String {
    if word.contains('-') && !word.starts_with('-') {
        "!HYPHEN".to_owned()
    } else if word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()) {
        "!YEAR".to_owned()
    } else if word.starts_with(|c: char| c.is_ascii_digit()) {
        "!DIGITS".to_owned()
    } else {
        word.to_lowercase()
    }
}

/// The last three characters.
fn suffix(word: &str) -> &str {
    word.char_indices().rev().nth(2).and_then(|(at, _)| word.get(at..)).unwrap_or(word)
}

/// The tags of the words and marks of one sentence, in order. Words are cut as the Penn Treebank cuts them: `do`, `n't`; `city`, `'s`.
/// Takes time linear in their number.
pub fn tag(words: &[&str]) -> Vec<Tag> {
    let layout = &*LAYOUT;
    numbers(words).into_iter().map(|tag| layout.tags.get(tag).copied().unwrap_or(Tag::Other)).collect()
}

fn numbers(words: &[&str]) -> Vec<usize> {
    let layout = &*LAYOUT;
    let shown: Vec<String> = words.iter().map(|word| seen(word)).collect();
    // Behind a sentence stand two words that are none, as two stand before it.
    let word = |at: usize| match at.checked_sub(2) {
        None => ["-START-", "-START2-"].get(at).copied().unwrap_or_default(),
        Some(at) => shown
            .get(at)
            .map_or_else(|| ["-END-", "-END2-"].get(at - shown.len()).copied().unwrap_or_default(), String::as_str),
    };
    let name = |tag: Option<usize>, start: &'static str| {
        tag.map_or(start, |tag| layout.names.get(tag).map_or("", String::as_str))
    };
    let mut found: Vec<usize> = Vec::with_capacity(words.len());
    for (at, own) in words.iter().enumerate() {
        if let Some((tag, _)) = Feature::new("only ").word(own).weights(layout).next() {
            found.push(tag);
            continue;
        }
        let (before, second) = match found.as_slice() {
            [.., second, before] => (name(Some(*before), ""), name(Some(*second), "")),
            [before] => (name(Some(*before), ""), "-START-"),
            [] => ("-START-", "-START2-"),
        };
        let (this, previous, next) = (word(at + 2), word(at + 1), word(at + 3));
        let first = own.chars().next().map_or(0, char::len_utf8);
        let features = [
            const { Feature::new("bias") },
            const { Feature::new("i suffix ") }.word(suffix(own)),
            const { Feature::new("i pref1 ") }.word(own.get(..first).unwrap_or_default()),
            const { Feature::new("i-1 tag ") }.word(before),
            const { Feature::new("i-2 tag ") }.word(second),
            const { Feature::new("i tag+i-2 tag ") }.word(before).word(" ").word(second),
            const { Feature::new("i word ") }.word(this),
            const { Feature::new("i-1 tag+i word ") }.word(before).word(" ").word(this),
            const { Feature::new("i-1 word ") }.word(previous),
            const { Feature::new("i-1 suffix ") }.word(suffix(previous)),
            const { Feature::new("i-2 word ") }.word(word(at)),
            const { Feature::new("i+1 word ") }.word(next),
            const { Feature::new("i+1 suffix ") }.word(suffix(next)),
            const { Feature::new("i+2 word ") }.word(word(at + 4)),
        ];
        let mut scores = [0_i32; MOST];
        for (tag, weight) in features.into_iter().flat_map(|feature| feature.weights(layout)) {
            if let Some(score) = scores.get_mut(tag) {
                *score += weight;
            }
        }
        // Of several, the last by name, as in the original.
        let best = (0..layout.names.len()).max_by_key(|tag| scores.get(*tag));
        found.push(best.unwrap_or_default());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn penn(text: &str) -> String {
        let words: Vec<&str> = text.split(' ').collect();
        numbers(&words).into_iter().map(|tag| LAYOUT.names[tag].as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_have_the_tags_that_the_tagger_gives_them() {
        // As textblob-aptagger 0.2.0 tags them.
        for (text, tags) in EXPECTED {
            assert_eq!(penn(text), *tags, "{text}");
        }
    }

    #[test]
    fn a_sentence_of_nothing_and_words_of_nothing_have_tags() {
        assert_eq!(tag(&[]), []);
        assert_eq!(tag(&["", "é", "-"]).len(), 3);
    }

    const EXPECTED: &[(&str, &str)] = &[
        (
            "The town council voted 5-2 on Tuesday to approve the $ 2.48 million plan , which closes the pool .",
            "DT NN NN VBD CD IN NNP TO VB DT $ CD CD NN , WDT VBZ DT NN .",
        ),
        (
            "She said the committee 's report was not refused by the minister after prices rose 12 percent .",
            "PRP VBD DT NN POS NN VBD RB VBN IN DT NN IN NNS VBD CD NN .",
        ),
        (
            "I would n't say strike today , but the workers could walk out in December .",
            "PRP MD RB VB NN NN , CC DT NNS MD VB IN IN NNP .",
        ),
    ];
}
