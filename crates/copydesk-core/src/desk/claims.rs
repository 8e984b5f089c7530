//! The claims of a draft, checked: each with its best passage, the similarity of that, and the evidence against it.
//!
//! Similarity alone passes 40 of 100 false sentences (measured on 883 pairs that differ in one thing). So a claim is
//! verified only if its passage is similar *and* neither the proof nor a witness speaks against it.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use super::{Desk, DeskError, look_up::broke_off};
use crate::{
    agents::offline::notes,
    editorial::{
        check_worth, citations, conflict,
        credibility::{Agreement, credibility},
    },
    ports::aside,
};
use copydesk_newsroom::{
    Claim, ClaimRules, Claims, Journal, Outcome, Passage, SimilarityMeasure, Source, SourceSpan, Stance, Tier, Witness,
};
use copydesk_proof::{self as proof, Checkable, Testimony};
use copydesk_text::overlap::{Sentences, Stems};

/// Most claims of a draft that are checked: an article has some thirty.
const MOST: usize = 200;

/// Most passages that are heard as witnesses on a claim.
const WITNESSES: usize = 6;

/// Claims that are looked up together: each question to the database is put for all of them at once, and others need not wait long.
const TOGETHER: usize = 8;

impl Desk {
    /// Checks the claims of the draft of `round`.
    pub(super) async fn check_claims(
        &self,
        journal: &Arc<Journal>,
        round: u32,
        rules: ClaimRules,
    ) -> Result<Outcome, DeskError> {
        let Some(draft) = journal.draft(round) else { return Ok(Outcome::Claims(Claims::default())) };
        let body = &draft.article.articleBody;
        let proved = Arc::clone(journal);
        // Rules over a large source take a while: not on the thread that serves every story.
        let checkable = move || {
            let ledger = proof::ledger_of(&proved, round, citations::pages)?;
            let misleads = |text: &str| check_worth::worth(text).reason.is_some();
            Some(proof::checkable(&proved.draft(round)?.article, &ledger, misleads))
        };
        let Ok(checkable) = aside(checkable).await else { return Ok(broke_off()) };
        let mut checkable = checkable.unwrap_or_default();
        checkable.truncate(MOST);
        if checkable.is_empty() {
            return Ok(Outcome::Claims(Claims::default()));
        }
        let reach = match self.reach(journal).await {
            Ok(reach) => reach,
            Err(why) => return self.not_retrieved(why),
        };
        let mut claims = Vec::with_capacity(checkable.len());
        let distrusted = Arc::new(WholeTexts::distrusted(journal));
        let pages = Arc::new(WholeTexts::pages(journal));
        let weak = Arc::new(weak_pages(journal, self.retrieval.min_credibility));
        let mut words_only = None;
        let mut read = Read::default();
        while !checkable.is_empty() {
            let later = checkable.split_off(TOGETHER.min(checkable.len()));
            let some = std::mem::replace(&mut checkable, later);
            let text = |checkable: &Checkable| body.get(checkable.range.clone()).unwrap_or_default().to_owned();
            let tasks: Vec<Vec<String>> = some.iter().map(|checkable| vec![text(checkable)]).collect();
            let found = match self.retrieve(&reach, &tasks).await {
                Ok(found) => found,
                Err(why) => return self.not_retrieved(why),
            };
            let texts = tasks.into_iter().map(|task| task.concat());
            let asked: Vec<_> = texts.zip(some).zip(found).collect();
            for (_, found) in &asked {
                words_only = words_only.or_else(|| found.words_only.clone().filter(|_| found.degraded));
            }
            let (distrusted, pages, of_run) = (Arc::clone(&distrusted), Arc::clone(&pages), Arc::clone(journal));
            let weak = Arc::clone(&weak);
            let judge = move || {
                let claims = asked.into_iter();
                let claims: Vec<_> = claims
                    .map(|((text, checkable), found)| {
                        let carried = checkable.carried_by.clone().or_else(|| table_row(&of_run, &text));
                        let proved = carried.map(|span| of_source(&of_run, span));
                        let heard = Heard { found: found.passages, pages: pages.on(&text), proved };
                        let (claim, sentence) = judged(text, checkable, heard, &weak, rules, &mut read);
                        (Claim { distrusted: distrusted.on(&claim.text), ..claim }, sentence)
                    })
                    .collect();
                (claims, read)
            };
            let Ok((judged, again)) = aside(judge).await else { return Ok(broke_off()) };
            read = again;
            for (mut claim, sentence) in judged {
                // By meaning, the claim is compared with this sentence.
                if let Some(sentence) = sentence
                    && let Some(cosine) = self.passages.similarity(&claim.text, &sentence).await?
                {
                    claim.similarity = Some(cosine);
                    claim.measure = SimilarityMeasure::Cosine;
                }
                claims.push(claim);
            }
        }
        for claim in &mut claims {
            let least = rules.similarity.by(claim.measure);
            claim.verified &= claim.similarity.is_some_and(|similarity| similarity >= least);
        }
        Ok(Outcome::Claims(Claims { claims, words_only }))
    }
}

/// What is heard on a claim.
struct Heard {
    /// The passages that a search found for it.
    found: Vec<Passage>,
    /// The testimonies of the pages that research found. Each is read whole: a search brings only the best passages of all.
    pages: Vec<Witness>,
    /// The passage that the proof matched.
    proved: Option<Passage>,
}

/// A stretch of a source that the ledger names, as the kind of witness that its source is.
fn of_source(journal: &Journal, span: SourceSpan) -> Passage {
    let (tier, credibility) = (journal.tier(&span.source), journal.credibility(&span.source));
    let published = journal.found_source(&span.source).and_then(|found| found.source.published.clone());
    Passage { credibility, published, ..span.into_passage(tier) }
}

/// The row of a table, with its heads, that a line of a fact sheet tells word for word.
fn table_row(journal: &Journal, line: &str) -> Option<SourceSpan> {
    journal.sources().into_iter().find_map(|source| {
        let range = notes::row_of(&source.text, line)?;
        let text = source.text.get(range.clone())?.to_owned();
        Some(SourceSpan { source: source.name, start: range.start, end: range.end, text })
    })
}

/// The names of the found pages of a lower credibility than `least`. A page is not weak because another one contradicts it: that is a
/// conflict, and decided as one.
fn weak_pages(journal: &Journal, least: f64) -> BTreeSet<String> {
    let is_weak = |name: &str| {
        let Some(found) = journal.found_source(name) else { return false };
        let alone = credibility(found.source, Agreement::default()).score;
        journal.credibility(name).unwrap_or(0.0).max(alone) < least
    };
    journal.texts().map(|(name, _)| name.to_owned()).filter(|name| is_weak(name)).collect()
}

/// Judges a claim by what is heard on it. The `weak` pages alone verify nothing. Returns it with the sentence to compare it with;
/// its similarity is by words alone so far.
fn judged(
    text: String,
    checkable: Checkable,
    heard: Heard,
    weak: &BTreeSet<String>,
    rules: ClaimRules,
    read: &mut Read,
) -> (Claim, Option<String>) {
    let words = Stems::of(&text);
    let Heard { found, pages, proved } = heard;
    let ask = || (best(&words, &found, read), witnesses(&text, &words, &found, pages, read));
    // Rules that break off say nothing of the claim.
    let (best, mut witnesses) = catch_unwind(AssertUnwindSafe(ask)).unwrap_or_default();
    let carried = |witness: &Witness| witness.stance == Stance::Carries;
    // The knowledge base may carry a claim that the sources lack.
    let known = witnesses.iter().any(|witness| carried(witness) && witness.passage.tier == Tier::Knowledge);
    // The proof names one page that says otherwise. If another page says it, both are witnesses, and the rule for conflicts decides.
    let page = |stance| {
        witnesses.iter().any(|witness: &Witness| witness.stance == stance && witness.passage.tier == Tier::Found)
    };
    let is_conflict = page(Stance::Carries) && page(Stance::Contradicts);
    let clean = checkable.findings.is_empty() || (checkable.only_missing && known) || is_conflict;
    // Words alike are no proof: something must say the whole of it.
    let said = proved.is_some() || witnesses.iter().any(carried);
    // A source whose passage was not among those found speaks through the ledger.
    let proved = proved.filter(|_| clean);
    if let Some(passage) = proved.as_ref().filter(|_| !witnesses.is_empty() && !witnesses.iter().any(carried)) {
        witnesses.retain(|witness| witness.passage.tier != passage.tier || witness.passage.file != passage.file);
        witnesses.push(Witness { passage: passage.clone(), stance: Stance::Carries, note: None });
    }
    let carrying = witnesses.iter().filter(|witness| carried(witness)).map(|witness| &witness.passage).chain(&proved);
    let is_weak = |passage: &&Passage| passage.tier == Tier::Found && weak.contains(&passage.file);
    let weak_pages: BTreeSet<String> = if said && carrying.clone().all(|passage| is_weak(&passage)) {
        carrying.map(|passage| passage.file.clone()).collect()
    } else {
        BTreeSet::new()
    };
    let resolved = conflict::resolve(rules.conflict_resolution, &witnesses);
    let otherwise: Vec<&Passage> =
        witnesses.iter().filter(|witness| !carried(witness)).map(|witness| &witness.passage).collect();
    let prevails = match &resolved {
        Some(resolved) => resolved.prevails == Some(Stance::Carries),
        None => otherwise.is_empty(),
    };
    // A passage that says otherwise is no witness to cite for it.
    let cited = best.as_ref().filter(|best| !(prevails && otherwise.contains(&&best.passage)));
    let instead = || {
        let passage = &witnesses.iter().find(|witness| carried(witness))?.passage;
        self::best(&words, std::slice::from_ref(passage), &mut Read::default())
    };
    let best = cited.cloned().or_else(instead).or(best);
    // So it does where the search found nothing as near. The whole of it is compared: a row of a table says nothing without its heads.
    let proved = proved.map(|passage| {
        #[expect(clippy::cast_precision_loss, reason = "counts of words")]
        let share = words.shared(&Stems::of(&passage.text)) as f64 / words.count().max(1) as f64;
        Best { sentence: passage.text.clone(), passage, share }
    });
    let best = match proved {
        Some(proved) if best.as_ref().is_none_or(|best| best.share <= proved.share) => Some(proved),
        _ => best,
    };
    let claim = Claim {
        start: checkable.range.start,
        end: checkable.range.end,
        passage: best.as_ref().map(|best| best.passage.clone()),
        similarity: best.as_ref().map(|best| best.share),
        measure: SimilarityMeasure::Words,
        findings: if clean { Vec::new() } else { checkable.findings },
        witnesses: if otherwise.is_empty() { Vec::new() } else { witnesses },
        resolved,
        distrusted: Vec::new(),
        verified: clean && prevails && said && weak_pages.is_empty(),
        weak_pages: weak_pages.into_iter().collect(),
        text,
    };
    (claim, best.map(|best| best.sentence))
}

/// Returns the witnesses among the passages that speak of a claim, at most one for each text.
fn witnesses(claim: &str, words: &Stems, found: &[Passage], pages: Vec<Witness>, read: &mut Read) -> Vec<Witness> {
    let mut witnesses = pages;
    for passage in found.iter().take(WITNESSES) {
        let source = Source { name: passage.file.clone(), text: passage.text.clone() };
        if let Some(Testimony { stance, note, range }) =
            proof::testimony(claim, words, &source, read.sentences(passage))
        {
            witnesses.push(Witness { passage: passage.stretch(&range), stance, note });
        }
    }
    // A text that carries the claim in one passage is not contradicted by its other ones: these speak of something else.
    witnesses.sort_by_key(|witness| witness.stance != Stance::Carries);
    let mut heard = HashSet::new();
    witnesses.retain(|witness| heard.insert((witness.passage.tier, witness.passage.file.clone())));
    witnesses
}

/// Sources that are read whole, with their sentences; each as a passage without words.
struct WholeTexts(Vec<(Source, Sentences, Passage)>);

impl WholeTexts {
    /// The pages that research found and that count.
    fn pages(journal: &Journal) -> Self {
        let pages = journal.texts().filter(|(name, text)| !text.is_empty() && journal.tier(name) == Tier::Found);
        let read = |(name, text): (&str, &str)| {
            let source = Source { name: name.to_owned(), text: text.to_owned() };
            let span = SourceSpan { source: name.to_owned(), start: 0, end: 0, text: String::new() };
            (source, Sentences::of(text), of_source(journal, span))
        };
        Self(pages.map(read).collect())
    }

    /// The sources that an editor distrusts. None of them is a witness.
    fn distrusted(journal: &Journal) -> Self {
        let read = |(name, _): (&str, &str)| {
            let text = journal.brought(name)?;
            let given = journal.opening.texts().any(|(known, _)| known == name);
            let tier = if given || journal.tier(name) == Tier::Source { Tier::Source } else { Tier::Found };
            let passage = Passage { file: name.to_owned(), tier, credibility: Some(0.0), ..Passage::default() };
            Some((Source { name: name.to_owned(), text: text.to_owned() }, Sentences::of(text), passage))
        };
        Self(journal.distrusted().into_iter().filter_map(read).collect())
    }

    /// Returns their testimonies on a claim, contradictions first.
    fn on(&self, claim: &str) -> Vec<Witness> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let words = Stems::of(claim);
        let ask = |(source, said, passage): &(Source, Sentences, Passage)| {
            let Testimony { stance, note, range } = proof::testimony(claim, &words, source, said)?;
            let (start, end) = (range.start as u64, range.end as u64);
            let text = source.text.get(range)?.to_owned();
            Some(Witness { passage: Passage { start, end, text, ..passage.clone() }, stance, note })
        };
        // Rules that break off say nothing of the claim.
        let heard = catch_unwind(AssertUnwindSafe(|| self.0.iter().filter_map(ask).collect::<Vec<_>>()));
        let mut heard = heard.unwrap_or_default();
        heard.sort_by_key(|witness| witness.stance == Stance::Carries);
        heard
    }
}

/// The sentences of passages, each read once: a draft's claims mostly bring the same few.
#[derive(Debug, Default)]
struct Read(HashMap<String, Sentences>);

impl Read {
    fn sentences(&mut self, passage: &Passage) -> &Sentences {
        self.0.entry(passage.text.clone()).or_insert_with(|| Sentences::of(&passage.text))
    }
}

/// The sentence of a passage that is most like a claim.
#[derive(Debug, Clone)]
struct Best {
    passage: Passage,
    sentence: String,
    /// The share of the claim's words that it has.
    share: f64,
}

/// The best sentence of all passages; the first of those that are as good.
fn best(claim: &Stems, passages: &[Passage], read: &mut Read) -> Option<Best> {
    let mut best: Option<Best> = None;
    for passage in passages {
        let Some(near) = read.sentences(passage).nearest(claim).into_iter().next() else { continue };
        if best.as_ref().is_none_or(|best| near.share > best.share) {
            let sentence = passage.text.get(near.range.clone()).unwrap_or_default().to_owned();
            best = Some(Best { passage: passage.stretch(&near.range), sentence, share: near.share });
        }
    }
    // Found by its meaning alone: no sentence of it has a word of the claim.
    best.or_else(|| {
        let passage = passages.first()?;
        Some(Best { passage: passage.clone(), sentence: passage.text.clone(), share: 0.0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::{ConflictResolution, LeastSimilarity};

    #[test]
    fn a_claim_is_held_beside_the_sentence_that_is_most_like_it() {
        let passage = |text: &str| Passage { text: text.into(), start: 100, end: 200, ..Passage::default() };
        let passages = [
            passage("The park is old. It rained."),
            passage("On Monday the council met. The council voted to close the park."),
        ];
        let best = |claim: &str, passages: &[Passage]| super::best(&Stems::of(claim), passages, &mut Read::default());
        let far = best("Nothing like it.", &passages).unwrap();
        assert_eq!((far.passage.text.as_str(), far.share), ("The park is old. It rained.", 0.0));
        assert!(best("Nothing like it.", &[]).is_none());
        let best = best("The council votes to close the parks.", &passages).unwrap();
        assert_eq!(best.sentence, "The council voted to close the park.");
        assert!(best.share > 0.99, "{}", best.share);
        let place = (best.passage.start, best.passage.end, best.passage.text.as_str());
        assert_eq!(place, (127, 163, "The council voted to close the park."));
    }

    #[test]
    fn what_a_distrusted_source_says_is_told_and_decides_nothing() {
        use crate::editorial::testing::{at_gate, decide};
        use copydesk_newsroom::Choice;
        let mut journal = at_gate();
        journal.opening.more_sources = vec![Source {
            name: "letter.txt".into(),
            text: "Hello. Councilmember Thomas Pruitt voted for the plan.".into(),
        }];
        assert_eq!(WholeTexts::distrusted(&journal).on(CLAIM), []);
        let distrust = Choice::DistrustSource { name: "letter.txt".into(), reason: "Unsigned.".into() };
        decide(&mut journal, 1, distrust);
        assert!(journal.texts().any(|(name, text)| name == "letter.txt" && text.is_empty()), "it is no witness");
        let said = WholeTexts::distrusted(&journal).on(CLAIM);
        let [Witness { passage, stance: Stance::Contradicts, note: Some(_) }] = &said[..] else { panic!("{said:?}") };
        assert_eq!(
            (passage.text.as_str(), passage.start, passage.tier, passage.credibility),
            ("Councilmember Thomas Pruitt voted for the plan.", 7, Tier::Source, Some(0.0))
        );
        assert_eq!(WholeTexts::distrusted(&journal).on("The pond was dredged."), []);
    }

    const CLAIM: &str = "Councilmember Thomas Pruitt voted against the plan.";

    fn rules(conflict_resolution: ConflictResolution) -> ClaimRules {
        ClaimRules { similarity: LeastSimilarity { cosine: 60, words: 60 }, score_floor: None, conflict_resolution }
    }

    /// A claim that a knowledge file contradicts. `carried_by` is the proof's match for it in the story's source.
    fn opposed(carried_by: Option<&str>, conflict_resolution: ConflictResolution) -> Claim {
        let checkable = checkable(CLAIM);
        let gazette = Passage {
            file: "gazette.md".into(),
            text: "The gazette was there. Councilmember Thomas Pruitt voted for the plan.".into(),
            tier: Tier::Knowledge,
            credibility: Some(0.8),
            ..Passage::default()
        };
        let heard = Heard { found: vec![gazette], pages: Vec::new(), proved: carried_by.map(minutes) };
        judged(CLAIM.to_owned(), checkable, heard, &BTreeSet::new(), rules(conflict_resolution), &mut Read::default()).0
    }

    fn checkable(text: &str) -> Checkable {
        Checkable { range: 0..text.len(), findings: Vec::new(), only_missing: true, carried_by: None }
    }

    /// A passage of the story's own source.
    fn minutes(text: &str) -> Passage {
        let (start, end) = (7, 7 + text.len() as u64);
        let (file, text) = ("minutes".into(), text.into());
        Passage { file, start, end, text, tier: Tier::Source, credibility: Some(1.0), ..Passage::default() }
    }

    /// The testimonies of pages on a claim: the text, the credibility and the day of each.
    fn pages(texts: &[(&str, f64, &str)]) -> Vec<Witness> {
        let page = |(number, (text, credibility, day)): (usize, &(&str, f64, &str))| {
            let name = format!("https://{number}.example");
            let passage = Passage {
                file: name.clone(),
                tier: Tier::Found,
                credibility: Some(*credibility),
                published: Some((*day).to_owned()),
                ..Passage::default()
            };
            (Source { name, text: (*text).to_owned() }, Sentences::of(text), passage)
        };
        WholeTexts(texts.iter().enumerate().map(page).collect()).on(CLAIM)
    }

    #[test]
    fn pages_that_contradict_each_other_are_all_heard_and_the_rule_for_conflicts_decides() {
        let for_it = (CLAIM, 0.9, "2026-01-01");
        let against = ("Councilmember Thomas Pruitt voted for the plan.", 0.8, "2026-05-01");
        for texts in [[for_it, against], [against, for_it]] {
            for (rule, prevails) in [
                (ConflictResolution::Credibility, Some(Stance::Carries)),
                (ConflictResolution::Recency, Some(Stance::Contradicts)),
                (ConflictResolution::Majority, None),
                (ConflictResolution::PrimarySource, None),
                (ConflictResolution::Human, None),
            ] {
                // The proof of the second order reports the page that was opened first.
                let findings = vec!["The source reports a vote for it.".to_owned()];
                for findings in [Vec::new(), findings] {
                    let heard = Heard { found: Vec::new(), pages: pages(&texts), proved: None };
                    let checkable = Checkable { findings, only_missing: false, ..checkable(CLAIM) };
                    let claim =
                        judged(CLAIM.to_owned(), checkable, heard, &BTreeSet::new(), rules(rule), &mut Read::default())
                            .0;
                    assert_eq!(claim.resolved.as_ref().and_then(|resolved| resolved.prevails), prevails, "{claim:?}");
                    assert_eq!((claim.witnesses.len(), claim.findings.len()), (2, 0), "{claim:?}");
                    assert_eq!(claim.verified, prevails == Some(Stance::Carries), "{claim:?}");
                }
            }
        }
    }

    #[test]
    fn a_page_is_weak_by_itself_and_not_because_another_contradicts_it() {
        use crate::editorial::testing::research::{assigned, first_pass};
        let mut journal = assigned();
        first_pass(&mut journal);
        let made = crate::editorial::dossier::dossier(&journal).unwrap();
        crate::editorial::testing::add(&mut journal, copydesk_newsroom::Step::Dossier, Outcome::Dossier(made));
        let page = journal.found_source("https://a.example").unwrap();
        let alone = credibility(page.source, Agreement::default()).score;
        assert_eq!(weak_pages(&journal, alone), BTreeSet::new());
        assert_eq!(weak_pages(&journal, alone + 0.01), BTreeSet::from(["https://a.example".to_owned()]));
    }

    #[test]
    fn a_claim_that_a_weak_page_alone_says_is_not_verified_and_names_the_page() {
        let judge = |pages: Vec<Witness>, proved: Option<Passage>| {
            let heard = Heard { found: Vec::new(), pages, proved };
            let rules = rules(ConflictResolution::Human);
            let witnesses = heard.pages.iter().map(|witness| &witness.passage);
            let weak = witnesses.filter(|page| page.credibility < Some(0.7)).map(|page| page.file.clone()).collect();
            judged(CLAIM.to_owned(), checkable(CLAIM), heard, &weak, rules, &mut Read::default()).0
        };
        let (weak, strong) = ((CLAIM, 0.36, "2026-01-01"), (CLAIM, 0.72, "2026-01-01"));
        let claim = judge(pages(&[weak]), None);
        assert_eq!((claim.verified, claim.is_disputed()), (false, false));
        assert_eq!(claim.weakness().as_deref(), Some("rests on one weak page, https://0.example"));
        let claim = judge(pages(&[weak, weak]), None);
        let two = "rests on weak pages alone, https://0.example, https://1.example";
        assert_eq!((claim.verified, claim.weakness().as_deref()), (false, Some(two)));
        for claim in [judge(pages(&[weak, strong]), None), judge(pages(&[weak]), Some(minutes(CLAIM)))] {
            assert_eq!((claim.verified, claim.weakness()), (true, None), "{claim:?}");
        }
    }

    #[test]
    fn what_only_a_witness_against_it_speaks_of_is_not_verified() {
        let claim = opposed(None, ConflictResolution::PrimarySource);
        assert!(!claim.verified && claim.resolved.is_none());
        let told: Vec<(&str, Stance)> =
            claim.witnesses.iter().map(|witness| (witness.passage.text.as_str(), witness.stance)).collect();
        assert_eq!(told, [("Councilmember Thomas Pruitt voted for the plan.", Stance::Contradicts)]);
        assert!(claim.against() == "1 witness says otherwise", "{}", claim.against());
    }

    #[test]
    fn words_alike_that_bind_nothing_are_not_verified() {
        let said = "I won't say strike today. The members will meet on December 1 to vote.";
        let passage = Passage { file: "notes".into(), text: said.into(), tier: Tier::Source, ..Passage::default() };
        for (text, verified) in
            [("The members will strike on December 1.", false), ("The members will meet on December 1 to vote.", true)]
        {
            let checkable = Checkable { only_missing: false, ..checkable(text) };
            let heard = Heard { found: vec![passage.clone()], pages: Vec::new(), proved: None };
            let rules = rules(ConflictResolution::PrimarySource);
            let (claim, _) = judged(text.to_owned(), checkable, heard, &BTreeSet::new(), rules, &mut Read::default());
            assert_eq!((claim.verified, claim.is_disputed()), (verified, false), "{text}");
        }
    }

    #[test]
    fn the_passage_of_the_proof_is_cited_where_the_search_found_a_poorer_one() {
        let said = "Councilmember Thomas Pruitt, who is not related, voted against the plan.";
        let text = "Present: Thomas Pruitt, councilmember.".to_owned();
        let found = Passage { file: "minutes".into(), start: 400, text, tier: Tier::Source, ..Passage::default() };
        let rules = rules(ConflictResolution::PrimarySource);
        let heard = Heard { found: vec![found], pages: Vec::new(), proved: Some(minutes(said)) };
        let (claim, _) =
            judged(CLAIM.to_owned(), checkable(CLAIM), heard, &BTreeSet::new(), rules, &mut Read::default());
        assert_eq!((claim.passage.unwrap().start, claim.verified), (7, true));
        assert!(claim.similarity.unwrap() > 0.99, "{:?}", claim.similarity);
    }

    #[test]
    fn a_row_of_a_table_is_compared_with_its_heads() {
        let row = "- Hospital: Oxley; Beds: 86";
        let table = "| Hospital | Beds |\n|---|---|\n| Oxley | 86 |";
        let heard =
            Heard { found: vec![minutes("| Hospital | Beds |")], pages: Vec::new(), proved: Some(minutes(table)) };
        let of = rules(ConflictResolution::Human);
        let (claim, _) = judged(row.to_owned(), checkable(row), heard, &BTreeSet::new(), of, &mut Read::default());
        assert_eq!((claim.verified, claim.similarity), (true, Some(1.0)));
        assert_eq!(claim.passage.unwrap().text, table);
    }

    #[test]
    fn a_source_speaks_through_the_proof_where_its_passage_was_not_found() {
        let minutes = "Councilmember Thomas Pruitt opposed the plan and voted against it.";
        let claim = opposed(Some(minutes), ConflictResolution::PrimarySource);
        assert!(claim.verified, "{claim:?}");
        let cited = claim.passage.as_ref().unwrap();
        assert_eq!(
            (cited.file.as_str(), cited.start, cited.tier),
            ("minutes", 7, Tier::Source),
            "not what says otherwise"
        );
        assert_eq!(claim.witnesses.len(), 2);
        let waits = opposed(Some(minutes), ConflictResolution::Human);
        assert!(!waits.verified && waits.resolved.unwrap().prevails.is_none());
    }
}
