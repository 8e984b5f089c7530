//! How hard a text is to read: Flesch Reading Ease and the Flesch–Kincaid grade, counted as textstat 0.7.13 counts.
//!
//! The measures are averages over words, sentences and syllables, and programs differ by ten points in what they take
//! for one. textstat's versions differ too, so one is named. It takes a run between white space for a word, once marks
//! and hyphens are gone. It ends a sentence at every `.`, `!` and `?`, and does not count one of two words or fewer. It
//! asks `CMUdict` for syllables before it hyphenates.

use schemars::JsonSchema;
use serde::Serialize;

use super::{page::ProsePage, syllables};
use copydesk_newsroom::ArticleResponse;
use copydesk_text::pattern::TextPattern;

/// Whose way of counting this is.
pub const MEASURED_AS: &str = "textstat 0.7.13";

/// How hard an article's body is to read; quotations count, Markdown does not.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Readability {
    /// 206.835 − 1.015 × words a sentence − 84.6 × syllables a word (Flesch 1948). Higher is easier; 60 to 70 is plain English.
    pub flesch_reading_ease: f64,
    /// 0.39 × words a sentence + 11.8 × syllables a word − 15.59 (Kincaid 1975): an American school year.
    pub flesch_kincaid_grade: f64,
    /// Words.
    pub words: usize,
    /// Sentences of more than two words, at least one.
    pub sentences: usize,
    /// Whose way of counting: [`MEASURED_AS`].
    pub measured_as: &'static str,
}

/// textstat's sentence: from a word's edge to a stop and the stops behind it.
static SENTENCE: TextPattern = TextPattern::new(r"\b[^.!?]+[.!?]*");

impl Readability {
    /// Measures an article's body; none if it has no word.
    pub fn of(article: &ArticleResponse) -> Option<Self> {
        Self::of_text(&ProsePage::read_aloud(article))
    }

    /// Measures a plain text.
    #[expect(clippy::cast_precision_loss, reason = "no article has more words than a float can count")]
    pub fn of_text(text: &str) -> Option<Self> {
        let text_words = words(text);
        let sentences = SENTENCE.find_iter(text).filter(|sentence| words(sentence.as_str()).len() > 2).count().max(1);
        let syllables: usize = text_words.iter().map(|word| syllables::of(word)).sum();
        let (count, all) = (text_words.len(), syllables as f64);
        if count == 0 {
            return None;
        }
        let length = count as f64 / sentences as f64;
        let weight = all / count as f64;
        Some(Self {
            flesch_reading_ease: 206.835 - 1.015 * length - 84.6 * weight,
            flesch_kincaid_grade: 0.39 * length + 11.8 * weight - 15.59,
            words: count,
            sentences,
            measured_as: MEASURED_AS,
        })
    }
}

/// textstat's words, in lower case: what stands between white space once everything but letters, digits and `_` is gone.
/// An apostrophe stays before `t`, `s`, `d`, `ve`, `ll` and `re`.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|run| {
            let kept = run.char_indices().filter(|(at, c)| {
                let rest = run.get(at + c.len_utf8()..).unwrap_or_default();
                c.is_alphanumeric()
                    || *c == '_'
                    || *c == '\''
                        && (rest.starts_with(['t', 's', 'd'])
                            || ["ve", "ll", "re"].iter().any(|end| rest.starts_with(end)))
            });
            kept.flat_map(|(_, c)| c.to_lowercase()).collect::<String>()
        })
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_textstats() {
        assert_eq!(
            words("Don't 'the two-step' – \"it's\" $8.50, snake_case O'Brien."),
            ["don't", "'the", "twostep", "it's", "850", "snake_case", "obrien"]
        );
    }

    #[test]
    fn a_text_without_words_has_no_measure() {
        assert_eq!(Readability::of_text(" … — ! "), None);
    }

    #[test]
    fn the_measures_are_the_formulas() {
        // Thirteen words in two sentences (the third has two words), eighteen syllables.
        let text = "The council voted on Tuesday. It will spend the money slowly. So there.";
        let measured = Readability::of_text(text).unwrap();
        assert_eq!((measured.words, measured.sentences, measured.measured_as), (13, 2, "textstat 0.7.13"));
        let ease = 206.835 - 1.015 * 6.5 - 84.6 * 18.0 / 13.0;
        let grade = 0.39 * 6.5 + 11.8 * 18.0 / 13.0 - 15.59;
        assert!((measured.flesch_reading_ease - ease).abs() < 1e-9, "{measured:?}");
        assert!((measured.flesch_kincaid_grade - grade).abs() < 1e-9, "{measured:?}");
    }

    #[test]
    fn quotations_count_and_markdown_does_not() {
        let article = |body: &str| ArticleResponse {
            headline: "A headline".into(),
            alternativeHeadline: String::new(),
            articleBody: body.into(),
            description: String::new(),
        };
        let plain = Readability::of(&article("“It is *very* late,” she [said](https://x.org/a).[^1]\n\n[^1]: A note."));
        assert_eq!(plain, Readability::of(&article("“It is very late,” she said.")));
        assert_eq!(Readability::of(&article("")), None);
    }

    /// Holds the measures against textstat's own. `COPYDESK_TEXTSTAT` names a file of JSON lines with `text`, `fre` and `fkg`.
    #[test]
    #[ignore = "needs texts and what textstat 0.7.13 says of them"]
    #[expect(
        clippy::disallowed_methods,
        clippy::print_stderr,
        reason = "a measurement that is asked for by hand: the environment names its texts, and its figures are what it is for"
    )]
    fn as_textstat_measures() {
        let file = std::env::var("COPYDESK_TEXTSTAT").expect("COPYDESK_TEXTSTAT names a file");
        let (mut ease, mut grade) = (Vec::new(), Vec::new());
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let Some(measured) = Readability::of_text(row["text"].as_str().unwrap()) else { continue };
            ease.push((measured.flesch_reading_ease - row["fre"].as_f64().unwrap()).abs());
            grade.push((measured.flesch_kincaid_grade - row["fkg"].as_f64().unwrap()).abs());
        }
        for (name, off) in [("Flesch Reading Ease", ease), ("Flesch–Kincaid", grade)] {
            let near = off.iter().filter(|off| **off <= 2.0).count() * 1_000 / off.len();
            let mean = off.iter().sum::<f64>() / f64::from(u32::try_from(off.len()).unwrap());
            eprintln!("{name}: {} texts, mean difference {mean:.3}, {near} per mille within 2 points", off.len());
            assert!(near >= 950, "{name}");
        }
    }
}
