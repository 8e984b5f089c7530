//! Which version of a story is taken back, and who is told.

use copydesk_newsroom::{ListedRun, RunState, StoryDelivery, TargetKind, local_minute};
use copydesk_text::sanitise;

/// Most characters of a reason: a paragraph.
const LONGEST_REASON: usize = 2_000;

/// Why nothing was withdrawn, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotWithdrawn {
    #[error(
        "{story}: nothing of it was signed off or sent, so there is nothing to withdraw. `copydesk decide {story} spike --reason ...` \
         gives it up"
    )]
    NeverOut { story: String },
    #[error(
        "{story} was withdrawn on {at} by {by}. `copydesk publish {story}` sends the notice where it was not sent yet"
    )]
    Already { story: String, at: String, by: String },
    #[error("the reason says nothing: it stands in the notice, so say why the article is withdrawn (--reason)")]
    NoReason,
    #[error("the reason has more than 2,000 characters")]
    TooLong,
}

/// The run whose version is withdrawn, by its place among the runs of the story, the latest first: the last that was signed off, or sent.
///
/// # Errors
/// [`NotWithdrawn`] if there is none, or it has been withdrawn.
pub fn withdrawn_run(story: &str, runs: &[ListedRun], sent: &[&str]) -> Result<usize, NotWithdrawn> {
    let was_out = |run: &ListedRun| {
        run.state == RunState::Succeeded && (run.signed_by.is_some() || sent.contains(&run.run.as_str()))
    };
    let story = || story.to_owned();
    let place = runs.iter().position(was_out).ok_or_else(|| NotWithdrawn::NeverOut { story: story() })?;
    match runs.get(place).and_then(|run| run.withdrawn.as_ref()) {
        None => Ok(place),
        Some(known) => Err(NotWithdrawn::Already { story: story(), at: local_minute(&known.at), by: known.by.clone() }),
    }
}

/// The reason as it stands in the notice.
///
/// # Errors
/// [`NotWithdrawn`] if it says nothing, or too much.
pub fn reason(text: &str) -> Result<String, NotWithdrawn> {
    let reason = sanitise::one_line(text);
    if sanitise::is_blank(&reason) {
        return Err(NotWithdrawn::NoReason);
    }
    if reason.chars().count() > LONGEST_REASON { Err(NotWithdrawn::TooLong) } else { Ok(reason) }
}

/// The run whose notice is due, by its place among the runs of the story, the latest first: one that was withdrawn, if no later version has
/// taken its place.
#[must_use]
pub fn notice_due(runs: &[ListedRun]) -> Option<usize> {
    let place = runs.iter().position(|run| run.withdrawn.is_some())?;
    let later = |run: &ListedRun| run.state == RunState::Succeeded && run.signed_by.is_some();
    let replaced = runs.iter().take(place).any(later);
    (!replaced).then_some(place)
}

/// A target that has a version of a story, or may have one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub target: String,
    pub kind: TargetKind,
    pub place: String,
}

/// The targets that have a version of the story, or may have one, each once.
pub fn holders<'d>(deliveries: impl Iterator<Item = &'d StoryDelivery>) -> Vec<Holder> {
    let mut holders: Vec<Holder> = Vec::new();
    for delivery in deliveries.filter(|delivery| delivery.may_be_there()) {
        if !holders.iter().any(|holder| holder.target == delivery.target) {
            let StoryDelivery { target, kind, place, .. } = delivery.clone();
            holders.push(Holder { target, kind, place });
        }
    }
    holders
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::{DeliveryState, StoryWithdrawal};

    fn run(name: &str, state: &str, signed: bool, withdrawn: bool) -> ListedRun {
        let withdrawal = StoryWithdrawal { at: "t".into(), by: "Ada".into(), reason: "x".into(), number: 2 };
        ListedRun {
            run: name.into(),
            signed_by: signed.then(|| "Ada".into()),
            withdrawn: withdrawn.then_some(withdrawal),
            ..ListedRun::example("desk/park", "The park", state)
        }
    }

    #[test]
    fn the_last_version_that_was_out_is_withdrawn_once() {
        let open = || run("R3", "open", false, false);
        let failed = || run("R2", "failed", false, false);
        let signed = || run("R1", "success", true, false);
        assert_eq!(withdrawn_run("desk/park", &[open(), failed(), signed()], &[]), Ok(2));
        let unsigned = || run("R1", "success", false, false);
        assert!(matches!(withdrawn_run("desk/park", &[unsigned()], &["R2"]), Err(NotWithdrawn::NeverOut { .. })));
        assert_eq!(withdrawn_run("desk/park", &[unsigned()], &["R1"]), Ok(0), "it went out by configuration");
        let killed = || run("R1", "success", true, true);
        let again = withdrawn_run("desk/park", &[open(), killed()], &[]);
        assert!(matches!(again, Err(NotWithdrawn::Already { .. })));
        let next = run("R4", "success", true, false);
        assert_eq!(withdrawn_run("desk/park", &[next.clone(), killed()], &[]), Ok(0));
        assert_eq!(notice_due(&[signed()]), None);
        assert_eq!(notice_due(&[open(), failed(), killed()]), Some(2), "whatever is under way");
        assert_eq!(notice_due(&[next, killed()]), None, "a later version has taken its place");
    }

    #[test]
    fn a_reason_says_something_in_a_line() {
        assert_eq!(reason(" It was\nforged\u{1b}[2J. ").as_deref(), Ok("It was forged."));
        assert_eq!(reason(" \u{200b}\n"), Err(NotWithdrawn::NoReason));
        assert_eq!(reason(&"x".repeat(2_001)), Err(NotWithdrawn::TooLong));
    }

    #[test]
    fn who_may_have_it_is_told_and_who_surely_has_not_is_not() {
        let delivery = |target: &str, state| StoryDelivery {
            key: "k".into(),
            target: target.into(),
            kind: TargetKind::Webhook,
            place: "p".into(),
            version: "v".into(),
            digest: None,
            state,
            attempts: 1,
            answer: None,
            by: "Ada".into(),
        };
        let all = [
            delivery("wire", DeliveryState::Sent),
            delivery("wire", DeliveryState::Failed),
            delivery("site", DeliveryState::Failed),
            delivery("cms", DeliveryState::Unknown),
            delivery("fax", DeliveryState::Sending),
            delivery("list", DeliveryState::Waiting),
        ];
        let names: Vec<String> = holders(all.iter()).into_iter().map(|holder| holder.target).collect();
        assert_eq!(names, ["wire", "cms", "fax"]);
    }
}
