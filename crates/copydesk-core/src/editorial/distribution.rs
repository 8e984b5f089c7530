//! The versions that may leave the house, their keys, and their words. The sender, and whether it arrived, is not known here.

use jiff::Timestamp;

use super::{
    corrections::PrintedCorrection,
    decisions,
    export::{ExportFormat, Imprint, embargo_line, to_markdown},
    report,
    version::{digest, version_of},
};
use copydesk_newsroom::{
    ArticleResponse, CitationStyle, DeliveryState, Gates, Journal, ListedRun, Opening, RunSettings, RunState,
    StoryDelivery, StoryKey, local_minute,
};
use copydesk_text::sanitise;

/// Hex digits of a key: 128 bits.
const KEY_LENGTH: usize = 32;

/// The version of an article that goes out: its own, or if it has corrections or a disclosure, a digest of all of these. So the story goes
/// out again also if only these have changed.
pub fn sent_version(opening: &Opening, article: &ArticleResponse) -> String {
    let Opening { corrections, settings: RunSettings { disclosure, citations, .. }, .. } = opening;
    let article = version_of(article);
    let notes = corrections.iter().map(|correction| correction.note.as_str());
    let corrected =
        if corrections.is_empty() { article } else { digest([&*article, "corrected"].into_iter().chain(notes)) };
    let told = if disclosure.is_none() {
        corrected
    } else {
        digest([&*corrected, "discloses", disclosure.name()].into_iter())
    };
    if *citations == CitationStyle::None { told } else { digest([&*told, "cites", citations.name()].into_iter()) }
}

/// The version of the notice that takes the version of a run back: there is one for each run.
pub fn notice_version(run: &str) -> String {
    digest(["withdrawn", run].into_iter())
}

/// The key of a delivery: the same for the same story, version and target, whatever the sender and the run.
pub fn idempotency_key(story: &StoryKey, version: &str, target: &str) -> String {
    digest([story.folded().as_str(), version, target].into_iter()).chars().take(KEY_LENGTH).collect()
}

/// The name that a mail has for its receivers (RFC 5322), so that a mail that was sent twice can be told.
pub fn message_id(key: &str, from: &str) -> String {
    let domain = from.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
    format!("<{key}.copydesk@{domain}>")
}

/// The name of the story's file, such as `desk-park.html`.
pub fn file_name(story: &StoryKey, format: ExportFormat) -> String {
    format!("{}-{}.{}", story.channel, story.slug, format.ending())
}

/// Most characters of a subject: what mail programs show of one.
const LONGEST_SUBJECT: usize = 150;

/// Subject and text. Neither has a control character or one that reorders a line, and the subject is one line: a headline can neither end
/// a header nor begin another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailText {
    pub subject: String,
    pub text: String,
}

/// The mail that carries an article: an embargo that is still in force and a correction stand first.
pub fn mail_text(article: &ArticleResponse, imprint: &Imprint) -> MailText {
    let embargo = imprint.embargo.as_deref().map(embargo_line);
    let headline = sanitise::one_line(&article.headline);
    let corrects = (!imprint.corrections.is_empty()).then_some("Correction");
    let subject: Vec<&str> = [embargo.as_deref(), corrects, Some(&headline)].into_iter().flatten().collect();
    let subject = subject.join(": ");
    let lines = embargo.iter().cloned().chain(imprint.corrections.iter().map(PrintedCorrection::line));
    let notices: String = lines.flat_map(|line| [line, "\n\n".to_owned()]).collect();
    let told = imprint.disclosure.as_deref().map_or_else(String::new, |line| format!("\n{line}\n"));
    let text = format!("{notices}{}{told}\n-- \n{}\n", to_markdown(article), imprint.standing);
    MailText { subject: sanitise::excerpt(&subject, LONGEST_SUBJECT), text: sanitise::clean(&text).into_owned() }
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

/// The run's article, if it may leave the house: an editor signed exactly this version, or the configuration lets stories of `run --auto`
/// go without (`auto`) that passed and have no open flag.
///
/// # Errors
/// [`NotReleased`] with the reason.
pub fn release<'j>(journal: &'j Journal, listed: &ListedRun, auto: bool) -> Result<&'j ArticleResponse, NotReleased> {
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
    if decisions::signed_by(journal).is_none() {
        // A correction always needs a signature, whatever the configuration lets go.
        if !auto || journal.opening.gates != Gates::Auto || !journal.opening.corrections.is_empty() {
            return Err(NotReleased::Unsigned { story });
        }
        if listed.is_flagged() {
            return Err(NotReleased::Flagged { story });
        }
    }
    Ok(&draft.article)
}

/// Whether an embargo is still in force. A time that cannot be read is none that has passed.
pub fn is_embargoed(until: &str, now: Timestamp) -> bool {
    until.parse::<Timestamp>().map_or(true, |until| now < until)
}

/// The result for a person who publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextSending {
    /// It is sent.
    Send,
    /// The target has it.
    Already,
    /// It is unknown whether the target has it: a person must say that it is to be sent again.
    Doubtful,
}

/// The next action for a delivery. `again`: a person says that it is to be sent whatever happened to it. The caller holds the story, so
/// that no other program is sending it: a delivery in the state of being sent was given up by a program that ended.
pub fn next_sending(known: Option<&StoryDelivery>, again: bool) -> NextSending {
    let Some(delivery) = known.filter(|_| !again) else { return NextSending::Send };
    match delivery.state {
        DeliveryState::Waiting | DeliveryState::Failed => NextSending::Send,
        DeliveryState::Sent => NextSending::Already,
        DeliveryState::Sending | DeliveryState::Unknown if delivery.kind.may_repeat() => NextSending::Send,
        DeliveryState::Sending | DeliveryState::Unknown => NextSending::Doubtful,
    }
}

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
pub fn notice_due(runs: &[ListedRun]) -> Option<usize> {
    let place = runs.iter().position(|run| run.withdrawn.is_some())?;
    let later = |run: &ListedRun| run.state == RunState::Succeeded && run.signed_by.is_some();
    let replaced = runs.iter().take(place).any(later);
    (!replaced).then_some(place)
}

/// A delivery to each target that has a version of the story, or may have one.
pub fn holders<'d>(deliveries: impl Iterator<Item = &'d StoryDelivery>) -> Vec<&'d StoryDelivery> {
    let mut holders: Vec<&StoryDelivery> = Vec::new();
    for delivery in deliveries.filter(|delivery| delivery.may_be_there()) {
        if !holders.iter().any(|holder| holder.target == delivery.target) {
            holders.push(delivery);
        }
    }
    holders
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{article, opening};
    use copydesk_newsroom::{Disclosure, PathName};

    fn story(slug: &str) -> StoryKey {
        StoryKey::new(PathName::new("desk").unwrap(), PathName::new(slug).unwrap())
    }

    #[test]
    fn what_readers_are_told_beside_the_text_is_part_of_the_version() {
        let text = article("Text.");
        let version = |disclosure| {
            let mut opening = opening();
            opening.settings.disclosure = disclosure;
            sent_version(&opening, &text)
        };
        assert_eq!(version(Disclosure::None), version_of(&text), "as it was before there were disclosures");
        let all = [version(Disclosure::None), version(Disclosure::AiAssisted), version(Disclosure::AiGenerated)];
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2], "{all:?}");
    }

    #[test]
    fn a_key_is_of_one_story_one_version_and_one_target() {
        let (version, other) = (version_of(&article("Text.")), version_of(&article("Text!")));
        let key = idempotency_key(&story("park"), &version, "wire");
        assert_eq!(key.len(), KEY_LENGTH);
        assert_eq!(key, idempotency_key(&story("PARK"), &version_of(&article("Text.")), "wire"), "whatever its case");
        for another in [
            idempotency_key(&story("mill"), &version, "wire"),
            idempotency_key(&story("park"), &other, "wire"),
            idempotency_key(&story("park"), &version, "wires"),
        ] {
            assert_ne!(key, another);
        }
        assert_eq!(message_id("ab", "desk@news.example"), "<ab.copydesk@news.example>");
        assert_eq!(file_name(&story("park"), ExportFormat::Ninjs), "desk-park.ninjs.json");
    }
}

#[cfg(test)]
mod email_tests {
    use super::*;
    use crate::editorial::testing::{add_round, article, opening};
    use copydesk_newsroom::{Journal, Specialist};

    fn imprint(embargo: Option<&str>, note: Option<&str>) -> Imprint {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let correction = |note: &str| PrintedCorrection { note: note.into(), at: None };
        Imprint {
            standing: "Signed off by A. Editor.".into(),
            embargo: embargo.map(str::to_owned),
            corrections: note.map(correction).into_iter().collect(),
            ..Imprint::of(&journal)
        }
    }

    #[test]
    fn no_headline_ends_a_header_or_turns_a_line_round() {
        let mut hostile = article("A text.\u{1b}[2J\u{202e}");
        hostile.headline =
            "Vote\r\nBcc: all@news.example\r\n\r\n<b>\u{202e}evil\u{2066}\u{0} \u{1b}]0;x\u{7}\u{85}\u{2028}end".into();
        let mail = mail_text(&hostile, &imprint(None, None));
        assert_eq!(mail.subject.lines().count(), 1);
        assert!(mail.subject.starts_with("Vote Bcc: all@news.example <b>evil"), "{:?}", mail.subject);
        for text in [&mail.subject, &mail.text] {
            let odd = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{2066}".contains(c);
            assert!(!text.contains(odd), "{text:?}");
        }
        hostile.headline = "word ".repeat(200);
        assert!(mail_text(&hostile, &imprint(None, None)).subject.chars().count() <= LONGEST_SUBJECT + 1);
    }

    #[test]
    fn a_mail_under_embargo_says_so_in_its_subject_and_first_line() {
        let mail = mail_text(&article("A text."), &imprint(Some("2026-10-07T16:00:00.000Z"), None));
        let line = "EMBARGOED UNTIL 2026-10-07 16:00 UTC";
        assert!(mail.subject.starts_with(&format!("{line}: ")) && mail.text.starts_with(&format!("{line}\n\n# ")));
        assert!(mail.text.ends_with("\n-- \nSigned off by A. Editor.\n"));
        let corrected = mail_text(&article("A text."), &imprint(None, Some("It was 4.")));
        assert_eq!(corrected.subject, "Correction: Headline");
        assert!(corrected.text.starts_with("Correction: It was 4.\n\n# "), "{}", corrected.text);
        let told = Imprint { disclosure: Some("Made by AI.".into()), ..imprint(None, None) };
        let mail = mail_text(&article("A text."), &told);
        assert!(mail.text.ends_with("\nMade by AI.\n\n-- \nSigned off by A. Editor.\n"));
    }
}

#[cfg(test)]
mod release_tests {
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
        let choice = Choice::SignOff { chain: String::new(), as_notes: false };
        let decision = Decision { by: "Ada".into(), choice };
        add(&mut journal, Step::Decide { round: 1, number: 1 }, Outcome::Decision(decision));
        ended(journal)
    }

    #[test]
    fn a_signed_version_may_go_and_nothing_else_by_a_person() {
        let journal = signed(passed());
        let article = release(&journal, &listed(), false).unwrap();
        assert_eq!(sent_version(&journal.opening, article).len(), 64);
        let refused = |journal: &Journal, listed: &ListedRun, auto| release(journal, listed, auto).unwrap_err();
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
        assert!(release(&journal, &listed(), true).is_ok());
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

#[cfg(test)]
mod sending_tests {
    use super::*;
    use copydesk_newsroom::TargetKind;

    #[test]
    fn what_may_have_arrived_is_sent_again_by_itself_only_where_that_does_no_harm() {
        use DeliveryState::{Failed, Sending, Sent, Unknown, Waiting};
        use NextSending::{Already, Doubtful, Send};
        let next = |kind, state, again| {
            let delivery = StoryDelivery {
                key: "k".into(),
                target: "t".into(),
                kind,
                place: "p".into(),
                version: "v".into(),
                digest: None,
                state,
                attempts: 1,
                answer: None,
                by: "Ada".into(),
            };
            next_sending(Some(&delivery), again)
        };
        assert_eq!(next_sending(None, false), Send);
        for kind in [TargetKind::Folder, TargetKind::Email, TargetKind::Webhook, TargetKind::Mcp, TargetKind::Bucket] {
            let doubt = if matches!(kind, TargetKind::Email | TargetKind::Mcp) { Doubtful } else { Send };
            for (state, wanted) in
                [(Waiting, Send), (Failed, Send), (Sent, Already), (Sending, doubt), (Unknown, doubt)]
            {
                assert_eq!(next(kind, state, false), wanted, "{kind:?} {state:?}");
                assert_eq!(next(kind, state, true), Send);
            }
        }
    }
}

#[cfg(test)]
mod withdrawing_tests {
    use super::*;
    use copydesk_newsroom::{DeliveryState, StoryWithdrawal, TargetKind};

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
        let names: Vec<&str> = holders(all.iter()).into_iter().map(|holder| holder.target.as_str()).collect();
        assert_eq!(names, ["wire", "cms", "fax"]);
    }
}
