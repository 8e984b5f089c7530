//! The citations of a round's searches, and what became of each: whether its page was opened, whether that carries the claim, and whether
//! the verdict rests on it. The contract has citations passed on as they came; a reader should know what they are worth.

use serde::Serialize;

use copydesk_newsroom::{CitationState, HiddenText, Journal, OpenedCitation, Outcome, Source, Specialist, Step};

/// A citation of a search outside. The JSON form is stable; fields are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cited {
    pub round: u32,
    pub concern: u32,
    /// As the service gave it.
    pub citation: String,
    /// Whether the verdict cites it.
    pub used: bool,
    /// The result of opening it; none if the verdict is an earlier check's, whose citations are not opened again.
    pub state: Option<CitationState>,
}

impl Cited {
    /// Text of its page that no reader sees.
    #[must_use]
    pub fn hidden(&self) -> &[HiddenText] {
        match &self.state {
            Some(CitationState::Opened(page)) => &page.hidden,
            _ => &[],
        }
    }

    /// Its state and its use, in a few words.
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

/// A line for a reader. If it ends as a passage is cited, `NAME, bytes 1650-1897`, the line of the passage stands in
/// place of the bytes. If no source of that name is at hand, the name stands alone.
#[must_use]
pub fn for_reader(line: &str, sources: &[Source]) -> String {
    let number = |text: &str| text.parse::<usize>().ok();
    let Some((name, start)) = line.rsplit_once(", bytes ").and_then(|(name, bytes)| {
        let (start, end) = bytes.split_once('-')?;
        number(end)?;
        Some((name, number(start)?))
    }) else {
        return line.to_owned();
    };
    let before = |source: &Source| source.text.get(..start).map(|before| before.matches('\n').count());
    match sources.iter().find(|source| source.name == name).and_then(before) {
        Some(lines) => format!("{name}, line {}", lines + 1),
        None => name.to_owned(),
    }
}

/// The citations of a concern that looked for evidence outside, in the search's order.
#[must_use]
pub fn of_concern(journal: &Journal, round: u32, concern: u32) -> Vec<Cited> {
    let verdict = journal.outcome(Step::Judge { round, concern }).and_then(Outcome::try_as_verdict_ref);
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
    let mapping = journal.mapping_of(round, concern);
    let seeks = mapping.is_some_and(|mapping| mapping.selected_agent == Specialist::EvidenceFinding);
    if seeks { used.iter().map(|citation| cited(citation, None)).collect() } else { Vec::new() }
}

/// The citations of a run as far as it is.
#[must_use]
pub fn of_run(journal: &Journal) -> Vec<Cited> {
    let mut all = Vec::new();
    for round in 1..=journal.rounds() {
        for concern in journal.concern_list(round) {
            all.extend(of_concern(journal, round, concern.concern_id));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, opening, verdict};
    use copydesk_newsroom::{Status, Verdict};

    #[test]
    fn a_reader_sees_the_line_of_a_source_and_never_bytes() {
        let sources = [Source { name: "Minutes, part 1".into(), text: "One.\n\nThree.\n".into() }];
        assert_eq!(for_reader("Minutes, part 1, bytes 6-12", &sources), "Minutes, part 1, line 3");
        assert_eq!(for_reader("Letter, bytes 6-12", &sources), "Letter");
        assert_eq!(for_reader("Minutes, part 1, bytes 60-120", &sources), "Minutes, part 1");
        for other in ["https://a.example/", "It has 3 files, bytes 6-a", "Files, bytes and lines"] {
            assert_eq!(for_reader(other, &sources), other);
        }
    }

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
