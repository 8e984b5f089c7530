//! Research: what the Reporter is sent for, each turn of the work, what came of it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Credibility, FoundSource, ToolCall};

/// How a run researches, as it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResearchRules {
    /// Whether the topic's text is an assignment: a dossier takes its place before the first draft.
    pub assigned: bool,
    /// Whether verdicts can be sent to the Reporter.
    pub triages: bool,
    /// Most passes before the first draft.
    pub passes: u32,
    /// Most turns of one errand. The last must be the findings.
    pub turns: u32,
    /// Most calls of one turn; those beyond are not made.
    pub calls: u32,
    /// The other limits of an errand.
    pub limits: ErrandLimits,
}

/// The agents beside the Reporter whose models may call tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolUsers {
    /// The Editor, when it looks for what is missing, and when it looks at style.
    pub editor: bool,
    pub fact_checker: bool,
}

impl ToolUsers {
    /// Nobody beside the Reporter.
    pub const NONE: Self = Self { editor: false, fact_checker: false };

    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }
}

/// How much one errand may take beside its turns; a limit that is not there does not hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrandLimits {
    /// The tokens of earlier turns with their results that a prompt holds: beyond it they are shortened.
    pub conversation_tokens: Option<u64>,
    /// Tokens that its turns read and write.
    pub tokens: Option<u64>,
    /// Bytes that its calls bring.
    pub bytes: Option<u64>,
    pub minutes: Option<u32>,
}

impl ErrandLimits {
    /// No limit at all.
    pub const NONE: Self = Self { conversation_tokens: None, tokens: None, bytes: None, minutes: None };
}

/// A turn of an errand: calls of tools, or the findings that end it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResearchTurn {
    /// The model's text beside the calls.
    pub said: String,
    pub calls: Vec<ToolCall>,
    /// The numbers of the calls that a person must allow first, from 1.
    pub asks: Vec<u32>,
    /// Findings whose quotation stands in the source that they name. None while the errand goes on.
    pub findings: Option<Vec<ResearchFinding>>,
    /// Findings that do not count.
    pub left_out: Vec<LeftOut>,
    /// The sources that the findings rest on, as they stood beside the others when the findings came.
    pub judged: Vec<SourceJudgement>,
}

/// How far a source that findings rest on can be trusted: by rules, and in a model's view. The rules alone decide; the view is for a reader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceJudgement {
    /// The name of the source, as [`NumberedSource::id`].
    pub source: String,
    pub rules: Credibility,
    /// None if no model was asked, or it said nothing of this source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<CredibilityView>,
}

/// A model's view of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CredibilityView {
    /// From 0 to 1.
    pub score: f64,
    /// Why, in one sentence.
    pub why: String,
}

impl CredibilityView {
    /// For a person, such as `0.80: the city's own minutes`.
    pub fn in_words(&self) -> String {
        format!("{:.2}: {}", self.score, self.why)
    }
}

/// A finding of the Reporter: what a source says on a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResearchFinding {
    /// The number of the errand's question that it answers, from 1.
    pub question: u32,
    /// The finding in the Reporter's words. Nobody treats it as a witness.
    pub statement: String,
    /// The name of the source, as [`NumberedSource::id`].
    pub source: String,
    /// The source's own words.
    pub quotation: String,
}

/// A finding that does not count, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    pub finding: ResearchFinding,
    pub why: String,
}

/// A source that research read, with the name that prompts and findings have for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberedSource<'j> {
    /// From 1, in the order of the calls. A text that was read twice has its first number.
    pub number: usize,
    /// The errand that read it first.
    pub errand: ResearchErrand,
    pub source: &'j FoundSource,
}

impl<'j> NumberedSource<'j> {
    /// The name among the story's sources: its address, or what tells it from an earlier look at the same address.
    pub fn name(&self) -> &'j str {
        self.source.name.as_deref().unwrap_or(&self.source.address)
    }

    /// `S1`, `S2` …
    pub fn id(&self) -> String {
        format!("S{}", self.number)
    }
}

/// Whether the findings answer the questions, and what is asked next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionCoverage {
    /// For each question of the pass, in its order.
    pub questions: Vec<Covered>,
    /// The questions of the next pass; none if there is none.
    pub requests: Vec<String>,
}

/// Whether a question is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covered {
    pub answered: bool,
    /// The known or missing facts, in one sentence.
    pub why: String,
}

/// The results of research, as the writer's source. Every paragraph is a source's own words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dossier {
    pub text: String,
    pub paragraphs: Vec<DossierParagraph>,
    /// Questions that nothing answers.
    pub open: Vec<String>,
}

/// A paragraph of the dossier, and where it is from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DossierParagraph {
    /// Bytes of the dossier.
    pub start: usize,
    pub end: usize,
    /// The address of its source, or the name of one that was given.
    pub source: String,
    /// First byte in that source.
    pub at: usize,
}

/// What is done about a verdict that asks for a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TriageWay {
    /// The writer can do it with the sources at hand.
    Rewrite,
    /// The Reporter looks first.
    Research,
}

/// Which way a verdict goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Triaged {
    pub concern: u32,
    pub way: TriageWay,
    /// Why, in one sentence.
    pub why: String,
    /// With [`TriageWay::Research`]: what the Reporter is to find out. Only words of the draft and of the editor may stand in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

/// An errand of the Reporter. A run has at most one errand of each name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResearchErrand {
    /// Before the first draft: the questions of an assignment, or those that the pass before left open. Counts from 1.
    Pass(u32),
    /// After the gate of a round: what its verdicts, and its editor, want to know.
    Round(u32),
    /// The Editor's own calls before it says what a pass left open. It ends with the answer of that step, and so does the next.
    Gaps(u32),
    /// A specialist's own calls before its verdict on a concern.
    Check { round: u32, concern: u32 },
}

impl ResearchErrand {
    /// For a person, such as `Research 1` or `Round 2, research`.
    pub fn in_words(self) -> String {
        match self {
            Self::Pass(pass) => format!("Research {pass}"),
            Self::Round(round) => format!("Round {round}, research"),
            Self::Gaps(pass) => format!("Research {pass}, what is missing"),
            Self::Check { round, concern } => format!("Round {round}, concern {concern}"),
        }
    }

    /// The errand of a name.
    pub fn named(name: &str) -> Option<Self> {
        let number = |mark| name.strip_prefix(mark).and_then(|digits: &str| digits.parse().ok());
        let check = || {
            let (round, concern) = name.strip_prefix('r')?.split_once('c')?;
            Some(Self::Check { round: round.parse().ok()?, concern: concern.parse().ok()? })
        };
        let others = || number('r').map(Self::Round).or_else(|| number('g').map(Self::Gaps)).or_else(check);
        number('p').map(Self::Pass).or_else(others)
    }
}

impl fmt::Display for ResearchErrand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass(pass) => write!(f, "p{pass}"),
            Self::Round(round) => write!(f, "r{round}"),
            Self::Gaps(pass) => write!(f, "g{pass}"),
            Self::Check { round, concern } => write!(f, "r{round}c{concern}"),
        }
    }
}
