use super::*;
use crate::editorial::{
    testing::{add, article, opening, verdict},
    testing::{at_gate, decide, go_on, overrule},
};
use copydesk_newsroom::{
    ArticleReviewRaw, ArticleReviewResult, Choice, Claim, ClaimRules, Claims, Concern, ConcernMapping,
    ConcernMappingResult, ConcernType, Confidence, ConflictResolution, Draft, Failure, FlagRules, LeastSimilarity,
    Opening, Outcome, Resolved, Review, RunSettings, Sensitive, SimilarityMeasure, Stance, Step, Verdict,
};

/// Knows one person.
fn living(passage: &str, texts: &[&str]) -> Vec<String> {
    let dead = texts.iter().any(|text| text.contains("The late Ann Lee") || text.contains("Ann Lee died"));
    if passage.contains("Ann Lee") && !dead { vec!["Ann Lee".into()] } else { vec![] }
}

fn flags_of(journal: &Journal) -> Vec<Flag> {
    raised(journal, living)
}

/// Every flag, none of them left out.
fn strict() -> FlagRules {
    FlagRules { left_out: std::collections::BTreeSet::new(), sensitive: Sensitive::default() }
}

/// Asserts that a journal gets this flag, and not where the rules leave it out.
#[track_caller]
fn raises(mut journal: Journal, flag: Flag) {
    assert_eq!(flags_of(&journal), [flag]);
    journal.opening.settings.flags.left_out.insert(flag);
    assert_eq!(flags_of(&journal), []);
}

fn reviewed(journal: &mut Journal, round: u32, body: &str, excerpt: &str, agent: Specialist, verdict: Verdict) {
    let step = if round == 1 { Step::Draft } else { Step::Revise { round: round - 1 } };
    add(journal, step, Outcome::Draft(Draft { article: article(body), stripped: vec![], undone: vec![] }));
    let raw = ArticleReviewRaw { markdown_bullets: "- x".into() };
    add(journal, Step::Review { round }, Outcome::Review(Review::new(raw, vec![])));
    let concerns = vec![Concern { concern_id: 1, excerpt: excerpt.into(), review_note: "x".into() }];
    add(journal, Step::Parse { round }, Outcome::Concerns(ArticleReviewResult { concerns }));
    let mappings = vec![ConcernMapping {
        concern_id: 1,
        concern_type: ConcernType::UnsupportedFact,
        selected_agent: agent,
        confidence: Confidence::High,
        reason: "r".into(),
    }];
    add(journal, Step::Map { round }, Outcome::Mapping(ConcernMappingResult { mappings }));
    add(journal, Step::Judge { round, concern: 1 }, Outcome::Verdict(verdict));
}

const ACCUSED: &str = "The vote was on Monday. Ann Lee took the money. It rained.";

/// A run of one round in which a fact check calls a sentence misleading, and whose rounds are used up.
fn accused(excerpt: &str, body: &str, source: &str) -> Journal {
    let mut opening =
        Opening { settings: RunSettings { max_rounds: 1, flags: strict(), ..opening().settings }, ..opening() };
    opening.topic.source_text = source.into();
    opening.settings.flags.left_out.insert(Flag::RoundsUsedUp);
    let mut journal = Journal::new(opening);
    let misleading = verdict(1, Status::Rewrite, Some("Ask her."));
    reviewed(&mut journal, 1, body, excerpt, Specialist::FactCheck, misleading);
    go_on(&mut journal);
    journal
}

#[test]
fn rounds_that_are_used_up_with_concerns_open() {
    let mut journal = at_gate();
    (journal.opening.settings.max_rounds, journal.opening.settings.flags) = (1, strict());
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    raises(journal, Flag::RoundsUsedUp);
}

#[test]
fn a_run_that_passed_has_none_and_neither_has_a_story_that_was_given_up() {
    let mut passed = at_gate();
    passed.opening.settings.flags = strict();
    decide(&mut passed, 1, Choice::Stet { reason: "It is right.".into() });
    go_on(&mut passed);
    assert_eq!(flags_of(&passed), []);
    let mut spiked = at_gate();
    spiked.opening.settings.flags.sensitive.words = vec!["park".into()];
    assert_eq!(flags_of(&spiked), [Flag::SensitiveTopic]);
    decide(&mut spiked, 1, Choice::Spike { reason: "No.".into() });
    go_on(&mut spiked);
    assert_eq!(flags_of(&spiked), [], "a human has looked");
}

#[test]
fn a_sensitive_topic_is_told_with_what_is_sensitive() {
    let mut journal = Journal::new(Opening {
        desk: Some("Courts".into()),
        settings: RunSettings { flags: strict(), ..opening().settings },
        ..opening()
    });
    journal.opening.settings.flags.sensitive.desks = vec!["courts".into()];
    let words = "a sensitive topic: the desk Courts";
    assert_eq!(in_words(&journal, Flag::SensitiveTopic, living), words);
    journal.opening.topic.optional_angle = Some("Abuse in schools and homes".into());
    journal.opening.settings.flags.sensitive.words = ["school", "abuse", "suicide", "home"].map(str::to_owned).to_vec();
    let words = "a sensitive topic: the desk Courts, “school”, “abuse” and 1 more";
    assert_eq!(in_words(&journal, Flag::SensitiveTopic, living), words);
    raises(journal, Flag::SensitiveTopic);
}

#[test]
fn a_step_that_is_given_up_is_a_failed_step_and_any_other_failure_is_none() {
    let failed = |failure| {
        let mut journal =
            Journal::new(Opening { settings: RunSettings { flags: strict(), ..opening().settings }, ..opening() });
        add(&mut journal, Step::Draft, Outcome::Failure(failure));
        journal
    };
    assert_eq!(flags_of(&failed(Failure::of("the server refused"))), []);
    raises(failed(Failure { dead_letter: true, ..Failure::of("no answer, four times") }), Flag::DeadLetter);
}

fn claim(verified: bool, resolved: Option<Resolved>) -> Claim {
    Claim {
        start: 0,
        end: 1,
        text: "x".into(),
        passage: None,
        similarity: None,
        measure: SimilarityMeasure::Words,
        verified,
        findings: vec![],
        witnesses: vec![],
        resolved,
        distrusted: vec![],
        weak_pages: vec![],
    }
}

fn resolved(prevails: Option<Stance>) -> Resolved {
    Resolved { by: ConflictResolution::Human, prevails, reason: "r".into() }
}

#[test]
fn claims_flag_a_story_by_their_score_and_by_what_is_left_to_a_human() {
    let with = |score_floor, claims| {
        let rules = ClaimRules {
            similarity: LeastSimilarity { cosine: 60, words: 60 },
            score_floor,
            conflict_resolution: ConflictResolution::Human,
        };
        let mut journal = at_gate();
        (journal.opening.settings.claims, journal.opening.settings.flags) = (Some(rules), strict());
        add(&mut journal, Step::Claims { round: 1 }, Outcome::Claims(Claims { claims, words_only: None }));
        journal
    };
    let half = || vec![claim(true, None), claim(false, None)];
    assert_eq!(flags_of(&with(None, half())), []);
    assert_eq!(flags_of(&with(Some(50), half())), []);
    assert_eq!(flags_of(&with(Some(51), half())), [Flag::FactCheckScore]);
    assert_eq!(flags_of(&with(Some(51), vec![])), [], "there is no score");
    let settled = claim(true, Some(resolved(Some(Stance::Carries))));
    assert_eq!(flags_of(&with(None, vec![settled])), []);
    raises(with(None, vec![claim(true, Some(resolved(None)))]), Flag::SourcesConflict);
}

#[test]
fn what_misleads_about_a_named_person_who_may_be_living() {
    for excerpt in ["Ann Lee took the money", "took the money", "Ann Lee, it says, is a thief"] {
        let journal = accused(excerpt, ACCUSED, "Ann Lee spoke.");
        let told = in_words(&journal, Flag::MisleadingOnPerson, living);
        assert_eq!(told, "misleading about a person who may be living: Ann Lee", "{excerpt}");
        raises(journal, Flag::MisleadingOnPerson);
    }
    let of_none = accused("The vote was on Monday.", ACCUSED, "Ann Lee spoke.");
    assert_eq!(flags_of(&of_none), []);
}

#[test]
fn the_dead_are_no_living_persons_whoever_says_so() {
    let source = "The late Ann Lee spoke.";
    assert_eq!(flags_of(&accused("took the money", ACCUSED, source)), []);
    let draft = "Ann Lee took the money. Ann Lee died in 1980.";
    assert_eq!(flags_of(&accused("took the money", draft, "Ann Lee spoke.")), []);
}

#[test]
fn only_a_fact_check_that_no_editor_overruled_misleads() {
    let judged = |agent, verdict| {
        let mut journal =
            Journal::new(Opening { settings: RunSettings { flags: strict(), ..opening().settings }, ..opening() });
        reviewed(&mut journal, 1, ACCUSED, "Ann Lee took the money", agent, verdict);
        journal
    };
    let rewrite = || verdict(1, Status::Rewrite, None);
    assert_eq!(flags_of(&judged(Specialist::FactCheck, rewrite())), [Flag::MisleadingOnPerson]);
    assert_eq!(flags_of(&judged(Specialist::Opinion, rewrite())), []);
    let unclear = Verdict { misleading: false, ..rewrite() };
    assert_eq!(flags_of(&judged(Specialist::FactCheck, unclear)), []);
    let mut overruled = judged(Specialist::FactCheck, rewrite());
    decide(&mut overruled, 1, overrule(1, Status::Keep, None));
    assert_eq!(flags_of(&overruled), []);
}

#[test]
fn an_earlier_rounds_verdict_counts_as_long_as_its_sentence_stands() {
    let run = |second: &str, excerpt: &str, verdict_on_it: Verdict| {
        let mut journal =
            Journal::new(Opening { settings: RunSettings { flags: strict(), ..opening().settings }, ..opening() });
        let fact = Specialist::FactCheck;
        reviewed(&mut journal, 1, ACCUSED, "took the money", fact, verdict(1, Status::Rewrite, None));
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
        reviewed(&mut journal, 2, second, excerpt, fact, verdict_on_it);
        add(&mut journal, Step::Gate { round: 2 }, Outcome::Gate(GateOutcome::Passed));
        journal
    };
    let keep = || verdict(1, Status::Keep, None);
    let mended = "The vote was on Monday. Ann Lee denies that she took it.";
    assert_eq!(flags_of(&run(mended, "The vote", keep())), []);
    assert_eq!(
        flags_of(&run(ACCUSED, "It rained", keep())),
        [Flag::MisleadingOnPerson],
        "the writer left it as it was"
    );
    assert_eq!(flags_of(&run(ACCUSED, "took the money", keep())), [], "the later verdict on it counts");
}

#[test]
fn a_publication_is_written_as_it_was_read() {
    let earlier =
        r#"{"generated_at":"t","success":false,"flags":["rounds_used_up","quotation_unproved","to_dos_undone"]}"#;
    let read: copydesk_newsroom::Publication = serde_json::from_str(earlier).unwrap();
    assert_eq!(read.flags, [Flag::RoundsUsedUp, Flag::QuotationUnproved, Flag::ToDosUndone]);
    assert_eq!(serde_json::to_string(&read).unwrap(), earlier);
    let none = FlagRules::default();
    assert!(none.raise(Flag::DeadLetter) && !none.raise(Flag::MisleadingOnPerson));
}
