//! Which parts of a text bear on a task: by the words that they share with it, rare words more than common ones.

use super::{overlap::Stems, sentences::sentences};

/// Stands for sentences that were left out.
const GAP: &str = " […] ";

/// The sentences of a text that bear on a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelevantText {
    /// The sentences that were kept, in their order, word for word; `[…]` stands for those between them.
    pub text: String,
    pub kept: usize,
    /// The sentences of the whole text.
    pub of: usize,
}

/// The sentences of `text` that bear most on `task`, up to `limit` tokens, and its first one if it fits. A text without more than `limit`
/// tokens is left as it is.
pub fn relevant(text: &str, task: &Stems, limit: u64, count: impl Fn(&str) -> u64) -> RelevantText {
    let ranges = sentences(text);
    if count(text) <= limit {
        return RelevantText { text: text.to_owned(), kept: ranges.len(), of: ranges.len() };
    }
    let parts: Vec<&str> = ranges.iter().map(|range| text.get(range.clone()).unwrap_or_default()).collect();
    let chosen = choose(&parts, task, limit, count);
    let mut kept = String::new();
    // One past the sentence that was kept last, and where it ends.
    let (mut next, mut end) = (0, 0);
    for at in &chosen {
        let Some(range) = ranges.get(*at) else { continue };
        kept.push_str(if *at == next { text.get(end..range.start).unwrap_or_default() } else { GAP });
        kept.push_str(text.get(range.clone()).unwrap_or_default());
        (next, end) = (at + 1, range.end);
    }
    if next < ranges.len() {
        kept.push_str(GAP);
    }
    RelevantText { text: kept.trim().to_owned(), kept: chosen.len(), of: ranges.len() }
}

/// The places of those `parts` that bear most on `task`, in their order. Together they have at most `limit` tokens,
/// with a mark for a gap behind each. The first is always among them if it fits, because it says what the rest is
/// about.
///
/// A part scores the sum of ln(1 + n / df) over the words that it shares with the task. Here df is the number of parts
/// that have the word, and n the number of all parts (inverse document frequency; Spärck Jones, 1972). Half of the
/// better neighbour's score is added, because an answer often stands beside the words of the question.
pub fn choose(parts: &[&str], task: &Stems, limit: u64, count: impl Fn(&str) -> u64) -> Vec<usize> {
    let own = task.idf_scores(parts);
    let score = |at: usize| own.get(at).copied().unwrap_or(0.0);
    let scores: Vec<f64> = (0..parts.len())
        .map(|at| score(at) + NEIGHBOUR * at.checked_sub(1).map_or(0.0, score).max(score(at + 1)))
        .collect();
    let score_of = |at: &usize| scores.get(*at).copied().unwrap_or(0.0);
    let mut order: Vec<usize> = (0..parts.len()).filter(|at| *at == 0 || score_of(at) > 0.0).collect();
    // A stable sort: of parts with the same score the earlier one comes first.
    order.sort_by(|a, b| (*b == 0).cmp(&(*a == 0)).then(score_of(b).total_cmp(&score_of(a))));
    let gap = count(GAP);
    let mut left = limit;
    order.retain(|at| {
        let size = parts.get(*at).map_or(0, |part| count(part)) + gap;
        let fits = size <= left;
        if fits {
            left -= size;
        }
        fits
    });
    order.sort_unstable();
    order
}

/// The weight of a neighbour's score.
const NEIGHBOUR: f64 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;

    fn by_words(text: &str) -> u64 {
        text.split_whitespace().count() as u64
    }

    const MINUTES: &str = "The council met on Tuesday. It rained. Members thanked the clerk. The levy rises by 4 per cent. Nobody spoke against \
                           it. A motion on parking was put off. The meeting closed at nine.";

    #[test]
    fn sentences_that_bear_on_the_task_are_kept_in_their_order() {
        let task = Stems::of("How much does the levy rise?");
        let found = relevant(MINUTES, &task, 20, by_words);
        let text = "The council met on Tuesday. […] Members thanked the clerk. The levy rises by 4 per cent. […]";
        assert_eq!(found, RelevantText { text: text.to_owned(), kept: 3, of: 7 });
        assert!(by_words(&found.text) <= 20);
    }

    #[test]
    fn a_text_within_the_limit_is_left_alone_and_one_without_room_is_empty() {
        let task = Stems::of("levy");
        assert_eq!(relevant(MINUTES, &task, 100, by_words).text, MINUTES);
        assert_eq!(relevant(MINUTES, &task, 2, by_words), RelevantText { text: "[…]".to_owned(), kept: 0, of: 7 });
        let none = relevant(MINUTES, &Stems::of("of the"), 20, by_words);
        assert_eq!(none.text, "The council met on Tuesday. […]");
        assert_eq!(relevant("", &task, 0, by_words).text, "");
    }

    #[test]
    fn a_rare_word_counts_more_than_a_common_one() {
        let parts =
            ["Opening.", "The park is green.", "Bread is sold.", "The park is old.", "Rain fell.", "The mayor spoke."];
        let chosen = choose(&parts, &Stems::of("park mayor"), 6, by_words);
        assert_eq!(chosen, [0, 5]);
    }
}
