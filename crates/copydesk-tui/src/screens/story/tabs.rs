//! The pages of a story, and the panes of those that show concerns and the proof.

use strum::{IntoStaticStr, VariantArray};

use crate::app::{Action, KeyContext};
use crate::widgets::ring;

/// The tabs of a story, in the order of their keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray)]
pub enum Tab {
    /// The steps, and what is being written.
    #[default]
    Live,
    /// Concerns, draft, verdict and source side by side.
    Concerns,
    /// The difference of two drafts.
    Changes,
    /// The article as it would be printed; sign-off.
    Article,
    /// Every call with its prompt and answer.
    Calls,
    Log,
    Runs,
    /// Every span of a draft, compared with the sources.
    Proof,
    /// Every source, what rests on it, and what research did.
    Sources,
}

impl Tab {
    /// Its digit, where the keys go on it, and the action that shows it. The claims, which lie over a story, have the 9.
    pub(crate) fn row(self) -> (u8, KeyContext, Action) {
        match self {
            Self::Live => (1, KeyContext::Live, Action::ShowLive),
            Self::Concerns => (2, KeyContext::Concerns, Action::ShowConcerns),
            Self::Changes => (3, KeyContext::Diff, Action::ShowChanges),
            Self::Article => (4, KeyContext::Article, Action::ShowArticle),
            Self::Calls => (5, KeyContext::Calls, Action::ShowCalls),
            Self::Log => (6, KeyContext::Log, Action::ShowLog),
            Self::Runs => (7, KeyContext::Runs, Action::ShowRuns),
            Self::Proof => (8, KeyContext::Proof, Action::ShowProof),
            Self::Sources => (0, KeyContext::Sources, Action::ShowSources),
        }
    }

    /// The tab that an action shows.
    pub(crate) fn shown_by(action: Action) -> Option<Self> {
        Self::VARIANTS.iter().copied().find(|tab| tab.row().2 == action)
    }

    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The panes of a page that compares a draft with its sources. At 80 columns they are tabs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray)]
pub enum Pane {
    /// The list of concerns, or of the proof's rows.
    #[default]
    List,
    /// The draft, with the words in question marked.
    Draft,
    /// The decisions of the specialist and the editor, or what the proof says of a row.
    Verdict,
    /// The source, with the passage marked.
    Source,
}

impl Pane {
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The pane `by` steps further, around the end.
    pub(crate) fn moved(self, by: isize) -> Self {
        ring::neighbour(Self::VARIANTS, self, by)
    }
}
