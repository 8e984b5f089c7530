//! Corrections: the step at which a signed version is taken up again, the words about it, and how far the new text differs.

use crate::editorial::{
    choices::{Refused, state},
    decisions, report,
    version::version_of,
};
use copydesk_newsroom::{ArticleResponse, Choice, CorrectedVersion, Correction, Journal, Outcome, Step, local_minute};
use copydesk_text::{count, diff, sanitise};

/// Most characters of a note: a paragraph.
const LONGEST_NOTE: usize = 2_000;

/// The step at which an ended run is taken up to correct it: its sign-off, so that everything before it stands. `sent`: the version went to
/// a target, which a story of `run --auto` may do without a signature.
///
/// # Errors
/// [`Refused::NotNow`] if nobody signed it off, and it went nowhere.
pub fn taken_up_at(journal: &Journal, sent: bool) -> Result<Step, Refused> {
    let refused = || match journal.publication() {
        Some(publication) if publication.success => unsigned("is not signed off".to_owned()),
        Some(_) => unsigned("has failed, so there is no version of it to correct".to_owned()),
        None => unsigned(state(journal)),
    };
    journal.publication().filter(|publication| publication.success).ok_or_else(refused)?;
    if decisions::signed_by(journal).is_none() {
        return if sent { Ok(Step::Publish) } else { Err(refused()) };
    }
    let signs = |outcome: &Outcome| matches!(outcome, Outcome::Decision(decision) if matches!(decision.choice, Choice::SignOff { .. }));
    let sign_off = journal.entries().iter().rev().find(|entry| signs(&entry.outcome));
    sign_off.map(|entry| entry.step).ok_or_else(refused)
}

fn unsigned(now: String) -> Refused {
    Refused::NotNow { what: "A correction", when: "once a story is signed off", now }
}

/// The correction of the version with which a run ended. `number`: that of the version among those of its story.
///
/// # Errors
/// [`Refused::Text`] if the note says nothing or too much; [`Refused::NotNow`] if the run has no such version.
pub fn correction(journal: &Journal, note: &str, by: &str, at: &str, number: u32) -> Result<Correction, Refused> {
    let note = sanitise::one_line(note);
    if sanitise::is_blank(&note) {
        return Err(Refused::Text("a correction needs a note that tells readers what was wrong (--note)"));
    }
    if note.chars().count() > LONGEST_NOTE {
        return Err(Refused::Text("the note of a correction has at most 2,000 characters"));
    }
    let ended = journal.publication().zip(report::kept_draft(journal));
    let (publication, draft) = ended.ok_or_else(|| unsigned(state(journal)))?;
    let corrects = CorrectedVersion {
        run: journal.opening.run_id.clone(),
        number,
        article: version_of(&draft.article),
        signed_by: decisions::signed_by(journal).map(str::to_owned),
        opened_at: journal.opening.opened_at.clone(),
        at: publication.generated_at.clone(),
    };
    Ok(Correction { note, by: by.to_owned(), at: at.to_owned(), corrects })
}

/// A correction as readers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedCorrection {
    pub note: String,
    /// When the corrected version was finished: ISO 8601, UTC; none before.
    pub at: Option<String>,
}

impl PrintedCorrection {
    /// The label before the note: `Correction, 2026-10-07`.
    pub fn label(&self) -> String {
        let day =
            self.at.as_ref().map_or_else(String::new, |at| format!(", {}", at.chars().take(10).collect::<String>()));
        format!("Correction{day}")
    }

    /// Label and note.
    pub fn line(&self) -> String {
        format!("{}: {}", self.label(), self.note)
    }
}

/// The corrections that stand on the article of a run, oldest first.
pub fn printed(journal: &Journal) -> Vec<PrintedCorrection> {
    let corrections = &journal.opening.corrections;
    // Each correction was finished as the version that the next one corrects.
    let finished = corrections.iter().skip(1).map(|next| Some(next.corrects.at.clone()));
    let last = journal.publication().map(|publication| publication.generated_at.clone());
    let dates = finished.chain([last]);
    corrections
        .iter()
        .zip(dates)
        .map(|(correction, at)| PrintedCorrection { note: correction.note.clone(), at })
        .collect()
}

/// The article that a run corrects; none if it corrects none, or was taken up before that article was written.
pub fn corrected(journal: &Journal) -> Option<&ArticleResponse> {
    let wanted = &journal.opening.corrections.last()?.corrects.article;
    let mut rounds = (1..=journal.latest_draft()).rev();
    rounds.find_map(|round| {
        journal.draft(round).map(|draft| &draft.article).filter(|article| version_of(article) == *wanted)
    })
}

/// A correcting run in sentences for its editor: the version that it corrects, and how much it changes. Empty if it corrects nothing.
pub fn in_sentences(journal: &Journal) -> Vec<String> {
    let Some(Correction { note, corrects, .. }) = journal.opening.corrections.last() else { return Vec::new() };
    let signed = corrects.signed_by.as_ref().map_or_else(
        || "went out without a signature".to_owned(),
        |editor| format!("{} signed off", sanitise::one_line(editor)),
    );
    let which =
        format!("Correction of version {}, which {signed} ({}): {note}", corrects.number, local_minute(&corrects.at));
    let changed = match changed_since(journal) {
        None => "The text is written anew since that version. Compare them before you sign.".to_owned(),
        Some(0) => "The text is the same as in that version: only the note is new.".to_owned(),
        Some(several) => format!("It changes {} of that version.", count(several, "paragraph")),
    };
    vec![which, changed]
}

/// How many paragraphs a correcting run changes of the version that it corrects. None if it corrects none, or the text is written anew.
pub fn changed_since(journal: &Journal) -> Option<usize> {
    let now = report::standing_draft(journal).map(|draft| &draft.article)?;
    let fields = corrected(journal)?.fields().into_iter().zip(now.fields());
    Some(fields.map(|((_, before), (_, now))| diff::changed_paragraphs(before, now).len()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        testing::{add, article, opening},
        testing::{at_gate, decide, go_on},
    };
    use copydesk_newsroom::{Draft, Publication};

    fn signed() -> Journal {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
        go_on(&mut journal);
        decide(&mut journal, 1, Choice::SignOff { chain: String::new(), as_notes: false });
        go_on(&mut journal);
        journal
    }

    /// The run that corrects `before`, at its sign-off.
    fn correcting(before: &Journal, note: &str, number: u32) -> Journal {
        let at = taken_up_at(before, false).unwrap();
        let mut opening = before.opening.clone();
        opening.corrections.push(correction(before, note, "Ada", "2026-10-08T12:00:00.000Z", number).unwrap());
        let mut journal = Journal::new(opening);
        for entry in before.entries().iter().take_while(|entry| entry.step != at) {
            journal.push(entry.clone());
        }
        journal
    }

    #[test]
    fn a_signed_version_is_taken_up_at_its_sign_off_and_nothing_else_is() {
        let journal = signed();
        let correcting = correcting(&journal, "It was 4.", 1);
        assert!(matches!(decisions::waits(&correcting), Some(copydesk_newsroom::Wait::SignOff { round: 1 })));
        for (journal, says) in [
            (at_gate(), "waits for your decision, round 1"),
            (correcting, "waits for sign-off"),
            (
                {
                    let mut spiked = at_gate();
                    decide(&mut spiked, 1, Choice::Spike { reason: "x".into() });
                    go_on(&mut spiked);
                    spiked
                },
                "has failed",
            ),
        ] {
            let refused = taken_up_at(&journal, true).unwrap_err().to_string();
            assert!(refused.contains(says), "{refused}");
        }
        let mut unsigned = at_gate();
        decide(&mut unsigned, 1, Choice::Stet { reason: "It is right.".into() });
        go_on(&mut unsigned);
        let publication = Publication { generated_at: "2026-10-07T12:00:00.000Z".into(), success: true, flags: vec![] };
        add(&mut unsigned, Step::Publish, Outcome::Publication(publication));
        assert!(taken_up_at(&unsigned, false).unwrap_err().to_string().contains("is not signed off"));
        assert_eq!(taken_up_at(&unsigned, true), Ok(Step::Publish), "it went out by configuration");
    }

    #[test]
    fn each_correction_has_the_day_on_which_its_version_was_finished() {
        let first = signed();
        assert_eq!((printed(&first), in_sentences(&first)), (vec![], vec![]));
        let mut second = correcting(&first, "  It was\n4. ", 1);
        let note = |note: &str, at: Option<&str>| PrintedCorrection { note: note.into(), at: at.map(str::to_owned) };
        assert_eq!(printed(&second), [note("It was 4.", None)]);
        assert_eq!(printed(&second)[0].line(), "Correction: It was 4.");
        assert_eq!(
            in_sentences(&second)[1],
            "The text is the same as in that version: only the note is new.",
            "nothing is edited yet"
        );
        decide(&mut second, 1, Choice::SignOff { chain: String::new(), as_notes: false });
        go_on(&mut second);
        let finished = second.publication().unwrap().generated_at.clone();
        assert_eq!(printed(&second), [note("It was 4.", Some(&finished))]);
        let third = correcting(&second, "It was 5.", 3);
        assert_eq!(printed(&third), [note("It was 4.", Some(&finished)), note("It was 5.", None)]);
        assert!(in_sentences(&third)[0].starts_with("Correction of version 3, which "), "{:?}", in_sentences(&third));
        let dated = note("It was 4.", Some("2026-10-07T12:00:00.000Z"));
        assert_eq!(dated.line(), "Correction, 2026-10-07: It was 4.");
    }

    #[test]
    fn how_much_a_correction_changes_is_counted_in_paragraphs() {
        let before = signed();
        let mut journal = correcting(&before, "It was 4.", 1);
        let text = &corrected(&journal).unwrap().articleBody;
        let edited = article(&format!("{text}\n\nOne more."));
        let draft = Draft { article: edited, stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
        assert_eq!(in_sentences(&journal)[1], "It changes 1 paragraph of that version.");
        let mut anew = Journal::new(journal.opening.clone());
        assert!(in_sentences(&anew)[1].contains("written anew"));
        anew.opening = opening();
        assert_eq!(in_sentences(&anew), Vec::<String>::new());
    }

    #[test]
    fn a_note_says_something_and_not_too_much() {
        let journal = signed();
        for odd in ["", " \u{200b}\n ", &"x".repeat(2_001)] {
            assert!(matches!(correction(&journal, odd, "Ada", "now", 1), Err(Refused::Text(_))), "{odd:?}");
        }
        let hostile = correction(&journal, "It\u{1b}[2J was\u{202e} 4\r\nBcc: x", "Ada", "now", 1).unwrap();
        assert_eq!(hostile.note, "It was 4 Bcc: x");
        assert!(correction(&at_gate(), "x", "Ada", "now", 1).is_err());
    }
}
