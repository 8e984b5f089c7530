//! The notes that an editor should read before signing an article: the state of the run, open concerns, changes without a request, and
//! decisions. Made when the journal grows, never per frame.

use ratatui::prelude::{Line, Span, Style};

use crate::screens::changes::{Comparisons, DraftPair};
use crate::screens::concerns::ConcernRow;
use crate::screens::concerns::model::rows;
use crate::widgets::{Theme, words};
use copydesk_core::editorial::changes::{ChangeReason, Comparison, FollowUp};
use copydesk_core::editorial::extract::{Extract, FactKind};
use copydesk_core::editorial::silence::ClaimsToRead;
use copydesk_core::editorial::{
    control_record, corrections, decisions, extract, flags, own_notes, remarks, report, vouching,
};
use copydesk_newsroom::{Choice, Finding, Journal, PublishingNote, Wait};
use copydesk_proof as proof;
use copydesk_text::{in_marks, sanitise};

/// The kind of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// The heading of the notes below it.
    Heading,
    /// All is well.
    Good,
    /// To be looked at.
    Open,
    /// Why it failed.
    Bad,
    Item,
}

impl Weight {
    /// The mark before the note; it tells the kind without colour.
    fn mark(self) -> &'static str {
        match self {
            Self::Heading => "",
            Self::Good => "✓ ",
            Self::Open => "! ",
            Self::Bad => "✗ ",
            Self::Item => "· ",
        }
    }

    pub(crate) fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Heading => theme.heading,
            Self::Good => theme.good,
            Self::Open => theme.warn,
            Self::Bad => theme.bad,
            Self::Item => theme.text,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningNote {
    pub weight: Weight,
    pub text: String,
}

#[derive(Debug, Clone, Default)]
pub struct Signing {
    /// The round whose draft it is about.
    pub round: u32,
    pub notes: Vec<SigningNote>,
    read: Option<SigningBasis>,
}

/// All that the notes were made from: the number of entries and of comparisons, whether there is a fact sheet, what is left, and
/// the open replies.
type SigningBasis = (usize, usize, bool, Vec<FollowUp>, Vec<String>);

/// What the notes take from beside the journal.
#[derive(Debug, Clone, Copy, Default)]
pub struct SigningBeside<'a> {
    /// The to-dos that the draft leaves.
    pub left: &'a [FollowUp],
    /// The facts of a draft that rules made.
    pub sheet: Option<&'a Extract>,
    /// Who has not replied, a sentence each.
    pub replies: &'a [String],
}

/// Most facts of each part of a fact sheet.
const FACTS: usize = 20;

/// The round whose draft is signed.
pub(crate) fn round(journal: &Journal) -> u32 {
    report::shown_round(journal, journal.latest_draft())
}

/// The drafts to compare: each with the one before.
pub fn pairs(journal: &Journal) -> impl Iterator<Item = DraftPair> + use<> {
    (2..=round(journal)).map(|to| (to - 1, to))
}

impl Signing {
    /// Makes the notes again if there is more to note. Returns whether it did.
    pub fn read(
        &mut self,
        journal: &Journal,
        comparisons: &Comparisons,
        SigningBeside { left, sheet, replies }: SigningBeside<'_>,
    ) -> bool {
        let (entries, compared) = (journal.entries().len(), comparisons.known.len());
        let now = (entries, compared, sheet.is_some(), left.to_vec(), replies.to_vec());
        if self.read.as_ref() == Some(&now) {
            return false;
        }
        self.read = Some(now);
        self.round = round(journal);
        self.notes = standing(journal);
        self.notes.extend(corrections::in_sentences(journal).into_iter().map(|told| note(Weight::Open, told)));
        self.notes.extend(held_back(journal, self.round));
        if decisions::waits(journal).is_some() {
            self.notes.extend(not_settled(journal, self.round));
        }
        // A run that has ended has the flag itself.
        let weak = journal.publication().is_none().then(|| flags::weak_sources(journal)).flatten();
        let warnings = weak.into_iter().chain(flags::unsure_words(journal));
        self.notes.extend(warnings.map(|warning| note(Weight::Open, warning)));
        self.notes.extend(replies.iter().map(|open| note(Weight::Open, open.as_str())));
        self.notes.extend(open(journal, self.round, left));
        self.notes.extend(prepared(journal, self.round));
        self.notes.extend(pairs(journal).filter_map(|pair| changed(pair, comparisons)));
        self.notes.extend(left.iter().map(|to_do| note(Weight::Open, to_do.line())));
        self.notes
            .extend(own_notes::open(journal).into_iter().map(|own| note(Weight::Open, format!("Your note: {own}"))));
        self.notes.extend(removed(journal, self.round));
        self.notes.extend(decided(journal));
        self.notes.extend(sheet.map(facts).unwrap_or_default());
        true
    }
}

/// A note on the changes between two drafts; none if the two drafts do not exist.
fn changed(pair: DraftPair, comparisons: &Comparisons) -> Option<SigningNote> {
    let (from, to) = pair;
    match comparisons.of(pair) {
        Some(comparison) => Some(drifted(to, comparison)),
        None if comparisons.has(pair) => None,
        None => Some(note(Weight::Open, format!("Draft {to}: still comparing it with draft {from}"))),
    }
}

fn note(weight: Weight, text: impl Into<String>) -> SigningNote {
    SigningNote { weight, text: sanitise::one_line(&text.into()) }
}

/// How the run ended, and why it was flagged.
fn standing(journal: &Journal) -> Vec<SigningNote> {
    let Some(publication) = journal.publication() else { return Vec::new() };
    let mut notes = vec![match (publication.success, decisions::signed_in_words(journal)) {
        (true, Some(signed)) => note(Weight::Good, words::sentence(signed)),
        (true, None) if journal.opening.extract => note(Weight::Open, "A fact sheet, not signed off"),
        (true, None) => note(Weight::Open, "Passed, not signed off"),
        (false, _) => note(Weight::Bad, report::error(journal).unwrap_or_else(|| "Failed".to_owned())),
    }];
    let flags = publication.flags.iter().map(|flag| flags::in_words(journal, *flag, proof::living));
    notes.extend(flags.map(|flag| note(Weight::Open, format!("Flagged: {flag}"))));
    notes
}

/// The claims that a source contradicts, and the findings that a specialist set aside: nobody raises them, and an editor decides.
fn not_settled(journal: &Journal, round: u32) -> Vec<SigningNote> {
    let against = ClaimsToRead::of(journal, round).contradicted;
    let claims = (against > 0)
        .then(|| note(Weight::Open, format!("A source contradicts {} (9)", words::count(against, "claim"))));
    let set_aside = vouching::set_aside(journal, round).map(|(number, finding)| {
        let text = in_marks(&words::excerpt(&finding.text, 80));
        note(Weight::Open, format!("A specialist set finding {number} of the proof aside, {text}: {}", finding.note))
    });
    claims.into_iter().chain(set_aside).collect()
}

/// The findings that block the sign-off: quotations that no source has and no editor accepted. Also says if there was no proof.
fn held_back(journal: &Journal, round: u32) -> Vec<SigningNote> {
    if !matches!(decisions::waits(journal), Some(Wait::SignOff { .. })) {
        return Vec::new();
    }
    let unproved = vouching::unproved(journal, round).then(|| note(Weight::Open, vouching::NOT_PROVED));
    let said = |(number, finding): (u32, &Finding)| {
        let text = words::excerpt(&finding.text, 80);
        note(Weight::Bad, format!("Finding {number} of the proof blocks the sign-off: {}", in_marks(&text)))
    };
    unproved.into_iter().chain(vouching::unsettled(journal, round).map(said)).collect()
}

/// The facts of a draft that rules made, each with its line, and what it leaves out.
fn facts(sheet: &Extract) -> Vec<SigningNote> {
    let mut notes = Vec::new();
    for (heading, facts) in sheet.parts(&FactKind::BESIDE_DRAFT, FACTS) {
        notes.push(note(Weight::Heading, heading));
        notes.extend(facts.iter().map(|fact| note(Weight::Item, fact.trim_start_matches("- "))));
    }
    notes
}

/// The open concerns, or what else the draft lacks. What it leaves undone stands beside.
fn open(journal: &Journal, round: u32, left: &[FollowUp]) -> Vec<SigningNote> {
    let mut notes = Vec::new();
    let concerns: Vec<ConcernRow> = rows(journal, round).into_iter().filter(ConcernRow::is_open).collect();
    if !concerns.is_empty() {
        notes.push(note(Weight::Open, format!("{} open", words::count(concerns.len(), "concern"))));
        let item = |concern: &ConcernRow| match &concern.finding {
            Some(finding) => format!("{}: {}: {}", concern.id, concern.about(), finding.note),
            None => format!("{}: {}", concern.id, concern.note_alone()),
        };
        notes.extend(concerns.iter().map(|concern| note(Weight::Item, item(concern))));
    } else if extract::is_untouched(journal, round) {
        // A signed one is published as notes.
        let asks = "A fact sheet: give it a headline to make it an article, or publish it as notes";
        notes.extend(decisions::signed_by(journal).is_none().then(|| note(Weight::Open, asks)));
    } else if journal.concerns(round).is_some() {
        let draft = journal.draft(round);
        let short = draft.and_then(|draft| remarks::short(&draft.article, &journal.opening.topic.target_length_words));
        // A writer's remark on it stands among what the draft leaves undone.
        let is_told = draft.is_some_and(|draft| draft.undone.iter().any(|undone| undone.starts_with(remarks::SHORT)));
        match short {
            Some(short) => notes.extend((!is_told).then(|| note(Weight::Open, short))),
            None if left.is_empty()
                && (decisions::waits(journal).is_none() || not_settled(journal, round).is_empty()) =>
            {
                notes.push(note(Weight::Good, "Nothing left to fix"));
            }
            None => {}
        }
    } else if round > 0 {
        notes.push(note(Weight::Open, "This draft is not reviewed yet"));
    }
    notes
}

/// The Publisher's notes, which the editor can accept or leave; none if the Publisher was not asked.
fn prepared(journal: &Journal, round: u32) -> Vec<SigningNote> {
    let Some(found) = journal.prepared(round) else { return Vec::new() };
    if found.is_empty() {
        return vec![note(Weight::Good, "The Publisher has no notes")];
    }
    let (missing, found): (Vec<&PublishingNote>, Vec<_>) = found.iter().partition(|noted| noted.is_missing());
    let head = match found.len() {
        0 => note(Weight::Good, "The Publisher's rules have no notes"),
        noted => {
            note(Weight::Open, format!("The Publisher has {} for you to accept or leave", words::count(noted, "note")))
        }
    };
    let items = (1..).zip(found).map(|(number, found)| note(Weight::Item, format!("{number}: {}", found.line())));
    let missing = missing.into_iter().map(|missing| note(Weight::Open, missing.line()));
    std::iter::once(head).chain(items).chain(missing).collect()
}

/// Notes on the text that the program removed.
fn removed(journal: &Journal, round: u32) -> impl Iterator<Item = SigningNote> {
    let stripped = journal.draft(round).map(|draft| draft.stripped.as_slice()).unwrap_or_default();
    stripped.iter().map(|stripped| note(Weight::Open, format!("Removed automatically: {stripped}")))
}

/// A note on the changes of a revision: how many were unasked, by hand, or asked for.
fn drifted(to: u32, comparison: &Comparison) -> SigningNote {
    let count =
        |wanted: fn(&ChangeReason) -> bool| comparison.changes.iter().filter(|change| wanted(&change.why)).count();
    let unasked = count(|why| matches!(why, ChangeReason::Nobody));
    let by_hand = count(|why| matches!(why, ChangeReason::ByHand));
    let asked = count(|why| matches!(why, ChangeReason::Asked(_)));
    let kinds = [(unasked, "nobody asked for"), (by_hand, "by hand"), (asked, "asked for")];
    let said: Vec<String> = kinds
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, kind)| format!("{} {kind}", words::count(count, "change")))
        .collect();
    let said = if said.is_empty() { "no changes".to_owned() } else { said.join(", ") };
    note(if unasked > 0 { Weight::Open } else { Weight::Good }, format!("Draft {to}: {said}"))
}

/// The editors' decisions, in every round.
fn decided(journal: &Journal) -> Vec<SigningNote> {
    let mut notes = Vec::new();
    // Calls before the first draft are decided in no round.
    for round in 0..=decisions::max_rounds(journal) {
        for decided in decisions::standing(journal, round) {
            // The first note names who signed.
            if matches!(decided.decision.choice, Choice::SignOff { .. } | Choice::Continue | Choice::Undo { .. }) {
                continue;
            }
            if notes.is_empty() {
                notes.push(note(Weight::Heading, "Decisions"));
            }
            let place = if round == 0 { "Research".to_owned() } else { format!("Round {round}") };
            let said = control_record::decision_in_words(journal, &decided);
            notes.push(note(Weight::Item, format!("{place}: {} {said}", decided.decision.by)));
        }
    }
    notes
}

/// The notes in lines of at most `width` columns, with their marks at the left.
pub(crate) fn lines(notes: &[SigningNote], width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    for note in notes {
        let (mark, style) = (note.weight.mark(), note.weight.style(theme));
        let indent = words::width(mark);
        if note.weight == Weight::Heading && !lines.is_empty() {
            lines.push(Line::default());
        }
        let texts = words::wrap(&note.text, usize::from(width).saturating_sub(indent));
        lines.extend(texts.into_iter().enumerate().map(|(row, text)| {
            let before = if row == 0 { mark.to_owned() } else { " ".repeat(indent) };
            Line::from(vec![Span::styled(before, style), Span::styled(text, style)])
        }));
    }
    lines
}

/// The notes that need attention in one line, for a window without room for all; good news if there are none.
pub(crate) fn brief(notes: &[SigningNote]) -> (String, Weight) {
    let of = |wanted: Weight| -> Vec<&str> {
        notes.iter().filter(|note| note.weight == wanted).map(|note| note.text.as_str()).collect()
    };
    let weight = [Weight::Bad, Weight::Open].into_iter().find(|weight| !of(*weight).is_empty()).unwrap_or(Weight::Good);
    let said = if weight == Weight::Good { of(weight) } else { [of(Weight::Bad), of(Weight::Open)].concat() };
    (format!("{}{}", weight.mark(), said.join(" · ")), weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_core::editorial::changes::Progress;
    use copydesk_core::editorial::{
        testing::add,
        testing::{add_round, at_gate, decide, go_on, opening, overrule},
    };
    use copydesk_newsroom::{CorrectedVersion, Correction, Gates, Opening, Outcome, PublishingCheck, Status, Step};

    fn read(journal: &Journal) -> Vec<(Weight, String)> {
        let mut signing = Signing::default();
        let comparisons = Comparisons::default();
        assert!(signing.read(journal, &comparisons, SigningBeside::default()));
        assert!(!signing.read(journal, &comparisons, SigningBeside::default()), "nothing has happened since");
        signing.notes.into_iter().map(|note| (note.weight, note.text)).collect()
    }

    #[test]
    fn what_is_corrected_and_who_has_not_replied_is_known_before_signing() {
        let mut journal = at_gate();
        let corrects = CorrectedVersion {
            run: "R1".into(),
            number: 1,
            article: String::new(),
            signed_by: Some("Ada".into()),
            opened_at: "2026-10-05T12:00:00Z".into(),
            at: "2026-10-06T12:00:00Z".into(),
        };
        let correction = Correction { note: "It was 4.".into(), by: "Ada".into(), at: "t".into(), corrects };
        journal.opening.corrections.push(correction);
        let mut signing = Signing::default();
        let open = ["Ann Lee was asked for a reply and has not answered".to_owned()];
        let beside = SigningBeside { replies: &open, ..SigningBeside::default() };
        assert!(signing.read(&journal, &Comparisons::default(), beside));
        assert!(!signing.read(&journal, &Comparisons::default(), beside));
        let said: Vec<&str> = signing.notes.iter().map(|note| note.text.as_str()).collect();
        assert!(said[0].starts_with("Correction of version 1, which Ada signed off ("), "{said:?}");
        assert!(said.contains(&open[0].as_str()), "{said:?}");
        assert!(signing.read(&journal, &Comparisons::default(), SigningBeside::default()), "they have answered");
    }

    fn note(weight: Weight, text: &str) -> (Weight, String) {
        (weight, text.to_owned())
    }

    #[test]
    fn a_fact_sheet_is_said_to_be_one_with_its_facts_and_their_lines() {
        let mut journal = Journal::new(Opening { extract: true, gates: Gates::Editor, ..opening() });
        journal.opening.topic.source_text = "The bridge closes on Monday. It cost the city $4.2 million.".into();
        add_round(&mut journal, 1, &[]);
        let sheet = Extract::of(&journal, 1).unwrap();
        let mut signing = Signing::default();
        let beside = SigningBeside { sheet: Some(&sheet), ..SigningBeside::default() };
        assert!(signing.read(&journal, &Comparisons::default(), beside));
        let said: Vec<&str> = signing.notes.iter().map(|note| note.text.as_str()).collect();
        assert!(said[0].starts_with("A fact sheet: give it a headline") && !said.contains(&"Nothing left to fix"));
        let figures = said.iter().position(|said| *said == "Figures:").unwrap();
        assert_eq!(said[figures + 1], "$4.2 million (line 1)");
        // The facts are known a moment later than the draft.
        assert!(signing.read(&journal, &Comparisons::default(), SigningBeside::default()));
    }

    #[test]
    fn what_is_open_and_what_was_decided_is_known_before_signing() {
        let mut journal = at_gate();
        assert_eq!(read(&journal), [note(Weight::Open, "1 concern open"), note(Weight::Item, "2: x")]);
        decide(&mut journal, 1, overrule(2, Status::Keep, None));
        decide(&mut journal, 1, Choice::Feedback { text: "Name the chair.\n- Say when.".into() });
        let decided = [
            note(Weight::Open, "Short: 5 words; target 250"),
            note(Weight::Heading, "Decisions"),
            note(Weight::Item, "Round 1: Ada overruled the verdict on concern 2, REWRITE, with KEEP: I know about 2"),
            note(Weight::Item, "Round 1: Ada gave the writer to-dos: Name the chair. / Say when."),
        ];
        assert_eq!(read(&journal), decided);
        let mut whole = journal.clone();
        whole.opening.topic.target_length_words = String::new();
        assert_eq!(read(&whole)[0], note(Weight::Good, "Nothing left to fix"));
        let left = [FollowUp { to_do: "Say when.".into(), progress: Progress::NotDone }];
        let mut signing = Signing::default();
        signing.read(&whole, &Comparisons::default(), SigningBeside { left: &left, ..SigningBeside::default() });
        let said: Vec<&str> = signing.notes.iter().map(|note| note.text.as_str()).collect();
        assert!(said.contains(&"Not done: Say when.") && !said.contains(&"Nothing left to fix"), "{said:?}");
        decide(&mut journal, 1, Choice::Undo { number: 2 });
        decide(&mut journal, 1, Choice::Continue);
        go_on(&mut journal);
        decide(&mut journal, 1, Choice::SignOff { chain: "00".into(), as_notes: false });
        go_on(&mut journal);
        assert_eq!(read(&journal)[..2], [note(Weight::Good, "Signed off by Ada"), decided[0].clone()]);
        assert_eq!(read(&journal)[2..], decided[1..3]);
    }

    #[test]
    fn what_the_publisher_notes_is_known_before_signing() {
        let mut journal = at_gate();
        decide(&mut journal, 1, Choice::Stet { reason: "It is right.".into() });
        go_on(&mut journal);
        assert!(!read(&journal).iter().any(|(_, text)| text.contains("Publisher")), "it was not asked");
        let noted = PublishingNote {
            check: PublishingCheck::Formats,
            field: "articleBody".into(),
            start: 16,
            end: 17,
            text: "x".into(),
            what: "It is short.".into(),
            fix: "Write it out.".into(),
            replacement: Some("example".into()),
            by_model: false,
        };
        let missing = PublishingNote::missing("status 503");
        let says = "The notes of the Publisher’s model are missing (status 503). Only rules have looked at this draft.";
        for (notes, said) in [
            (vec![], vec![note(Weight::Good, "The Publisher has no notes")]),
            (
                vec![missing.clone()],
                vec![note(Weight::Good, "The Publisher's rules have no notes"), note(Weight::Open, says)],
            ),
            (
                vec![PublishingNote { by_model: true, ..noted.clone() }, missing],
                vec![
                    note(Weight::Open, "The Publisher has 1 note for you to accept or leave"),
                    note(Weight::Item, "1: Formats (model), “x”: It is short. Write it out."),
                    note(Weight::Open, says),
                ],
            ),
            (
                vec![noted],
                vec![
                    note(Weight::Open, "The Publisher has 1 note for you to accept or leave"),
                    note(Weight::Item, "1: Formats, “x”: It is short. Write it out."),
                ],
            ),
        ] {
            let mut prepared = journal.clone();
            add(&mut prepared, Step::Prepare { round: 1 }, Outcome::Prepared(notes));
            let all = read(&prepared);
            assert!(all.windows(said.len()).any(|lines| *lines == said[..]), "{all:?}");
        }
    }

    #[test]
    fn what_holds_the_sign_off_back_is_known_before_anything_else() {
        let notes = read(&crate::testing::demo_proof::held_back());
        let text = "Finding 3 of the proof blocks the sign-off: “the swings are rusty and somebody will be hurt before the summer is over”";
        assert_eq!(notes.first(), Some(&note(Weight::Bad, text)));
        assert_eq!(notes.iter().filter(|(weight, _)| *weight == Weight::Bad).count(), 1, "the other is vouched for");
        let mut unproved = crate::testing::demo_proof::held_back();
        unproved.opening.settings.proves = true;
        assert_eq!(read(&unproved).first(), Some(&note(Weight::Open, vouching::NOT_PROVED)));
        // At the gate it is one concern among others.
        assert_eq!(
            read(&crate::testing::demo_proof::proved()).iter().filter(|(weight, _)| *weight == Weight::Bad).count(),
            0
        );
    }

    #[test]
    fn in_a_line_what_is_wrong_comes_before_what_is_open_and_both_before_all_is_well() {
        let note = |weight, text: &str| SigningNote { weight, text: text.into() };
        let (good, item) = (note(Weight::Good, "signed"), note(Weight::Item, "1: x"));
        let (open, bad) = (note(Weight::Open, "2 open"), note(Weight::Bad, "failed"));
        assert_eq!(brief(&[]), ("✓ ".to_owned(), Weight::Good));
        assert_eq!(brief(&[good.clone(), item.clone()]), ("✓ signed".to_owned(), Weight::Good));
        assert_eq!(brief(&[good.clone(), open.clone(), item.clone()]), ("! 2 open".to_owned(), Weight::Open));
        assert_eq!(brief(&[good, open, item, bad]), ("✗ failed · 2 open".to_owned(), Weight::Bad));
    }

    #[test]
    fn marks_stand_out_at_the_left_of_what_they_are_about() {
        let notes = [
            SigningNote { weight: Weight::Open, text: "one concern is open".into() },
            SigningNote { weight: Weight::Heading, text: "Decided".into() },
        ];
        let theme = Theme::named(crate::widgets::theme::ThemeName::Dark);
        let said = |width| lines(&notes, width, &theme).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(said(14), ["! one concern", "  is open", "", "Decided"]);
        assert_eq!(said(0), Vec::<String>::new());
    }
}
