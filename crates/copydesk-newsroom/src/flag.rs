//! Why a human should look at a run that has ended, and which of these reasons a desk wants to hear.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Why a human should look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// The rounds were used up with concerns open.
    RoundsUsedUp,
    /// Words stand between quotation marks that no source carries so, and no human has vouched for them.
    QuotationUnproved,
    /// Fewer of the draft's claims are verified than `claims.score_floor` asks for.
    FactCheckScore,
    /// Witnesses contradict each other, and a human must say which is right.
    SourcesConflict,
    /// A researched story rests on pages of low credibility alone, or on none that is independent.
    WeakSources,
    /// The offline writer left to-dos undone that it cannot do.
    ToDosUndone,
    /// A desk, a word or a phrase that the configuration calls sensitive.
    SensitiveTopic,
    /// A fact check calls what the kept draft says of a named person misleading, and nothing shows that this person is dead.
    MisleadingOnPerson,
    /// The draft accuses a named person, and nobody asked that person for a reply. It is not among the flags of a run: an answer may come
    /// long after the run has ended.
    Accusation,
    /// A failed step: it failed after its last retry.
    DeadLetter,
    /// The next call could have passed the budget of its story or its batch.
    OverBudget,
    /// Its topic cannot be used. Nothing was begun.
    UnusableTopic,
}

impl Flag {
    /// The flag in an editor's words.
    pub fn words(self) -> &'static str {
        match self {
            Self::RoundsUsedUp => "rounds used up with concerns open",
            Self::QuotationUnproved => "a quotation that no source carries as it stands",
            Self::FactCheckScore => "fewer of its claims are verified than claims.score_floor asks for",
            Self::SourcesConflict => "sources contradict each other, and a human must decide",
            Self::WeakSources => "its sources are weak",
            Self::ToDosUndone => "the writer left to-dos undone",
            Self::SensitiveTopic => "a sensitive topic",
            Self::MisleadingOnPerson => "misleading about a person who may be living",
            Self::Accusation => "accuses a person whom nobody asked for a reply",
            Self::DeadLetter => "one step failed after its last retry",
            Self::OverBudget => "its budget is used up",
            Self::UnusableTopic => "its topic cannot be used",
        }
    }
}

/// Which flags a run may get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlagRules {
    /// Flags that are never raised.
    pub left_out: BTreeSet<Flag>,
    /// The desks and words that make a topic sensitive.
    pub sensitive: Sensitive,
}

/// The desks and words that make a topic sensitive. If both are empty, no topic is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sensitive {
    /// Newsroom desks, whatever their case.
    pub desks: Vec<String>,
    /// Words and phrases.
    pub words: Vec<String>,
}

impl FlagRules {
    /// Whether a flag is raised if there is reason to.
    pub fn raise(&self, flag: Flag) -> bool {
        !self.left_out.contains(&flag)
    }
}

/// Nobody is looked up, and no topic is sensitive.
impl Default for FlagRules {
    fn default() -> Self {
        Self { left_out: BTreeSet::from([Flag::MisleadingOnPerson, Flag::Accusation]), sensitive: Sensitive::default() }
    }
}
