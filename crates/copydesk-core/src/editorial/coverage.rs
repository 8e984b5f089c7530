//! How much of a story's sources was read, and by whom, if they are longer than the windows of its models.

use copydesk_newsroom::{Journal, Step};
use copydesk_text::share;

/// How much of the sources the models of a run were shown, all of their prompts taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Bytes of the sources that a model was shown.
    pub shown: usize,
    /// Bytes of all sources.
    pub bytes: usize,
    /// Whether the proof read them, which reads all of them.
    pub proved: bool,
}

impl Coverage {
    /// Of a run; none if every model was shown all of the sources, or none was asked.
    pub fn of(journal: &Journal) -> Option<Self> {
        let mut places: Vec<(usize, usize, usize)> = Vec::new();
        let mut bytes = 0;
        for shown in journal.entries().iter().filter_map(|entry| entry.shown.as_ref()) {
            bytes = shown.bytes;
            places.extend(shown.places.iter().map(|place| (place.source, place.start, place.end)));
        }
        if bytes == 0 {
            return None;
        }
        places.sort_unstable();
        let mut shown = 0;
        let mut reached = (0, 0);
        for (source, start, end) in places {
            let from = if reached.0 == source { start.max(reached.1) } else { start };
            shown += end.saturating_sub(from);
            reached = (source, end.max(if reached.0 == source { reached.1 } else { 0 }));
        }
        // Concerns are assigned and judged by passages alone, if a model's window is small.
        let whole = |step| {
            matches!(
                step,
                Step::Draft | Step::Write(_) | Step::Revise { .. } | Step::ReviewSection { .. } | Step::Review { .. }
            )
        };
        let read_whole = journal
            .entries()
            .iter()
            .any(|entry| entry.shown.is_none() && whole(entry.step) && entry.usage.prompt_tokens.is_some());
        let proved = journal.entries().iter().any(|entry| matches!(entry.step, Step::Prove { .. }));
        Some(Self { shown: if read_whole { bytes } else { shown }, bytes, proved })
    }

    /// The share that the models were shown, as `12 %`; none if it is all.
    pub fn part(self) -> Option<String> {
        (self.shown < self.bytes).then(|| share(self.shown, self.bytes))
    }

    /// In a few sentences.
    pub fn words(self) -> String {
        let Some(part) = self.part() else {
            return "The sources do not fit the windows of all models. Taken together, these were shown all of them."
                .to_owned();
        };
        let rest = if self.proved {
            "The proof read all of them."
        } else {
            "Nobody read the rest: the proof is switched off."
        };
        format!(
            "The sources do not fit the models' windows. Taken together, the models were shown {part} of them. {rest}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, Entry, Outcome, Proof, ShownSources, SourcePlace, Usage};

    fn entry(step: Step, places: &[(usize, usize, usize)]) -> Entry {
        let place = |&(source, start, end): &(usize, usize, usize)| SourcePlace { source, start, end, speaker: None };
        let draft = Draft { article: article("x"), stripped: vec![], undone: vec![] };
        Entry {
            step,
            outcome: Outcome::Draft(draft),
            at: "2026-10-06T12:00:00Z".into(),
            usage: Usage::default(),
            shown: (!places.is_empty())
                .then(|| ShownSources { places: places.iter().map(place).collect(), bytes: 1000 }),
        }
    }

    #[test]
    fn what_several_prompts_show_counts_once() {
        let mut journal = Journal::new(opening());
        assert_eq!(Coverage::of(&journal), None);
        journal.push(entry(Step::Draft, &[(0, 0, 100), (0, 50, 150), (1, 0, 50)]));
        journal.push(entry(Step::Revise { round: 1 }, &[(0, 120, 130), (1, 10, 60), (0, 200, 240)]));
        let coverage = Coverage::of(&journal).unwrap();
        assert_eq!((coverage.shown, coverage.bytes, coverage.proved), (250, 1000, false));
        let said = "The sources do not fit the models' windows. Taken together, the models were shown 25 % of them. Nobody read the rest: the \
                    proof is switched off.";
        assert_eq!(coverage.words(), said);
        add(&mut journal, Step::Prove { round: 1 }, Outcome::Proof(Proof::default()));
        assert!(Coverage::of(&journal).unwrap().words().ends_with("The proof read all of them."));
        let mut whole = entry(Step::Revise { round: 2 }, &[]);
        whole.usage.prompt_tokens = Some(1);
        journal.push(whole);
        assert!(Coverage::of(&journal).unwrap().words().ends_with("these were shown all of them."));
    }
}
