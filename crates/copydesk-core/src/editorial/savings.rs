//! How much of a run's work the institutional memory saved.

use std::ops::AddAssign;

use serde::Serialize;

use copydesk_newsroom::{Journal, LookUp, MemoryRecord, Usage};

/// The look-ups in the memory and the work that they saved. The JSON form is stable; fields are only ever added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Savings {
    /// How often the memory was asked.
    pub look_ups: u64,
    /// How often it had an answer, so that nobody else was asked.
    pub hits: u64,
    /// Calls that were not made for that.
    pub calls_not_made: u64,
    /// Tokens that those calls took when they were made, as far as their runs are known; null if none of them is.
    pub tokens_not_spent: Option<u64>,
    /// Hits whose calls took an unknown number of tokens.
    pub hits_of_unknown_cost: u64,
}

impl AddAssign for Savings {
    fn add_assign(&mut self, other: Self) {
        self.look_ups += other.look_ups;
        self.hits += other.hits;
        self.calls_not_made += other.calls_not_made;
        self.hits_of_unknown_cost += other.hits_of_unknown_cost;
        self.tokens_not_spent = match (self.tokens_not_spent, other.tokens_not_spent) {
            (None, None) => None,
            (one, another) => Some(one.unwrap_or(0).saturating_add(another.unwrap_or(0))),
        };
    }
}

impl Savings {
    /// The savings of a run as far as it is, without the tokens that the calls behind its hits took.
    pub fn of(journal: &Journal) -> Self {
        let mut saved = Self::default();
        for look_up in look_ups(journal) {
            saved.look_ups += 1;
            if let Some(record) = &look_up.remembered {
                saved.hits += 1;
                saved.calls_not_made += calls_behind(record) + questions_behind(journal, record);
            }
        }
        saved
    }

    /// Adds the tokens of the calls behind one hit; none if they are not known.
    pub fn add_cost(&mut self, usage: Option<Usage>) {
        match usage {
            Some(usage) => {
                self.tokens_not_spent = Some(self.tokens_not_spent.unwrap_or(0).saturating_add(usage.tokens()));
            }
            None => self.hits_of_unknown_cost += 1,
        }
    }

    /// In a sentence; none if nothing was looked up.
    pub fn words(&self) -> Option<String> {
        let Self { look_ups, hits, calls_not_made, tokens_not_spent, hits_of_unknown_cost } = *self;
        if look_ups == 0 {
            return None;
        }
        let counted = |number: u64, thing: &str| copydesk_text::count(number, thing);
        let asked = format!("Memory: {}, {hits} answered from earlier checks", counted(look_ups, "look-up"));
        if calls_not_made == 0 {
            return Some(format!("{asked}."));
        }
        let unknown = match hits_of_unknown_cost {
            0 => String::new(),
            number => format!(", unknown for {number} of them"),
        };
        let tokens = match tokens_not_spent {
            Some(tokens) => format!("{}{unknown}", counted(tokens, "token")),
            None => "tokens unknown".to_owned(),
        };
        Some(format!("{asked}: {} not made ({tokens}).", counted(calls_not_made, "call")))
    }
}

/// The records that stood in for calls, one a hit.
pub fn reused(journal: &Journal) -> impl Iterator<Item = &MemoryRecord> {
    look_ups(journal).filter_map(|look_up| look_up.remembered.as_ref()).filter(|record| calls_behind(record) > 0)
}

fn look_ups(journal: &Journal) -> impl Iterator<Item = &LookUp> {
    journal.entries().iter().filter_map(|entry| entry.outcome.try_as_look_up_ref())
}

/// The call that would have written its questions, if this run has them written.
fn questions_behind(journal: &Journal, record: &MemoryRecord) -> u64 {
    let asks = journal.opening.settings.asks_questions && matches!(record, MemoryRecord::FactCheck(_));
    u64::from(asks && calls_behind(record) > 0)
}

/// The number of calls that such a check makes: the specialist's, and for evidence the search's. The offline rules make none.
fn calls_behind(record: &MemoryRecord) -> u64 {
    match record {
        _ if record.model_name() == "offline" => 0,
        MemoryRecord::FactCheck(_) => 1,
        MemoryRecord::Evidence(_) => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, look_up, opening, verdict};
    use copydesk_newsroom::{EvidenceRecord, FactCheckRecord, Status, Step};

    fn fact(model: &str) -> MemoryRecord {
        let text = String::new;
        MemoryRecord::FactCheck(FactCheckRecord {
            timestamp: text(),
            article_id: text(),
            concern_id: 1,
            prompt: text(),
            query: text(),
            normalized_query: text(),
            model_name: model.into(),
            kb_index_version: text(),
            cache_key_hash: text(),
            kb_response: text(),
            verdict: verdict(1, Status::Keep, None),
        })
    }

    fn search() -> MemoryRecord {
        let MemoryRecord::FactCheck(record) = fact("sonar") else { unreachable!() };
        MemoryRecord::Evidence(EvidenceRecord {
            timestamp: record.timestamp,
            article_id: record.article_id,
            concern_id: 1,
            prompt: record.prompt,
            query: record.query,
            normalized_query: record.normalized_query,
            model_name: record.model_name,
            cache_key_hash: record.cache_key_hash,
            perplexity_response: String::new(),
            citations: vec![],
            verdict: record.verdict,
        })
    }

    #[test]
    fn what_was_not_asked_again_is_counted() {
        let mut journal = Journal::new(opening());
        assert_eq!(Savings::of(&journal).words(), None);
        for (concern, found) in [None, Some(fact("m")), Some(search()), Some(fact("offline"))].into_iter().enumerate() {
            let concern = u32::try_from(concern).unwrap() + 1;
            add(&mut journal, Step::LookUp { round: 1, concern }, look_up(found));
        }
        let mut saved = Savings::of(&journal);
        let said = |saved: &Savings| saved.words().unwrap();
        assert_eq!((saved.look_ups, saved.hits, saved.calls_not_made), (4, 3, 3));
        assert_eq!(reused(&journal).count(), 2);
        assert_eq!(
            said(&saved),
            "Memory: 4 look-ups, 3 answered from earlier checks: 3 calls not made (tokens unknown)."
        );
        saved.add_cost(Some(Usage { prompt_tokens: Some(100), ..Usage::default() }));
        assert!(said(&saved).ends_with("3 calls not made (100 tokens)."));
        saved.add_cost(None);
        let mut all = Savings { look_ups: 1, ..Savings::default() };
        assert_eq!(said(&all), "Memory: 1 look-up, 0 answered from earlier checks.");
        all += saved;
        assert_eq!(
            said(&all),
            "Memory: 5 look-ups, 3 answered from earlier checks: 3 calls not made (100 tokens, unknown for 1 of them)."
        );
    }
}
