//! A program's remarks on a draft as a whole: that it is far too short or too long, repeats its sources word for word, or leaves a planned
//! point out.
//!
//! A remark stands among the items that the writer left undone, so it goes wherever they go: gate, table, report. It is no to-do and raises
//! no flag.

use super::target_length::TargetLength;
use copydesk_newsroom::ArticleResponse;
use copydesk_text::copied::CopiedWords;

/// Begins the remark on a draft, or an extract, that is too short.
pub const SHORT: &str = "Short: ";

/// Begins the remark on a draft that is too long.
pub const LONG: &str = "Long: ";

/// Begins the remark on a draft that repeats its sources.
pub const WORD_FOR_WORD: &str = "Word for word: ";

/// Begins the remark on a point that a draft in sections leaves out.
const UNTOLD: &str = "Left out: ";

/// Begins the remark on a revision that a program made in the model's place.
const BY_RULE: &str = "Revised by rule: ";

/// A draft repeats its sources if more than this share of its words stands there in long stretches, in per cent.
const COPIED: usize = 50;

/// Whether something that a draft leaves undone is such a remark.
pub fn is_remark(undone: &str) -> bool {
    [SHORT, LONG, WORD_FOR_WORD, UNTOLD, BY_RULE].iter().any(|mark| undone.starts_with(mark))
}

/// The remark on a planned point for which the model gave no usable text.
pub fn untold(point: &str) -> String {
    format!("{UNTOLD}{point} (the model wrote no usable text for it)")
}

/// The remark on a revision that a program made, because the model's own missed its task in this way.
pub fn by_rule(missed: &str) -> String {
    format!("{BY_RULE}the model's revision was not taken ({missed})")
}

/// The remark on an article that is much shorter than was asked for.
pub fn short(article: &ArticleResponse, asked: &str) -> Option<String> {
    let words = article.words();
    let target = TargetLength::of(asked).filter(|target| target.is_short(words))?;
    Some(format!("{SHORT}{}; target {}", copydesk_text::count(words, "word"), target.least))
}

/// The remarks on a model's draft, a sentence each. `asked` is the length that the topic asks for.
pub fn remarks<'a>(article: &ArticleResponse, asked: &str, sources: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut said = Vec::from_iter(short(article, asked));
    let words = article.words();
    if let Some(target) = TargetLength::of(asked).filter(|target| target.is_long(words)) {
        said.push(format!("{LONG}{words} words, {} at most were asked for", target.most));
    }
    let CopiedWords { words, of, longest } = CopiedWords::of(&article.articleBody, sources);
    let share = words.saturating_mul(100) / of.max(1);
    if share > COPIED {
        said.push(format!(
            "{WORD_FOR_WORD}{share} % of the text stands in a source just so, {longest} words in one stretch"
        ));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::article;

    fn said(body: &str, asked: &str, source: &str) -> Vec<String> {
        remarks(&article(body), asked, [source])
    }

    #[test]
    fn a_draft_that_is_far_from_its_target_or_copies_its_source_is_remarked_on() {
        let text = |count: usize| (0..count).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
        assert_eq!(said(&text(61), "900-1200", ""), ["Short: 61 words; target 900"]);
        assert_eq!(said(&text(601), "250-400", ""), ["Long: 601 words, 400 at most were asked for"]);
        assert_eq!(said(&text(300), "250-400", &text(150)), [""; 0]);
        let copied = said(&text(300), "250-400", &text(240));
        assert_eq!(copied, ["Word for word: 80 % of the text stands in a source just so, 240 words in one stretch"]);
        assert!(copied.iter().all(|said| is_remark(said)) && !is_remark("Name the mayor."));
        assert_eq!(said("Short.", "as it comes", ""), [""; 0]);
    }
}
