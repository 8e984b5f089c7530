//! The imprint of an exported article: its origin, and how far it has come.

use url::form_urlencoded;

use super::reader_sources::{ReaderSource, plain, reader_sources};
use crate::editorial::{
    corrections::{self, PrintedCorrection},
    decisions,
    extract::Extract,
    report,
};
use copydesk_newsroom::{ArticleResponse, CitationStyle, Disclosure, Journal, Step, StoryWithdrawal, utc_minute};

/// The facts that stand below an exported article.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imprint {
    /// Its name for other systems: the same for every version of the story.
    pub uri: String,
    pub channel: String,
    /// How far the article has come, in a sentence.
    pub standing: String,
    /// When the run of its first version was opened: ISO 8601, UTC.
    pub opened_at: String,
    /// When its first version was finished, if this is a later one: ISO 8601, UTC.
    pub first_finished_at: Option<String>,
    /// The version's number, from 1. [`Edition`] has it; a journal alone does not know the other versions.
    pub number: u32,
    /// Whether it is the notice that takes the article back.
    pub withdrawn: bool,
    /// The corrections that it makes, oldest first.
    pub corrections: Vec<PrintedCorrection>,
    /// When it was finished: ISO 8601, UTC; none before.
    pub finished_at: Option<String>,
    /// Who signed it off.
    pub signed_by: Option<String>,
    /// Every source that the story rests on, its own first.
    pub sources: Vec<ReaderSource>,
    /// The kind of its author, a term of IPTC's list of digital source types.
    pub digital_source: &'static str,
    /// The time before which it may not be published: ISO 8601, UTC.
    pub embargo: Option<String>,
    /// The line about artificial intelligence for its readers; none if the newsroom discloses nothing.
    pub disclosure: Option<String>,
    /// The article's language, as BCP 47 has it.
    pub language: String,
}

impl Imprint {
    /// Of the article as it stands ([`report::standing_draft`]). The pipeline writes English.
    pub fn of(journal: &Journal) -> Self {
        Self::of_round(journal, report::shown_round(journal, journal.latest_draft()))
    }

    /// Of the draft of a round.
    pub fn of_round(journal: &Journal, round: u32) -> Self {
        let source = &journal.opening.topic.source_metadata;
        let open = report::open_concerns(journal, round).len();
        let standing = match (decisions::signed_by(journal), report::succeeded(journal)) {
            (Some(editor), _) => format!("Signed off by {editor}."),
            (None, true) => format!("Passed its review in round {round}; not signed off."),
            (None, false) if journal.concerns(round).is_none() => format!("Draft of round {round}, not reviewed."),
            (None, false) if open == 1 => format!("Draft of round {round}, not passed: 1 concern is open."),
            (None, false) => format!("Draft of round {round}, not passed: {open} concerns are open."),
        };
        let standing = match Extract::of(journal, round) {
            Some(extract) => format!("{standing} {}", extract.line()),
            None => standing,
        };
        let first = journal.opening.corrections.first().map(|correction| &correction.corrects);
        let encoded = |name: &str| form_urlencoded::byte_serialize(name.as_bytes()).collect::<String>();
        Self {
            uri: format!(
                "urn:x-copydesk:{}:{}",
                encoded(&source.channel_name.to_string()),
                encoded(&source.topic_slug.to_string())
            ),
            channel: source.channel_name.to_string(),
            standing,
            opened_at: first.map_or(&journal.opening.opened_at, |first| &first.opened_at).clone(),
            first_finished_at: first.map(|first| first.at.clone()),
            number: 1,
            corrections: corrections::printed(journal),
            signed_by: decisions::signed_by(journal).map(str::to_owned),
            sources: reader_sources(journal),
            digital_source: digital_source(journal, round),
            finished_at: journal.publication().map(|publication| publication.generated_at.clone()),
            disclosure: disclosure_line(journal.opening.settings.disclosure, decisions::signed_by(journal)),
            language: "en".to_owned(),
            ..Self::default()
        }
    }
}

/// The facts of a version that the journal does not know; the files say them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edition<'a> {
    /// The version's number among those of its story, from 1.
    pub number: u32,
    /// The time before which it may not be published, if that is still to come.
    pub embargo: Option<&'a str>,
    /// How this file names its sources; none if the story's own setting decides.
    pub citations: Option<CitationStyle>,
}

impl Edition<'_> {
    /// The imprint of the run's article in this edition.
    pub fn imprint(self, journal: &Journal) -> Imprint {
        Imprint { embargo: self.embargo.map(str::to_owned), number: self.number, ..Imprint::of(journal) }
    }
}

/// The IPTC source type of a round's draft: written by a model, by rules, by a person, or by several of them.
fn digital_source(journal: &Journal, round: u32) -> &'static str {
    let given = journal.opening.given_draft.is_some();
    let revised = (1..round).any(|before| journal.outcome(Step::Revise { round: before }).is_some());
    let by_hand = given || (1..=round).any(|round| decisions::is_by_hand(journal, round));
    match (given && !revised, by_hand, journal.opening.by_rules) {
        (true, ..) => "digitalCreation",
        (false, false, true) => "algorithmicMedia",
        (false, false, false) => "trainedAlgorithmicMedia",
        (false, true, true) => "composite",
        (false, true, false) => "compositeWithTrainedAlgorithmicMedia",
    }
}

#[cfg(test)]
pub(super) fn imprint() -> Imprint {
    Imprint {
        uri: "urn:x-copydesk:desk:minutes".into(),
        channel: "desk".into(),
        standing: "Signed off by A. Editor.".into(),
        opened_at: "2026-10-06T11:00:00.000Z".into(),
        first_finished_at: None,
        number: 1,
        withdrawn: false,
        corrections: Vec::new(),
        finished_at: Some("2026-10-06T12:00:09.000Z".into()),
        signed_by: Some("A. Editor".into()),
        sources: vec![
            ReaderSource {
                name: "Minutes <1>".into(),
                title: "Minutes <1>".into(),
                published: Some("6 October".into()),
                ..ReaderSource::default()
            },
            ReaderSource { name: "</script><b>".into(), title: "</script><b>".into(), ..ReaderSource::default() },
        ],
        digital_source: "trainedAlgorithmicMedia",
        embargo: None,
        disclosure: None,
        language: "en".into(),
    }
}

/// As [`imprint`], of a version that corrects the first one.
#[cfg(test)]
pub(super) fn corrected() -> Imprint {
    let at = Some("2026-10-07T09:00:00.000Z".to_owned());
    Imprint {
        first_finished_at: imprint().finished_at,
        finished_at: at.clone(),
        number: 2,
        corrections: vec![PrintedCorrection { note: "It was <b>4</b>, not *5*.".into(), at }],
        ..imprint()
    }
}

/// The line that a reader sees; none if the newsroom discloses nothing. `signed_by`: the person who approved exactly this text.
pub fn disclosure_line(disclosure: Disclosure, signed_by: Option<&str>) -> Option<String> {
    let made = match disclosure {
        Disclosure::None => return None,
        Disclosure::AiAssisted => "This article was made with the help of artificial intelligence (AI).",
        Disclosure::AiGenerated => "This article was written by artificial intelligence (AI).",
    };
    Some(match signed_by {
        Some(editor) => format!("{made} {editor} approved it for publication."),
        None => format!("{made} Nobody has approved it for publication yet."),
    })
}

/// The notice that stands on an article under embargo.
pub fn embargo_line(until: &str) -> String {
    format!("EMBARGOED UNTIL {}", utc_minute(until))
}

/// A body in Markdown with the corrections as its first paragraphs.
pub(super) fn with_corrections(body: &str, corrections: &[PrintedCorrection]) -> String {
    let paragraph =
        |correction: &PrintedCorrection| format!("**{}:** {}\n\n", correction.label(), plain(&correction.note));
    corrections.iter().map(paragraph).chain([body.to_owned()]).collect()
}

/// The notice as an article of its own, about the version of that edition. None if there is no article to take back.
pub fn notice(
    journal: &Journal,
    withdrawal: &StoryWithdrawal,
    edition: Edition<'_>,
) -> Option<(ArticleResponse, Imprint)> {
    let headline = report::standing_draft(journal)?.article.headline.trim();
    let line = withdrawn_line(withdrawal);
    let article = ArticleResponse {
        headline: format!("Withdrawn: {headline}"),
        alternativeHeadline: "Notice of withdrawal".to_owned(),
        description: format!("{line}."),
        articleBody: format!(
            "Do not publish this article. Take it down where it was published.\n\nReason: {}\n",
            plain(&withdrawal.reason)
        ),
    };
    let imprint = edition.imprint(journal);
    let imprint = Imprint {
        standing: format!("{line} by {}.", withdrawal.by),
        // A database from before notices were numbered has no number for it.
        number: withdrawal.number.max(edition.number.saturating_add(1)),
        first_finished_at: imprint.first_finished_at.or(imprint.finished_at),
        finished_at: Some(withdrawal.at.clone()),
        corrections: Vec::new(),
        // A person wrote the notice.
        disclosure: None,
        digital_source: "digitalCreation",
        withdrawn: true,
        ..imprint
    };
    Some((article, imprint))
}

/// The line that says that an article was withdrawn, and on what day.
pub fn withdrawn_line(withdrawal: &StoryWithdrawal) -> String {
    format!("This article was withdrawn on {}", withdrawal.at.chars().take(10).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, add_round, article, opening, verdict};
    use copydesk_newsroom::{Choice, Decision, GateOutcome, Outcome, Publication, Specialist, Status};

    #[test]
    fn the_imprint_says_how_far_the_article_has_come() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        assert_eq!(Imprint::of(&journal).standing, "Draft of round 1, not passed: 1 concern is open.");
        let mut revised = journal.clone();
        add(&mut revised, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
        add(&mut revised, Step::Revise { round: 1 }, Outcome::Draft(journal.draft(1).unwrap().clone()));
        assert_eq!(Imprint::of(&revised).standing, "Draft of round 2, not reviewed.", "not the best so far");
        assert_eq!(Imprint::of_round(&revised, 1).standing, "Draft of round 1, not passed: 1 concern is open.");
        add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(verdict(1, Status::Keep, None)));
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Passed));
        assert_eq!(Imprint::of(&journal).standing, "Passed its review in round 1; not signed off.");
        let choice = Choice::SignOff { chain: String::new(), as_notes: false };
        let decision = Decision { by: "A. Editor".into(), choice };
        add(&mut journal, Step::Decide { round: 1, number: 1 }, Outcome::Decision(decision));
        let publication = Publication { generated_at: "2026-10-06T12:00:09.000Z".into(), success: true, flags: vec![] };
        add(&mut journal, Step::Publish, Outcome::Publication(publication));
        let imprint = Imprint::of(&journal);
        assert_eq!(
            (imprint.standing.as_str(), imprint.finished_at.as_deref()),
            ("Signed off by A. Editor.", Some("2026-10-06T12:00:09.000Z"))
        );
    }

    #[test]
    fn it_says_what_wrote_the_article() {
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        assert_eq!(digital_source(&journal, 1), "trainedAlgorithmicMedia");
        journal.opening.by_rules = true;
        assert_eq!(digital_source(&journal, 1), "algorithmicMedia");
        journal.opening.given_draft = Some(article("x"));
        assert_eq!(digital_source(&journal, 1), "digitalCreation");
        add(&mut journal, Step::Gate { round: 1 }, Outcome::Gate(GateOutcome::Revise));
        let draft = journal.draft(1).unwrap().clone();
        add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
        assert_eq!(digital_source(&journal, 2), "composite");
        journal.opening.by_rules = false;
        assert_eq!(digital_source(&journal, 2), "compositeWithTrainedAlgorithmicMedia");
    }
}

#[cfg(test)]
mod disclosure_tests {
    use super::*;

    #[test]
    fn a_line_says_what_made_the_article_and_who_approved_it() {
        assert_eq!(disclosure_line(Disclosure::None, Some("Ada")), None);
        assert_eq!(
            disclosure_line(Disclosure::AiAssisted, Some("Ada")).unwrap(),
            "This article was made with the help of artificial intelligence (AI). Ada approved it for publication."
        );
        assert_eq!(
            disclosure_line(Disclosure::AiGenerated, None).unwrap(),
            "This article was written by artificial intelligence (AI). Nobody has approved it for publication yet."
        );
    }

    #[test]
    fn the_words_of_the_configuration_are_the_stored_ones() {
        for disclosure in Disclosure::ALL {
            assert_eq!(serde_json::to_value(disclosure).unwrap(), disclosure.name());
            assert_eq!(disclosure.is_none(), disclosure == Disclosure::None);
        }
    }
}

#[cfg(test)]
mod corrected_tests {
    use super::*;
    use crate::editorial::{export::html, page_frame::escaped};

    #[test]
    fn a_note_is_words_whatever_marks_it_has() {
        for note in [
            "It was *4*, not `5`; see [the minutes](javascript:x) or <b>here</b>.",
            "1. # - + > | ~~x~~ ![y](z) &amp; https://a.example \\ [^1] \"so\"",
            "- no list",
        ] {
            let correction = PrintedCorrection { note: note.into(), at: None };
            let body = with_corrections("Text.", &[correction]);
            let escaped = escaped(note).replace("&#39;", "'").replace("&quot;", "\"");
            assert_eq!(html::body(&body), format!("<p><strong>Correction:</strong> {escaped}</p>\n<p>Text.</p>\n"));
        }
        assert_eq!(with_corrections("Text.", &[]), "Text.");
    }
}
