//! How much of a text repeats other texts word for word, over long stretches outside quotation marks.

use std::hash::BuildHasher as _;

use foldhash::{HashMap, HashMapExt as _, fast::FixedState};

use super::{
    marks::quotations,
    words::{fold, words},
};

/// Fewest words of a long stretch: a name with its office, or a common phrase, is shorter.
const LONG: usize = 20;

/// Counts of the words of a text that another text has too, in long stretches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CopiedWords {
    /// Words in long stretches that stand so in another text.
    pub words: usize,
    /// All words outside quotation marks.
    pub of: usize,
    /// Words of the longest stretch.
    pub longest: usize,
}

impl CopiedWords {
    /// Counts the words of `text` in long stretches that one of `others` has too.
    pub fn of<'a>(text: &str, others: impl IntoIterator<Item = &'a str>) -> Self {
        let (own, said) = outside_quotations(text);
        let mut starts: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, stretch) in own.windows(LONG).enumerate() {
            // A quotation parts the text: no stretch reaches over it.
            if !stretch.iter().any(String::is_empty) {
                starts.entry(hash(stretch)).or_default().push(at);
            }
        }
        let mut copied = vec![false; own.len()];
        let mut longest = 0;
        for other in others {
            if starts.is_empty() {
                break;
            }
            let other: Vec<String> = words(other).into_iter().map(|word| fold(word.text)).collect();
            // For each place of the text, how far the stretch reaches that the word before began.
            let mut before: HashMap<usize, usize> = HashMap::new();
            for stretch in other.windows(LONG) {
                let mut now: HashMap<usize, usize> = HashMap::new();
                for at in starts.get(&hash(stretch)).into_iter().flatten() {
                    let reach = at.checked_sub(1).and_then(|one| before.get(&one)).map_or(LONG, |reach| reach + 1);
                    longest = longest.max(reach);
                    copied.iter_mut().skip(*at).take(LONG).for_each(|word| *word = true);
                    now.insert(*at, reach);
                }
                before = now;
            }
        }
        Self { words: copied.into_iter().filter(|word| *word).count(), of: said, longest }
    }
}

/// The folded words of a text, with an empty one in the place of each quotation; and how many there are.
fn outside_quotations(text: &str) -> (Vec<String>, usize) {
    let quoted = quotations(text);
    let mut found: Vec<String> = Vec::new();
    let mut said = 0;
    for word in words(text) {
        if quoted.iter().any(|quotation| (quotation.start..quotation.end).contains(&word.start)) {
            if found.last().is_some_and(|last| !last.is_empty()) {
                found.push(String::new());
            }
        } else {
            said += 1;
            found.push(fold(word.text));
        }
    }
    (found, said)
}

fn hash(stretch: &[String]) -> u64 {
    FixedState::default().hash_one(stretch)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_from(first: usize, count: usize) -> String {
        (first..first + count).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn long_stretches_count_and_short_ones_and_quotations_do_not() {
        let source = format!("{}. {}", words_from(0, 60), words_from(100, 60));
        let of = |text: &str| CopiedWords::of(text, ["Another text.", source.as_str()]);
        assert_eq!(of("Nothing of it."), CopiedWords { words: 0, of: 3, longest: 0 });
        let text = format!("Own words here. {}, and {}.", words_from(10, 30).to_uppercase(), words_from(100, 19));
        assert_eq!(of(&text), CopiedWords { words: 30, of: 3 + 30 + 1 + 19, longest: 30 });
        let two = format!("{} own {}", words_from(0, 25), words_from(120, 22));
        assert_eq!(of(&two), CopiedWords { words: 47, of: 48, longest: 25 });
        let quoted = format!("She said: “{}” And {}.", words_from(0, 40), words_from(40, 15));
        assert_eq!(of(&quoted), CopiedWords { words: 0, of: 18, longest: 0 });
        assert_eq!(of(""), CopiedWords::default());
        assert_eq!(of(&source), CopiedWords { words: 120, of: 120, longest: 120 });
    }
}
