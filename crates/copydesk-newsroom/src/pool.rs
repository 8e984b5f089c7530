//! Pools of workers: each step of a run is one kind of work, and each kind has its own.

use super::Step;

/// A kind of work: one pool for each kind of agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pool {
    /// Drafts and revises.
    Writer,
    /// Decides gates by policy, checks claims, and whatever a story needs before its next agent.
    Editor,
    /// Holds drafts against their sources and reviews them.
    Review,
    /// Routes concerns.
    Mapping,
    /// Decides concerns.
    Specialist,
    /// Searches outside the house, and opens what it finds.
    Reporter,
    /// Writes what a run leaves.
    Publisher,
}

impl Pool {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Writer, Self::Editor, Self::Review, Self::Mapping, Self::Specialist, Self::Reporter, Self::Publisher];

    /// The pool whose work a step is.
    #[must_use]
    pub fn of(step: Step) -> Self {
        match step {
            Step::Draft | Step::Write(_) | Step::Revise { .. } => Self::Writer,
            Step::Prove { .. }
            | Step::Opinion { .. }
            | Step::Sections { .. }
            | Step::ReviewSection { .. }
            | Step::Review { .. } => Self::Review,
            Step::Map { .. } => Self::Mapping,
            Step::Questions { .. } | Step::LookUp { .. } | Step::Judge { .. } => Self::Specialist,
            Step::Search { .. } | Step::Open { .. } | Step::Plan | Step::Turn { .. } | Step::Tool { .. } => {
                Self::Reporter
            }
            Step::Parse { .. }
            | Step::Coverage { .. }
            | Step::Dossier
            | Step::Triage { .. }
            | Step::Claims { .. }
            | Step::Decide { .. }
            | Step::Gate { .. }
            | Step::Feedback { .. } => Self::Editor,
            Step::Prepare { .. } | Step::Publish => Self::Publisher,
        }
    }

    /// Its key in the configuration and the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Writer => "writer",
            Self::Editor => "editor",
            Self::Review => "review",
            Self::Mapping => "mapping",
            Self::Specialist => "specialist",
            Self::Reporter => "reporter",
            Self::Publisher => "publisher",
        }
    }

    /// The pool of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pool| pool.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_is_known_by_its_name() {
        for pool in Pool::ALL {
            assert_eq!(Pool::named(pool.name()), Some(pool));
        }
        assert_eq!(Pool::named("printers"), None);
        assert_eq!(Pool::of("r2.c3.judge".parse().unwrap()), Pool::Specialist);
        assert_eq!(Pool::of(Step::Publish), Pool::Publisher);
    }
}
