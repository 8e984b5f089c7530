//! Judges by the marks of a trial which roles a model is fit for, and why.
//!
//! A trial has few cases, so each limit is one that chance alone seldom passes. A model that passes may still be a poor one; a model that
//! does not is no use in that role.

use super::{
    estimate::TrialCall,
    marks::{ReviewMarks, TrialRole, WritingMarks},
};
use copydesk_newsroom::{Specialist, named};

/// Whether a model is fit for a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TrialFitness {
    Fit,
    /// It works, and a person must watch it.
    Doubtful,
    Unfit,
}

/// The judgement of a trial on a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    pub role: TrialRole,
    pub fitness: TrialFitness,
    /// For a person: the observation, and the advice.
    pub sentence: String,
}

named!(TrialFitness);

/// A role with more than a quarter of its answers unread is unfit: each is asked for again, and a story has some twenty of them.
const UNREAD: (usize, usize) = (1, 4);

/// Over a draft of three sentences, two objections of the proof mean that the writer adds what its source does not say.
const OBJECTIONS: usize = 2;

/// How seldom chance may do as well: a reviewer who points at sentences at random, a mapping that throws dice.
const CHANCE: f64 = 0.05;

/// A reviewer who accuses more than a third of the true sentences sends a person to a verdict in each paragraph.
const ACCUSED: (usize, usize) = (1, 3);

/// Of six verdicts a coin is right on five or more once in nine trials, on four or more once in three.
const VERDICTS: (usize, usize) = (5, 6);
const DOUBTFUL_VERDICTS: (usize, usize) = (4, 6);

/// Of six concerns with five specialists each, dice are right on four or more once in sixty trials.
const MAPPED: (usize, usize) = (4, 6);

/// A review is free text, so no schema helps a reviewer.
const WITHOUT_REVIEWER: &str = "let the proof review (article_review_llm: null), or choose a larger model";

fn judgement(report: &TrialReport, role: TrialRole) -> Option<Judgement> {
    let answers: Vec<bool> =
        report.calls.iter().filter(|call| role.has(call.agent)).map(|call| call.problem.is_none()).collect();
    let unread = answers.iter().filter(|is_read| !**is_read).count();
    let (fitness, said) = if role == TrialRole::Reviewer && report.review.is_none() {
        (TrialFitness::Fit, "No model reviews: the proof does.".to_owned())
    } else if answers.is_empty() {
        return None;
    } else if unread * UNREAD.1 > answers.len() * UNREAD.0 {
        let found_nothing = report.review.as_ref().is_some_and(|review| review.errors_found() == 0);
        let (also, help) = match role {
            TrialRole::Reviewer if found_nothing => (" it finds nothing, and", WITHOUT_REVIEWER),
            TrialRole::Reviewer => (",", WITHOUT_REVIEWER),
            _ => (",", "choose a larger model, or a server that keeps to a JSON schema (response_format)"),
        };
        let said = format!("{}{also} {unread} of {} answers cannot be read: {help}.", as_a(role), answers.len());
        (TrialFitness::Unfit, said)
    } else {
        match role {
            TrialRole::Writer => writer(report.writing.as_ref()?),
            TrialRole::Reviewer => reviewer(report.review.as_ref()?),
            TrialRole::Mapping => mapping(report.mapping),
            TrialRole::Specialists => specialists(report.right_verdicts(), &report.verdicts),
        }
    };
    Some(Judgement { role, fitness, sentence: said })
}

fn as_a(role: TrialRole) -> &'static str {
    match role {
        TrialRole::Writer => "As a writer",
        TrialRole::Reviewer => "As a reviewer",
        TrialRole::Mapping => "In the mapping of concerns",
        TrialRole::Specialists => "As specialists",
    }
}

fn writer(marks: &WritingMarks) -> (TrialFitness, String) {
    let WritingMarks { remarks, sections, objections, .. } = marks;
    let objections = *objections;
    if !remarks.is_empty() {
        let help = if *sections { "choose" } else { "let it write by sections (writer_mode: sections), or choose" };
        let seen = remarks.join("; ");
        (
            TrialFitness::Unfit,
            format!("As a writer it will not do, even if asked twice ({seen}): {help} a larger model."),
        )
    } else if objections >= OBJECTIONS {
        let said = format!(
            "As a writer it reaches the length, and the proof objects to {}: check each draft closely.",
            copydesk_text::count(objections, "statement")
        );
        (TrialFitness::Doubtful, said)
    } else {
        (TrialFitness::Fit, "As a writer it will do.".to_owned())
    }
}

fn reviewer(marks: &ReviewMarks) -> (TrialFitness, String) {
    let (found, errors) = (marks.errors_found(), marks.errors.len());
    let (accused, honest) = (marks.accused, marks.true_sentences);
    let help = WITHOUT_REVIEWER;
    let counted = format!("{found} of {errors} errors found, {accused} of {honest} true sentences accused");
    if found == 0 {
        (TrialFitness::Unfit, format!("As a reviewer it finds nothing: {help}."))
    } else if by_chance(errors, honest, found, accused) >= CHANCE {
        (TrialFitness::Unfit, format!("As a reviewer it does no better than chance ({counted}): {help}."))
    } else if found * 2 < errors {
        (
            TrialFitness::Doubtful,
            format!("As a reviewer it misses more than half ({counted}): read each draft yourself."),
        )
    } else if accused * ACCUSED.1 > honest * ACCUSED.0 {
        let said =
            format!("As a reviewer it finds errors and accuses much that is true ({counted}): expect to overrule it.");
        (TrialFitness::Doubtful, said)
    } else {
        (TrialFitness::Fit, "As a reviewer it will do.".to_owned())
    }
}

/// The probability that so many errors or more are among the sentences that a reviewer points at, if these are drawn at random.
/// It is that of the hypergeometric distribution, as in Fisher's exact test.
#[expect(clippy::cast_precision_loss, reason = "counts of sentences")]
fn by_chance(errors: usize, honest: usize, found: usize, accused: usize) -> f64 {
    let choose = |of: usize, some: usize| (0..some).fold(1.0, |ways, one| ways * (of - one) as f64 / (one + 1) as f64);
    let drawn = found + accused;
    let ways: f64 = (found..=errors.min(drawn))
        .filter(|hits| drawn - hits <= honest)
        .map(|hits| choose(errors, hits) * choose(honest, drawn - hits))
        .sum();
    ways / choose(errors + honest, drawn)
}

fn mapping(right: RightOf) -> (TrialFitness, String) {
    let RightOf { right, of } = right;
    if right * MAPPED.1 >= of * MAPPED.0 {
        (TrialFitness::Fit, "In the mapping of concerns it will do.".to_owned())
    } else {
        let said = format!(
            "In the mapping of concerns it is right on {right} of {of}: concerns will often go to the wrong specialist."
        );
        (TrialFitness::Doubtful, said)
    }
}

fn specialists(right: RightOf, verdicts: &[TriedVerdict]) -> (TrialFitness, String) {
    let RightOf { right, of } = right;
    let given: Vec<bool> = verdicts.iter().filter_map(|verdict| verdict.kept).collect();
    let help = "decide each verdict yourself, or choose a larger model";
    if given.iter().all(|kept| *kept) {
        (TrialFitness::Unfit, format!("As specialists they let everything stand: {help}."))
    } else if given.iter().all(|kept| !kept) {
        (TrialFitness::Unfit, format!("As specialists they let nothing stand: {help}."))
    } else if right * VERDICTS.1 >= of * VERDICTS.0 {
        (TrialFitness::Fit, "As specialists they will do.".to_owned())
    } else if right * DOUBTFUL_VERDICTS.1 >= of * DOUBTFUL_VERDICTS.0 {
        let said = format!("As specialists they are right on {right} of {of} verdicts: look at each one.");
        (TrialFitness::Doubtful, said)
    } else {
        let said = format!("As specialists they are right on {right} of {of} verdicts, as a coin may be: {help}.");
        (TrialFitness::Unfit, said)
    }
}

/// A count out of a total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct RightOf {
    pub right: usize,
    pub of: usize,
}

/// A verdict of the trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct TriedVerdict {
    pub specialist: Specialist,
    /// Whether the words may stand.
    pub keep: bool,
    /// Whether the specialist let them; none if its answer was no use.
    pub kept: Option<bool>,
}

/// The results of a trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrialReport {
    /// The model of each role; several if its agents have several.
    pub models: Vec<(TrialRole, String)>,
    /// In order.
    pub calls: Vec<TrialCall>,
    /// None if there was no draft.
    pub writing: Option<WritingMarks>,
    /// None if no model reviews.
    pub review: Option<ReviewMarks>,
    pub mapping: RightOf,
    pub verdicts: Vec<TriedVerdict>,
}

impl TrialReport {
    /// The judgement on each role.
    pub fn judgements(&self) -> Vec<Judgement> {
        TrialRole::ALL.into_iter().filter_map(|role| judgement(self, role)).collect()
    }

    /// The number of usable answers.
    pub fn readable(&self) -> RightOf {
        let right = self.calls.iter().filter(|call| call.problem.is_none()).count();
        RightOf { right, of: self.calls.len() }
    }

    /// How many verdicts were right.
    pub fn right_verdicts(&self) -> RightOf {
        let right = self.verdicts.iter().filter(|verdict| verdict.kept == Some(verdict.keep)).count();
        RightOf { right, of: self.verdicts.len() }
    }

    /// Its figures in one line.
    pub fn line(&self) -> String {
        let of = |RightOf { right, of }: RightOf, what: &str| format!("{right} of {of} {what}");
        let mut parts = vec![of(self.readable(), "answers read")];
        if let Some(marks) = &self.review {
            parts.push(of(RightOf { right: marks.errors_found(), of: marks.errors.len() }, "errors found"));
            parts.push(of(RightOf { right: marks.accused, of: marks.true_sentences }, "true sentences accused"));
        }
        parts.push(of(self.mapping, "concerns mapped right"));
        parts.push(of(self.right_verdicts(), "verdicts right"));
        format!("Trial of the models: {}", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::trial::TrialCall;
    use copydesk_newsroom::{Agent, Specialist};

    fn marks(found: usize, accused: usize) -> ReviewMarks {
        let errors = (0..8).map(|number| (format!("kind {number}"), number < found)).collect();
        ReviewMarks { errors, true_sentences: 25, accused, elsewhere: 0 }
    }

    #[test]
    fn a_reviewer_that_finds_nothing_or_accuses_everything_is_unfit() {
        let fitness = |found, accused| reviewer(&marks(found, accused)).0;
        assert_eq!(fitness(0, 0), TrialFitness::Unfit);
        // It lists every sentence; it lists half of them, whatever they say.
        assert_eq!(fitness(8, 25), TrialFitness::Unfit);
        assert_eq!(fitness(4, 12), TrialFitness::Unfit);
        // Two sentences of 33 by chance are both among the eight once in nineteen times.
        assert_eq!(fitness(2, 0), TrialFitness::Unfit);
        assert_eq!(fitness(3, 0), TrialFitness::Doubtful);
        assert_eq!(fitness(8, 10), TrialFitness::Doubtful);
        assert_eq!(fitness(5, 3), TrialFitness::Fit);
        assert_eq!(
            reviewer(&marks(0, 3)).1,
            "As a reviewer it finds nothing: let the proof review (article_review_llm: null), or choose a larger model."
        );
    }

    #[test]
    fn chance_is_reckoned_as_fishers_test_does() {
        // One error among two sentences, one sentence pointed at: found once in two times.
        assert!((by_chance(1, 1, 1, 0) - 0.5).abs() < 1e-9);
        assert!((by_chance(8, 25, 8, 25) - 1.0).abs() < 1e-9);
        // Of 33 sentences, 8 of them wrong, 8 are drawn: the probability of 5 or more of the wrong ones, counted one by one.
        assert!((by_chance(8, 25, 5, 3) - 0.009_896).abs() < 1e-5, "{}", by_chance(8, 25, 5, 3));
    }

    #[test]
    fn a_writer_is_judged_by_its_length_and_by_what_the_proof_objects_to() {
        let told = |remarks: &[&str], sections, objections| {
            let remarks = remarks.iter().map(|remark| (*remark).to_owned()).collect();
            writer(&WritingMarks { words: 59, at_least: 100, remarks, sections, objections })
        };
        assert_eq!(told(&[], false, 0), (TrialFitness::Fit, "As a writer it will do.".to_owned()));
        assert_eq!(told(&[], false, 2).0, TrialFitness::Doubtful);
        let (fitness, said) = told(&["Short: 59 words; target 100"], false, 0);
        assert_eq!(fitness, TrialFitness::Unfit);
        assert_eq!(
            said,
            "As a writer it will not do, even if asked twice (Short: 59 words; target 100): let it write by sections (writer_mode: sections), or \
             choose a larger model."
        );
        assert!(told(&["Short: 59 words; target 100"], true, 0).1.ends_with("): choose a larger model."));
    }

    #[test]
    fn specialists_that_always_say_the_same_are_unfit() {
        let six = |kept: [bool; 6]| {
            let keeps = [true, false, false, true, false, true];
            let verdict = |(keep, kept)| TriedVerdict { specialist: Specialist::Opinion, keep, kept: Some(kept) };
            let verdicts = keeps.into_iter().zip(kept).map(verdict).collect();
            let report = TrialReport { verdicts, ..TrialReport::default() };
            specialists(report.right_verdicts(), &report.verdicts)
        };
        assert!(six([true; 6]).1.starts_with("As specialists they let everything stand"));
        assert!(six([false; 6]).1.starts_with("As specialists they let nothing stand"));
        assert_eq!(six([true, false, false, true, false, true]).0, TrialFitness::Fit);
        assert_eq!(six([true, false, false, true, true, false]).0, TrialFitness::Doubtful);
        assert_eq!(six([false, true, false, true, true, true]).0, TrialFitness::Unfit);
    }

    #[test]
    fn answers_that_cannot_be_read_come_before_everything_else() {
        let call = |problem: Option<&str>| TrialCall {
            agent: Agent::ConcernMapping,
            first_seconds: 1.0,
            seconds: 2.0,
            read_tokens: 1,
            prompt_tokens: 1,
            answer_tokens: 1,
            problem: problem.map(str::to_owned),
        };
        let report = |calls: Vec<TrialCall>| TrialReport {
            calls,
            mapping: RightOf { right: 6, of: 6 },
            ..TrialReport::default()
        };
        let judged = report(vec![call(Some("it is empty"))]).judgements();
        let [reviewer, mapping] = judged.as_slice() else { panic!("{judged:?}") };
        assert_eq!(reviewer.sentence, "No model reviews: the proof does.");
        assert_eq!(mapping.fitness, TrialFitness::Unfit);
        assert!(mapping.sentence.contains("1 of 1 answers cannot be read"), "{}", mapping.sentence);
        let review = TrialCall { agent: Agent::ArticleReview, ..call(Some("it says the same again and again")) };
        let blind = TrialReport { review: Some(ReviewMarks::default()), ..report(vec![review, call(None)]) };
        let advice = "As a reviewer it finds nothing, and 1 of 1 answers cannot be read: let the proof review";
        assert!(blind.judgements()[0].sentence.starts_with(advice), "{:?}", blind.judgements());
        let good = report(vec![call(None); 4]).judgements();
        assert_eq!(good.last().map(|judged| judged.fitness), Some(TrialFitness::Fit));
    }
}
