//! The sentences that an extract takes from its sources, and those that it leaves out. Rules make an extract, a draft of the sources' own
//! sentences.

use copydesk_newsroom::Journal;
use copydesk_text::{
    sanitise::one_line,
    sentences::{sentences, speaker},
    words::{fold, words},
};

/// Fewest words of a sentence that counts.
const LEAST: usize = 4;

/// The sentences that the draft of a run without a writer takes from its sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extract {
    /// Sentences of the sources that the draft has.
    pub used: usize,
    /// The others, each in one line, in their order.
    pub left_out: Vec<String>,
}

impl Extract {
    /// Of the draft of a round. None if the run has a writer, or no such draft.
    #[must_use]
    pub fn of(journal: &Journal, round: u32) -> Option<Self> {
        let draft = journal.draft(round).filter(|_| journal.opening.extract)?;
        let article = &draft.article;
        let said = key(&format!("{} {} {}", article.headline, article.description, article.articleBody));
        let mut extract = Self::default();
        for source in journal.sources() {
            for line in source.text.lines() {
                let spoken = speaker(line).and_then(|label| line.get(label.end..)).unwrap_or(line);
                for sentence in sentences(spoken).into_iter().filter_map(|range| spoken.get(range)) {
                    let sentence = sentence.trim_start_matches([':', ' ', '*', '_']);
                    let asks = sentence.trim_end_matches(['”', '"']).ends_with('?');
                    if asks || words(sentence).len() < LEAST {
                        continue;
                    }
                    if said.contains(&key(sentence)) {
                        extract.used += 1;
                    } else {
                        extract.left_out.push(one_line(sentence));
                    }
                }
            }
        }
        Some(extract)
    }

    /// Describes the extract in a sentence.
    #[must_use]
    pub fn line(&self) -> String {
        let all = self.used + self.left_out.len();
        format!("An extract, made without a model: {} of the {all} sentences of your notes.", self.used)
    }

    /// The sentences that are left out, one a line, at most `most` of them; a last line counts the rest.
    #[must_use]
    pub fn left_out_lines(&self, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = self.left_out.iter().take(most).map(|text| format!("- {text}")).collect();
        let more = self.left_out.len().saturating_sub(most);
        if more > 0 {
            lines.push(format!("- and {more} more"));
        }
        lines
    }
}

/// The words of a text, folded, so that marks and line breaks do not matter.
fn key(text: &str) -> String {
    words(text).iter().map(|word| fold(word.text)).fold(" ".to_owned(), |mut all, word| {
        all.push_str(&word);
        all.push(' ');
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, Opening, Outcome, Step};

    #[test]
    fn what_the_extract_leaves_out_of_the_notes_is_named() {
        let mut opening = Opening { extract: true, ..opening() };
        opening.topic.source_text =
            "HOST: What does it cost the city?\nLOPEZ: The bridge closes on Monday. The repairs cost $4.2 million. Yes.".into();
        let mut journal = Journal::new(opening);
        let article = article("“The bridge closes on Monday,” Lopez said.");
        add(&mut journal, Step::Draft, Outcome::Draft(Draft { article, stripped: vec![], undone: vec![] }));
        let extract = Extract::of(&journal, 1).unwrap();
        assert_eq!(extract, Extract { used: 1, left_out: vec!["The repairs cost $4.2 million.".into()] });
        assert_eq!(extract.line(), "An extract, made without a model: 1 of the 2 sentences of your notes.");
        assert_eq!(extract.left_out_lines(0), ["- and 1 more"]);
        journal.opening.extract = false;
        assert_eq!(Extract::of(&journal, 1), None);
    }
}
