//! Errands of the Reporter.

use std::fmt;

/// An errand of the Reporter. A run has at most one errand of each name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResearchErrand {
    /// Before the first draft: the questions of an assignment, or those that the pass before left open. Counts from 1.
    Pass(u32),
    /// After the gate of a round: what its verdicts, and its editor, want to know.
    Round(u32),
}

impl ResearchErrand {
    /// For a person, such as `Research 1` or `Round 2, research`.
    #[must_use]
    pub fn in_words(self) -> String {
        match self {
            Self::Pass(pass) => format!("Research {pass}"),
            Self::Round(round) => format!("Round {round}, research"),
        }
    }
}

impl fmt::Display for ResearchErrand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass(pass) => write!(f, "p{pass}"),
            Self::Round(round) => write!(f, "r{round}"),
        }
    }
}

impl ResearchErrand {
    /// The errand of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let number = |mark| name.strip_prefix(mark).and_then(|digits: &str| digits.parse().ok());
        number('p').map(Self::Pass).or_else(|| number('r').map(Self::Round))
    }
}
