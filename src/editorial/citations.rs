//! What a round's searches cited, and what became of each citation: whether its page was opened, whether that carries the claim, and
//! whether the verdict rests on it. The contract has citations passed on as they came; a reader should know what they are worth.

use serde::Serialize;

use crate::newsroom::{CitationState, Journal, OpenedCitation, Outcome, Specialist, Step};

/// A citation of a search outside. The JSON form is stable; fields are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cited {
    pub round: u32,
    pub concern: u32,
    /// As the service gave it.
    pub citation: String,
    /// Whether the verdict cites it.
    pub used: bool,
    /// What became of opening it; none where the verdict is an earlier check's, whose citations are not opened again.
    pub state: Option<CitationState>,
}

impl Cited {
    /// What is to be known of it, in a few words.
    #[must_use]
    pub fn words(&self) -> String {
        let unused = if self.used { "" } else { "; the verdict does not cite it" };
        match &self.state {
            None => "not opened in this run".to_owned(),
            Some(state) => {
                let opened = OpenedCitation { citation: self.citation.clone(), state: state.clone() };
                format!("{}{unused}", opened.words())
            }
        }
    }
}

/// The citations of a concern that looked for evidence outside, in the search's order.
#[must_use]
pub fn of_concern(journal: &Journal, round: u32, concern: u32) -> Vec<Cited> {
    let verdict = match journal.outcome(Step::Judge { round, concern }) {
        Some(Outcome::Verdict(verdict)) => Some(verdict),
        _ => None,
    };
    let used: Vec<String> = verdict.and_then(|verdict| verdict.citations.clone()).unwrap_or_default();
    let cited = |citation: &String, state| Cited {
        round,
        concern,
        citation: citation.clone(),
        used: used.contains(citation),
        state,
    };
    if let Some(opened) = journal.opened(round, concern) {
        return opened.iter().map(|opened| cited(&opened.citation, Some(opened.state.clone()))).collect();
    }
    let seeks = journal.mapping(round).is_some_and(|mapping| {
        let own = mapping.mappings.iter().find(|mapping| mapping.concern_id == concern);
        own.is_some_and(|mapping| mapping.selected_agent == Specialist::EvidenceFinding)
    });
    if seeks { used.iter().map(|citation| cited(citation, None)).collect() } else { Vec::new() }
}

/// The citations of a run as far as it is.
#[must_use]
pub fn of_run(journal: &Journal) -> Vec<Cited> {
    let mut all = Vec::new();
    for round in 1..=journal.rounds() {
        for concern in journal.concerns(round).map(|result| result.concerns.as_slice()).unwrap_or_default() {
            all.extend(of_concern(journal, round, concern.concern_id));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        editorial::next_steps::tests::{add, add_round, opening, verdict},
        newsroom::{Status, Verdict},
    };

    #[test]
    fn every_citation_says_what_it_is_worth_and_whether_it_was_used() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::EvidenceFinding, Specialist::EvidenceFinding, Specialist::FactCheck]);
        let gone = |citation: &str| OpenedCitation {
            citation: citation.to_owned(),
            state: CitationState::NotOpened { why: "it is gone".into() },
        };
        let opened = vec![gone("https://a.example"), gone("https://b.example")];
        add(&mut journal, Step::Open { round: 1, concern: 1 }, Outcome::Opened(opened));
        for (concern, citation) in [(1, "https://b.example"), (2, "https://c.example"), (3, "a.md, bytes 0-9")] {
            let citations = Some(vec![citation.to_owned()]);
            let judged = Verdict { citations, ..verdict(concern, Status::Keep, None) };
            add(&mut journal, Step::Judge { round: 1, concern }, Outcome::Verdict(judged));
        }
        let said: Vec<String> = of_run(&journal)
            .iter()
            .map(|cited| format!("{} {}: {}", cited.concern, cited.citation, cited.words()))
            .collect();
        assert_eq!(
            said,
            [
                "1 https://a.example: not opened: it is gone; the verdict does not cite it",
                "1 https://b.example: not opened: it is gone",
                "2 https://c.example: not opened in this run",
            ]
        );
    }
}
