//! The next step of a run, and the outcomes of steps that follow from the journal by the rules of the house alone, without a question to any
//! agent.

use crate::{
    agents::notes_by_rule,
    editorial::{bullets, decisions, dossier, excerpts, flags, next_steps::next_steps, report},
};
use copydesk_newsroom::{ArticleReviewResult, Failure, Journal, Outcome, Publication, Step};
use copydesk_proof as proof;
use copydesk_style as style;

/// Returns the outcome of `step` at the time `now`. None if the rules cannot decide it, or its input is missing.
pub(super) fn derived(journal: &Journal, step: Step, now: &str) -> Option<Outcome> {
    Some(match step {
        Step::Parse { round } => match bullets::parse(&journal.review(round)?.raw) {
            Ok(concerns) => Outcome::Concerns(with_excerpts(journal, round, concerns)),
            Err(error) => Outcome::Failure(Failure::of(error.to_string())),
        },
        Step::Dossier => match dossier::dossier(journal) {
            Ok(dossier) => Outcome::Dossier(dossier),
            Err(failure) => Outcome::Failure(failure),
        },
        Step::Gate { round } => Outcome::Gate(decisions::outcome(journal, round)),
        Step::Prepare { .. } if journal.opening.settings.publisher_asks => return None,
        Step::Prepare { round } => Outcome::Prepared(notes_by_rule(journal, round)?),
        Step::Feedback { round } => {
            Outcome::Feedback(decisions::feedback(journal, round, style::to_dos(journal, round)))
        }
        Step::Publish => Outcome::Publication(Publication {
            generated_at: now.to_owned(),
            success: report::succeeded(journal),
            flags: flags::raised(journal, proof::living),
        }),
        _ => return None,
    })
}

/// The concerns of a round; where the reviewer quotes nothing, the excerpt is the sentence of the draft that the bullet means, if one does.
fn with_excerpts(journal: &Journal, round: u32, mut concerns: ArticleReviewResult) -> ArticleReviewResult {
    let own = journal.review(round).and_then(|review| review.before(concerns.concerns.len())).unwrap_or_default();
    for concern in concerns.concerns.iter_mut().take(own).filter(|concern| concern.excerpt == concern.review_note) {
        let meant = journal.draft(round).and_then(|draft| excerpts::meant_by(&draft.article, &concern.review_note));
        if let Some(words) = meant {
            concern.excerpt = words;
        }
    }
    concerns
}

/// The first ready step that is not `in_hand`; of the concerns only the first `specialists` open ones are worked on at once.
pub(super) fn next(journal: &Journal, specialists: usize, in_hand: impl Fn(Step) -> bool) -> Option<Step> {
    let mut concerns = Vec::new();
    next_steps(journal).into_iter().find(|step| {
        if let Some(concern) = step.concern() {
            if !concerns.contains(&concern) {
                concerns.push(concern);
            }
            if concerns.len() > specialists {
                return false;
            }
        }
        !in_hand(*step)
    })
}

/// Whether an agent does the step: then it may take a while.
pub(super) fn is_an_agents(step: Step) -> bool {
    !matches!(
        step,
        Step::Parse { .. }
            | Step::Dossier
            | Step::LookUp { .. }
            | Step::Open { .. }
            | Step::Decide { .. }
            | Step::Claims { .. }
            | Step::Prepare { .. }
            | Step::Gate { .. }
            | Step::Feedback { .. }
            | Step::Publish
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, article, opening, verdict};
    use copydesk_newsroom::{Draft, Flag, FlagRules, GateOutcome, Opening, RunSettings, Sensitive, Specialist, Status};

    #[test]
    fn a_publication_is_flagged_by_the_rules_that_the_run_was_opened_with_and_by_the_names_that_the_proof_knows() {
        let flags_of = |flags: FlagRules, source: &str| {
            let mut opening =
                Opening { settings: RunSettings { flags, max_rounds: 1, ..opening().settings }, ..opening() };
            opening.topic.source_text = source.into();
            let mut journal = Journal::new(opening);
            let article = article("Ann Lee sent x.");
            add(&mut journal, Step::Draft, Outcome::Draft(Draft { article, stripped: vec![], undone: vec![] }));
            let mut reviewed = Journal::new(journal.opening.clone());
            add_round(&mut reviewed, 1, &[Specialist::FactCheck]);
            for entry in reviewed.entries().iter().filter(|entry| entry.step != Step::Draft) {
                journal.push(entry.clone());
            }
            add(
                &mut journal,
                Step::Judge { round: 1, concern: 1 },
                Outcome::Verdict(verdict(1, Status::Rewrite, None)),
            );
            add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::RoundsUsedUp));
            match derived(&journal, Step::Publish, "now") {
                Some(Outcome::Publication(publication)) => publication.flags,
                other => panic!("{other:?}"),
            }
        };
        let strict = || FlagRules { left_out: std::collections::BTreeSet::new(), sensitive: Sensitive::default() };
        assert_eq!(flags_of(strict(), "Ann Lee spoke."), [Flag::RoundsUsedUp, Flag::MisleadingOnPerson]);
        assert_eq!(flags_of(strict(), "The late Ann Lee spoke."), [Flag::RoundsUsedUp]);
        assert_eq!(
            flags_of(FlagRules::default(), "Ann Lee spoke."),
            [Flag::RoundsUsedUp],
            "as before there were rules"
        );
    }
}
