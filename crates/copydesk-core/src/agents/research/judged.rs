//! The credibility of the sources that findings rest on: by rules, with each source held beside the others.

use std::collections::BTreeSet;

use crate::editorial::credibility::{Agreement, credibility};
use copydesk_newsroom::{Journal, Outcome, Passage, ResearchFinding, Source, SourceJudgement, Stance, Tier, Witness};
use copydesk_proof::testimony;
use copydesk_text::overlap::{Sentences, Stems};

/// The sources that these findings rest on, in the order of their numbers. Each quotation is looked for in the story's
/// own texts and in every other source of a finding, from this errand or an earlier one.
pub(super) fn judged(journal: &Journal, findings: &[ResearchFinding]) -> Vec<SourceJudgement> {
    let earlier = journal.entries().iter().filter_map(|entry| match &entry.outcome {
        Outcome::Turn(turn) => turn.findings.as_deref(),
        _ => None,
    });
    let known: BTreeSet<&str> = earlier.flatten().chain(findings).map(|finding| finding.source.as_str()).collect();
    // Nor is a source that an editor distrusts.
    let read = journal.read_sources().into_iter().filter(|read| known.contains(read.id().as_str()));
    let read: Vec<_> = read.filter(|read| !journal.is_no_witness(&read.source.address)).collect();
    // An assignment is a wish, not a witness.
    let given = journal.opening.texts().skip(usize::from(journal.opening.research.is_some_and(|rules| rules.assigned)));
    let given = given.filter(|(name, _)| !journal.is_no_witness(name)).map(|(name, text)| (name.to_owned(), text));
    let others: Vec<(Source, Sentences)> = given
        .chain(read.iter().map(|read| (read.id(), read.source.text.as_str())))
        .map(|(name, text)| (Source { name, text: text.to_owned() }, Sentences::of(text)))
        .collect();
    let judged = read.iter().filter_map(|read| {
        let (id, own) = (read.id(), read.source.text.trim());
        let quoted: Vec<(&str, Stems)> = findings
            .iter()
            .filter(|finding| finding.source == id)
            .map(|finding| (finding.quotation.as_str(), Stems::of(&finding.quotation)))
            .collect();
        if quoted.is_empty() {
            return None;
        }
        // A copy is no other source.
        let others = others.iter().filter(|(other, _)| other.text.trim() != own);
        let witnesses: Vec<Witness> = others.filter_map(|(other, said)| witness(&quoted, other, said)).collect();
        Some(SourceJudgement { source: id, rules: credibility(read.source, Agreement::of(&witnesses)), view: None })
    });
    judged.collect()
}

/// Returns a text as a witness on the quotations, if it speaks of one. One contradiction outweighs all support.
fn witness(quoted: &[(&str, Stems)], other: &Source, said: &Sentences) -> Option<Witness> {
    let heard = quoted.iter().filter_map(|(words, wanted)| testimony(words, wanted, other, said));
    let testimony = heard.min_by_key(|testimony| testimony.stance == Stance::Carries)?;
    let passage =
        Passage { file: other.name.clone(), text: other.text.clone(), tier: Tier::Found, ..Passage::default() };
    Some(Witness { passage, stance: testimony.stance, note: testimony.note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        testing::add,
        testing::research::{MINUTES, assigned, finding, found},
    };
    use copydesk_newsroom::{ResearchErrand, ResearchTurn, Step, ToolResult};

    #[test]
    fn a_source_is_held_beside_the_others_and_neither_a_copy_nor_the_assignment_counts() {
        let errand = ResearchErrand::Pass(1);
        let mut journal = assigned();
        journal.opening.topic.source_text = "The pool costs $400,000 a year.".into();
        let told = |text: &str, address: &str| found(address, text);
        let other = "The pool costs $700,000 a year, the mayor wrote.";
        let found = vec![
            told(MINUTES, "https://a.example"),
            told(other, "https://b.example"),
            told(&format!("{MINUTES} "), "https://copy.example"),
        ];
        add(&mut journal, Step::Turn { errand, turn: 1 }, Outcome::Turn(ResearchTurn::default()));
        add(
            &mut journal,
            Step::Tool { errand, turn: 1, call: 1 },
            Outcome::Tool(ToolResult { found, ..ToolResult::default() }),
        );
        let cost = "It cost $400,000 a year.";
        let findings = [finding(1, "S1", cost), finding(1, "S3", cost), finding(1, "S2", other)];
        let agreement = |given: &[(&str, &str)], findings: &[ResearchFinding]| -> Vec<String> {
            let mut journal = journal.clone();
            let source = |(name, text): &(&str, &str)| Source { name: (*name).into(), text: (*text).into() };
            journal.opening.more_sources = given.iter().map(source).collect();
            let last = |judged: SourceJudgement| {
                format!("{} {}", judged.source, judged.rules.reasons.last().cloned().unwrap_or_default())
            };
            judged(&journal, findings).into_iter().map(last).collect()
        };
        let none = "No other source was compared. (0.12 of 0.25)";
        assert_eq!(agreement(&[], &findings[..2]), [format!("S1 {none}"), format!("S3 {none}")]);
        let letter = [("letter.txt", "The pool costs $400,000 a year, the neighbours wrote.")];
        let same = "S1 Other sources that say the same: 1. (0.17 of 0.25)";
        assert_eq!(agreement(&letter, &[finding(1, "S1", "The pool costs $400,000 a year")]), [same]);
        assert_eq!(
            agreement(&letter, &findings[2..]),
            ["S2 Other sources that say the same: 0; that say otherwise: 1. (0.08 of 0.25)"]
        );
    }
}
