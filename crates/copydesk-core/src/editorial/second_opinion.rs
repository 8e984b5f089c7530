//! Which sentences of a draft a model is asked about together.

use copydesk_newsroom::{Doubt, Journal, Step};

/// Sentences of one call. With more, models begin to mix them up.
const TOGETHER: usize = 8;

/// The sentences of a batch; batches count from 1.
pub fn batch(journal: &Journal, round: u32, batch: u32) -> Option<&[Doubt]> {
    let place = usize::try_from(batch.checked_sub(1)?).ok()?;
    doubts(journal, round).chunks(TOGETHER).nth(place)
}

/// How many batches a model is asked about; none if no model is.
pub fn batches(journal: &Journal, round: u32) -> u32 {
    let asked = if journal.opening.settings.second_opinion { doubts(journal, round).len() } else { 0 };
    u32::try_from(asked.div_ceil(TOGETHER)).unwrap_or(u32::MAX)
}

/// The steps that ask about the draft of a round and are not done.
pub fn open(journal: &Journal, round: u32) -> Vec<Step> {
    let steps = (1..=batches(journal, round)).map(|batch| Step::Opinion { round, batch });
    steps.filter(|step| journal.outcome(*step).is_none()).collect()
}

fn doubts(journal: &Journal, round: u32) -> &[Doubt] {
    let kept = journal.proof(round).and_then(|proof| proof.kept.as_ref());
    kept.map_or(&[], |kept| &kept.doubts)
}
