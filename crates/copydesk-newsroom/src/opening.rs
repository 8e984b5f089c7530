//! The sources, settings and rules that a run is opened with. Openings are stored by the digest of their JSON.

use serde::{Deserialize, Serialize};

use super::{
    ArticleResponse, CitationStyle, ClaimRules, Correction, Disclosure, FlagRules, Gates, HidingSource, RecordedSource,
    ResearchRules, ReviewRoom, Secrecy, Source, Step, ToolUsers, Topic, Workflow, WriterMode,
};

/// The settings that shape a run. The desk holds those of today; each opening holds those that it was opened under. Their digest is part
/// of [`Opening::pins`].
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own, by the name that it is stored under")]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSettings {
    /// `editor_max_rounds` of this run; an editor may add rounds (`editorial::decisions::max_rounds`).
    pub max_rounds: u32,
    /// `concerns_limit`: the concerns of a review beyond it are grouped; none if nothing is grouped.
    pub concerns_limit: Option<u32>,
    /// Whether each draft is held against its sources before a model reviews it (`proof.enabled`); rules that review do it anyway.
    pub proves: bool,
    /// Whether a model is asked about what the proof could not bind (`proof.second_opinion`).
    pub second_opinion: bool,
    /// How the draft's claims are checked; none if they are not (`claims.enabled`).
    pub claims: Option<ClaimRules>,
    /// Which flags it may get (`flags`).
    pub flags: FlagRules,
    /// The rules of house style whose notes become to-dos (`style.in_stories`), as they were when it was opened.
    pub style_rules: Vec<PinnedRule>,
    /// Whether a model writes what a fact check asks of the passages (`knowledge_base.questions`); else a rule does.
    pub asks_questions: bool,
    /// Whether what agents send on is shaped for who reads it (`article_generation.listener_aware`).
    pub listener_aware: bool,
    /// How a model writes the first draft (`article_generation.writer_mode`); none if rules write it, or it was handed in.
    pub writer_mode: Option<WriterMode>,
    /// Whether no model reviews drafts (`article_review_llm: null`): the proof does, alone.
    pub no_reviewer: bool,
    /// Whether the Publisher looks at each draft that passed (`publisher.checks`).
    pub prepares: bool,
    /// Whether a model is asked for notes then too (`publisher_llm`).
    pub publisher_asks: bool,
    /// The statement of its exports about artificial intelligence (`publisher.disclosure`).
    pub disclosure: Disclosure,
    /// How its exports name their sources to readers (`publisher.citations`).
    pub citations: CitationStyle,
    /// Whether a search service for outside evidence is configured.
    pub seeks_evidence: bool,
    /// The agents beside the Reporter that may call tools (`research.agents`).
    #[serde(default, skip_serializing_if = "ToolUsers::is_none")]
    pub tool_users: ToolUsers,
}

/// Everything that a run is decided by and that no step of it produced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The run's name (docs/reference/contract.md).
    pub run_id: String,
    /// When it was opened: ISO 8601, UTC.
    pub opened_at: String,
    /// The folder of its artifacts, as configured.
    pub artifacts_dir: String,
    pub topic: Topic,
    /// Sources beyond the topic's own text.
    pub more_sources: Vec<Source>,
    /// The sources among them that have text which no reader sees.
    pub hidden: Vec<HidingSource>,
    /// The sources among them that were written down from recordings. Runs of older versions name none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recorded: Vec<RecordedSource>,
    /// The draft that was handed in, where the loop starts from one.
    pub given_draft: Option<ArticleResponse>,
    /// The newsroom desk that the story belongs to, if one was named.
    pub desk: Option<String>,
    /// Who decides its gates.
    pub gates: Gates,
    /// Which way it takes; in an evaluation it can be another than a newsroom's.
    pub workflow: Workflow,
    /// The settings that shape it; their keys stand beside the others.
    #[serde(flatten)]
    pub settings: RunSettings,
    /// The step that is asked anew although its answer is known: an editor went back to it to have it done again.
    pub anew: Option<Step>,
    /// Whether an article that was signed off by then may be replaced by this run without another signature (`run --replace`).
    pub replaces_signed: bool,
    /// How it researches; none if it does not.
    pub research: Option<ResearchRules>,
    /// The room in the reviewer's window; none if nothing bounds it.
    pub review_room: Option<ReviewRoom>,
    /// Whether rules write the draft: an extract of the sources' own sentences, in which turns are attributed speech.
    pub extract: bool,
    /// Whether rules write and revise, and no model.
    pub by_rules: bool,
    /// The corrections of the story, oldest first; empty if no version was corrected.
    pub corrections: Vec<Correction>,
    /// The limits on its requests: whether any may go to another machine, and whose names they leave out.
    pub secrecy: Secrecy,
    /// Digest of the prompts and settings that shape the run: no secrets, no addresses of screens.
    pub pins: String,
}

/// A rule of house style: its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedRule {
    /// `Style/Rule.yml`.
    pub name: String,
    pub text: String,
}

impl Opening {
    /// Whether its topic could not be used: then it has no text, and the run has failed with the reason.
    pub fn is_unusable(&self) -> bool {
        self.topic.source_text.trim().is_empty()
    }

    /// A topic with a limit of rounds and everything else off: nothing that a setting can turn on.
    pub fn of(topic: Topic, max_rounds: u32) -> Self {
        Self {
            run_id: String::new(),
            opened_at: String::new(),
            artifacts_dir: String::new(),
            topic,
            more_sources: Vec::new(),
            hidden: Vec::new(),
            recorded: Vec::new(),
            given_draft: None,
            desk: None,
            gates: Gates::default(),
            workflow: Workflow::default(),
            settings: RunSettings { max_rounds, ..RunSettings::default() },
            anew: None,
            replaces_signed: false,
            research: None,
            review_room: None,
            extract: false,
            by_rules: false,
            corrections: Vec::new(),
            secrecy: Secrecy::default(),
            pins: String::new(),
        }
    }

    /// All sources: the topic's own text first, under the title of the recording or document.
    pub fn sources(&self) -> Vec<Source> {
        self.texts().map(|(name, text)| Source { name: name.to_owned(), text: text.to_owned() }).collect()
    }

    /// Name and text of each of [`Self::sources`], without a copy.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let more = self.more_sources.iter().map(|source| (source.name.as_str(), source.text.as_str()));
        std::iter::once((self.topic.source_metadata.video_title.as_str(), self.topic.source_text.as_str())).chain(more)
    }
}
