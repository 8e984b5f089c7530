//! The passages that a draft rests on: those that the proof matched, those that carry its verified claims, and the cited pages that carry a
//! verdict.
//!
//! A place is widened to its sentences: two stories that take different words of one sentence rest on the same passage. Passages that only
//! bear on a sentence, or contradict it, do not count.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use crate::editorial::report;
use copydesk_newsroom::{Footing, Journal, Passage, PassageUse, Stance, Tier};
use copydesk_text::sentences::sentences;

/// The passages that the standing draft rests on, each place once, in the order of names and places.
pub fn used(journal: &Journal) -> Vec<PassageUse> {
    let round = report::shown_round(journal, journal.latest_draft());
    let mut places = Places::default();
    let ledger = journal.proof(round).and_then(|proof| proof.kept.as_ref()).map(|kept| &kept.ledger);
    for row in ledger.into_iter().flat_map(|ledger| &ledger.rows) {
        let rests = matches!(row.standing.footing(), Footing::Matches | Footing::StandsThere);
        if let Some(span) = row.passage.as_ref().filter(|_| rests) {
            places.of_source(&span.source, span.start, span.end);
        }
    }
    for claim in journal.claims(round).into_iter().flat_map(|claims| &claims.claims) {
        let carrying = claim.witnesses.iter().filter(|witness| witness.stance == Stance::Carries);
        let best = claim.passage.as_ref().filter(|_| claim.verified);
        best.into_iter().chain(carrying.map(|witness| &witness.passage)).for_each(|passage| places.add(passage));
    }
    let concerns = journal.concern_list(round);
    for opened in concerns.iter().filter_map(|concern| journal.opened(round, concern.concern_id)).flatten() {
        let page = opened.page().filter(|_| opened.carries());
        if let Some((page, passage)) = page.and_then(|page| Some((page, page.passage.as_ref()?))) {
            places.pages.insert(page.address.clone(), page.digest.clone());
            places.add(passage);
        }
    }
    places.listed(journal)
}

#[derive(Default)]
struct Places {
    /// Bytes of sources of the story, by name.
    sources: BTreeMap<String, BTreeSet<(usize, usize)>>,
    /// Passages of other texts: name, kind, bytes.
    others: BTreeSet<(String, Tier, u64, u64)>,
    /// The digests of pages, by address.
    pages: BTreeMap<String, String>,
}

impl Places {
    fn of_source(&mut self, name: &str, start: usize, end: usize) {
        self.sources.entry(name.to_owned()).or_default().insert((start, end));
    }

    fn add(&mut self, passage: &Passage) {
        match passage.tier {
            Tier::Source | Tier::Found => {
                let byte = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
                self.of_source(&passage.file, byte(passage.start), byte(passage.end));
            }
            // An article of the desk rests on passages of its own.
            Tier::Article => {}
            Tier::Knowledge | Tier::Evidence => {
                self.others.insert((passage.file.clone(), passage.tier, passage.start, passage.end));
            }
        }
    }

    fn listed(self, journal: &Journal) -> Vec<PassageUse> {
        let mut uses = BTreeSet::new();
        for (name, text) in journal.texts() {
            let Some(places) = self.sources.get(name).filter(|_| !text.is_empty()) else { continue };
            let digest = hex::encode(Sha256::digest(text));
            let sentences = sentences(text);
            for (start, end) in places {
                let around = sentences.iter().filter(|sentence| sentence.start < *end && *start < sentence.end);
                let (start, end) = around
                    .fold((*start, *end), |(start, end), sentence| (start.min(sentence.start), end.max(sentence.end)));
                uses.insert(PassageUse {
                    name: name.to_owned(),
                    digest: Some(digest.clone()),
                    start: start as u64,
                    end: end as u64,
                });
            }
        }
        for (name, tier, start, end) in self.others {
            let digest = self.pages.get(&name).cloned();
            // A page that was opened for another draft is not known by its digest here.
            if tier == Tier::Knowledge || digest.is_some() {
                uses.insert(PassageUse { digest: digest.filter(|_| tier == Tier::Evidence), name, start, end });
            }
        }
        uses.into_iter().filter(|used| used.start < used.end).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{
        Claim, Claims, Draft, KeptLedger, Ledger, LedgerRow, Outcome, Proof, SimilarityMeasure, SourceSpan, SpanKind,
        Standing, Step, Witness,
    };

    const SOURCE: &str = "The council met. It voted 7-2 on Tuesday, Ann Lee said. Rain fell.";

    fn row(standing: Standing, words: &str) -> LedgerRow {
        let start = SOURCE.find(words).unwrap();
        let passage = SourceSpan { source: "Minutes".into(), start, end: start + words.len(), text: words.into() };
        LedgerRow {
            kind: SpanKind::Number,
            standing,
            rule: "number.row".into(),
            field: "articleBody".into(),
            start: 0,
            end: 1,
            text: words.into(),
            concern_type: None,
            blocks: false,
            note: None,
            passage: Some(passage),
            replacement: None,
        }
    }

    fn proved(rows: Vec<LedgerRow>, claims: Vec<Claim>) -> Journal {
        let mut opening = opening();
        opening.topic.source_text = SOURCE.into();
        let mut journal = Journal::new(opening);
        let draft = Draft { article: article("It voted 7-2."), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        let kept = KeptLedger { ledger: Ledger { rows }, ..KeptLedger::default() };
        add(&mut journal, Step::Prove { round: 1 }, Outcome::Proof(Proof { findings: vec![], kept: Some(kept) }));
        add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(Claims { claims, words_only: None }));
        journal
    }

    fn places(journal: &Journal) -> Vec<String> {
        used(journal).into_iter().map(|used| format!("{} {}-{}", used.name, used.start, used.end)).collect()
    }

    #[test]
    fn words_of_one_sentence_are_one_passage_and_what_contradicts_is_none() {
        let rows = vec![
            row(Standing::Matches, "7-2"),
            row(Standing::StandsThere, "Ann Lee"),
            row(Standing::Contradicted, "The council"),
            row(Standing::NotFound, "Rain"),
        ];
        let journal = proved(rows, vec![]);
        assert_eq!(places(&journal), ["Minutes 17-55"]);
        let digest = hex::encode(Sha256::digest(SOURCE));
        assert_eq!(used(&journal)[0].digest.as_deref(), Some(digest.as_str()));
        assert_eq!(used(&Journal::new(opening())), []);
    }

    #[test]
    fn a_claim_rests_on_what_carries_it() {
        let passage = |tier, file: &str| Passage { file: file.into(), start: 0, end: 16, tier, ..Passage::default() };
        let witness = |stance, file: &str| Witness { passage: passage(Tier::Knowledge, file), stance, note: None };
        let claim = |verified, passage: Passage, witnesses| Claim {
            start: 0,
            end: 1,
            text: "x".into(),
            passage: Some(passage),
            similarity: None,
            measure: SimilarityMeasure::Words,
            findings: vec![],
            witnesses,
            resolved: None,
            distrusted: vec![],
            weak_pages: vec![],
            verified,
        };
        let journal = proved(
            vec![],
            vec![
                claim(true, passage(Tier::Source, "Minutes"), vec![]),
                claim(false, passage(Tier::Knowledge, "bears.md"), vec![witness(Stance::Carries, "carries.md")]),
                claim(true, passage(Tier::Article, "desk/mill"), vec![witness(Stance::Contradicts, "against.md")]),
                claim(true, passage(Tier::Evidence, "https://unknown.example"), vec![]),
            ],
        );
        assert_eq!(places(&journal), ["Minutes 0-16", "carries.md 0-16"]);
        assert_eq!(used(&journal)[1].digest, None, "the index knows the file");
    }
}
