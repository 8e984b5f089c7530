//! The article of the open run beside that of another run of the story.

use std::sync::Arc;

use crate::{
    screens::changes::model::Compared,
    widgets::{diff::state::Layout, page::ScrolledText},
};
use copydesk_core::{editorial::changes::Comparison, ports::RunKey};

/// The two articles, once they are compared.
#[derive(Debug, Clone, Default)]
pub struct TwoRuns {
    /// The run beside the open one that was asked for last.
    pub wanted: Option<RunKey>,
    /// None if one of the two has no draft.
    pub shown: Option<(RunKey, Option<Compared>)>,
}

impl TwoRuns {
    /// Takes the comparison in, if it is still wanted.
    pub fn set(&mut self, other: RunKey, comparison: Option<Arc<Comparison>>) {
        if self.wanted == Some(other) {
            self.shown = Some((other, comparison.map(|found| Compared::new((0, 1), found, Layout::SideBySide))));
        }
    }

    /// The next request compares anew.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// What can be scrolled.
    pub fn text(&mut self) -> Option<&mut dyn ScrolledText> {
        Some(self.shown.as_mut()?.1.as_mut()?)
    }
}
