//! The roles of a newsroom that a trial looks at.

use copydesk_newsroom::Agent;

/// A role in a newsroom that a model may fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TrialRole {
    Writer,
    Reviewer,
    Mapping,
    Specialists,
}

impl TrialRole {
    pub(super) const ALL: [Self; 4] = [Self::Writer, Self::Reviewer, Self::Mapping, Self::Specialists];

    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether an agent works in it.
    #[must_use]
    pub fn has(self, agent: Agent) -> bool {
        match self {
            Self::Writer => agent == Agent::Writer,
            Self::Reviewer => agent == Agent::ArticleReview,
            Self::Mapping => agent == Agent::ConcernMapping,
            Self::Specialists => matches!(agent, Agent::Specialist(_)),
        }
    }
}
