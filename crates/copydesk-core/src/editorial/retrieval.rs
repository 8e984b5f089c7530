//! How much of its sources a run read: passages retrieved, against what the whole sources hold.

use serde::Serialize;

use copydesk_newsroom::Journal;

/// The passages that a run retrieved. The JSON form is stable; fields are only ever added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RetrievalRecord {
    /// How often passages were asked for.
    pub look_ups: u64,
    /// Passages that were read.
    pub passages: u64,
    /// Their tokens.
    pub tokens: u64,
    /// The tokens of the whole sources, counted once.
    pub source_tokens: u64,
}

impl RetrievalRecord {
    /// Of a run as far as it is.
    pub fn of(journal: &Journal) -> Self {
        let mut all = Self::default();
        for look_up in journal.entries().iter().filter_map(|entry| entry.outcome.try_as_look_up_ref()) {
            let Some(tokens) = look_up.retrieved_tokens else { continue };
            all.look_ups += 1;
            all.passages += look_up.passages.len() as u64;
            all.tokens += tokens;
            all.source_tokens = all.source_tokens.max(look_up.source_tokens.unwrap_or(0));
        }
        all
    }

    /// In a sentence; none if nothing was asked.
    pub fn words(&self) -> Option<String> {
        let Self { look_ups, passages, tokens, source_tokens } = *self;
        let counted = |number: u64, thing: &str| copydesk_text::count(number, thing);
        (look_ups > 0 && tokens > 0).then(|| {
            let whole = source_tokens.saturating_mul(look_ups);
            let saved = match whole.saturating_sub(tokens) * 100 / whole.max(1) {
                0 => String::new(),
                saved => format!(" That saved {saved} %."),
            };
            format!(
                "Retrieval: {} of {} read for {}; the whole sources hold {}, each time.{saved}",
                counted(passages, "passage"),
                counted(tokens, "token"),
                counted(look_ups, "look-up"),
                counted(source_tokens, "token"),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, look_up, opening};
    use copydesk_newsroom::{LookUp, Outcome, Passage, Step};

    #[test]
    fn what_was_read_stands_beside_what_there_was() {
        let mut journal = Journal::new(opening());
        assert_eq!(RetrievalRecord::of(&journal).words(), None);
        add(&mut journal, Step::LookUp { round: 1, concern: 1 }, look_up(None));
        assert_eq!(RetrievalRecord::of(&journal).words(), None, "nothing was asked before there was retrieval");
        for (concern, tokens) in [(2, 300), (3, 150)] {
            let found = LookUp {
                passages: vec![Passage::default(); 2],
                retrieved_tokens: Some(tokens),
                source_tokens: Some(40_000),
                ..LookUp::default()
            };
            add(&mut journal, Step::LookUp { round: 1, concern }, Outcome::LookUp(found));
        }
        assert_eq!(
            RetrievalRecord::of(&journal).words().unwrap(),
            "Retrieval: 4 passages of 450 tokens read for 2 look-ups; the whole sources hold 40000 tokens, each time. That saved 99 %."
        );
    }
}
