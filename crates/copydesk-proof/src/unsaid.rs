//! The words of a text that the lines it was written from do not have, in no form and no near synonym.
//!
//! Why: who tells a few lines anew needs no other content words than theirs. A word of its own is a hint that a sentence says more:
//! *significant*, *milestone*, *emphasized the importance*. It is no finding. The sentence is put to its writer once more.

use std::ops::Range;

use crate::{
    binding::GENERAL,
    reading::{ParsedText, Token},
    sources::{
        SourceTexts,
        known::{by_another_form, known, of_a_place},
    },
    words::Class,
};
use copydesk_newsroom::Source;

/// A sentence with words of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsaidSentence {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// The words, each once, as they are written.
    pub unsaid: Vec<String>,
    /// How many content words the sentence has.
    pub content: usize,
}

/// The sentences of `text`, each with the words that `lines` do not have. A name needs only stand in one of `sources`.
#[must_use]
pub fn unsaid(text: &str, lines: &str, sources: &[Source]) -> Vec<UnsaidSentence> {
    let lines = [Source { name: String::new(), text: lines.to_owned() }];
    let (lines, all) = (SourceTexts::new(&lines), SourceTexts::new(sources));
    let has = |read: &SourceTexts<'_>, token: &Token| {
        known(&read.archive, &token.word, &token.stem)
            || by_another_form(&read.archive, &token.word)
            || of_a_place(&read.archive, &token.word)
    };
    let reading = ParsedText::new(text);
    let sentences = reading.lines.iter().enumerate().map(|(at, line)| {
        let mut found = UnsaidSentence { range: line.start..line.end, unsaid: Vec::new(), content: 0 };
        for token in reading.line_tokens(at) {
            // Figures and quotations are the proof's own affair.
            let passes = token.stop || token.quoted() || token.class.has(Class::NUMBER) || token.class.has(Class::SAYS);
            if passes || token.counts && !token.capital {
                continue;
            }
            found.content += 1;
            // A draft is not asked to do without words that tell anything.
            let is_said = GENERAL.contains(&token.word) || has(&lines, token) || token.capital && has(&all, token);
            let word = reading.slice(token.start..token.end);
            if !is_said && !found.unsaid.iter().any(|one| one == word) {
                found.unsaid.push(word.to_owned());
            }
        }
        found
    });
    sentences.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str =
        "Council members approved the renovation by seven votes to two. Dana Ruiz: The children will get a new slide.";

    fn of(text: &str) -> Vec<Vec<String>> {
        let whole = Source { name: "Minutes".into(), text: format!("{LINES} The pond is in Miller Park.") };
        unsaid(text, LINES, &[whole]).into_iter().map(|sentence| sentence.unsaid).collect()
    }

    #[test]
    fn a_sentence_that_retells_its_lines_has_no_word_of_its_own() {
        for text in [
            "The council approved renovating it, seven to two.",
            "Kids will get a slide, said Dana Ruiz.",
            "Seven members voted for it in Miller Park, and two did not.",
        ] {
            assert_eq!(of(text), [[""; 0]], "{text}");
        }
    }

    #[test]
    fn what_a_sentence_adds_is_named() {
        let found =
            of("The vote marked a significant milestone. Ruiz emphasized the importance of safety for the children.");
        assert_eq!(found.len(), 2);
        assert!(
            found[0].contains(&"significant".to_owned()) && found[0].contains(&"milestone".to_owned()),
            "{found:?}"
        );
        assert!(found[1].contains(&"safety".to_owned()) && !found[1].contains(&"children".to_owned()), "{found:?}");
        assert_eq!(of("Mayor Tilda Okafor approved it."), [["Mayor", "Tilda", "Okafor"]], "nobody named her");
    }
}
