//! The next steps of a run, from the journal alone.

use crate::editorial::{
    decisions::record, drafting, research, same_words, second_opinion, sections, subject::Subject, vouching,
};
use copydesk_newsroom::{Choice, GateOutcome, Gates, Journal, ResearchErrand, Specialist, Step};

/// Every step that is ready: its inputs are all in the journal and it is not done itself. Empty once the run is over.
///
/// A run that waits for its editor has no ready step: [`super::decisions::waits`] says where it stands.
///
/// The order is the order of concern, so that a desk with one specialist works as docs/reference/contract.md says.
pub fn next_steps(journal: &Journal) -> Vec<Step> {
    if journal.publication().is_some() {
        return Vec::new();
    }
    if journal.failure().is_some() {
        return vec![Step::Publish];
    }
    if let Some(ready) = research::before_draft(journal).filter(|_| journal.draft(1).is_none()) {
        return ready;
    }
    if let Some(ready) = drafting::open(journal) {
        return ready;
    }
    for round in 1..=record::max_rounds(journal) {
        if journal.draft(round).is_none() {
            return vec![Step::Revise { round: round.saturating_sub(1) }];
        }
        if journal.review(round).is_none() {
            if journal.opening.settings.proves && journal.proof(round).is_none() {
                return vec![Step::Prove { round }];
            }
            if is_unreviewed(journal, round) {
                return vec![Step::Review { round }];
            }
            let opinions = second_opinion::open(journal, round);
            if !opinions.is_empty() {
                return opinions;
            }
            if sections::may_be_needed(journal, round) && journal.sections(round).is_none() {
                return vec![Step::Sections { round }];
            }
            let open = sections::open(journal, round);
            return if open.is_empty() { vec![Step::Review { round }] } else { open };
        }
        let Some(concerns) = journal.concerns(round) else {
            return vec![Step::Parse { round }];
        };
        if !concerns.concerns.is_empty() {
            let Some(mapping) = journal.mapping(round) else {
                return vec![Step::Map { round }];
            };
            let open: Vec<Step> = mapping
                .mappings
                .iter()
                .filter(|mapping| !journal.is_judged(round, mapping.concern_id))
                .filter_map(|mapping| next_for_concern(journal, round, mapping.concern_id, mapping.selected_agent))
                .collect();
            if !open.is_empty() {
                return open;
            }
        }
        if !claims_are_checked(journal, round) {
            return vec![Step::Claims { round }];
        }
        if !research::is_triaged(journal, round) {
            return vec![Step::Triage { round }];
        }
        match journal.gate(round) {
            None if journal.opening.gates == Gates::Editor && record::left(journal, round).is_none() => {
                return Vec::new();
            }
            None => return vec![Step::Gate { round }],
            Some(GateOutcome::RoundsUsedUp | GateOutcome::Spiked) => return vec![Step::Publish],
            Some(GateOutcome::Passed | GateOutcome::Stet) => {
                let decided = record::at_sign_off(journal, round).map(|decided| &decided.decision.choice);
                match decided {
                    None if !is_prepared(journal, round) => return vec![Step::Prepare { round }],
                    None if journal.opening.gates == Gates::Editor => return Vec::new(),
                    Some(Choice::SendBack { .. }) if journal.feedback(round).is_none() => {
                        return vec![Step::Feedback { round }];
                    }
                    Some(Choice::SendBack { .. } | Choice::Edit { .. } | Choice::Applied { .. }) => {}
                    _ => return vec![Step::Publish],
                }
            }
            Some(GateOutcome::Revise) if journal.feedback(round).is_none() => {
                return research::after_gate(journal, round).unwrap_or_else(|| vec![Step::Feedback { round }]);
            }
            Some(GateOutcome::Revise | GateOutcome::Edited) => {}
        }
    }
    vec![Step::Publish]
}

/// Whether no model reviews the draft of a round: there is none for it, an editor wrote the draft, or the run goes another way than a newsroom's.
fn is_unreviewed(journal: &Journal, round: u32) -> bool {
    journal.opening.settings.no_reviewer
        || !journal.opening.workflow.reviews(round)
        || record::is_by_hand(journal, round)
}

/// Whether every concern of a round has its verdict, so that the round has come to its gate.
pub fn is_judged(journal: &Journal, round: u32) -> bool {
    let Some(concerns) = journal.concerns(round) else { return false };
    concerns.concerns.iter().all(|concern| journal.is_judged(round, concern.concern_id))
        && claims_are_checked(journal, round)
        && research::is_triaged(journal, round)
}

/// Whether the Publisher has looked at a round's draft, or is not asked to.
pub fn is_prepared(journal: &Journal, round: u32) -> bool {
    !journal.opening.settings.prepares || journal.prepared(round).is_some()
}

/// Whether the claims of a round's draft are checked or need no check: the run checks none, or the round has left its gate. If the setting
/// was turned on while an editor decided, nothing comes between the decision and the gate.
fn claims_are_checked(journal: &Journal, round: u32) -> bool {
    journal.opening.settings.claims.is_none()
        || journal.claims(round).is_some()
        || journal.gate(round).is_some()
        || record::left(journal, round).is_some()
}

/// The memory is asked before any knowledge or search call, also before a model writes questions (docs/reference/contract.md). A record
/// that it holds makes both unnecessary. Without a search service there is nothing to remember and nothing to search. A concern that an
/// editor has let stand before needs neither. A concern about the same words as an earlier one waits for its verdict, and needs no more.
fn next_for_concern(journal: &Journal, round: u32, concern: u32, specialist: Specialist) -> Option<Step> {
    if vouching::settled_before(journal, round, concern).is_some() || record::is_by_hand(journal, round) {
        return Some(Step::Judge { round, concern });
    }
    if let Some(first) = same_words::answered_by(journal, round, concern) {
        return journal.is_judged(round, first).then_some(Step::Judge { round, concern });
    }
    let searches = specialist == Specialist::EvidenceFinding && claim_to_search(journal, round, concern).is_ok();
    if searches || specialist == Specialist::FactCheck {
        match journal.look_up(round, concern) {
            None if !searches
                && journal.opening.settings.asks_questions
                && journal.questions(round, concern).is_none() =>
            {
                return Some(Step::Questions { round, concern });
            }
            None => return Some(Step::LookUp { round, concern }),
            Some(look_up) if searches && look_up.remembered.is_none() && journal.evidence(round, concern).is_none() => {
                return Some(Step::Search { round, concern });
            }
            Some(_) if cites(journal, round, concern) && journal.opened(round, concern).is_none() => {
                return Some(Step::Open { round, concern });
            }
            Some(_) => {}
        }
    }
    if calls_tools(journal, round, concern, specialist) {
        // Calls of one turn are made one after the other.
        if let Some(open) = research::of_errand(journal, ResearchErrand::Check { round, concern }) {
            return open.first().copied();
        }
    }
    Some(Step::Judge { round, concern })
}

/// Whether the specialist of a concern may call tools before its verdict. What is remembered needs none.
fn calls_tools(journal: &Journal, round: u32, concern: u32, specialist: Specialist) -> bool {
    let users = journal.opening.settings.tool_users;
    match specialist {
        Specialist::FactCheck => {
            users.fact_checker && journal.look_up(round, concern).is_some_and(|look_up| look_up.remembered.is_none())
        }
        Specialist::StyleReview => users.editor,
        _ => false,
    }
}

/// Whether the search cited anything: that is opened before it is judged on.
fn cites(journal: &Journal, round: u32, concern: u32) -> bool {
    journal.evidence(round, concern).is_some_and(|found| !found.citations.is_empty())
}

/// Longest claim that is searched for, in bytes.
const LONGEST_CLAIM: usize = 600;

/// Why no evidence is sought outside for a concern; its words are the note on it in a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
pub enum NotSought {
    #[strum(serialize = "No outside evidence was sought: no search service is configured.")]
    NoService,
    /// The excerpt is not in the draft: a reviewer may have quoted the source, which can be confidential.
    #[strum(
        serialize = "No outside evidence was sought: the excerpt does not stand in the draft, and only words of the draft may leave this machine."
    )]
    NotOfTheDraft,
    #[strum(serialize = "No outside evidence was sought: the sentence is too long to search for.")]
    TooLong,
}

/// The words that are searched for outside, or why none are. They go to a service outside, so only words of the draft
/// are taken.
///
/// # Errors
/// The reason, if nothing is searched for.
pub fn claim_to_search(journal: &Journal, round: u32, concern: u32) -> Result<String, NotSought> {
    if !journal.opening.settings.seeks_evidence {
        return Err(NotSought::NoService);
    }
    let claim = Subject::of(journal, round, concern).and_then(|subject| subject.claim());
    let claim = claim.ok_or(NotSought::NotOfTheDraft)?;
    if claim.len() <= LONGEST_CLAIM { Ok(claim) } else { Err(NotSought::TooLong) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, article, look_up, opening, verdict};
    use copydesk_newsroom::*;

    fn names(journal: &Journal) -> String {
        next_steps(journal).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn one_agent_alone_is_not_reviewed_and_a_sequence_is_reviewed_once() {
        let review = |journal: &mut Journal, round: u32| {
            let raw = ArticleReviewRaw { markdown_bullets: String::new() };
            add(journal, Step::Review { round }, Outcome::Review(Review::new(raw, vec![])));
            add(journal, Step::Parse { round }, Outcome::Concerns(ArticleReviewResult { concerns: vec![] }));
        };
        let draft = || Outcome::Draft(Draft { article: article("It voted."), stripped: vec![], undone: vec![] });
        // Settings that only a review needs are left out with it.
        let opening = |workflow| Opening {
            workflow,
            settings: RunSettings { second_opinion: true, proves: true, ..opening().settings },
            review_room: Some(ReviewRoom { bytes: 1, sources: None }),
            ..opening()
        };
        let proof = || Outcome::Proof(Proof::default());

        let mut alone = Journal::new(opening(Workflow::SingleAgent));
        add(&mut alone, Step::Draft, draft());
        add(&mut alone, Step::Prove { round: 1 }, proof());
        assert_eq!(names(&alone), "r1.review");
        review(&mut alone, 1);
        assert_eq!(names(&alone), "r1.gate");

        let mut sequence = Journal::new(opening(Workflow::Sequential));
        sequence.opening.settings.max_rounds = 2;
        add(&mut sequence, Step::Draft, draft());
        add(&mut sequence, Step::Prove { round: 1 }, proof());
        assert_eq!(names(&sequence), "r1.sections");
        add(&mut sequence, Step::Sections { round: 1 }, Outcome::Sections(vec![]));
        review(&mut sequence, 1);
        add(&mut sequence, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
        add(&mut sequence, Step::Feedback { round: 1 }, Outcome::Feedback(crate::editorial::gate::compile(1, &[])));
        add(&mut sequence, Step::Revise { round: 1 }, draft());
        add(&mut sequence, Step::Prove { round: 2 }, proof());
        assert_eq!(names(&sequence), "r2.review");
        review(&mut sequence, 2);
        assert_eq!(names(&sequence), "r2.gate");
    }

    #[test]
    fn a_draft_is_proved_before_a_model_reviews_it() {
        let mut journal =
            Journal::new(Opening { settings: RunSettings { proves: true, ..opening().settings }, ..opening() });
        let draft = Draft { article: article("The council voted."), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        assert_eq!(next_steps(&journal), [Step::Prove { round: 1 }]);
        add(&mut journal, Step::Prove { round: 1 }, Outcome::Proof(Proof::default()));
        assert_eq!(next_steps(&journal), [Step::Review { round: 1 }]);
    }

    #[test]
    fn claims_are_checked_before_the_gate_where_the_run_asks_for_it() {
        let rules = ClaimRules {
            similarity: LeastSimilarity { cosine: 60, words: 60 },
            score_floor: None,
            conflict_resolution: ConflictResolution::Human,
        };
        let mut journal =
            Journal::new(Opening { settings: RunSettings { claims: Some(rules), ..opening().settings }, ..opening() });
        add_round(&mut journal, 1, &[]);
        assert_eq!(next_steps(&journal), [Step::Claims { round: 1 }]);
        assert!(!is_judged(&journal, 1));
        add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(Claims::default()));
        assert!(is_judged(&journal, 1));
        assert_eq!(next_steps(&journal), [Step::Gate { round: 1 }]);
    }

    #[test]
    fn a_run_goes_step_by_step_to_its_end() {
        let mut journal = Journal::new(opening());
        assert_eq!(names(&journal), "draft");
        add_round(
            &mut journal,
            1,
            &[Specialist::Opinion, Specialist::FactCheck, Specialist::EvidenceFinding, Specialist::StyleReview],
        );
        assert_eq!(names(&journal), "r1.c1.judge r1.c2.lookup r1.c3.lookup r1.c4.judge");
        add(&mut journal, Step::LookUp { round: 1, concern: 2 }, look_up(None));
        add(&mut journal, Step::LookUp { round: 1, concern: 3 }, look_up(None));
        assert_eq!(names(&journal), "r1.c1.judge r1.c2.judge r1.c3.search r1.c4.judge");
        let found = EvidenceFound { prompt: "p".into(), response: "r".into(), citations: vec![] };
        add(&mut journal, Step::Search { round: 1, concern: 3 }, Outcome::Evidence(found));
        for concern in [1, 2, 4] {
            let outcome = Outcome::Verdict(verdict(concern, Status::Keep, None));
            add(&mut journal, Step::Judge { round: 1, concern }, outcome);
        }
        assert_eq!(names(&journal), "r1.c3.judge");
        let outcome = Outcome::Verdict(verdict(3, Status::Rewrite, Some("fix")));
        add(&mut journal, Step::Judge { round: 1, concern: 3 }, outcome);
        assert_eq!(names(&journal), "r1.gate");
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
        assert_eq!(names(&journal), "r1.feedback");
        let feedback = crate::editorial::gate::compile(1, &journal.verdicts(1));
        add(&mut journal, Step::Feedback { round: 1 }, Outcome::Feedback(feedback));
        assert_eq!(names(&journal), "r1.revise");
        add_round(&mut journal, 2, &[]);
        assert_eq!(names(&journal), "r2.gate");
        add(&mut journal, Step::Gate { round: 2 }, Outcome::Gate(GateOutcome::Passed));
        assert_eq!(names(&journal), "publish");
        let publication = Publication { generated_at: "now".into(), success: true, flags: vec![] };
        add(&mut journal, Step::Publish, Outcome::Publication(publication));
        assert_eq!(names(&journal), "");
    }

    #[test]
    fn the_publisher_looks_at_what_passed_before_anybody_signs_it() {
        use crate::editorial::decisions;
        for gates in [Gates::Auto, Gates::Editor] {
            let mut journal = Journal::new(Opening {
                gates,
                settings: RunSettings { prepares: true, ..opening().settings },
                ..opening()
            });
            add_round(&mut journal, 1, &[]);
            add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Passed));
            assert_eq!(names(&journal), "r1.prepare");
            assert_eq!(decisions::waits(&journal), None);
            add(&mut journal, Step::Prepare { round: 1 }, Outcome::Prepared(vec![]));
            let (steps, wait) = match gates {
                Gates::Auto => ("publish", None),
                Gates::Editor => ("", Some(Wait::SignOff { round: 1 })),
            };
            assert_eq!((names(&journal).as_str(), decisions::waits(&journal)), (steps, wait));
        }
    }

    #[test]
    fn where_a_model_writes_the_questions_they_come_before_the_look_up() {
        let mut journal =
            Journal::new(Opening { settings: RunSettings { asks_questions: true, ..opening().settings }, ..opening() });
        add_round(&mut journal, 1, &[Specialist::FactCheck, Specialist::EvidenceFinding, Specialist::Opinion]);
        assert_eq!(names(&journal), "r1.c1.questions r1.c2.lookup r1.c3.judge");
        let mut earlier = journal.clone();
        add(&mut journal, Step::Questions { round: 1, concern: 1 }, Outcome::Questions(vec![]));
        assert_eq!(names(&journal), "r1.c1.lookup r1.c2.lookup r1.c3.judge");
        add(&mut earlier, Step::LookUp { round: 1, concern: 1 }, look_up(None));
        assert_eq!(names(&earlier), "r1.c1.judge r1.c2.lookup r1.c3.judge", "what was looked up needs no question");
    }

    #[test]
    fn what_a_search_cites_is_opened_before_it_is_judged_on() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::EvidenceFinding]);
        add(&mut journal, Step::LookUp { round: 1, concern: 1 }, look_up(None));
        let citations = vec!["https://a.example".to_owned()];
        let found = EvidenceFound { prompt: "p".into(), response: "r".into(), citations };
        add(&mut journal, Step::Search { round: 1, concern: 1 }, Outcome::Evidence(found));
        assert_eq!(names(&journal), "r1.c1.open");
        let mut earlier = journal.clone();
        add(&mut journal, Step::Open { round: 1, concern: 1 }, Outcome::Opened(vec![]));
        assert_eq!(names(&journal), "r1.c1.judge");
        let judged = Outcome::Verdict(verdict(1, Status::Keep, None));
        add(&mut earlier, Step::Judge { round: 1, concern: 1 }, judged);
        assert_eq!(names(&earlier), "r1.gate", "what was judged before there was this step stays judged");
    }

    #[test]
    fn a_specialist_with_tools_calls_them_before_its_verdict() {
        let tool_users = ToolUsers { editor: true, fact_checker: true };
        let mut journal =
            Journal::new(Opening { settings: RunSettings { tool_users, ..opening().settings }, ..opening() });
        add_round(&mut journal, 1, &[Specialist::FactCheck, Specialist::StyleReview, Specialist::Opinion]);
        assert_eq!(names(&journal), "r1.c1.lookup r1c2.t1 r1.c3.judge");
        add(&mut journal, Step::LookUp { round: 1, concern: 1 }, look_up(None));
        assert_eq!(names(&journal), "r1c1.t1 r1c2.t1 r1.c3.judge");
        let call = ToolCall { id: "a".into(), name: "search_web".into(), arguments: "{}".into() };
        let turn = ResearchTurn { calls: vec![call.clone(), call], ..ResearchTurn::default() };
        let errand = ResearchErrand::Check { round: 1, concern: 1 };
        add(&mut journal, Step::Turn { errand, turn: 1 }, Outcome::Turn(turn));
        assert_eq!(names(&journal), "r1c1.t1.k1 r1c2.t1 r1.c3.judge");
        for call in [1, 2] {
            add(&mut journal, Step::Tool { errand, turn: 1, call }, Outcome::Tool(ToolResult::default()));
        }
        assert_eq!(names(&journal), "r1c1.t2 r1c2.t1 r1.c3.judge");
        add(&mut journal, Step::Turn { errand, turn: 2 }, Outcome::Turn(ResearchTurn::default()));
        assert_eq!(names(&journal), "r1.c1.judge r1c2.t1 r1.c3.judge");
    }

    #[test]
    fn a_remembered_verdict_needs_no_search() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::EvidenceFinding]);
        let record = MemoryRecord::Evidence(EvidenceRecord {
            timestamp: "t".into(),
            article_id: "a/b".into(),
            concern_id: 9,
            prompt: "p".into(),
            query: "q".into(),
            normalized_query: "q".into(),
            model_name: "m".into(),
            cache_key_hash: "0".repeat(16),
            perplexity_response: "r".into(),
            citations: vec![],
            verdict: verdict(9, Status::Keep, None),
        });
        add(&mut journal, Step::LookUp { round: 1, concern: 1 }, look_up(Some(record)));
        assert_eq!(names(&journal), "r1.c1.judge");
    }

    #[test]
    fn what_does_not_stand_in_the_draft_is_not_searched_for() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::EvidenceFinding]);
        assert_eq!(names(&journal), "r1.c1.lookup");
        let secret = Concern { concern_id: 1, excerpt: "Jane Doe leaked it".into(), review_note: "the source".into() };
        let concerns = ArticleReviewResult { concerns: vec![secret] };
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(concerns));
        assert_eq!(names(&journal), "r1.c1.judge");
    }

    #[test]
    fn without_a_search_service_evidence_finding_judges_at_once() {
        let mut journal = Journal::new(Opening {
            settings: RunSettings { seeks_evidence: false, ..opening().settings },
            ..opening()
        });
        add_round(&mut journal, 1, &[Specialist::EvidenceFinding]);
        assert_eq!(names(&journal), "r1.c1.judge");
    }

    #[test]
    fn a_step_that_failed_ends_the_run() {
        let mut journal = Journal::new(opening());
        add(&mut journal, Step::Draft, Outcome::Failure(Failure::of("no server")));
        assert_eq!(names(&journal), "publish");
    }

    #[test]
    fn the_last_round_is_published_whatever_it_brought() {
        let mut journal =
            Journal::new(Opening { settings: RunSettings { max_rounds: 1, ..opening().settings }, ..opening() });
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let outcome = Outcome::Verdict(verdict(1, Status::Remove, None));
        add(&mut journal, Step::Judge { round: 1, concern: 1 }, outcome);
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::RoundsUsedUp));
        assert_eq!(names(&journal), "publish");
    }
}
