//! Whether a version of a story may leave the house.

use jiff::Timestamp;

use super::key::sent_version;
use crate::editorial::{decisions, report, version::version_of};
use copydesk_newsroom::{ArticleResponse, Correction, Disclosure, Gates, Journal, ListedRun, RunState, local_minute};

/// A version that may leave the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release<'j> {
    pub article: &'j ArticleResponse,
    /// Who signed it; none if the configuration lets it go without.
    pub signed_by: Option<&'j str>,
    pub corrections: &'j [Correction],
    /// The setting for the line about artificial intelligence that its readers see.
    pub disclosure: Disclosure,
}

impl Release<'_> {
    /// The version: SHA-256 of the article and of what its readers are told beside it, hex.
    #[must_use]
    pub fn version(&self) -> String {
        sent_version(&version_of(self.article), self.corrections, self.disclosure)
    }
}

/// Why a story may not leave the house, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotReleased {
    #[error(
        "{story}: a later run has replaced this one. Publish the story by its name once its current run is signed off"
    )]
    Replaced { story: String },
    #[error(
        "{story} has not ended, so nobody has signed this version. `copydesk show {story}` shows what it waits for"
    )]
    NotEnded { story: String },
    #[error("{story} is not signed off. `copydesk decide {story} reopen` takes it back to its editor, who can sign it")]
    Unsigned { story: String },
    #[error("{story} did not pass, and nobody has signed it: {why}")]
    NotPassed { story: String, why: String },
    #[error("{story} is flagged, and nobody has decided about that: `copydesk show {story}` says why")]
    Flagged { story: String },
    #[error(
        "{story} is under embargo until {until}. --despite-embargo sends it marked so, for receivers who keep to it"
    )]
    Embargoed { story: String, until: String },
}

/// Whether the run's article may leave the house: an editor signed exactly this version, or the configuration lets stories of `run --auto`
/// go without (`auto`) that passed and have no open flag.
///
/// # Errors
/// [`NotReleased`] with the reason.
pub fn release<'j>(journal: &'j Journal, listed: &ListedRun, auto: bool) -> Result<Release<'j>, NotReleased> {
    let story = listed.story.clone();
    if !listed.current {
        return Err(NotReleased::Replaced { story });
    }
    // A decision after a sign-off makes a run of its own, which has not ended or has a signature of its own.
    if journal.publication().is_none() || listed.state == RunState::Open {
        return Err(NotReleased::NotEnded { story });
    }
    let draft = report::kept_draft(journal).filter(|_| report::succeeded(journal));
    let Some(draft) = draft else {
        let why = report::error(journal).unwrap_or_else(|| "it has no article".to_owned());
        return Err(NotReleased::NotPassed { story, why });
    };
    let signed_by = decisions::signed_by(journal);
    if signed_by.is_none() {
        // A correction always needs a signature, whatever the configuration lets go.
        if !auto || journal.opening.gates != Gates::Auto || !journal.opening.corrections.is_empty() {
            return Err(NotReleased::Unsigned { story });
        }
        if listed.is_flagged() {
            return Err(NotReleased::Flagged { story });
        }
    }
    let (corrections, disclosure) = (&journal.opening.corrections, journal.opening.disclosure);
    Ok(Release { article: &draft.article, signed_by, corrections, disclosure })
}

/// Whether an embargo is still in force. A time that cannot be read is none that has passed.
#[must_use]
pub fn is_embargoed(until: &str, now: Timestamp) -> bool {
    until.parse::<Timestamp>().map_or(true, |until| now < until)
}

impl NotReleased {
    /// The refusal of a story under embargo.
    #[must_use]
    pub fn embargoed(story: &str, until: &str) -> Self {
        let until = local_minute(until);
        Self::Embargoed { story: story.to_owned(), until }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, opening, verdict};
    use copydesk_newsroom::{Choice, Decision, GateOutcome, Outcome, Publication, Specialist, Status, Step};

    fn listed() -> ListedRun {
        ListedRun { state: RunState::Succeeded, ..ListedRun::example("desk/park", "The park", "success") }
    }

    /// A story that passed its first round.
    fn passed() -> Journal {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(verdict(1, Status::Keep, None)));
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Passed));
        journal
    }

    fn ended(mut journal: Journal) -> Journal {
        let publication = Publication { generated_at: "2026-10-06T12:00:09.000Z".into(), success: true, flags: vec![] };
        add(&mut journal, Step::Publish, Outcome::Publication(publication));
        journal
    }

    fn signed(mut journal: Journal) -> Journal {
        let choice = Choice::SignOff { chain: String::new() };
        let decision = Decision { by: "Ada".into(), choice };
        add(&mut journal, Step::Decide { round: 1, number: 1 }, Outcome::Decision(decision));
        ended(journal)
    }

    #[test]
    fn a_signed_version_may_go_and_nothing_else_by_a_person() {
        let journal = signed(passed());
        let release = release(&journal, &listed(), false).unwrap();
        assert_eq!((release.signed_by, release.version().len()), (Some("Ada"), 64));
        let refused = |journal: &Journal, listed: &ListedRun, auto| super::release(journal, listed, auto).unwrap_err();
        let story = || "desk/park".to_owned();
        let replaced = ListedRun { current: false, ..listed() };
        assert_eq!(refused(&journal, &replaced, true), NotReleased::Replaced { story: story() });
        assert_eq!(refused(&passed(), &listed(), true), NotReleased::NotEnded { story: story() });
        let reopened = ListedRun { state: RunState::Open, ..listed() };
        assert_eq!(refused(&journal, &reopened, true), NotReleased::NotEnded { story: story() });
        assert_eq!(refused(&ended(passed()), &listed(), false), NotReleased::Unsigned { story: story() });
        let nothing = Journal::new(opening());
        assert!(matches!(refused(&ended(nothing), &listed(), true), NotReleased::NotPassed { .. }));
    }

    #[test]
    fn an_unsigned_story_goes_only_if_the_configuration_lets_it_and_no_editor_was_asked_for() {
        let mut journal = ended(passed());
        journal.opening.gates = Gates::Auto;
        assert_eq!(release(&journal, &listed(), true).unwrap().signed_by, None);
        let flagged = ListedRun { flags: vec!["a topic".into()], ..listed() };
        assert!(matches!(release(&journal, &flagged, true), Err(NotReleased::Flagged { .. })));
        let settled = ListedRun { settled_by: Some("Ada".into()), ..flagged };
        assert!(release(&journal, &settled, true).is_ok());
        journal.opening.gates = Gates::Editor;
        assert!(matches!(release(&journal, &listed(), true), Err(NotReleased::Unsigned { .. })));
    }

    #[test]
    fn an_embargo_ends_with_its_minute() {
        let now = |at: &str| at.parse().unwrap();
        let until = "2026-10-07T16:00:00.000Z";
        assert!(is_embargoed(until, now("2026-10-07T15:59:59Z")) && !is_embargoed(until, now("2026-10-07T16:00:00Z")));
        assert!(is_embargoed("some day", now("2026-10-07T15:59:59Z")));
    }
}
