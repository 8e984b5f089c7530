//! The cases that come with the program, and the journals that they begin as.

use serde::Deserialize;

use copydesk_newsroom::{
    ArticleResponse, ArticleReviewResult, Concern, ConcernMapping, ConcernMappingResult, ConcernType, Confidence,
    PathName, PathNameError, SourceMetadata, Specialist, Topic,
};

const SHIPPED: &str = include_str!("../../../../../assets/trial/cases.yaml");

/// Cases that cannot be used. Only a mistake in this program's own file leads to one.
#[derive(Debug, thiserror::Error)]
pub enum TrialCasesError {
    #[error("the cases of the trial cannot be read ({0}); please report this")]
    Unreadable(#[from] serde_yaml::Error),
    #[error("a case of the trial has a name that cannot be used ({0}); please report this")]
    Name(#[from] PathNameError),
    #[error("the cases of the trial name the source {0:?}, which is not among them; please report this")]
    NoSource(String),
}

/// All cases.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialCases {
    pub writing: WritingCase,
    pub reviews: Vec<ReviewedSource>,
    pub desk: ConcernsCase,
}

/// A source to write from.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WritingCase {
    title: String,
    source: String,
    target: String,
}

/// A source with drafts to review.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewedSource {
    title: String,
    description: String,
    source: String,
    pub drafts: Vec<Vec<TrialSentence>>,
}

/// A sentence of a draft.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum TrialSentence {
    /// The source says the same.
    True(String),
    Wrong {
        /// The kind of error, for a person.
        error: String,
        text: String,
    },
}

impl TrialSentence {
    pub fn text(&self) -> &str {
        match self {
            Self::True(text) | Self::Wrong { text, .. } => text,
        }
    }
}

/// A draft with the concerns of a review, to map and to judge.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConcernsCase {
    title: String,
    description: String,
    /// The title of the reviewed source that the draft is written from.
    source_of: String,
    draft: Vec<String>,
    pub concerns: Vec<TrialConcern>,
}

/// A concern with what is right about it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialConcern {
    excerpt: String,
    note: String,
    kind: ConcernType,
    pub specialist: Specialist,
    /// Whether the words may stand.
    pub keep: bool,
}

impl TrialCases {
    /// Those that come with the program.
    ///
    /// # Errors
    /// [`TrialCasesError`].
    pub fn shipped() -> Result<Self, TrialCasesError> {
        Ok(serde_yaml::from_str(SHIPPED)?)
    }

    /// How many calls they make if every agent has a model and the writer writes in one.
    pub fn count(&self) -> usize {
        let reviews: usize = self.reviews.iter().map(|source| source.drafts.len()).sum();
        1 + reviews + 1 + self.desk.concerns.len()
    }

    /// The topic of the draft with concerns.
    ///
    /// # Errors
    /// [`TrialCasesError`].
    pub fn desk_topic(&self, style: &str) -> Result<Topic, TrialCasesError> {
        let of = &self.desk.source_of;
        let source = self.reviews.iter().find(|source| source.title == *of);
        let source = source.ok_or_else(|| TrialCasesError::NoSource(of.clone()))?;
        topic(&self.desk.title, &source.source, "60-100", style)
    }
}

impl WritingCase {
    /// # Errors
    /// [`TrialCasesError`].
    pub fn topic(&self, style: &str) -> Result<Topic, TrialCasesError> {
        topic(&self.title, &self.source, &self.target, style)
    }
}

impl ReviewedSource {
    /// # Errors
    /// [`TrialCasesError`].
    pub fn topic(&self, style: &str) -> Result<Topic, TrialCasesError> {
        topic(&self.title, &self.source, "30-60", style)
    }

    /// One of its drafts as an article.
    pub fn article(&self, draft: &[TrialSentence]) -> ArticleResponse {
        article(&self.title, &self.description, draft.iter().map(TrialSentence::text))
    }
}

impl ConcernsCase {
    pub fn article(&self) -> ArticleResponse {
        article(&self.title, &self.description, self.draft.iter().map(String::as_str))
    }

    /// The concerns as a review comes to them.
    pub fn review(&self) -> ArticleReviewResult {
        let concerns = (1..).zip(&self.concerns).map(|(concern_id, concern)| Concern {
            concern_id,
            excerpt: concern.excerpt.clone(),
            review_note: format!("“{}” {}", concern.excerpt, concern.note),
        });
        ArticleReviewResult { concerns: concerns.collect() }
    }

    /// The same as the bullets of a reviewer.
    pub fn bullets(&self) -> String {
        let bullets = self.concerns.iter().map(|concern| format!("- “{}” {}", concern.excerpt, concern.note));
        bullets.collect::<Vec<_>>().join("\n")
    }

    /// The right mapping.
    pub fn mapping(&self) -> ConcernMappingResult {
        let mappings = (1..).zip(&self.concerns).map(|(concern_id, concern)| ConcernMapping {
            concern_id,
            concern_type: concern.kind,
            selected_agent: concern.specialist,
            confidence: Confidence::High,
            reason: "It is the specialist's subject.".to_owned(),
        });
        ConcernMappingResult { mappings: mappings.collect() }
    }
}

/// Sentences as one paragraph.
fn article<'t>(title: &str, description: &str, sentences: impl Iterator<Item = &'t str>) -> ArticleResponse {
    ArticleResponse {
        headline: title.to_owned(),
        alternativeHeadline: title.to_owned(),
        articleBody: sentences.collect::<Vec<_>>().join(" "),
        description: description.to_owned(),
    }
}

fn topic(title: &str, source: &str, target: &str, style: &str) -> Result<Topic, TrialCasesError> {
    Ok(Topic {
        source_text: source.to_owned(),
        source_metadata: SourceMetadata {
            source_file: "trial".to_owned(),
            channel_name: PathName::new("trial")?,
            video_id: "trial".to_owned(),
            video_title: title.to_owned(),
            publish_date: None,
            topic_slug: PathName::new("trial")?,
            topic_title: title.to_owned(),
        },
        style_mode: style.to_owned(),
        target_length_words: target.to_owned(),
        optional_angle: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::excerpts;
    use copydesk_text::words::words;

    #[test]
    fn there_are_some_twenty_short_cases_with_one_error_at_most_in_a_draft() {
        let cases = TrialCases::shipped().unwrap();
        assert_eq!(cases.count(), 19);
        let sources = cases.reviews.iter().map(|source| source.source.as_str()).chain([cases.writing.source.as_str()]);
        for source in sources {
            assert!((80..=150).contains(&words(source).len()), "{} words: {source}", words(source).len());
        }
        let drafts: Vec<&Vec<TrialSentence>> = cases.reviews.iter().flat_map(|source| &source.drafts).collect();
        let errors = |draft: &&Vec<TrialSentence>| {
            draft.iter().filter(|sentence| matches!(sentence, TrialSentence::Wrong { .. })).count()
        };
        let mut counts: Vec<usize> = drafts.iter().map(errors).collect();
        counts.sort_unstable();
        assert_eq!(counts, [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
        let mut kinds: Vec<&str> = drafts
            .iter()
            .flat_map(|draft| draft.iter())
            .filter_map(|sentence| match sentence {
                TrialSentence::Wrong { error, .. } => Some(error.as_str()),
                TrialSentence::True(_) => None,
            })
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), 8, "each kind once: {kinds:?}");
    }

    #[test]
    fn each_concern_quotes_its_draft_and_half_of_them_may_stand() {
        let desk = TrialCases::shipped().unwrap().desk;
        let article = desk.article();
        for concern in &desk.concerns {
            let plain = || excerpts::PlainDraft::of(&article);
            let (field, place) = excerpts::find_excerpt(&article, &concern.excerpt, plain).unwrap();
            assert_eq!((field, &article.articleBody[place]), ("articleBody", concern.excerpt.as_str()));
        }
        assert_eq!(desk.concerns.iter().filter(|concern| concern.keep).count() * 2, desk.concerns.len());
    }
}
