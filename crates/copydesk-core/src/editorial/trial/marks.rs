//! Marks the answers of a writer and a reviewer to a case.

use super::cases::TrialSentence;
use crate::editorial::{excerpts, remarks, target_length::TargetLength};
use copydesk_newsroom::{Agent, Draft, Journal, WriterMode, named};

/// The marks of a writer's draft.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct WritingMarks {
    pub words: usize,
    /// The fewest words that were asked for.
    pub at_least: usize,
    /// The program's remarks on the whole draft, as in a story: short, long, word for word.
    pub remarks: Vec<String>,
    /// Whether it wrote in sections.
    pub sections: bool,
    /// The number of the proof's objections to the draft.
    pub objections: usize,
}

/// The marks of one review, or of several together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewMarks {
    /// The kind of each error, and whether a bullet quotes its sentence.
    pub errors: Vec<(String, bool)>,
    /// Sentences that say what the source says.
    pub true_sentences: usize,
    /// Those of them that a bullet quotes.
    pub accused: usize,
    /// Bullets that quote no sentence of the draft's body.
    pub elsewhere: usize,
}

impl ReviewMarks {
    /// How many errors were found.
    pub fn errors_found(&self) -> usize {
        self.errors.iter().filter(|(_, found)| *found).count()
    }

    /// The marks of several drafts.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.errors.extend(other.errors);
        self.true_sentences += other.true_sentences;
        self.accused += other.accused;
        self.elsewhere += other.elsewhere;
        self
    }
}

/// Marks a draft. `objections` is the number of the proof's objections.
pub fn writing_marks(journal: &Journal, draft: &Draft, objections: usize) -> WritingMarks {
    let (article, opening) = (&draft.article, &journal.opening);
    WritingMarks {
        words: article.words(),
        at_least: TargetLength::of(&opening.topic.target_length_words).map_or(0, |target| target.least),
        remarks: draft.undone.iter().filter(|undone| remarks::is_remark(undone)).cloned().collect(),
        sections: opening.settings.writer_mode == Some(WriterMode::Sections),
        objections,
    }
}

/// Marks a review by the sentences that its bullets quote. A bullet that says the wrong thing of a wrong sentence still finds the error,
/// because the specialist who is asked next looks at that sentence. Without concerns nothing was found.
pub fn review_marks(draft: &[TrialSentence], journal: &Journal) -> ReviewMarks {
    let mut start = 0;
    let mut quoted = vec![false; draft.len()];
    let places: Vec<_> = draft
        .iter()
        .map(|sentence| {
            let place = start..start + sentence.text().len();
            // A blank stands between two sentences.
            start = place.end + 1;
            place
        })
        .collect();
    let mut marks = ReviewMarks::default();
    for concern in journal.concern_list(1) {
        match excerpts::place_of(journal, 1, concern.concern_id) {
            Some(("articleBody", excerpt)) => {
                for (is_quoted, place) in quoted.iter_mut().zip(&places) {
                    *is_quoted |= excerpt.start < place.end && place.start < excerpt.end;
                }
            }
            _ => marks.elsewhere += 1,
        }
    }
    for (sentence, is_quoted) in draft.iter().zip(quoted) {
        match sentence {
            TrialSentence::True(_) => {
                marks.true_sentences += 1;
                marks.accused += usize::from(is_quoted);
            }
            TrialSentence::Wrong { error, .. } => marks.errors.push((error.clone(), is_quoted)),
        }
    }
    marks
}

/// A role in a newsroom that a model may fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TrialRole {
    Writer,
    Reviewer,
    Mapping,
    Specialists,
}

named!(TrialRole);

impl TrialRole {
    pub(super) const ALL: [Self; 4] = [Self::Writer, Self::Reviewer, Self::Mapping, Self::Specialists];

    /// Whether an agent works in it.
    pub fn has(self, agent: Agent) -> bool {
        match self {
            Self::Writer => agent == Agent::Writer,
            Self::Reviewer => agent == Agent::ArticleReview,
            Self::Mapping => agent == Agent::ConcernMapping,
            Self::Specialists => matches!(agent, Agent::Specialist(_)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        bullets,
        testing::{add, article, opening},
    };
    use copydesk_newsroom::{ArticleReviewRaw, Draft, Outcome, Step};

    fn marked(bullets: &str) -> ReviewMarks {
        let wrong = TrialSentence::Wrong { error: "figure".into(), text: "It needs 55 minutes to charge.".into() };
        let draft = [
            TrialSentence::True("The ferry carries 120 passengers.".into()),
            wrong,
            TrialSentence::True("Fares do not change.".into()),
        ];
        let body = draft.iter().map(TrialSentence::text).collect::<Vec<_>>().join(" ");
        let mut journal = Journal::new(opening());
        let drafted = Draft { article: article(&body), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(drafted));
        let raw = ArticleReviewRaw { markdown_bullets: bullets.into() };
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(bullets::parse(&raw).unwrap()));
        review_marks(&draft, &journal)
    }

    fn told(found: bool, accused: usize, elsewhere: usize) -> ReviewMarks {
        ReviewMarks { errors: vec![("figure".into(), found)], true_sentences: 2, accused, elsewhere }
    }

    #[test]
    fn a_bullet_finds_or_accuses_the_sentences_that_it_quotes() {
        assert_eq!(marked(""), told(false, 0, 0));
        assert_eq!(marked("- “55 minutes” the source has 35."), told(true, 0, 0));
        assert_eq!(marked("- “120 passengers” is that so?"), told(false, 1, 0));
        assert_eq!(marked("- “carries 120 passengers. It needs 55 minutes” which?"), told(true, 1, 0));
        assert_eq!(marked("- “nine boats” is nowhere.\n- “Fares” whose?\n- “Fares do not” whose?"), told(false, 1, 1));
        // A bullet about the headline accuses no sentence.
        assert_eq!(marked("- “Headline” it is dull."), told(false, 0, 1));
    }

    #[test]
    fn the_marks_of_drafts_are_added_up() {
        let all = marked("- “55 minutes” no.").and(marked("- “Fares do not change” no."));
        assert_eq!((all.errors_found(), all.errors.len(), all.accused, all.true_sentences), (1, 2, 1, 4));
    }
}
