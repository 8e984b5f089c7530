//! Reads what takes longer than one query, and computes what takes longer than a frame may.

use std::sync::{Arc, OnceLock};

use crate::app::News;
use crate::worker::{RequestResult, WorkerContext};
use copydesk_core::editorial::{changes, report};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::Journal;
use copydesk_proof::Witnesses;

/// Compares the articles of two runs as they stand, on a thread of its own.
pub(crate) async fn compare_runs(
    context: &WorkerContext,
    key: RunKey,
    journal: Arc<Journal>,
    other: RunKey,
) -> RequestResult {
    let beside = context.tools.desk.records.load(other).await?.journal;
    context.compute(move || {
        let comparison = report::standing_draft(&journal)
            .zip(report::standing_draft(&beside))
            .map(|(here, there)| Arc::new(changes::by_hand(&here.article, &there.article)));
        News::RunsCompared { key, other, comparison }
    });
    Ok(())
}

/// Finds the passages that bear on concerns. Reads the sources of a run once.
#[derive(Default)]
pub(crate) struct BearingPassages(Option<(RunKey, Arc<OnceLock<Witnesses>>)>);

impl BearingPassages {
    /// Finds the passage for a concern of a round on a thread of its own.
    pub(crate) fn find(&mut self, context: &WorkerContext, key: RunKey, journal: Arc<Journal>, of: (u32, u32)) {
        let (round, concern) = of;
        let known = self.0.take().filter(|(known, _)| *known == key);
        let (_, witnesses) = self.0.insert(known.unwrap_or_else(|| (key, Arc::default())));
        let witnesses = Arc::clone(witnesses);
        context.compute(move || {
            let read = witnesses.get_or_init(|| Witnesses::new(&journal));
            News::Passage { key, round, concern, bearing: read.passage_for(&journal, round, concern) }
        });
    }
}
