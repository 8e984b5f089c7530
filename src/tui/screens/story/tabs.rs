//! The pages of a story, and the panes of those that show concerns and the proof.

/// The pages of a story.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tab {
    /// The rail of steps and what is being written.
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
    /// The audit log.
    Log,
    /// The runs of the story.
    Runs,
    /// Every span of a draft, held against the sources.
    Proof,
}

impl Tab {
    /// All, in the order of their keys.
    pub const ALL: [Self; 8] =
        [Self::Live, Self::Concerns, Self::Changes, Self::Article, Self::Calls, Self::Log, Self::Runs, Self::Proof];

    /// Its name on the screen.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "Live",
            Self::Concerns => "Concerns",
            Self::Changes => "Changes",
            Self::Article => "Article",
            Self::Calls => "Calls",
            Self::Log => "Log",
            Self::Runs => "Runs",
            Self::Proof => "Proof",
        }
    }
}

/// The panes of a page that holds a draft against its sources; at 80 columns they are tabs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pane {
    /// The list of concerns, or of the proof's rows.
    #[default]
    List,
    /// The draft, with the words in question marked.
    Draft,
    /// What the specialist decided, and the editor; what the proof says of a row.
    Verdict,
    /// The source, with the passage marked.
    Source,
}

impl Pane {
    /// All, from left to right.
    pub const ALL: [Self; 4] = [Self::List, Self::Draft, Self::Verdict, Self::Source];

    /// Its name on the screen.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::List => "List",
            Self::Draft => "Draft",
            Self::Verdict => "Verdict",
            Self::Source => "Source",
        }
    }

    /// The pane `by` places on, around the end.
    #[must_use]
    pub fn moved(self, by: isize) -> Self {
        let place = Self::ALL.iter().position(|pane| *pane == self).unwrap_or(0);
        let length = isize::try_from(Self::ALL.len()).unwrap_or(1);
        let next = isize::try_from(place).unwrap_or(0).saturating_add(by).rem_euclid(length);
        Self::ALL.get(usize::try_from(next).unwrap_or(0)).copied().unwrap_or_default()
    }
}
