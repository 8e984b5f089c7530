//! The pages of a story, and the panes of those that show concerns and the proof.

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    /// All, in the order of their keys.
    pub const ALL: [Self; 9] = [
        Self::Live,
        Self::Concerns,
        Self::Changes,
        Self::Article,
        Self::Calls,
        Self::Log,
        Self::Runs,
        Self::Proof,
        Self::Sources,
    ];

    /// The digit that shows it. The claims, which lie over a story, have the 9.
    #[must_use]
    pub fn digit(self) -> u8 {
        match self {
            Self::Live => 1,
            Self::Concerns => 2,
            Self::Changes => 3,
            Self::Article => 4,
            Self::Calls => 5,
            Self::Log => 6,
            Self::Runs => 7,
            Self::Proof => 8,
            Self::Sources => 0,
        }
    }

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
            Self::Sources => "Sources",
        }
    }
}

/// The panes of a page that compares a draft with its sources. At 80 columns they are tabs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    pub const ALL: [Self; 4] = [Self::List, Self::Draft, Self::Verdict, Self::Source];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::List => "List",
            Self::Draft => "Draft",
            Self::Verdict => "Verdict",
            Self::Source => "Source",
        }
    }

    /// The pane `by` steps further, around the end.
    #[must_use]
    pub fn moved(self, by: isize) -> Self {
        let place = Self::ALL.iter().position(|pane| *pane == self).unwrap_or(0);
        let length = isize::try_from(Self::ALL.len()).unwrap_or(1);
        let next = isize::try_from(place).unwrap_or(0).saturating_add(by).rem_euclid(length);
        Self::ALL.get(usize::try_from(next).unwrap_or(0)).copied().unwrap_or_default()
    }
}
